"""Drivers (BH-7.1): one to a chariot; some may choose before a roll, some on passing, some only endure."""

from __future__ import annotations

import pytest

from games.benhvrt.positions import (
    FACTS,
    about,
    all_ready,
    chariot,
    drive_to_lap,
    follow,
    hand,
    market,
    purse,
    race,
    rolled,
    seen,
    speeds,
    walk,
    window,
)
from quadriga.engine.slots import CHANCE

DRIVERS = [name for name, card in FACTS.items() if card["kind"] == "Driver"]
CHOOSERS = {"Old Decimus": 3, "The Numidian": 5}
BOOT, BROOM = "Hobnailed Boot", "Broom in the Spokes"


def driven(name: str, *fitted: str, speed: int = 2, hands=None, **more):
    """Chariot 0 with a Driver before its roll, far ahead of chariots 1 and 2."""
    return race(("1.6", 1, speed, name, *fitted), ("4.2", 1, 4), ("4.6", 1, 4), hands=hands or {}, **more)


@pytest.mark.parametrize("first", DRIVERS)
@pytest.mark.parametrize("then", ["Brutus the Ox", "Old Decimus"])
def test_bh_5_3_a_second_driver_discards_the_first(first, then):
    if first == then == "Brutus the Ox":
        return  # there is only one of him
    match = market({0: [first]}, {0: [then]}, deck=[])
    follow(match, f"0: fit {then} 0")
    assert chariot(match, 0).driver == then
    assert first in seen(match).discards


# --- Old Decimus and The Numidian -------------------------------------------------------------------------


@about("effect", *CHOOSERS)
@pytest.mark.parametrize("name", CHOOSERS)
def test_a_driver_may_choose_his_roll(name):
    match = driven(name)
    assert match.legal() == ["pass", f"use {name}"]
    follow(match, f"0: use {name}")
    assert (seen(match).move.natural, rolled(match)) == (CHOOSERS[name], CHOOSERS[name])  # no die is cast
    assert walk(match) == 2 + CHOOSERS[name]
    assert speeds(match)[0] == CHOOSERS[name]


@about("effect", *CHOOSERS)
@pytest.mark.parametrize("name", CHOOSERS)
def test_a_driver_may_leave_it_to_the_die(name):
    match = follow(driven(name), "0: pass", "die 6")
    assert rolled(match) == 6


@about("effect", *CHOOSERS)
@pytest.mark.parametrize("name", CHOOSERS)
def test_move_cards_still_change_a_chosen_roll(name):
    match = driven(name, hands={1: ["Tailwind"]})
    follow(match, f"0: use {name}", "1: play Tailwind")
    assert rolled(match) == CHOOSERS[name] + 3


@about("effect", *CHOOSERS)
@pytest.mark.parametrize("name", CHOOSERS)
def test_bh_6_6_the_newest_instruction_counts_and_a_choice_is_used_once_per_move(name):
    match = driven(name, hands={0: ["Loaded Die"], 1: ["Owl at Noon"]}, mover=None)
    follow(match, "1: play Owl at Noon 0", "0: play Loaded Die 6", f"0: use {name}")
    assert rolled(match) == CHOOSERS[name]
    match = driven(name, hands={0: ["Loaded Die"]})
    follow(match, f"0: use {name}")
    assert not any(text.startswith("use") for text in match.legal())
    follow(match, "0: play Loaded Die 6")
    assert rolled(match) == 6


@about("effect", "Old Decimus")
def test_decimus_may_choose_in_every_move():
    match = race(("1.6", 1, 2, "Old Decimus"))
    for _ in range(3):
        follow(match, "0: use Old Decimus")
        assert rolled(match) == 3
        follow(match, "0: stop")


@about("effect", "The Numidian")
def test_the_numidian_chooses_once_per_lap_the_stretch_before_the_line_counting_as_lap_1():
    match = race(("1.17", 0, 1, "The Numidian"))
    follow(match, "0: use The Numidian", "0: step 1.0", "0: stop")
    assert chariot(match, 0).lap == 1
    assert match.actor == CHANCE
    assert drive_to_lap(match, 2) == []
    assert match.legal() == ["pass", "use The Numidian"]
    follow(match, "0: pass", "die 1", "0: stop")
    assert match.legal() == ["pass", "use The Numidian"]  # not used yet on lap 2
    follow(match, "0: use The Numidian", "0: stop")
    assert match.actor == CHANCE


# --- Sister Fortunata -------------------------------------------------------------------------------------


