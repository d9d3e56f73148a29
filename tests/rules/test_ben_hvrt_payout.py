"""After the race in Ben Hvrt (BH-8), one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

from typing import Any

import pytest

from games.benhvrt.positions import chance_seat, chariot, deal, everybody_passes, hand, play, purses, race
from quadriga.engine.kernels.slots import CHANCE

REMAINDERS = {0: (0, 0, 0), 1: (1, 0, 0), 2: (1, 1, 0), 3: (2, 1, 0), 4: (2, 1, 1), 5: (2, 2, 1)}


def ending(**more):
    """Return a race: 0 and 1 have finished, 2 is about to; 3 is last."""
    more.setdefault("purses", dict.fromkeys(range(4), 0))
    match = race(None, None, ("1.17", 1, 1), ("4.1", 0, 1), finished=(0, 1), **more)
    play(match, "die 1")
    everybody_passes(match)
    play(match, "step 1.0")
    return match


# --- BH-8.1 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pot", range(60, 66))
def test_bh_8_1_six_shares_3_2_1_and_the_remainder(pot):
    rest = REMAINDERS[pot - 60]
    match = ending(pot=pot)
    assert match.result == [30 + rest[0], 20 + rest[1], 10 + rest[2], 0]
    assert match.view().pot == 0


@pytest.mark.parametrize("pot", range(6))
def test_bh_8_1_a_pot_of_less_than_six_is_all_remainder(pot):
    assert ending(pot=pot).result == [*REMAINDERS[pot], 0]


def test_bh_8_1_by_order_of_finishing():
    match = race(
        None,
        ("1.17", 1, 1),
        None,
        ("4.1", 0, 1),
        finished=(2, 0),
        pot=60,
        purses=dict.fromkeys(range(4), 0),
    )
    play(match, "die 1", "step 1.0")
    assert match.result == [20, 10, 30, 0]


@pytest.mark.parametrize("pot", range(60, 66))
def test_bh_8_1_what_nobody_is_there_to_claim_goes_to_the_winner(pot):
    rest = REMAINDERS[pot - 60]
    none = dict.fromkeys(range(4), 0)
    match = race(None, ("1.17", 1, 1), None, None, finished=(0,), pot=pot, purses=none)
    play(match, "die 1", "step 1.0")
    assert match.result == [pot - 20 - rest[1], 20 + rest[1], 0, 0]
    match = race(None, ("1.17", 1, 1), None, None, pot=pot, purses=none)
    play(match, "die 1", "step 1.0")
    assert match.result == [0, pot, 0, 0]


def test_bh_8_1_a_player_with_two_chariots_may_take_two_places():
    match = race(None, None, ("1.17", 1, 1), ("4.1", 0, 1), seats=2, finished=(0, 1), pot=60, purses={0: 0, 1: 0})
    play(match, "die 1", "step 1.0")
    assert match.result == [40, 20]


# --- BH-8.2 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("finished", [(0, 1), (1, 0)])
def test_bh_8_2_the_winners_player_deals_next(finished):
    match = race(None, None, ("1.17", 1, 1), ("4.1", 0, 1), finished=finished, dealer=3, series=[1, 1], pot=60)
    play(match, "die 1", "step 1.0")
    assert match.view().dealer == finished[0]
    assert chance_seat(match) == finished[0] + 1  # at his left


def test_bh_8_2_the_player_not_the_chariot():
    match = race(
        None, ("1.17", 1, 1), None, ("4.1", 0, 1), ("4.2", 0, 1), None, seats=3, finished=(5, 0), series=[1, 1]
    )
    while match.view().race == 1:
        play(match, "die 1", "step 1.0")
    assert match.view().dealer == 2


def test_bh_8_2_also_if_the_winner_is_placed_by_bh_6_8():
    match = race(
        ("1.6", 1, 1),
        ("1.8", 1, 1),
        ("4.1", 1, 1),
        ("4.2", 1, 1),
        stalled=9,
        series=[1, 1],
        dealer=3,
        moved=(0, 2, 3),
    )
    play(match, "die 1", "stop")
    assert match.view().dealer == 1


def test_bh_8_2_hands_drivers_and_improvements_are_kept():
    match = ending(
        hands={0: ["Add 1"], 3: ["Tow Rope"]},
        fitted={1: ["Old Decimus"], 2: ["Brake Lever"]},
        series=[1, 1],
        purses={},
    )
    assert match.view().race == 2
    assert (hand(match, 0), hand(match, 3)) == (["Add 1"], ["Tow Rope"])
    assert chariot(match, 1).driver == "Old Decimus"
    assert chariot(match, 2).improvements == ["Brake Lever"]


def test_bh_8_2_the_discards_go_back_into_the_deck():
    match = race(
        None,
        None,
        ("1.17", 1, 1),
        ("4.1", 0, 1),
        finished=(0, 1),
        hands={2: ["Add 1"], 1: ["Add 2"]},
        left=["Tow Rope"],
        series=[1, 1],
    )
    play(match, "die 1", "play Add 1")
    assert len(match.view().discards) == 78
    play(match, "step 1.0")
    assert match.view().discards == []
    assert match.view().deck == 79  # all but the one that is still held
    assert {o.text for o in match.outcomes()} >= {"deal Add 1", "deal Brake Lever"}


def test_bh_8_2_nothing_of_a_race_is_left_in_the_next():
    match = race(
        None,
        None,
        ("1.17", 1, 1),
        ("4.1", 0, 5),
        finished=(0, 1),
        hands={3: ["Orangutan"]},
        series=[1, 2],
        stalled=3,
    )
    play(match, "die 1", "step 1.0")
    for seen in match.view().chariots:
        assert (seen.racing, seen.place, seen.square, seen.lap, seen.next_roll) == (False, None, None, 0, None)
        assert seen.entered
    assert match.view().stalled == 0
    assert match.view().laps == 2


# --- BH-8.3 ---------------------------------------------------------------------------------------------


def ruined(**more):
    """Return a race of Caligula with 3 rearmost at its end; cards in all hands and on all chariots."""
    return ending(
        series="caligula",
        hands={2: ["Add 2"], 3: ["Add 1", "Loaded Die"]},
        purses={},
        **({"fitted": {2: ["Bronze Flanks"], 3: ["Tow Rope", "Old Decimus"]}} | more),
    )


def test_bh_8_3_caligula_the_last_placed_chariots_player_loses_all_his_cards_hand_and_table():
    match = ruined()
    assert match.view().race == 2
    assert hand(match, 3) == []
    assert (chariot(match, 3).driver, chariot(match, 3).improvements) == (None, [])


def test_bh_8_3_nobody_else_does():
    match = ruined()
    assert hand(match, 2) == ["Add 2"]
    assert chariot(match, 2).improvements == ["Bronze Flanks"]


def test_bh_8_3_and_what_he_loses_goes_back_into_the_deck():
    match = ruined()
    assert match.view().deck == 78
    assert match.view().discards == []


@pytest.mark.parametrize(
    ("series", "penalty"), [([1, 1], None), ([1, 1], False), ("basic", False), ("caligula", False)]
)
def test_bh_8_3_only_in_caligula_or_where_the_option_says_so(series, penalty):
    option = {} if penalty is None else {"penalty": penalty}
    hands, fitted = {3: ["Add 1"]}, {3: ["Tow Rope", "Old Decimus"]}
    match = ending(series=series, purses={}, hands=hands, fitted=fitted, **option)
    assert hand(match, 3) == ["Add 1"]
    assert (chariot(match, 3).driver, chariot(match, 3).improvements) == ("Old Decimus", ["Tow Rope"])
    match = ending(series=series, purses={}, hands=hands, fitted=fitted, penalty=True)
    assert hand(match, 3) == []
    assert (chariot(match, 3).driver, chariot(match, 3).improvements) == (None, [])


def test_bh_8_3_who_has_finished_is_not_last_however_late():
    match = race(
        None,
        None,
        None,
        ("1.17", 1, 1),
        ("4.2", 0, 1),
        finished=(0, 1, 2),
        series="caligula",
        hands={3: ["Tow Rope"], 4: ["Tow Rope"]},
    )
    play(match, "die 1", "step 1.0")
    assert match.view().race == 2
    assert (hand(match, 3), hand(match, 4)) == (["Tow Rope"], [])


def test_bh_8_3_all_that_a_player_has_on_both_his_chariots():
    match = race(
        None,
        None,
        ("1.17", 1, 1),
        ("4.1", 0, 1),
        seats=2,
        finished=(0, 1),
        series="caligula",
        fitted={1: ["Tow Rope"], 3: ["Old Decimus"], 0: ["Brake Lever"]},
    )
    play(match, "die 1", "step 1.0")
    assert (chariot(match, 1).improvements, chariot(match, 3).driver) == ([], None)
    assert chariot(match, 0).improvements == ["Brake Lever"]


@pytest.mark.parametrize(("finished", "gains"), [((), [40, 20, 0, 0]), ((2,), [20, 10, 30, 0])])
def test_bh_8_3_the_last_of_two_or_three_is_paid_for_its_place_and_loses_its_cards(finished, gains):
    """BH-6.8, BH-8.1: the last chariot holds the second or third place, which it need not drive home."""
    none = dict.fromkeys(range(4), 0)
    hands = {0: ["Tow Rope"], 1: ["Tow Rope"]}
    match = race(
        ("1.17", 1, 1), ("4.2", 0, 1), None, None, finished=finished, penalty=True, pot=60, purses=none, hands=hands
    )
    play(match, "die 1", "step 1.0")
    assert match.result == gains
    assert (hand(match, 0), hand(match, 1)) == (["Tow Rope"], [])


def test_bh_8_3_a_chariot_that_races_alone_is_first_and_last():
    none = dict.fromkeys(range(4), 0)
    match = race(None, ("1.17", 1, 1), None, None, penalty=True, pot=60, purses=none, hands={1: ["Tow Rope"]})
    play(match, "die 1", "step 1.0")
    assert match.result == [0, 60, 0, 0]
    assert hand(match, 1) == []


def test_bh_8_3_in_a_race_that_stalls_too():
    match = race(
        ("1.6", 1, 1),
        ("1.8", 1, 1),
        ("4.1", 1, 1),
        ("4.2", 1, 1),
        stalled=9,
        series="caligula",
        moved=(0, 2, 3),
        hands={2: ["Tow Rope"], 3: ["Tow Rope"]},
    )
    play(match, "die 1", "stop")
    assert (hand(match, 2), hand(match, 3)) == ([], ["Tow Rope"])


def test_bh_8_3_cousin_titus_lost_so_draws_two_cards_after_the_loss_before_the_discards_go_back():
    match = ruined(fitted={3: ["Cousin Titus"]}, left=["Move 3", "Move 4", "Move 5"])
    assert chance_seat(match) == 3
    assert {o.text for o in match.outcomes()} == {"deal Move 3", "deal Move 4", "deal Move 5"}
    play(match, "deal Move 3", "deal Move 5")
    assert hand(match, 3) == ["Move 3", "Move 5"]  # and kept
    assert match.view().race == 2


def test_bh_8_3_from_an_empty_deck_he_draws_nothing():
    match = ruined(fitted={3: ["Cousin Titus"]}, left=[])
    assert match.view().race == 2
    assert hand(match, 3) == []


# --- BH-8.4 ---------------------------------------------------------------------------------------------


def test_bh_8_4_after_the_last_race_the_most_ducats_win():
    match = ending(pot=60, purses={0: 1, 1: 40, 2: 3, 3: 50})
    assert match.over
    assert match.result == [31, 60, 13, 50]  # the winner of the race is not the winner of the series
    assert match.result == purses(match)


def test_bh_8_4_equal_purses_share():
    match = ending(pot=60, purses={0: 20, 1: 30, 2: 0, 3: 50})
    assert match.result == [50, 50, 10, 50]  # equal scores: nobody is preferred


def test_bh_8_4_not_before_the_last_race():
    match = ending(series=[1, 1], purses={})
    assert not match.over
    assert match.view().race == 2
    deal(match)
    assert match.actor == CHANCE  # its auction


def effects(match, text: str) -> dict[str, dict[str, Any]]:
    """Play an action or outcome, and return its effects by their last word, with their parameters."""
    before = match.s.copy()
    entry = match.happen(text) if match.actor == CHANCE else match.push(text)
    notes = match.game.display.explain(match.t, before, entry.actions)
    return {note.message.id.rpartition(".")[2]: note.message.parameters for note in notes}


def test_bh_8_3_the_log_says_who_lost_all_cards_and_what_the_winner_gained_before_the_next_ante():
    chariots = None, None, ("1.17", 1, 1), ("4.1", 0, 1)
    match = race(*chariots, finished=(0, 1), pot=60, series=[1, 6], penalty=True, fitted={3: ["Old Decimus"]})
    play(match, "die 1")
    notes = effects(match, "step 1.0")
    assert (notes["paid-out"], notes["loses-cards"]) == ({"seat": 1, "n": 30}, {"seat": 4})


def test_bh_8_3_and_says_it_once_where_cousin_titus_draws_after_it():
    chariots = None, None, ("1.17", 1, 1), ("4.1", 0, 1)
    lost: dict[str, Any] = {"finished": (0, 1), "fitted": {3: ["Cousin Titus"]}, "left": ["Add 1"]}
    match = race(*chariots, pot=60, series=[1, 6], penalty=True, **lost)
    play(match, "die 1")
    notes = effects(match, "step 1.0")
    assert (notes["paid-out"], notes["loses-cards"]) == ({"seat": 1, "n": 30}, {"seat": 4})
    assert not {"loses-cards", "paid-out"} & set(effects(match, "deal Add 1"))


@pytest.mark.parametrize(("square", "seat"), [("3.1", 1), ("2.0", 3)])
def test_bh_8_3_the_log_names_the_rearmost_after_a_last_shift(square, seat):
    """A Fishwife thrown in the tenth turn without progress decides who is last, with its third square."""
    chariots = ("4.1", 1, 1), ("1.8", 1, 1), ("3.1", 1, 1), ("1.1", 1, 1)
    match = race(
        *chariots, stalled=9, penalty=True, moved=(0, 1, 3), hands={3: ["Thrown Fishwife"], 2: ["Tow Rope"]}
    )
    play(match, "die 1", "step 2.1", "play Thrown Fishwife", "shift 3.1", "shift 2.1")
    assert effects(match, f"shift {square}")["loses-cards"] == {"seat": seat}
    assert hand(match, 2) == ([] if seat == 3 else ["Tow Rope"])
