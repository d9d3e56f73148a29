"""Drivers that are always in force (BH-7.2): Livia Unruffled, Scarred Spiculus, Cousin Titus."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import (
    about,
    all_ready,
    chariot,
    driven,
    follow,
    hand,
    market,
    move,
    race,
    rolled,
    seen,
    speeds,
    to_the_next_grid,
    walk,
    window,
)
from quadriga.engine.kernels.slots import CHANCE
from quadriga.games.benhvrt.rules.chariots import move_to

BOOT = "Hobnailed Boot"

# --- Livia Unruffled: see also test_cards_moves.py ---------------------------------------------------------


@about("effect", "Livia Unruffled")
def test_bh_7_8_livia_the_second_opposing_move_card_works():
    match = driven("Livia Unruffled", hands={1: ["Move 1"], 2: ["Subtract 2"]})
    follow(match, "die 5", "1: play Move 1")
    assert rolled(match) == 5
    follow(match, "2: play Subtract 2")
    assert rolled(match) == 3


@about("effect", "Livia Unruffled")
def test_bh_7_8_livia_does_not_count_her_own_players_cards():
    match = driven("Livia Unruffled", hands={0: ["Add 1"], 1: ["Move 1"]})
    follow(match, "die 4", "0: play Add 1")
    assert rolled(match) == 5
    follow(match, "1: play Move 1")
    assert rolled(match) == 5


@about("effect", "Livia Unruffled")
def test_bh_7_8_livia_does_not_count_a_vetoed_card():
    match = driven("Livia Unruffled", hands={0: ["Tribune's Veto"], 1: ["Move 1"], 2: ["Move 2"]})
    follow(match, "die 5", "1: play Move 1", "0: play Tribune's Veto", "2: play Move 2")
    assert rolled(match) == 5


@about("effect", "Livia Unruffled")
def test_bh_7_8_livia_once_per_move_even_if_the_die_is_rolled_again():
    match = driven("Livia Unruffled", hands={0: ["Try That Again"], 1: ["Move 1"], 2: ["Move 2"]})
    follow(match, "die 5", "0: pass", "1: play Move 1", "2: pass")
    follow(match, "0: play Try That Again", "die 4", "2: play Move 2")
    assert rolled(match) == 2


@about("effect", "Livia Unruffled")
def test_bh_7_8_livia_is_unruffled_again_in_the_next_move_and_only_on_her_own_roll():
    match = race(("1.6", 1, 2, "Livia Unruffled"), ("1.2", 1, 4), hands={1: ["Move 1", "Move 1"]})
    follow(match, "die 5", "1: play Move 1", "1: pass", "0: stop", "die 6", "1: play Move 1")
    assert rolled(match) == 6
    match = race(("1.6", 1, 2, "Livia Unruffled"), ("1.2", 1, 4), hands={0: ["Move 1"]}, mover=1)
    follow(match, "die 5", "0: play Move 1")
    assert rolled(match) == 1


@about("effect", "Livia Unruffled")
def test_bh_2_1_a_card_by_the_player_of_livias_second_chariot_is_not_opposing():
    chariots = [("1.6", 1, 2, "Livia Unruffled"), ("4.2", 1, 4), ("4.5", 1, 4), ("4.7", 1, 4)]
    match = race(*chariots, hands={0: ["Move 1"]}, seats=2)
    follow(match, "die 5", "0: play Move 1")
    assert rolled(match) == 1


# --- Scarred Spiculus -------------------------------------------------------------------------------------


@about("effect", "Scarred Spiculus")
def test_bh_7_8_the_first_retirement_of_spiculus_in_a_race_fails_and_the_second_does_not():
    match = race(("1.6", 1, 2), ("2.9", 1, 5, "Scarred Spiculus"), ("4.2", 1, 3), hands={0: [BOOT, BOOT]})
    follow(match, "die 3", "0: step 1.7", f"0: play {BOOT}")
    assert chariot(match, 1).driver == "Scarred Spiculus"
    assert seen(match).discards == [BOOT]
    assert match.legal() == ["pass", f"play {BOOT}"]
    follow(match, f"0: play {BOOT}")
    assert chariot(match, 1).driver is None
    assert sorted(seen(match).discards) == [BOOT, BOOT, "Scarred Spiculus"]


@about("effect", "Scarred Spiculus")
def test_bh_7_8_spiculus_is_given_up_and_replaced_like_anybody():
    match = all_ready(market({0: ["Scarred Spiculus"]}))
    follow(match, "0: drop Scarred Spiculus 0")
    assert chariot(match, 0).driver is None
    match = market({0: ["Scarred Spiculus"]}, {0: ["Old Decimus"]})
    follow(match, "0: fit Old Decimus 0")
    assert chariot(match, 0).driver == "Old Decimus"
    assert seen(match).discards == ["Scarred Spiculus"]


@about("effect", "Scarred Spiculus")
def test_bh_7_8_spiculus_withstands_once_in_every_race():
    """The first race ends right after a Boot; in the second he withstands a Boot again."""
    chariots = [("1.16", 1, 2), ("2.21", 1, 5, "Scarred Spiculus"), ("4.20", 1, 3), ("4.22", 1, 3)]
    match = race(*chariots, hands={0: [BOOT, BOOT]}, laps=1, series_of=[1, 1])
    follow(match, "die 1", "0: step 1.17", f"0: play {BOOT}", "0: pass", "0: step 1.0")
    while seen(match).race == 1:  # the others come home
        if match.actor == CHANCE:
            match.happen("die 6")
        else:
            assert walk(match)
    assert chariot(match, 1).driver == "Scarred Spiculus"
    to_the_next_grid(match)
    assert seen(match).race == 2
    track = match.t.track.number
    for number, square in enumerate(["1.6", "2.9", "4.2", "4.5"]):  # out of the grid, chariot 1 about to be passed
        move_to(match.s, number, track[square])
    match.s.moved = match.s.racing & ~1
    while not (match.actor == 0 and "step 1.7" in match.legal()):
        if match.actor == CHANCE:
            match.happen("die 3")
        else:
            match.play("pass" if window(match) else "stop")
    follow(match, "0: step 1.7", f"0: play {BOOT}")
    assert chariot(match, 1).driver == "Scarred Spiculus"


# --- Cousin Titus -------------------------------------------------------------------------------------------

LEGACY = ["Move 3", "Add 2", "Add 3"]


@about("effect", "Cousin Titus")
@pytest.mark.parametrize(("face", "roll"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5)])
def test_bh_7_8_titus_counts_a_natural_6_as_5(face, roll):
    match = follow(driven("Cousin Titus"), f"die {face}")
    assert (move(match).natural, rolled(match)) == (face, roll)
    assert walk(match) == 2 + roll
    assert speeds(match)[0] == roll


@about("effect", "Cousin Titus")
@pytest.mark.parametrize(("card", "roll"), [("Move 6", 6), ("Add 1", 6)])
def test_bh_7_8_titus_what_move_cards_make_is_not_natural(card, roll):
    match = driven("Cousin Titus", hands={0: [card]})
    follow(match, "die 6", f"0: play {card}")
    assert rolled(match) == roll


def replaced(deck):
    match = market({0: ["Cousin Titus"]}, {0: ["Old Decimus"]}, deck=deck)
    return follow(match, "0: fit Old Decimus 0")


def outbid(deck):
    match = market({0: ["Cousin Titus"], 1: ["Old Decimus"]}, {0: ["Better Offer"]}, deck=deck)
    return follow(match, "0: play Better Offer 1 0")


def given_up(deck):
    return follow(all_ready(market({0: ["Cousin Titus"]}, deck=deck)), "0: drop Cousin Titus 0")


def retired(deck):
    match = race(("2.9", 1, 5, "Cousin Titus"), ("1.6", 1, 2), ("4.2", 1, 3), hands={1: [BOOT]}, deck=deck, mover=1)
    return follow(match, "die 3", "1: step 1.7", f"1: play {BOOT}")


WAYS_TO_GO = [replaced, outbid, given_up, retired]


@about("effect", "Cousin Titus")
@pytest.mark.parametrize("gone", WAYS_TO_GO)
def test_bh_7_8_when_titus_is_discarded_his_owner_draws_2(gone):
    match = gone(LEGACY)
    assert chariot(match, 0).driver == (None if gone in (given_up, retired) else "Old Decimus")
    assert "Cousin Titus" in seen(match).discards
    assert [each.text for each in match.outcomes()] == [f"deal {name}" for name in sorted(LEGACY)]  # not himself
    assert [match.happen("deal Add 2").seat, match.happen("deal Add 3").seat] == [0, 0]
    assert hand(match, 0) == ["Add 2", "Add 3"]
    assert seen(match).deck == 1
    assert not any(each.text.startswith("deal") for each in match.outcomes())


@about("empty deck", "Cousin Titus")
@pytest.mark.parametrize("gone", WAYS_TO_GO)
def test_bh_7_8_titus_leaves_no_more_than_the_deck_has(gone):
    match = gone([])
    assert hand(match, 0) == []
    assert not any(each.text.startswith("deal") for each in match.outcomes())
    assert chariot(match, 0).driver != "Cousin Titus"
    match = follow(gone(["Add 2"]), "deal Add 2")
    assert hand(match, 0) == ["Add 2"]
    assert not any(each.text.startswith("deal") for each in match.outcomes())


@about("effect", "Cousin Titus")
def test_bh_7_8_titus_draws_for_his_owner_at_the_latest_owners_when_he_was_taken_over():
    match = market({1: ["Cousin Titus"]}, {0: ["Better Offer", "Old Decimus"]}, deck=LEGACY)
    follow(match, "0: play Better Offer 1 0", "1: ready", "2: ready", "3: ready", "0: fit Old Decimus 0")
    follow(match, "deal Move 3", "deal Add 2")
    assert hand(match, 0) == ["Add 2", "Move 3"]
    assert hand(match, 1) == []


@about("effect", "Cousin Titus")
def test_bh_7_8_what_titus_leaves_goes_to_the_player_whichever_of_his_chariots_he_drove():
    match = all_ready(market({2: ["Cousin Titus"]}, seats=2, deck=LEGACY))
    follow(match, "0: drop Cousin Titus 2", "deal Move 3", "deal Add 2")
    assert hand(match, 0) == ["Add 2", "Move 3"]


@about("effect", "Cousin Titus")
def test_bh_7_8_titus_that_is_kept_draws_nothing_and_costs_nothing():
    match = all_ready(market({0: ["Cousin Titus"]}, purses={0: 0}))
    follow(match, "0: keep Cousin Titus 0")
    assert seen(match).phase == "race"
    assert hand(match, 0) == []


def ruined(deck):
    """Return a Caligula race (BH-8.3): the last-placed loses hand and cards in play."""
    chariots = [("1.17", 1, 1), ("2.21", 1, 1), ("3.25", 1, 1), ("4.20", 1, 1, "Cousin Titus", "Tow Rope")]
    hands = {3: ["Better Offer", "Second Wind"]}
    match = race(*chariots, hands=hands, deck=deck, mover=None, laps=1, series_of="caligula")
    return follow(match, "die 1", "0: step 1.0", "die 1", "1: step 2.0", "die 1", "2: step 3.0")


@about("effect", "Cousin Titus")
def test_bh_8_3_what_titus_leaves_is_drawn_after_the_loss_from_the_old_deck_and_kept():
    match = ruined(LEGACY)
    assert hand(match, 3) == []
    assert [each.text for each in match.outcomes()] == [f"deal {name}" for name in sorted(LEGACY)]
    assert [match.happen("deal Move 3").seat, match.happen("deal Add 3").seat] == [3, 3]
    assert hand(match, 3) == ["Add 3", "Move 3"]
    assert (chariot(match, 3).driver, chariot(match, 3).improvements) == (None, [])
    assert (seen(match).deck, seen(match).discards) == (78, [])  # the discards went back
    assert [each.text for each in match.outcomes()] == [f"die {n}" for n in range(1, 7)]  # laps of the next race


@about("empty deck", "Cousin Titus")
def test_bh_8_3_from_an_empty_deck_nothing_is_drawn_though_the_discards_go_back_next():
    match = ruined([])
    assert hand(match, 3) == []
    assert (seen(match).deck, seen(match).discards) == (80, [])
    assert [each.text for each in match.outcomes()] == [f"die {n}" for n in range(1, 7)]