@about("effect", "Sister Fortunata")
@pytest.mark.parametrize(("dice", "kept"), [((2, 5), 5), ((2, 5), 2), ((6, 1), 1), ((6, 1), 6)])
def test_fortunata_rolls_two_dice_and_keeps_one(dice, kept):
    match = driven("Sister Fortunata")
    follow(match, "0: use Sister Fortunata")
    assert [match.happen(f"die {face}").seat for face in dice] == [0, 0]
    assert match.legal() == [f"keep-die {face}" for face in sorted(dice)]
    follow(match, f"0: keep-die {kept}")
    assert (seen(match).move.natural, rolled(match)) == (kept, kept)
    assert walk(match) == 2 + kept
    assert speeds(match)[0] == kept


@about("effect", "Sister Fortunata")
def test_fortunata_may_roll_one_die_like_everybody():
    match = follow(driven("Sister Fortunata"), "0: pass", "die 4")
    assert rolled(match) == 4


@about("effect", "Sister Fortunata")
def test_of_two_equal_dice_either_is_kept():
    match = follow(driven("Sister Fortunata"), "0: use Sister Fortunata", "die 4", "die 4")
    assert match.legal() == ["keep-die 4"]


@about("effect", "Sister Fortunata")
def test_the_die_that_fortunata_keeps_is_the_natural_roll():
    match = driven("Sister Fortunata", "Greased Axles", hands={1: ["Whipcrack"]})
    follow(match, "0: use Sister Fortunata", "die 1", "die 2", "0: keep-die 1", "1: play Whipcrack")
    assert (seen(match).move.natural, rolled(match)) == (1, 4)


@about("effect", "Sister Fortunata")
def test_fortunata_under_an_instruction_has_no_dice_and_no_choice_but_is_used():
    match = race(("1.6", 1, 2, "Sister Fortunata"), hands={0: ["Owl at Noon"]}, mover=None)
    follow(match, "0: play Owl at Noon 0", "0: use Sister Fortunata")
    assert (seen(match).move.natural, rolled(match)) == (1, 1)
    follow(match, "0: stop")
    assert match.actor == CHANCE  # not asked: used on this lap
    match = driven("Sister Fortunata", hands={0: ["Loaded Die"]})
    follow(match, "0: use Sister Fortunata", "0: play Loaded Die 4")
    assert rolled(match) == 4


@about("effect", "Sister Fortunata")
def test_fortunata_rolls_two_once_per_lap_the_stretch_before_the_line_counting_as_lap_1():
    match = race(("1.17", 0, 1, "Sister Fortunata"))
    follow(match, "0: use Sister Fortunata", "die 1", "die 1", "0: keep-die 1", "0: step 1.0", "0: stop")
    assert match.actor == CHANCE
    assert drive_to_lap(match, 2) == []
    assert match.legal() == ["pass", "use Sister Fortunata"]


# --- Brutus the Ox ----------------------------------------------------------------------------------------


def ox(*target: str, speed: int = 5, hands=None, other: str = "4.2"):
    """Brutus on chariot 0 has just passed chariot 1."""
    chariots = [("2.8", 1, 2, "Brutus the Ox"), ("1.7", 1, speed, *target), (other, 1, 4)]
    return follow(race(*chariots, hands=hands or {}), "die 3", "0: step 2.9")


