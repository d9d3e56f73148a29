"""Drivers that are asked (BH-7.1): Decimus, the Numidian, Fortunata, Brutus and Crispus."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import (
    FACTS,
    about,
    chariot,
    drive_to_lap,
    driven,
    follow,
    market,
    move,
    purse,
    race,
    rolled,
    seen,
    speeds,
    to_the_next_grid,
    walk,
    window,
)
from quadriga.engine.kernels.slots import CHANCE

DRIVERS = [name for name, card in FACTS.items() if card["kind"] == "Driver"]
CHOOSERS = {"Old Decimus": 3, "The Numidian": 5}
BOOT, BROOM = "Hobnailed Boot", "Broom in the Spokes"


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
    assert (move(match).natural, rolled(match)) == (CHOOSERS[name], CHOOSERS[name])  # no die is cast
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
    match = driven(name, hands={1: ["Add 3"]})
    follow(match, f"0: use {name}", "1: play Add 3")
    assert rolled(match) == CHOOSERS[name] + 3


@about("effect", *CHOOSERS)
@pytest.mark.parametrize("name", CHOOSERS)
def test_bh_6_6_the_newest_instruction_counts_and_a_choice_is_used_once_per_move(name):
    match = driven(name, hands={0: ["Loaded Die"], 1: ["Orangutan"]}, mover=None)
    follow(match, "1: play Orangutan 0", "0: play Loaded Die 6", f"0: use {name}")
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
def test_bh_7_8_the_numidian_chooses_once_per_lap_the_stretch_before_the_line_counting_as_lap_1():
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
    assert (move(match).natural, rolled(match)) == (kept, kept)
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
    match = driven("Sister Fortunata", "Greased Axles", hands={1: ["Add 1"]})
    follow(match, "0: use Sister Fortunata", "die 1", "die 2", "0: keep-die 1", "1: play Add 1")
    assert (move(match).natural, rolled(match)) == (1, 4)


@about("effect", "Sister Fortunata")
def test_bh_7_8_fortunata_under_an_instruction_has_no_dice_and_no_choice_but_is_used():
    match = race(("1.6", 1, 2, "Sister Fortunata"), hands={0: ["Orangutan"]}, mover=None)
    follow(match, "0: play Orangutan 0", "0: use Sister Fortunata")
    assert (move(match).natural, rolled(match)) == (1, 1)
    follow(match, "0: stop")
    assert match.actor == CHANCE  # not asked: used on this lap
    match = driven("Sister Fortunata", hands={0: ["Loaded Die"]})
    follow(match, "0: use Sister Fortunata", "0: play Loaded Die 4")
    assert rolled(match) == 4


@about("effect", "Sister Fortunata")
def test_bh_7_8_fortunata_rolls_two_once_per_lap_the_stretch_before_the_line_counting_as_lap_1():
    match = race(("1.17", 0, 1, "Sister Fortunata"))
    follow(match, "0: use Sister Fortunata", "die 1", "die 1", "0: keep-die 1", "0: step 1.0", "0: stop")
    assert match.actor == CHANCE
    assert drive_to_lap(match, 2) == []
    assert match.legal() == ["pass", "use Sister Fortunata"]


# --- Brutus the Ox ----------------------------------------------------------------------------------------


def ox(*target: str, speed: int = 5, hands=None, other: str = "4.2"):
    """Return a race in which Brutus on chariot 0 has just passed chariot 1."""
    chariots = [("2.8", 1, 2, "Brutus the Ox"), ("1.7", 1, speed, *target), (other, 1, 4)]
    return follow(race(*chariots, hands=hands or {}), "die 3", "0: step 2.9")


@about("effect", "Brutus the Ox")
@pytest.mark.parametrize(("speed", "then"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_brutus_may_cut_the_targets_speed_by_2(speed, then):
    match = ox(speed=speed)
    assert match.legal() == ["pass", "use Brutus the Ox"]
    follow(match, "0: use Brutus the Ox")
    assert speeds(match)[:3] == [2, then, 4]
    assert move(match).steps == 4
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
def test_bh_7_8_brutus_still_works_on_bronze_flanks_where_a_broom_does_not():
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


# --- Bent Crispus -----------------------------------------------------------------------------------------


@about("effect", "Bent Crispus")
@pytest.mark.parametrize("face", range(1, 7))
def test_bh_7_8_crispus_takes_2_off_his_roll_and_2_ducats_out_of_the_pot(face):
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
def test_bh_7_8_crispus_takes_his_ducats_if_the_pot_has_them(pot, taken):
    match = driven("Bent Crispus", pot=pot)
    follow(match, "die 5", "0: use Bent Crispus")
    assert rolled(match) == 3
    assert purse(match, 0) == 50 + taken
    assert seen(match).pot == pot - taken


@about("effect", "Bent Crispus")
def test_bh_7_8_crispus_may_refrain_and_acts_in_order_with_move_cards():
    match = follow(driven("Bent Crispus"), "die 5", "0: pass")
    assert rolled(match) == 5
    assert purse(match, 0) == 50
    match = driven("Bent Crispus", hands={1: ["Move 4"]})
    follow(match, "die 5", "0: pass", "1: play Move 4", "0: use Bent Crispus")
    assert rolled(match) == 2
    match = driven("Bent Crispus", hands={1: ["Move 4"]})
    follow(match, "die 5", "0: use Bent Crispus", "1: play Move 4")
    assert rolled(match) == 4


@about("effect", "Bent Crispus", "Try That Again")
def test_bh_7_8_try_that_again_undoes_what_crispus_took_off_but_not_what_he_took():
    match = driven("Bent Crispus", hands={1: ["Try That Again"]})
    follow(match, "die 5", "0: use Bent Crispus", "1: play Try That Again", "die 6")
    assert rolled(match) == 6
    assert purse(match, 0) == 52
    assert window(match) is None  # he has done it once on this lap


@about("effect", "Bent Crispus")
def test_bh_7_8_crispus_acts_on_his_own_roll_only():
    match = driven("Bent Crispus", mover=1)
    follow(match, "die 5")
    assert window(match) is None
    chariots = [("1.6", 1, 2, "Bent Crispus"), ("4.2", 1, 4), ("4.5", 1, 4), ("4.7", 1, 4)]
    match = race(*chariots, seats=2, mover=2)  # the other chariot of his player
    follow(match, "die 5")
    assert window(match) is None


@about("effect", "Bent Crispus")
def test_bh_7_8_crispus_acts_once_per_lap_the_stretch_before_the_line_counting_as_lap_1():
    match = race(("1.17", 0, 1, "Bent Crispus"))
    follow(match, "die 5", "0: use Bent Crispus", "0: step 1.0", "0: stop")
    assert drive_to_lap(match, 2) == []
    follow(match, "die 4")
    assert match.legal() == ["pass", "use Bent Crispus"]


# --- from race to race ------------------------------------------------------------------------------------


@about("effect", "The Numidian", "Brake Lever", "Orangutan", "Side Wager")
def test_a_new_race_knows_nothing_of_choices_omens_and_wagers_of_the_last():
    chariots = [("1.17", 1, 1, "The Numidian", "Brake Lever"), ("2.21", 1, 1), ("3.25", 1, 1), ("4.20", 1, 1)]
    hands = {3: ["Side Wager", "Orangutan"]}
    match = race(*chariots, hands=hands, mover=None, laps=1, series_of=[1, 1], pot=30)
    follow(match, "3: play Side Wager 1", "3: pass")
    follow(match, "0: use The Numidian", "0: stop", "0: use Brake Lever", "3: pass")
    follow(match, "die 1", "1: step 2.0", "3: pass", "die 1", "2: step 3.0", "3: pass")
    follow(match, "die 1", "3: stop", "3: play Orangutan 3")
    assert chariot(match, 3).next_roll == 1
    follow(match, "die 1", "0: step 1.0")  # the third: the race is over
    # 24 after the wager: 12, 8, 4; then everybody's ante of 2.
    assert [purse(match, seat) for seat in range(4)] == [50 + 4 - 2, 50 + 12 - 2, 50 + 8 - 2, 50 + 6 - 2]
    to_the_next_grid(match)
    assert seen(match).race == 2
    assert chariot(match, 3).next_roll is None
    assert not any(match.s.stake[seat, number] for seat in range(4) for number in range(4))
    while not (match.actor == 0 and window(match) == "PR"):
        if match.actor == CHANCE:
            match.happen("die 1")
        else:
            match.play("pass" if window(match) else "stop")
    assert match.legal() == ["pass", "use The Numidian"]
    follow(match, "0: use The Numidian")
    while window(match):  # a dealt card could be played on the roll
        match.play("pass")
    follow(match, "0: stop")
    assert match.legal() == ["pass", "use Brake Lever"]
