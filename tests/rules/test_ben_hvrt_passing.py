"""Passing in Ben Hvrt (BH-6.9), one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

import pytest

from games.benhvrt.positions import chariot, move, play, race, window

BROOM = {0: ["Broom in the Spokes"]}


def passes(start: str, step: str, target: str, **more) -> bool:
    """Return whether a mover's single step passes a target: Scythed Hubs react to it."""
    laps = more.pop("laps_of", (1, 1))
    match = race(
        (start, laps[0], 3),
        (target, laps[1], 4),
        ("4.28", 0, 1),
        ("4.29", 0, 1),
        moved=(1, 2, 3),
        fitted={0: ["Scythed Hubs"]},
        laps=6,
    )
    play(match, "die 3", f"step {step}")
    return chariot(match, 1).speed == 3


def test_bh_6_9_a_chariot_beside_is_passed_if_the_mover_is_level_or_ahead():
    assert passes("1.6", "1.7", "2.9")  # level
    assert passes("1.1", "1.2", "2.2")  # 90 against 80
    assert passes("2.2", "2.3", "1.2")  # 100 against 90, half overlapping


def test_bh_6_9_not_if_the_mover_is_behind():
    assert not passes("1.1", "1.2", "2.3")  # 90 against 100
    assert not passes("2.1", "2.2", "1.2")  # 80 against 90


def test_bh_6_9_only_on_an_adjacent_square():
    assert not passes("1.6", "1.7", "2.8")  # a square behind, touching a corner
    assert not passes("2.3", "2.4", "1.2")


def test_bh_6_9_only_in_a_neighbouring_lane():
    assert not passes("1.6", "1.7", "3.11")
    assert not passes("1.6", "1.7", "1.8")
    assert not passes("1.6", "1.7", "1.5")


def test_bh_6_9_sideways_steps_pass_too():
    assert passes("3.10", "2.8", "1.6")
    assert passes("1.6", "2.8", "3.10")
    assert not passes("1.3", "2.3", "1.4")  # 100 against 150


@pytest.mark.parametrize("laps", [(1, 2), (2, 1), (0, 3)])
def test_bh_6_9_laps_do_not_matter(laps):
    assert passes("1.6", "1.7", "2.9", laps_of=laps)


def test_bh_6_9_across_the_line_too():
    assert passes("1.17", "1.0", "2.0", laps_of=(0, 1))


def beside(*, hands=None, fitted=None, start="2.8", speed=6):
    """Return a race: seat 0 is about to move in lane 2; 1 and 2 are in lanes 1 and 3, a square ahead."""
    match = race(
        (start, 1, speed),
        ("1.7", 1, 4),
        ("3.11", 1, 4),
        ("4.1", 0, 1),
        moved=(1, 2),
        hands=hands or {},
        fitted=fitted or {},
    )
    play(match, "die 3")
    return match


def test_bh_6_9_once_per_target_per_move():
    match = beside(fitted={0: ["Scythed Hubs"]})
    play(match, "step 2.9")
    assert [chariot(match, n).speed for n in (1, 2)] == [3, 3]
    play(match, "step 2.10", "step 3.12", "step 3.13", "stop")
    assert [chariot(match, n).speed for n in (1, 2)] == [3, 3]


def test_bh_6_9_also_when_the_mover_comes_beside_it_twice():
    match = race(
        ("3.10", 1, 6), ("1.6", 1, 4), ("4.28", 0, 1), ("4.29", 0, 1), moved=(1,), fitted={0: ["Scythed Hubs"]}
    )
    play(match, "die 3", "step 2.8")
    assert chariot(match, 1).speed == 3
    play(match, "step 3.10", "step 2.8")
    assert chariot(match, 1).speed == 3


def test_bh_6_9_in_another_move_it_can_be_passed_again():
    match = race(("2.2", 1, 1), ("1.2", 1, 4), None, None, moved=(1,), fitted={0: ["Scythed Hubs"]})
    play(match, "die 1", "step 2.3", "stop")
    assert chariot(match, 1).speed == 3
    play(match, "die 3", "step 3.3", "step 2.3", "stop")  # away and back
    assert chariot(match, 1).speed == 2


def test_bh_6_9_the_square_the_move_started_on_does_not_count():
    match = race(("1.7", 1, 1), ("2.9", 1, 4), None, None, moved=(1,), fitted={0: ["Scythed Hubs"]}, hands=BROOM)
    play(match, "die 1", "step 1.8", "stop")
    assert chariot(match, 1).speed == 4


def test_bh_6_9_ruling_but_a_mover_that_comes_back_onto_it_passes_there():
    match = race(("2.3", 1, 3), ("1.2", 1, 4), None, None, moved=(1,), fitted={0: ["Scythed Hubs"]})
    play(match, "die 3", "step 3.3")
    assert chariot(match, 1).speed == 4
    play(match, "step 2.3")
    assert chariot(match, 1).speed == 3


def test_bh_6_9_standing_still_passes_nobody():
    match = race(("1.7", 1, 1), ("2.9", 1, 4), None, None, moved=(1,), fitted={0: ["Scythed Hubs"]}, hands=BROOM)
    play(match, "die 1", "stop")
    assert chariot(match, 1).speed == 4
    assert window(match) is None


def test_bh_6_9_all_automatic_effects_first_then_windows():
    match = beside(
        hands={0: ["Broom in the Spokes"], 1: ["Thrown Fishwife"]}, fitted={0: ["Scythed Hubs"], 1: ["Tow Rope"]}
    )
    play(match, "step 2.9")
    assert [chariot(match, n).speed for n in (1, 2)] == [4, 3]  # 1: one more, one less; both before any window
    assert window(match) == "PB"


@pytest.mark.parametrize(("before", "after"), [(6, 5), (4, 4), (1, 1)])
def test_bh_6_9_tow_rope_before_scythed_hubs(before, after):
    """At 6 the rope gives nothing and the hubs take 1; at 1 the hubs take what the rope gave."""
    match = race(
        ("2.8", 1, 6),
        ("1.7", 1, before),
        ("4.28", 0, 1),
        ("4.29", 0, 1),
        moved=(1,),
        fitted={0: ["Scythed Hubs"], 1: ["Tow Rope"]},
    )
    play(match, "die 3", "step 2.9")
    assert chariot(match, 1).speed == after


def test_bh_6_9_for_each_target_by_number_window_pb_then_window_pa():
    match = beside(
        hands={
            0: ["Broom in the Spokes", "Broom in the Spokes"],
            1: ["Thrown Fishwife"],
            2: ["Thrown Fishwife"],
        }
    )
    play(match, "step 2.9")
    asked = []
    while window(match):
        target = match.view(match.actor).target
        asked.append((window(match), match.actor, target))
        play(match, "pass")
    assert asked == [("PB", 0, 1), ("PA", 1, 1), ("PB", 0, 2), ("PA", 2, 2)]


def test_bh_6_9_a_card_in_pb_hits_the_target_of_its_window():
    match = beside(hands={0: ["Broom in the Spokes", "Broom in the Spokes"]})
    play(match, "step 2.9", "pass", "play Broom in the Spokes")
    assert [chariot(match, n).speed for n in (1, 2)] == [4, 1]


def test_bh_6_9_after_the_windows_the_mover_goes_on_stepping():
    match = beside(hands={0: ["Broom in the Spokes"]})
    play(match, "step 2.9", "play Broom in the Spokes")
    assert match.actor == 0
    assert match.legal() == ["step 2.10", "stop"]
    assert move(match).steps == 8
