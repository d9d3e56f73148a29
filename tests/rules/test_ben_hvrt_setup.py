"""Players, money, series, antes and deals of Ben Hvrt (BH-2, BH-3); the id stands in the test's name."""

from __future__ import annotations

import pytest

from games.benhvrt.positions import (
    Match,
    chance_seat,
    chariot,
    deal,
    hand,
    money,
    play,
    position,
    purses,
    race,
    series,
)
from quadriga.engine.errors import IllegalActionError, OptionError
from quadriga.engine.kernels.slots import CHANCE
from support import SETUPS, played

NAMED: dict[str, list[int | None]] = {
    "basic": [1, 2, 4],
    "jupiter": [1, 2, 4, 6],
    "julius": [2, 3, 4, 5],
    "augustus": [2, 2, 2, 6],
    "mercury": [1, 2, 3, 4, 1, 2, 3, 4],
    "hercules": [1, 2, 3, 4, 5, 6],
    "saturn": [2, 2, 4, 2, 2, 6],
    "rose-derby": [4, 3, 2, 1, 6],
    "iris-derby": [3, 2, 1, 4, 6],
    "caligula": [None] * 6,
}


def auction_cards(match) -> list[int]:
    return [player.auction_cards for player in match.view().players]


# --- BH-2 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "chariots"), [(2, 4), (3, 6), (4, 4), (5, 5), (12, 12)])
def test_bh_2_1_one_chariot_each_but_two_each_with_2_or_3_players(seats, chariots):
    match = series(seats)
    assert [c.seat for c in match.view().chariots] == [n % seats for n in range(chariots)]