@about("effect", "Brutus the Ox")
@pytest.mark.parametrize(("speed", "then"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_brutus_may_cut_the_targets_speed_by_2(speed, then):
    match = ox(speed=speed)
    assert match.legal() == ["pass", "use Brutus the Ox"]
    follow(match, "0: use Brutus the Ox")
    assert speeds(match)[:3] == [2, then, 4]
    assert seen(match).move.steps == 4
    assert chariot(match, 0).driver == "Brutus the Ox"


@about("effect", "Brutus the Ox")
def test_brutus_may_let_it_be():
    assert speeds(follow(ox(), "0: pass"))[1] == 5


@about("effect", "Brutus the Ox")
def test_brutus_acts_once_per_move_and_again_in_the_next():
    match = ox(other="3.11")  # the step passes both
    follow(match, "0: use Brutus the Ox")
    assert window(match) is None
    assert speeds(match)[:3] == [2, 3, 4]
    match = ox(other="3.11")
    follow(match, "0: pass", "0: use Brutus the Ox")  # on the second
    assert speeds(match)[:3] == [2, 5, 2]
    match = race(("2.8", 1, 2, "Brutus the Ox"), ("1.7", 1, 6), ("1.8", 1, 6))
    follow(match, "die 1", "0: step 2.9", "0: use Brutus the Ox", "0: stop", "die 1", "2: stop")
    assert speeds(match)[:3] == [1, 4, 1]
    follow(match, "die 1", "1: stop", "die 2", "0: step 2.10", "0: use Brutus the Ox")
    assert speeds(match)[:3] == [1, 1, 1]


@about("protected", "Brutus the Ox")
@about("effect", "Bronze Flanks")
def test_brutus_still_works_on_bronze_flanks_where_a_broom_does_not():
    match = ox("Bronze Flanks", hands={0: [BROOM]})
    assert match.legal() == ["pass", "use Brutus the Ox"]
    follow(match, "0: use Brutus the Ox")
    assert speeds(match)[1] == 3


@about("effect", "Brutus the Ox")
def test_brutus_and_a_broom_in_one_window_in_any_order():
    match = ox(hands={0: [BROOM]}, speed=6)
    follow(match, "0: use Brutus the Ox")
    assert speeds(match)[1] == 4
    follow(match, f"0: play {BROOM}")
    assert speeds(match)[1] == 1
    match = follow(ox(hands={0: [BROOM]}), f"0: play {BROOM}", "0: use Brutus the Ox")
    assert speeds(match)[1] == 1


# --- Livia Unruffled: see also test_cards_moves.py ---------------------------------------------------------


@about("effect", "Livia Unruffled")
def test_livia_the_second_opposing_move_card_works():
    match = driven("Livia Unruffled", hands={1: ["Hoof Stone"], 2: ["Goat on Course"]})
    follow(match, "die 5", "1: play Hoof Stone")
    assert rolled(match) == 5
    follow(match, "2: play Goat on Course")
    assert rolled(match) == 3


@about("effect", "Livia Unruffled")
def test_livia_does_not_count_her_own_players_cards():
    match = driven("Livia Unruffled", hands={0: ["Whipcrack"], 1: ["Hoof Stone"]})
    follow(match, "die 4", "0: play Whipcrack")
    assert rolled(match) == 5
    follow(match, "1: play Hoof Stone")
    assert rolled(match) == 5


@about("effect", "Livia Unruffled")
def test_livia_does_not_count_a_vetoed_card():
    match = driven("Livia Unruffled", hands={0: ["Tribune's Veto"], 1: ["Hoof Stone"], 2: ["Wet Sand"]})
    follow(match, "die 5", "1: play Hoof Stone", "0: play Tribune's Veto", "2: play Wet Sand")
    assert rolled(match) == 5


@about("effect", "Livia Unruffled")
def test_livia_once_per_move_even_if_the_die_is_rolled_again():
    match = driven("Livia Unruffled", hands={0: ["Try That Again"], 1: ["Hoof Stone"], 2: ["Wet Sand"]})
    follow(match, "die 5", "0: pass", "1: play Hoof Stone", "2: pass")
    follow(match, "0: play Try That Again", "die 4", "2: play Wet Sand")
    assert rolled(match) == 2


@about("effect", "Livia Unruffled")
def test_livia_is_unruffled_again_in_the_next_move_and_only_on_her_own_roll():
    match = race(("1.6", 1, 2, "Livia Unruffled"), ("1.2", 1, 4), hands={1: ["Hoof Stone", "Hoof Stone"]})
    follow(match, "die 5", "1: play Hoof Stone", "1: pass", "0: stop", "die 6", "1: play Hoof Stone")
    assert rolled(match) == 6
    match = race(("1.6", 1, 2, "Livia Unruffled"), ("1.2", 1, 4), hands={0: ["Hoof Stone"]}, mover=1)
    follow(match, "die 5", "0: play Hoof Stone")
    assert rolled(match) == 1


@about("effect", "Livia Unruffled")
def test_bh_2_1_a_card_by_the_player_of_livias_second_chariot_is_not_opposing():
    chariots = [("1.6", 1, 2, "Livia Unruffled"), ("4.2", 1, 4), ("4.5", 1, 4), ("4.7", 1, 4)]
    match = race(*chariots, hands={0: ["Hoof Stone"]}, seats=2)
    follow(match, "die 5", "0: play Hoof Stone")
    assert rolled(match) == 1


# --- Scarred Spiculus -------------------------------------------------------------------------------------


@about("effect", "Scarred Spiculus")
def test_the_first_retirement_of_spiculus_in_a_race_fails_and_the_second_does_not():
    match = race(("1.6", 1, 2), ("2.9", 1, 5, "Scarred Spiculus"), ("4.2", 1, 3), hands={0: [BOOT, BOOT]})
    follow(match, "die 3", "0: step 1.7", f"0: play {BOOT}")
    assert chariot(match, 1).driver == "Scarred Spiculus"
    assert seen(match).discards == [BOOT]
    assert match.legal() == ["pass", f"play {BOOT}"]
    follow(match, f"0: play {BOOT}")
    assert chariot(match, 1).driver is None
    assert sorted(seen(match).discards) == [BOOT, BOOT, "Scarred Spiculus"]


@about("effect", "Scarred Spiculus")
def test_spiculus_is_given_up_and_replaced_like_anybody():
    match = all_ready(market({0: ["Scarred Spiculus"]}))
    follow(match, "0: drop Scarred Spiculus 0")
    assert chariot(match, 0).driver is None
    match = market({0: ["Scarred Spiculus"]}, {0: ["Old Decimus"]})
    follow(match, "0: fit Old Decimus 0")
    assert chariot(match, 0).driver == "Old Decimus"
    assert seen(match).discards == ["Scarred Spiculus"]


@about("effect", "Scarred Spiculus")
def test_spiculus_withstands_once_in_every_race():
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
    while seen(match).phase != "race":
        texts = match.legal() or [each.text for each in match.outcomes()]
        wished = [text for text in texts if text in ("auction", "pass", "ready") or text.startswith("keep ")]
        (match.play if match.legal() else match.happen)((wished or texts)[0])
    assert seen(match).race == 2
    track = match.t.track.number
    for number, square in enumerate(["1.6", "2.9", "4.2", "4.5"]):  # out of the grid, chariot 1 about to be passed
        match.s.square[number] = track[square]
    match.s.moved = match.s.racing & ~1
    while not (match.actor == 0 and "step 1.7" in match.legal()):
        if match.actor == CHANCE:
            match.happen("die 3")
        else:
            match.play("pass" if window(match) else "stop")
    follow(match, "0: step 1.7", f"0: play {BOOT}")
    assert chariot(match, 1).driver == "Scarred Spiculus"


# --- Bent Crispus -----------------------------------------------------------------------------------------


@about("effect", "Bent Crispus")
@pytest.mark.parametrize("face", range(1, 7))
def test_crispus_takes_2_off_his_roll_and_2_ducats_out_of_the_pot(face):
    match = driven("Bent Crispus", speed=3)
    follow(match, f"die {face}")
    assert match.legal() == ["pass", "use Bent Crispus"]
    follow(match, "0: use Bent Crispus")
    assert rolled(match) == face - 2
    assert purse(match, 0) == 52
    assert seen(match).pot == 28
    assert walk(match) == 3 + face - 2
    assert speeds(match)[0] == max(face - 2, 1)


@about("effect", "Bent Crispus")
@pytest.mark.parametrize(("pot", "taken"), [(0, 0), (1, 0), (2, 2), (3, 2)])
def test_crispus_takes_his_ducats_if_the_pot_has_them(pot, taken):
    match = driven("Bent Crispus", pot=pot)
    follow(match, "die 5", "0: use Bent Crispus")
    assert rolled(match) == 3
    assert purse(match, 0) == 50 + taken
    assert seen(match).pot == pot - taken


@about("effect", "Bent Crispus")
def test_crispus_may_refrain_and_acts_in_order_with_move_cards():
    match = follow(driven("Bent Crispus"), "die 5", "0: pass")
    assert rolled(match) == 5
    assert purse(match, 0) == 50
    match = driven("Bent Crispus", hands={1: ["Parade Pace"]})
    follow(match, "die 5", "0: pass", "1: play Parade Pace", "0: use Bent Crispus")
    assert rolled(match) == 2
    match = driven("Bent Crispus", hands={1: ["Parade Pace"]})
    follow(match, "die 5", "0: use Bent Crispus", "1: play Parade Pace")
    assert rolled(match) == 4


@about("effect", "Bent Crispus")
def test_crispus_acts_on_his_own_roll_only():
    match = driven("Bent Crispus", mover=1)
    follow(match, "die 5")
    assert window(match) is None
    chariots = [("1.6", 1, 2, "Bent Crispus"), ("4.2", 1, 4), ("4.5", 1, 4), ("4.7", 1, 4)]
    match = race(*chariots, seats=2, mover=2)  # the other chariot of his player
    follow(match, "die 5")
    assert window(match) is None


@about("effect", "Bent Crispus")
def test_crispus_acts_once_per_lap_the_stretch_before_the_line_counting_as_lap_1():
    match = race(("1.17", 0, 1, "Bent Crispus"))
    follow(match, "die 5", "0: use Bent Crispus", "0: step 1.0", "0: stop")
    assert drive_to_lap(match, 2) == []
    follow(match, "die 4")
    assert match.legal() == ["pass", "use Bent Crispus"]


# --- Cousin Titus -----------------------------------------------------------------------------------------

LEGACY = ["Dull Trot", "Hot Oats", "Tailwind"]


@about("effect", "Cousin Titus")
@pytest.mark.parametrize(("face", "roll"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5)])
def test_titus_counts_a_natural_6_as_5(face, roll):
    match = follow(driven("Cousin Titus"), f"die {face}")
    assert (seen(match).move.natural, rolled(match)) == (face, roll)
    assert walk(match) == 2 + roll
    assert speeds(match)[0] == roll


@about("effect", "Cousin Titus")
@pytest.mark.parametrize(("card", "roll"), [("Mercury's Sandals", 6), ("Whipcrack", 6)])
def test_titus_what_move_cards_make_is_not_natural(card, roll):
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
def test_when_titus_is_discarded_his_owner_draws_2(gone):
    match = gone(LEGACY)
    assert chariot(match, 0).driver == (None if gone in (given_up, retired) else "Old Decimus")
    assert "Cousin Titus" in seen(match).discards
    assert [each.text for each in match.outcomes()] == [f"deal {name}" for name in LEGACY]  # not himself
    assert [match.happen("deal Hot Oats").seat, match.happen("deal Tailwind").seat] == [0, 0]
    assert hand(match, 0) == ["Hot Oats", "Tailwind"]
    assert seen(match).deck == 1
    assert not any(each.text.startswith("deal") for each in match.outcomes())


@about("empty deck", "Cousin Titus")
@pytest.mark.parametrize("gone", WAYS_TO_GO)
def test_titus_leaves_no_more_than_the_deck_has(gone):
    match = gone([])
    assert hand(match, 0) == []
    assert not any(each.text.startswith("deal") for each in match.outcomes())
    assert chariot(match, 0).driver != "Cousin Titus"
    match = follow(gone(["Hot Oats"]), "deal Hot Oats")
    assert hand(match, 0) == ["Hot Oats"]
    assert not any(each.text.startswith("deal") for each in match.outcomes())


@about("effect", "Cousin Titus")
def test_titus_draws_for_his_owner_at_the_latest_owners_when_he_was_taken_over():
    match = market({1: ["Cousin Titus"]}, {0: ["Better Offer", "Old Decimus"]}, deck=LEGACY)
    follow(match, "0: play Better Offer 1 0", "1: ready", "2: ready", "3: ready", "0: fit Old Decimus 0")
    follow(match, "deal Dull Trot", "deal Hot Oats")
    assert hand(match, 0) == ["Dull Trot", "Hot Oats"]
    assert hand(match, 1) == []


@about("effect", "Cousin Titus")
def test_titus_that_is_kept_draws_nothing_and_costs_nothing():
    match = all_ready(market({0: ["Cousin Titus"]}, purses={0: 0}))
    follow(match, "0: keep Cousin Titus 0")
    assert seen(match).phase == "race"
    assert hand(match, 0) == []


def ruined(deck):
    """Caligula, BH-8.3: the last-placed loses hand and table."""
    chariots = [("1.17", 1, 1), ("2.21", 1, 1), ("3.25", 1, 1), ("4.20", 1, 1, "Cousin Titus", "Tow Rope")]
    hands = {3: ["Better Offer", "Second Wind"]}
    match = race(*chariots, hands=hands, deck=deck, mover=None, laps=1, series_of="caligula")
    return follow(match, "die 1", "0: step 1.0", "die 1", "1: step 2.0", "die 1", "2: step 3.0")


@about("effect", "Cousin Titus")
def test_bh_8_3_what_titus_leaves_is_drawn_after_the_loss_from_the_old_deck_and_kept():
    match = ruined(LEGACY)
    assert hand(match, 3) == []
    assert [each.text for each in match.outcomes()] == [f"deal {name}" for name in LEGACY]
    assert [match.happen("deal Dull Trot").seat, match.happen("deal Tailwind").seat] == [3, 3]
    assert hand(match, 3) == ["Dull Trot", "Tailwind"]
    assert (chariot(match, 3).driver, chariot(match, 3).improvements) == (None, [])
    assert (seen(match).deck, seen(match).discards) == (78, [])  # the discards went back
    assert [each.text for each in match.outcomes()] == [f"die {n}" for n in range(1, 7)]  # laps of the next race


@about("empty deck", "Cousin Titus")
def test_bh_8_3_from_an_empty_deck_nothing_is_drawn_though_the_discards_go_back_next():
    match = ruined([])
    assert hand(match, 3) == []
    assert (seen(match).deck, seen(match).discards) == (80, [])
    assert [each.text for each in match.outcomes()] == [f"die {n}" for n in range(1, 7)]
