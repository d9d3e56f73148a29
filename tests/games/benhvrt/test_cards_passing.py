"""Events on passing and on being passed: Thrown Fishwife, Hobnailed Boot, Broom in the Spokes (BH-6.9, BH-7)."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import FACTS, about, chariot, follow, hand, move, purse, race, seen, speeds, window
from quadriga.engine.kernels.slots import CHANCE

FISHWIFE, BOOT, BROOM = "Thrown Fishwife", "Hobnailed Boot", "Broom in the Spokes"
DRIVERS = [name for name, card in FACTS.items() if card["kind"] == "Driver"]


def passing(*fitted: str, hands, mover: tuple[str, ...] = (), speed: int = 5, **more):
    """Return a race: chariot 0, Speed 2, is about to pass 1 on the straight; 4 of 5 steps are left."""
    match = race(("1.6", 1, 2, *mover), ("2.9", 1, speed, *fitted), ("4.2", 1, 3), hands=hands, **more)
    while window(match) == "PR":
        match.play("pass")
    follow(match, "die 3", "0: step 1.7")
    return match


# --- Thrown Fishwife --------------------------------------------------------------------------------------


@about("effect", FISHWIFE)
@pytest.mark.parametrize(
    ("shifts", "end"),
    [
        ([], "1.7"),
        (["1.8"], "1.8"),
        (["1.8", "1.9", "1.10"], "1.10"),
        (["1.6"], "1.6"),  # straight back
        (["1.6", "1.5", "1.4"], "1.4"),
        (["1.8", "2.10", "3.12"], "3.12"),  # sideways
        (["1.6", "2.8", "2.7"], "2.7"),
        (["1.8", "1.7", "1.8"], "1.8"),
    ],
)
def test_bh_7_8_a_thrown_fishwife_ends_the_move_and_shifts_the_mover_0_to_3_squares_in_any_direction(shifts, end):
    match = passing(hands={1: [FISHWIFE]})
    assert window(match) == "PA"
    follow(match, f"1: play {FISHWIFE}", *(f"1: shift {square}" for square in shifts))
    if len(shifts) < 3:
        follow(match, "1: stop")
    assert match.actor == CHANCE  # the next turn begins: four steps were left
    assert chariot(match, 0).square == end
    assert chariot(match, 0).lap == 1
    assert speeds(match)[:3] == [3, 5, 3]  # then Speed as usual: the roll
    assert hand(match, 1) == []
    assert seen(match).discards == [FISHWIFE]


@about("effect", FISHWIFE)
def test_bh_7_8_a_shift_is_one_square_at_a_time_over_empty_squares():
    match = passing(hands={1: [FISHWIFE]})
    follow(match, f"1: play {FISHWIFE}")
    assert match.legal() == ["shift 1.6", "shift 1.8", "stop"]  # 2.9 is where chariot 1 stands
    chariots = [("1.6", 1, 2), ("2.9", 1, 5), ("1.8", 1, 3)]
    match = race(*chariots, hands={1: [FISHWIFE]})
    follow(match, "die 3", "0: step 1.7", f"1: play {FISHWIFE}")
    assert match.legal() == ["shift 1.6", "stop"]
    follow(match, "1: shift 1.6")
    assert match.legal() == ["shift 1.5", "shift 1.7", "shift 2.8", "stop"]
    match = race(("1.6", 1, 2), ("2.9", 1, 5), ("1.5", 1, 3), hands={1: [FISHWIFE]})
    follow(match, "die 3", "0: step 1.7", f"1: play {FISHWIFE}", "1: shift 1.6")
    assert match.legal() == ["shift 1.7", "shift 2.8", "stop"]


@about("effect", FISHWIFE)
def test_bh_7_8_a_shift_never_crosses_the_line():
    match = race(("1.16", 1, 2), ("2.21", 1, 5), ("4.2", 1, 3), hands={1: [FISHWIFE]})
    follow(match, "die 3", "0: step 1.17", f"1: play {FISHWIFE}")
    assert match.legal() == ["shift 1.16", "stop"]
    match = race(("1.17", 1, 2), ("2.0", 2, 5), ("4.2", 1, 3), hands={1: [FISHWIFE]})
    follow(match, "die 3", "0: step 1.0", f"1: play {FISHWIFE}")
    assert chariot(match, 0).lap == 2
    assert match.legal() == ["shift 1.1", "stop"]


@about("effect", FISHWIFE)
def test_bh_7_8_a_shifted_chariot_passes_nobody():
    rope = ("2.10", 1, 4, "Tow Rope")
    match = race(("1.6", 1, 2, "Brutus the Ox"), ("2.9", 1, 5), rope, hands={1: [FISHWIFE], 2: [FISHWIFE]})
    follow(match, "die 3", "0: step 1.7", "0: pass", f"1: play {FISHWIFE}", "1: shift 1.8", "1: stop")
    assert speeds(match)[:3] == [3, 5, 4]  # shifted beside the Tow Rope
    assert match.actor == CHANCE
    assert hand(match, 2) == [FISHWIFE]


@about("effect", FISHWIFE)
def test_bh_7_8_a_thrown_fishwife_closes_the_other_windows_of_the_step():
    between = [("2.8", 1, 2), ("1.7", 1, 5), ("3.11", 1, 4)]  # the step to 2.9 passes both
    match = race(*between, hands={0: [BROOM], 1: [FISHWIFE, FISHWIFE], 2: []})
    follow(match, "die 3", "0: step 2.9", "0: pass", f"1: play {FISHWIFE}", "1: stop")
    assert match.actor == CHANCE  # no second Fishwife, and no Broom for chariot 2
    assert hand(match, 0) == [BROOM]
    assert hand(match, 1) == [FISHWIFE]
    match = race(*between, hands={0: [BROOM], 1: [FISHWIFE]})
    follow(match, "die 3", "0: step 2.9", "0: pass", "1: pass", f"0: play {BROOM}")
    assert speeds(match)[:3] == [2, 5, 1]


@about("effect", FISHWIFE)
def test_bh_7_8_a_thrown_fishwife_ends_one_move_and_no_other():
    match = passing(hands={1: [FISHWIFE, FISHWIFE]})
    follow(match, f"1: play {FISHWIFE}", "1: shift 1.6", "1: stop")
    follow(match, "die 1", "1: step 2.10", "1: step 2.11", "1: stop")  # chariot 1 is ahead and moves as usual,
    follow(match, "die 6", *(f"0: step 1.{n}" for n in (7, 8, 9)))  # ... and so does chariot 0,
    assert window(match) == "PA"  # ... until it passes again
    follow(match, f"1: play {FISHWIFE}", "1: shift 1.8", "1: stop")
    assert chariot(match, 0).square == "1.8"


@about("vetoed", FISHWIFE)
@pytest.mark.parametrize("who", [0, 2])
def test_bh_7_8_a_vetoed_fishwife_is_spent_and_the_move_goes_on(who):
    match = passing(hands={1: [FISHWIFE], who: ["Tribune's Veto"]})
    follow(match, f"1: play {FISHWIFE}", f"{who}: play Tribune's Veto")
    assert seen(match).discards == [FISHWIFE, "Tribune's Veto"]
    assert match.actor == 0
    assert move(match).steps == 4
    follow(match, "0: step 1.8", "0: step 1.9", "0: step 1.10", "0: step 1.11")
    assert chariot(match, 0).square == "1.11"
    assert match.actor == CHANCE
    assert [purse(match, seat) for seat in range(3)] == [50, 50, 50]


@about("vetoed", FISHWIFE)
def test_bh_7_8_after_a_vetoed_fishwife_the_passed_one_may_throw_another():
    match = passing(hands={1: [FISHWIFE, FISHWIFE], 0: ["Tribune's Veto"]})
    follow(match, f"1: play {FISHWIFE}", "0: play Tribune's Veto", f"1: play {FISHWIFE}", "1: shift 1.6", "1: stop")
    assert chariot(match, 0).square == "1.6"


@about("protected", FISHWIFE)
@about("effect", "Bronze Flanks")
def test_bh_7_8_bronze_flanks_on_a_mover_keep_the_fishwife_off():
    match = passing(hands={1: [FISHWIFE]}, mover=("Bronze Flanks",))
    assert match.actor == 0
    assert window(match) is None
    assert "stop" in match.legal()


@about("protected", FISHWIFE)
@about("effect", "Bronze Flanks")
def test_bh_7_8_a_passed_chariot_with_bronze_flanks_may_throw_the_fishwife():
    match = passing("Bronze Flanks", hands={1: [FISHWIFE]})
    follow(match, f"1: play {FISHWIFE}", "1: stop")
    assert match.actor == CHANCE


# --- Hobnailed Boot ---------------------------------------------------------------------------------------


@about("effect", BOOT)
@pytest.mark.parametrize("driver", [name for name in DRIVERS if name not in ("Scarred Spiculus", "Cousin Titus")])
def test_bh_7_8_a_boot_retires_the_targets_driver(driver):
    match = passing(driver, "Tow Rope", hands={0: [BOOT]}, mover=("Swivel Pole",))
    follow(match, f"0: play {BOOT}")
    assert chariot(match, 1).driver is None
    assert chariot(match, 1).improvements == ["Tow Rope"]
    assert sorted(seen(match).discards) == sorted([BOOT, driver])
    assert hand(match, 0) == hand(match, 1) == []
    assert move(match).steps == 4  # and the move goes on


@about("effect", BOOT)
def test_bh_7_8_a_boot_is_for_chariots_with_a_driver_only():
    match = passing(hands={0: [BOOT]}, mover=("Old Decimus",))
    assert window(match) is None
    match = passing(hands={0: [BOOT, BROOM]})
    assert match.legal() == ["pass", f"play {BROOM}"]


@about("effect", BOOT)
def test_a_retired_driver_does_nothing_more():
    match = passing("The Numidian", hands={0: [BOOT]})
    follow(match, f"0: play {BOOT}", "0: step 1.8", "0: stop")
    assert match.actor == CHANCE  # a new turn: chariot 0 is ahead
    follow(match, "die 1", "0: stop")
    assert move(match).chariot == 1
    assert match.actor == CHANCE  # nobody is asked before the roll


@about("vetoed", BOOT)
@pytest.mark.parametrize("who", [1, 2])
def test_bh_7_8_a_vetoed_boot_is_spent_and_the_driver_stays(who):
    match = passing("The Numidian", hands={0: [BOOT], who: ["Tribune's Veto"]})
    follow(match, f"0: play {BOOT}", f"{who}: play Tribune's Veto")
    assert chariot(match, 1).driver == "The Numidian"
    assert hand(match, 0) == hand(match, who) == []
    assert seen(match).discards == [BOOT, "Tribune's Veto"]


@about("vetoed", BOOT)
@about("effect", "Scarred Spiculus")
def test_bh_7_8_a_vetoed_boot_is_no_retirement_that_spiculus_withstood():
    match = passing("Scarred Spiculus", hands={0: [BOOT, BOOT], 2: ["Tribune's Veto"]})
    follow(match, f"0: play {BOOT}", "2: play Tribune's Veto", f"0: play {BOOT}")
    assert chariot(match, 1).driver == "Scarred Spiculus"


# --- Broom in the Spokes ----------------------------------------------------------------------------------


@about("effect", BROOM)
@pytest.mark.parametrize("speed", range(1, 7))
def test_a_broom_brings_the_targets_speed_to_1(speed):
    match = passing(hands={0: [BROOM]}, speed=speed)
    follow(match, f"0: play {BROOM}")  # to no effect is allowed (BH-7.3)
    assert speeds(match)[:3] == [2, 1, 3]
    assert seen(match).discards == [BROOM]
    assert move(match).steps == 4


@about("effect", BROOM)
def test_a_broom_hits_the_chariot_of_its_window():
    match = race(("2.8", 1, 2), ("1.7", 1, 5), ("3.11", 1, 4), hands={0: [BROOM]})
    follow(match, "die 3", "0: step 2.9", "0: pass", f"0: play {BROOM}")
    assert speeds(match)[:3] == [2, 5, 1]


@about("vetoed", BROOM)
@pytest.mark.parametrize("who", [1, 2])
def test_a_vetoed_broom_is_spent_and_the_speed_stays(who):
    match = passing(hands={0: [BROOM], who: ["Tribune's Veto"]})
    follow(match, f"0: play {BROOM}", f"{who}: play Tribune's Veto")
    assert speeds(match)[1] == 5
    assert hand(match, 0) == hand(match, who) == []
    assert seen(match).discards == [BROOM, "Tribune's Veto"]


# --- both -------------------------------------------------------------------------------------------------


@about("protected", BOOT, BROOM)
@about("effect", "Bronze Flanks")
@pytest.mark.parametrize("card", [BOOT, BROOM])
def test_bh_7_8_pb_events_cannot_be_played_on_bronze_flanks(card):
    match = passing("Bronze Flanks", "Old Decimus", hands={0: [card]})
    assert window(match) is None  # nobody is asked: the next step is
    assert match.actor == 0
    assert chariot(match, 1).driver == "Old Decimus"
    assert speeds(match)[1] == 5
    follow(match, "0: step 1.8")
    assert hand(match, 0) == [card]


@about("protected", BOOT, BROOM)
@about("effect", "Bronze Flanks")
@pytest.mark.parametrize("card", [BOOT, BROOM])
def test_bh_7_8_bronze_flanks_of_the_mover_are_no_hindrance_to_his_own_pb_events(card):
    match = passing("Old Decimus", hands={0: [card]}, mover=("Bronze Flanks",))
    assert match.legal() == ["pass", f"play {card}"]


@about("effect", BOOT, BROOM, FISHWIFE)
def test_bh_2_1_ones_own_second_chariot_is_a_target_like_any_other():
    chariots = [("1.6", 1, 2), ("4.2", 1, 3), ("2.9", 1, 5, "Old Decimus"), ("4.5", 1, 3)]
    match = race(*chariots, hands={0: [BOOT, BROOM, FISHWIFE]}, seats=2)
    follow(match, "die 3", "0: step 1.7", f"0: play {BROOM}", f"0: play {BOOT}", f"0: play {FISHWIFE}", "0: stop")
    assert chariot(match, 2).driver is None
    assert speeds(match)[:4] == [3, 3, 1, 3]