@pytest.mark.parametrize("seats", range(2, 13))
@pytest.mark.parametrize("each", [1, 2])
def test_bh_2_1_one_or_two_chariots_each_up_to_twelve(seats, each):
    if seats * each > 12:
        with pytest.raises(
            OptionError, match="more than the 12 chariots there are; choose chariots=1, or at most 6"
        ):
            series(seats, chariots=each)
        return
    match = series(seats, dealer=0, chariots=each, series=[1])
    seen = match.view()
    assert [c.seat for c in seen.chariots] == [*range(seats)] * each
    assert purses(match) == [100 * each] * seats
    deal(match)
    assert len(hand(match, 1)) == min(3 * each, (80 - 1) // seats + 1)
    assert purses(match) == [98 * each] * seats
    assert match.view().pot == 2 * seats * each


@pytest.mark.parametrize("each", [0, 3, "two", True, None])
def test_bh_2_1_a_player_has_no_other_number_of_chariots(each):
    with pytest.raises(OptionError, match=r"1\.\.2"):
        series(4, chariots=each)


def test_bh_2_1_a_trace_says_how_many_chariots_each_has():
    from quadriga.engine.match.trace import header

    assert header(series(3))["options"]["chariots"] == 2
    assert header(series(4))["options"]["chariots"] == 1
    assert header(series(3, chariots=1))["options"]["chariots"] == 1


def test_bh_2_1_with_one_each_two_players_race_two_chariots():
    match = position("grid", seats=2, chariots=1)
    assert [c.square for c in match.view().chariots] == ["1.17", "2.21"]


def test_bh_2_1_with_two_each_six_players_fill_the_grid():
    match = position("grid", seats=6, chariots=2, dealer=0)
    assert [c.square for c in match.view().chariots] == [
        "2.20", "1.17", "2.21", "3.25", "4.29", "1.16", "4.27", "3.24", "4.28", "1.15", "2.19", "3.23",
    ]  # fmt: skip


@pytest.mark.parametrize("seats", [1, 13])
def test_bh_2_1_there_are_no_fewer_and_no_more_players(seats):
    with pytest.raises(OptionError, match="2 to 12"):
        series(seats)


def test_bh_2_1_with_two_each_cards_and_ante_are_counted_per_chariot():
    match = series(3, dealer=2, series=[3])
    assert [seat for seat, _ in deal(match)] == [0, 1, 2] * 8  # 2 and half of 3, rounded up, twice
    assert purses(match) == [200 - 2 * 6] * 3
    assert auction_cards(match) == [6, 6, 6]
    assert len(hand(match, 0)) == 8  # one hand and one purse per player


def test_bh_2_1_bids_are_made_per_player():
    match = position("auction", seats=2, dealer=0)
    play(match, "turn Add 1", "auction", "bid", "pass")
    assert purses(match) == [199, 200]
    assert hand(match, 0) == ["Add 1"]


def test_bh_2_1_grid_places_go_round_the_table_once_per_chariot():
    match = position("grid", seats=3, dealer=0)
    squares = {n: chariot(match, n).square for n in range(6)}
    assert squares == {1: "1.17", 2: "2.21", 0: "3.25", 4: "4.29", 5: "1.16", 3: "2.20"}


def test_bh_2_1_improvements_and_drivers_belong_to_a_chariot():
    match = position("market", seats=2, hands={0: ["Tow Rope", "Old Decimus"]})
    assert list(match.actions()) == [
        "fit Old Decimus 0",
        "fit Old Decimus 2",
        "fit Tow Rope 0",
        "fit Tow Rope 2",
        "offer *",
        "ready",
    ]
    play(match, "fit Tow Rope 2", "ready", "fit Old Decimus 0")
    assert (chariot(match, 0).driver, chariot(match, 0).improvements) == ("Old Decimus", [])
    assert (chariot(match, 2).driver, chariot(match, 2).improvements) == (None, ["Tow Rope"])


def test_bh_2_1_ones_own_second_chariot_can_be_passed_and_targeted():
    match = race(
        ("1.0", 1, 1),
        ("4.7", 1, 1),
        ("2.1", 1, 5),
        None,
        seats=2,
        moved=(1, 2),
        hands={0: ["Broom in the Spokes", "Thrown Fishwife"]},
    )
    play(match, "die 2", "step 1.1")
    assert match.legal() == ["pass", "play Broom in the Spokes"]
    play(
        match,
        "play Broom in the Spokes",
    )
    assert chariot(match, 2).speed == 1
    assert match.legal() == ["pass", "play Thrown Fishwife"]  # and as the passed one he is asked too


@pytest.mark.parametrize(("seats", "purse"), [(2, 200), (3, 200), (4, 100), (12, 100)])
def test_bh_2_2_everybody_has_100_ducats_per_chariot(seats, purse):
    assert purses(series(seats)) == [purse] * seats


@pytest.mark.parametrize("name", NAMED)
def test_bh_2_2_the_named_series(name):
    assert series(4, series=name).view().series == NAMED[name]


def test_bh_2_2_basic_is_run_where_nothing_is_said():
    assert series(4).view().series == [1, 2, 4]


@pytest.mark.parametrize("name", NAMED)
def test_bh_2_2_any_series_can_be_doubled_the_whole_list_is_run_twice(name):
    assert series(4, series=name, double=True).view().series == NAMED[name] * 2


def test_bh_2_2_own_lists_are_allowed_and_doubled_too():
    assert series(4, series=[6, 1]).view().series == [6, 1]
    assert series(4, series=[6, 1], double=True).view().series == [6, 1, 6, 1]


@pytest.mark.parametrize("laps", [[], [0], [7], [1, 2.0], [True], "nero", [1] * 13])
def test_bh_2_2_a_series_is_a_list_of_races_of_1_to_6_laps(laps):
    with pytest.raises(OptionError, match="series"):
        series(4, series=laps)


def test_bh_2_2_caligula_rolls_for_the_laps_before_the_ante_nobodys_die():
    match = series(4, dealer=0, series="caligula")
    deal(match)
    assert match.view().laps is None
    assert chance_seat(match) == -1
    assert [o.text for o in match.outcomes()] == [f"die {n}" for n in range(1, 7)]
    assert purses(match) == [100] * 4  # not yet
    match.happen("die 5")
    assert match.view().laps == 5
    assert purses(match) == [90] * 4


def test_bh_2_2_caligula_rolls_for_every_race():
    match = race(None, None, ("1.17", 1, 1), ("2.3", 0, 1), series="caligula", finished=(0, 1))
    play(match, "die 1", "step 1.0")
    assert match.view().race == 2
    assert chance_seat(match) == -1
    match.happen("die 2")
    assert match.view().laps == 2


def test_bh_2_2_other_series_do_not_roll():
    match = series(4, dealer=0, series=[3])
    deal(match)
    assert match.view().laps == 3
    assert match.outcomes()[0].text.startswith("turn")


def test_bh_2_3_every_seat_from_0_rolls_and_the_highest_deals():
    match = series(4)
    rolled = []
    for face in (2, 5, 6, 1):
        rolled.append(chance_seat(match))
        match.happen(f"die {face}")
    assert rolled == [0, 1, 2, 3]
    assert match.view().dealer == 2


def test_bh_2_3_ties_for_the_highest_roll_again_in_seat_order():
    match = series(4)
    play(match, "die 5", "die 2", "die 5", "die 5")
    assert [chance_seat(match), match.happen("die 3").seat] == [0, 0]
    assert [chance_seat(match), match.happen("die 4").seat] == [2, 2]
    assert [chance_seat(match), match.happen("die 4").seat] == [3, 3]
    assert [chance_seat(match), match.happen("die 1").seat] == [2, 2]  # once more, without seat 0
    assert match.happen("die 2").seat == 3
    assert match.view().dealer == 3


def test_bh_2_3_a_tie_below_the_highest_is_none():
    match = series(4)
    play(match, "die 2", "die 2", "die 3", "die 2")
    assert match.view().dealer == 2


def test_bh_2_3_then_two_cards_per_chariot_one_at_a_time_from_the_dealers_left():
    match = series(5, dealer=1, series=[6])
    dealt = []
    for _ in range(10):
        assert purses(match) == [100] * 5  # before any ante
        dealt.append(match.happen(match.outcomes()[0].text).seat)
    assert dealt == [2, 3, 4, 0, 1] * 2
    assert purses(match) == [88] * 5


BEN_HVRT = [setup for setup in SETUPS if setup[0] == "ben-hvrt"]


@pytest.mark.parametrize("setup", BEN_HVRT[:5], ids=str)
def test_bh_2_4_purses_pot_and_bribes_held_are_constant_at_every_moment(setup):
    match = Match.of(played(setup))
    total = 100 * match.t.chariots
    assert all(money(moment) == total for moment in match.positions())
    assert sum(match.result) == total


# --- BH-3 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laps", range(1, 7))
def test_bh_3_1_the_ante_is_2_ducats_per_lap_into_the_pot(laps):
    match = position("race", laps=laps)
    assert purses(match) == [100 - 2 * laps] * 4
    assert match.view().pot == 8 * laps


def test_bh_3_1_it_is_paid_whenever_it_can_be_and_else_the_player_sits_out():
    match = position("race", laps=2, purses={0: 3, 1: 4})
    assert purses(match) == [3, 0, 96, 96]
    assert [player.plays for player in match.view().players] == [False, True, True, True]
    assert [c.entered for c in match.view().chariots] == [False, True, True, True]


def test_bh_3_1_who_sits_out_gets_no_cards_and_bids_for_none():
    match = position("race", laps=1, purses={0: 1}, hands={0: ["Tow Rope"]})
    assert {seat for seat, _ in deal(match)} == {1, 2, 3}
    assert auction_cards(match) == [0, 1, 1, 1]
    assert hand(match, 0) == ["Tow Rope"]  # and keeps what he has
    asked = []
    while match.view().phase == "auction":
        if match.actor == CHANCE:
            match.happen(match.outcomes()[0].text)
        else:
            asked.append(match.actor)
            match.play("auction" if "auction" in match.legal() else "pass")
    assert set(asked) == {1, 2, 3}


def test_bh_3_1_who_sits_out_makes_and_gets_no_offers_and_pays_no_maintenance():
    match = position(
        "market", entered=[1, 2, 3], hands={0: ["Tow Rope"]}, fitted={0: ["Old Decimus"], 1: ["Old Decimus"]}
    )
    assert match.actor == 1
    with pytest.raises(IllegalActionError, match="offer 0 give 1 for nothing"):
        match.play("offer 0 give 1 for nothing")
    play(match, "ready", "ready", "ready")
    assert match.legal() == ["drop Old Decimus 1", "keep Old Decimus 1"]
    play(match, "keep Old Decimus 1")
    assert match.view().phase == "race"
    assert chariot(match, 0).driver == "Old Decimus"
    assert not chariot(match, 0).racing


def test_bh_3_1_he_is_back_with_the_next_ante():
    match = race(
        None,
        ("1.17", 1, 1),
        None,
        None,
        finished=(2, 3),
        purses={0: 5},
        series=[1, 2],
        pot=60,
    )
    match.s.entered &= ~1
    play(match, "die 1", "step 1.0")
    assert match.view().race == 2
    assert [player.plays for player in match.view().players] == [True] * 4
    assert purses(match)[0] == 1


def test_bh_3_1_who_can_pay_for_one_of_two_chariots_enters_the_lower_numbered():
    match = position("race", seats=2, laps=3, purses={0: 11}, fitted={2: ["Old Decimus"], 0: ["Livia Unruffled"]})
    assert [c.entered for c in match.view().chariots] == [True, True, False, True]
    assert purses(match) == [5, 188]
    assert [seat for seat, _ in deal(match)] == [0, 1, 0, 1, 1, 1]
    assert auction_cards(match) == [3, 6]


def test_bh_3_1_the_other_chariot_is_neither_fitted_nor_maintained():
    match = position(
        "market",
        seats=2,
        entered=[0, 1, 3],
        hands={0: ["Tow Rope"]},
        fitted={2: ["Old Decimus"], 0: ["False Bottom"]},
    )
    assert list(match.actions()) == ["fit Tow Rope 0", "offer *", "ready"]
    play(match, "ready", "ready")
    assert match.legal() == ["drop False Bottom 0", "keep False Bottom 0"]
    play(match, "drop False Bottom 0")
    assert match.view().phase == "race"
    assert chariot(match, 2).driver == "Old Decimus"


def test_bh_3_1_a_dealer_who_sits_out_still_deals():
    match = position("race", laps=1, dealer=2, purses={2: 1})
    assert [seat for seat, _ in deal(match)] == [3, 0, 1]
    assert chance_seat(match) == 3  # the auction begins with him, who has nothing to auction
    assert match.view().dealer == 2


def test_bh_3_1_the_race_is_run_however_few_enter():
    match = position("race", laps=1, purses={0: 1, 1: 1, 2: 1})
    deal(match)
    play(match, "turn Add 1", "auction", "pass", "ready")
    assert [c.racing for c in match.view().chariots] == [False, False, False, True]
    match = race(None, None, None, ("1.17", 1, 1), purses={0: 0, 1: 0, 2: 0, 3: 0}, pot=8)
    play(match, "die 1", "step 1.0")
    assert match.result == [0, 0, 0, 8]


def test_bh_3_1_if_nobody_can_pay_the_race_is_over_at_once():
    match = position("race", purses=dict.fromkeys(range(4), 1))
    assert match.result == [1, 1, 1, 1]


@pytest.mark.parametrize(("laps", "cards"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_bh_3_2_half_as_many_cards_as_laps_rounded_up_then_as_many_auction_cards(laps, cards):
    match = position("race", laps=laps, dealer=1)
    assert [seat for seat, _ in deal(match)] == [2, 3, 0, 1] * cards
    assert auction_cards(match) == [laps] * 4


def test_bh_3_2_auction_cards_are_unseen():
    """They may be any card that nobody holds, also for the auctioneer."""
    match = position("race", laps=1, hands={1: ["Brake Lever"]})
    deal(match)
    left = {o.text.removeprefix("turn "): o.weight for o in match.outcomes()}
    dealt = [name for seat in range(4) for name in hand(match, seat)]
    assert sum(left.values()) == 80 - len(dealt)
    assert "Brake Lever" not in left
    assert left["Add 1"] == 5 - dealt.count("Add 1")


def test_bh_3_2_who_has_had_his_share_is_skipped():
    match = position("race", seats=3, laps=5, dealer=2, purses={1: 10})
    assert [seat for seat, _ in deal(match)] == [0, 1, 2] * 3 + [0, 2] * 3


def test_bh_3_2_if_the_deck_runs_out_the_rest_go_without():
    match = position("race", laps=3, dealer=0, left=["Add 1"] * 5 + ["Add 2"])
    assert [seat for seat, _ in deal(match)] == [1, 2, 3, 0, 1, 2]  # hands first
    assert auction_cards(match) == [0, 0, 0, 0]
    assert match.view().phase == "market"


def test_bh_3_2_and_have_fewer_cards_to_auction():
    match = position("auction", laps=2, dealer=0, left=["Add 1"] * 5)
    assert auction_cards(match) == [1, 2, 1, 1]
    assert [o.weight for o in match.outcomes()] == [5]


def test_bh_3_3_the_deck_is_not_refilled_during_a_race_and_draws_from_an_empty_one_do_nothing():
    match = position("maintenance", laps=4, fitted={0: ["False Bottom"]}, left=["Add 1"])
    play(match, "keep False Bottom 0", "deal Add 1")
    assert hand(match, 0) == ["Add 1"]  # not the two that False Bottom gives
    assert match.view().phase == "race"
    assert match.view().deck == 0
    assert len(match.view().discards) == 78


def test_bh_3_3_a_card_that_draws_gives_what_is_left():
    match = position("grid", hands={0: ["Rich Aunt"]}, left=["Add 1"])
    play(match, "play Rich Aunt", "deal Add 1")
    assert hand(match, 0) == ["Add 1"]
    assert match.view().deck == 0
