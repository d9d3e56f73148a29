"""The race of Ben Hvrt (BH-6.1 to BH-6.8), one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

from typing import Any

import pytest

from games.benhvrt.positions import (
    chance_seat,
    chariot,
    everybody_passes,
    hand,
    move,
    play,
    position,
    purses,
    race,
    window,
)
from quadriga.engine.kernels.slots import CHANCE
from support import there

FAR = ("4.14", 0, 1)


def alone(square: str, lap: int = 1, speed: int = 1, **more):
    """Return a race: the chariot of seat 0 is ahead of three others."""
    return race((square, lap, speed), ("4.14", 0, 1), ("4.15", 0, 1), ("4.16", 0, 1), **more)


# --- BH-6.1 to BH-6.5 -----------------------------------------------------------------------------------


def test_bh_6_1_chariots_go_to_the_grid_from_the_dealers_left():
    match = position("grid", dealer=1)
    assert [chariot(match, n).square for n in (2, 3, 0, 1)] == ["1.17", "2.21", "3.25", "4.29"]


def test_bh_6_1_who_sits_out_leaves_no_gap():
    match = position("grid", dealer=1, entered=[0, 1, 3])
    assert [chariot(match, n).square for n in (3, 0, 1, 2)] == ["1.17", "2.21", "3.25", None]


def test_bh_6_2_the_foremost_chariot_that_has_not_moved_moves_next_until_all_have():
    match = race(("1.2", 1, 1), ("1.8", 1, 1), ("4.0", 2, 1), ("3.4", 1, 1), laps=3)
    movers = []
    for _ in range(8):
        movers.append(chance_seat(match))
        play(match, "die 1", "stop")
    assert movers == [2, 1, 3, 0] * 2


def test_bh_6_2_who_has_moved_waits_though_he_leads():
    match = race(("1.6", 1, 6), ("2.10", 1, 1), ("4.0", 1, 1), ("4.1", 1, 1))
    assert chance_seat(match) == 1
    play(match, "die 1", "stop")
    play(match, "die 5", "step 1.7", "step 1.8", "step 1.9", "step 1.10", "stop")
    assert chance_seat(match) == 3
    play(match, "die 1", "stop", "die 1", "stop")
    assert chance_seat(match) == 0  # a new turn: he is foremost now


def test_bh_6_3_a_move_is_pr_roll_ro_steps_speed_bm():
    match = alone("1.6", speed=2, hands={0: ["Second Wind", "Add 1", "Orangutan"]})
    assert window(match) == "PR"
    assert match.legal() == ["pass", "play Second Wind"]
    play(match, "pass")
    assert match.actor == CHANCE
    play(match, "die 3")
    assert window(match) == "RO"
    assert match.legal() == ["pass", "play Add 1"]
    play(match, "pass")
    assert window(match) is None
    play(match, "step 1.7")
    assert chariot(match, 0).speed == 2
    play(match, "stop")
    assert window(match) == "BM"
    assert chariot(match, 0).speed == 3  # the Speed comes before the window
    assert "play Orangutan 0" in match.legal()


def test_bh_6_3_a_bm_window_also_opens_before_the_first_move():
    match = position("grid", hands={2: ["Orangutan"]})
    assert window(match) == "BM"
    assert match.actor == 2
    play(match, "play Orangutan 0")
    assert move(match).chariot == 0


@pytest.mark.parametrize(("speed", "face"), [(1, 1), (2, 1), (1, 2), (3, 2)])
def test_bh_6_3_the_allowance_is_speed_and_roll(speed, face):
    match = alone("1.3", speed=speed)
    play(match, f"die {face}")
    for number in range(speed + face):
        assert move(match).steps == speed + face - number
        play(match, f"step 1.{4 + number}")
    assert chance_seat(match) == 3  # all of it used: the next move, with no line for a stop


def test_bh_6_3_it_is_at_least_0():
    match = alone("1.3", speed=1, hands={1: ["Subtract 3"]})
    play(match, "die 1", "play Subtract 3")  # a roll of -2
    assert chance_seat(match) == 3
    assert chariot(match, 0).square == "1.3"


@pytest.mark.parametrize("used", range(4))
def test_bh_6_3_any_part_of_it_may_be_left_unused(used):
    match = alone("1.3", speed=1)
    play(match, "die 3", *(f"step 1.{4 + n}" for n in range(used)), "stop")
    assert chariot(match, 0).square == f"1.{3 + used}"
    assert chariot(match, 0).speed == 3


def test_bh_6_3_sideways_steps_cost_as_much_as_forward_ones():
    match = alone("1.6", speed=1)
    play(match, "die 1", "step 2.8", "step 1.6")
    assert chance_seat(match) == 3


def test_bh_6_4_no_stepping_onto_a_chariot():
    match = race(("1.6", 1, 6), ("1.7", 1, 1), ("2.8", 1, 1), ("4.1", 1, 1), moved=(1, 2))
    play(match, "die 6")
    assert match.legal() == ["stop"]  # boxed in
    match = race(("1.6", 1, 6), ("1.7", 1, 1), ("2.9", 1, 1), ("4.1", 1, 1), moved=(1, 2))
    play(match, "die 6")
    assert match.legal() == ["step 2.8", "stop"]


def test_bh_6_4_nor_through_one():
    """Two chariots bar both lanes that could be reached."""
    match = race(("1.6", 1, 2), ("1.8", 1, 1), ("2.9", 1, 1), ("4.1", 1, 1), moved=(1, 2))
    play(match, "die 2", "step 1.7")
    assert match.legal() == ["stop"]


@pytest.mark.parametrize("face", range(1, 7))
def test_bh_6_5_after_the_steps_speed_becomes_the_roll(face):
    match = alone("1.3", speed=3)
    play(match, f"die {face}", "stop")
    assert chariot(match, 0).speed == face


@pytest.mark.parametrize(
    ("face", "card", "roll", "speed"),
    [(2, "Add 3", 5, 5), (5, "Add 3", 8, 6), (4, "Subtract 2", 2, 2), (1, "Subtract 3", -2, 1)],
)
def test_bh_6_5_the_modified_roll_held_within_1_to_6(face, card, roll, speed):
    match = alone("1.3", speed=5, hands={1: [card]})
    play(match, f"die {face}", f"play {card}")
    assert (move(match).roll, move(match).natural) == (roll, face)
    assert move(match).steps == 5 + roll
    play(match, "stop")
    assert chariot(match, 0).speed == speed


# --- BH-6.6 ---------------------------------------------------------------------------------------------


def rolled(*plays: str, face: int = 4, **more) -> int:
    """Return the value of a roll after Move cards of seat 0."""
    match = alone("1.3", speed=6, hands={0: [text.removeprefix("play ") for text in plays]}, **more)
    play(match, f"die {face}", *plays)
    return there(move(match).roll)


def test_bh_6_6_move_cards_change_the_roll_in_the_order_they_are_played():
    assert rolled("play Add 1", "play Move 1", "play Add 2") == 3
    assert rolled("play Add 1", "play Add 2", "play Move 1") == 1
    assert rolled("play Move 1", "play Add 2", "play Add 1") == 4


def test_bh_6_6_it_may_leave_1_to_6():
    assert rolled("play Add 3", "play Add 2", face=6) == 11
    assert rolled("play Subtract 3", "play Subtract 2", face=1) == -4
    assert rolled("play Add 3", "play Subtract 3", face=6) == 6  # and come back


def test_bh_6_6_natural_is_the_face_before_move_cards():
    axles = {0: ["Greased Axles"]}  # a natural 1 counts as 3
    assert rolled(face=1, fitted=axles) == 3
    assert rolled("play Move 1", face=4, fitted=axles) == 1
    assert rolled("play Add 1", face=1, fitted=axles) == 4


def test_bh_6_6_also_of_an_imaginary_die():
    match = alone("1.3", hands={0: ["Loaded Die"]}, fitted={0: ["Greased Axles"]})
    play(match, "play Loaded Die 1")
    assert (move(match).natural, move(match).roll) == (1, 3)


def test_bh_6_6_choose_to_roll_rolls_an_imaginary_die_which_move_cards_still_change():
    match = alone("1.3", hands={0: ["Loaded Die", "Add 2"]})
    assert match.legal() == ["pass", *(f"play Loaded Die {n}" for n in range(1, 7))]
    play(match, "play Loaded Die 5")
    assert window(match) == "RO"  # without a die
    assert (move(match).natural, move(match).roll) == (5, 5)
    play(match, "play Add 2")
    assert move(match).roll == 7


def test_bh_6_6_next_roll_is_x_counts_when_its_chariot_rolls():
    match = position("grid", hands={3: ["Orangutan"]})
    play(match, "play Orangutan 1")
    assert chariot(match, 1).next_roll == 1
    play(match, "die 6", "stop")  # chariot 0
    assert move(match).chariot == 1
    assert (move(match).natural, move(match).roll) == (1, 1)  # no die


@pytest.mark.parametrize(
    ("first", "second", "value"), [("Orangutan", "Eagle on the Left", 6), ("Eagle on the Left", "Orangutan", 1)]
)
def test_bh_6_6_the_newest_instruction_counts(first, second, value):
    match = position("grid", hands={0: [first, second]})
    play(match, f"play {first} 0", f"play {second} 0")
    assert move(match).roll == value


def test_bh_6_6_a_drivers_choice_is_newer_than_an_omen_and_a_card_after_it_newer_still():
    match = position("grid", hands={0: ["Loaded Die"], 1: ["Orangutan"]}, fitted={0: ["Old Decimus"]})
    play(match, "play Orangutan 0", "use Old Decimus")
    assert match.legal() == ["pass", *(f"play Loaded Die {n}" for n in range(1, 7))]  # the choice once per move
    branch = match.clone()
    play(branch, "pass")
    assert move(branch).roll == 3
    play(match, "play Loaded Die 5")
    assert move(match).roll == 5


def test_bh_6_6_a_roll_uses_up_all_of_them():
    match = position("grid", hands={1: ["Orangutan"], 0: ["Loaded Die"]}, entered=[0, 1])
    play(match, "play Orangutan 0", "play Loaded Die 5", "stop")
    assert chariot(match, 0).next_roll is None
    play(match, "die 1", "stop")
    assert chance_seat(match) == 0  # a real die again


def test_bh_6_6_an_instruction_waits_while_others_move():
    match = position("grid", hands={0: ["Eagle on the Left"]})
    play(match, "play Eagle on the Left 3", "die 1", "stop", "die 1", "stop")
    assert chariot(match, 3).next_roll == 6


def test_bh_6_6_a_drivers_choice_can_be_used_once_per_move_and_in_the_next_move_again():
    match = alone("1.3", fitted={0: ["Old Decimus"]}, hands={0: ["Second Wind"]})
    play(match, "use Old Decimus")
    assert match.legal() == ["pass", "play Second Wind"]
    play(match, "pass", "stop", "die 1", "stop", "die 1", "stop", "die 1", "stop")
    assert match.legal() == ["pass", "play Second Wind", "use Old Decimus"]


# --- BH-6.7 ---------------------------------------------------------------------------------------------


def test_bh_6_7_crossing_the_line_advances_the_lap_counter_i_first():
    match = alone("1.17", lap=0, laps=2)
    play(match, "die 2", "step 1.0")
    assert chariot(match, 0).lap == 1
    play(match, "step 1.1")
    assert chariot(match, 0).lap == 1
    match = alone("1.17", lap=1, laps=2)
    play(match, "die 2", "step 1.0")
    assert chariot(match, 0).lap == 2
    assert chariot(match, 0).racing


@pytest.mark.parametrize("laps", [1, 2, 6])
def test_bh_6_7_a_chariot_that_crosses_after_lap_n_has_finished_and_leaves_the_track_at_once(laps):
    match = alone("1.17", lap=laps, speed=6, laps=laps)
    play(match, "die 6", "step 1.0")
    seen = chariot(match, 0)
    assert (seen.place, seen.racing, seen.square) == (1, False, None)
    assert chance_seat(match) == 3  # and the rest of the allowance is nothing


def test_bh_6_7_it_is_in_nobodys_way():
    match = race(("1.17", 1, 1), ("1.16", 1, 1), FAR, ("4.2", 0, 1))
    play(match, "die 1", "step 1.0", "die 6", "step 1.17", "step 1.0")
    assert [chariot(match, n).place for n in (0, 1)] == [1, 2]


def test_bh_6_7_the_square_past_the_line_must_be_free():
    match = race(("1.17", 1, 1), ("1.0", 1, 1), FAR, ("4.2", 0, 1))
    play(match, "die 1")
    assert match.legal() == ["step 2.21", "stop"]


def test_bh_6_7_this_step_passes_nobody():
    beside: dict[str, Any] = {
        "hands": {0: ["Broom in the Spokes"], 1: ["Thrown Fishwife"]},
        "fitted": {0: ["Scythed Hubs"]},
    }
    match = race(("1.17", 1, 1), ("2.0", 1, 4), FAR, ("4.2", 0, 1), **beside)
    play(match, "die 1", "step 1.0")
    assert chariot(match, 1).speed == 4
    assert window(match) is None
    match = race(("1.17", 1, 1), ("2.0", 1, 4), FAR, ("4.2", 0, 1), laps=2, moved=(1,), **beside)
    play(match, "die 1", "step 1.0")  # while a crossing that is not the last does
    assert chariot(match, 1).speed == 3
    assert match.legal() == ["pass", "play Broom in the Spokes"]


def test_bh_6_7_a_player_with_no_chariot_racing_plays_no_more_cards():
    cards = ["Orangutan", "Add 1", "Tribune's Veto"]
    match = race(("1.17", 1, 1), ("1.16", 1, 1), FAR, ("4.2", 0, 1), hands={0: cards, 1: ["Add 2"]})
    play(match, "die 1")
    assert match.actor == 0
    play(match, "pass", "pass", "step 1.0")
    play(match, "die 1")  # no BM window for seat 0
    assert match.actor == 1  # nor RO
    play(match, "play Add 2", "step 1.17")  # nor RE
    assert hand(match, 0) == sorted(cards)


def test_bh_6_7_who_has_another_chariot_racing_goes_on_playing():
    match = race(("1.17", 1, 1), ("4.2", 0, 1), FAR, ("4.3", 0, 1), seats=2, hands={0: ["Orangutan"]})
    play(match, "die 1", "step 1.0")
    assert match.legal() == ["pass", *(f"play Orangutan {n}" for n in (1, 2, 3))]


# --- BH-6.8 ---------------------------------------------------------------------------------------------


def test_bh_6_8_the_race_ends_at_once_with_no_further_window_when_three_have_finished():
    match = race(
        None, None, ("1.17", 1, 1), ("4.2", 0, 1), FAR, finished=(0, 1), hands={3: ["Orangutan"]}, series=[1, 1]
    )
    play(match, "die 1", "step 1.0")
    assert match.view().race == 2
    assert hand(match, 3) == ["Orangutan"]


def test_bh_6_8_two_are_not_enough():
    match = race(None, ("1.17", 1, 1), ("4.2", 0, 1), FAR, finished=(0,))
    play(match, "die 1", "step 1.0")
    assert match.view().phase == "race"
    assert match.actor == CHANCE


@pytest.mark.parametrize("others", [0, 1])
def test_bh_6_8_all_if_fewer_race(others):
    match = race(None, ("1.17", 1, 1), None, None, finished=(0,) * others, pot=12, purses={1: 0})
    play(match, "die 1", "step 1.0")
    assert match.over


@pytest.mark.parametrize("penalty", [False, True])
def test_bh_6_8_where_the_last_place_costs_all_but_one_must_finish(penalty):
    match = race(
        None, None, ("1.17", 1, 1), ("1.16", 1, 1), FAR, finished=(0, 1), series=[1, 1], pot=60, penalty=penalty
    )
    play(match, "die 1", "step 1.0")
    assert (match.view().race, match.view().phase) == ((1, "race") if penalty else (2, "deal"))
    if penalty:
        play(match, "die 1", "step 1.17", "step 1.0")  # the fourth of five
        assert match.view().race == 2
        assert purses(match) == [98 + 30, 98 + 20, 98 + 10, 98, 98]


def test_bh_6_8_a_fourth_finisher_has_his_place():
    match = race(None, None, ("1.17", 1, 1), ("1.16", 1, 1), FAR, finished=(0, 1), penalty=True)
    play(match, "die 1", "step 1.0")
    assert [each.place for each in match.view().chariots] == [1, 2, 3, None, None]


def stall(match, turns: int, chariots: int = 4) -> None:
    for _ in range(turns * chariots):
        play(match, "die 1", "stop")
        everybody_passes(match)


def test_bh_6_8_it_also_ends_when_10_turns_in_a_row_bring_nobody_further():
    match = race(
        ("1.6", 1, 1), ("1.8", 1, 1), ("4.1", 1, 1), ("3.4", 1, 1), pot=60, purses=dict.fromkeys(range(4), 0)
    )
    stall(match, 9)
    assert match.view().phase == "race"
    play(match, *("die 1", "stop") * 3)
    assert not match.over
    play(match, "die 1", "stop")
    assert match.result == [20, 30, 0, 10]  # the places go by BH-1.4


def test_bh_6_8_the_open_places_go_after_who_has_finished():
    match = race(
        None, ("1.8", 1, 1), ("4.1", 1, 1), ("3.4", 1, 1), finished=(0,), pot=60, purses=dict.fromkeys(range(4), 0)
    )
    stall(match, 10, 3)
    assert match.result == [30, 20, 0, 10]


def test_bh_6_8_a_chariot_past_its_own_best_begins_the_count_anew():
    match = race(("1.6", 1, 1), ("1.8", 1, 1), ("4.1", 1, 1), ("3.4", 1, 1))
    stall(match, 9)
    play(match, *("die 1", "stop") * 3, "die 1", "step 4.2", "stop")
    assert match.view().stalled == 0
    stall(match, 9)
    assert match.view().phase == "race"
    stall(match, 1)
    assert match.over


def test_bh_6_8_coming_back_to_where_one_has_been_is_no_progress():
    match = race(("2.3", 1, 1), None, None, None)
    play(match, "die 1", "step 1.2", "stop")  # half back
    play(match, "die 1", "step 2.3", "stop")
    assert match.view().stalled == 2
    play(match, "die 1", "step 2.4", "stop")
    assert match.view().stalled == 0


def test_bh_6_8_a_finish_is_progress():
    match = race(("1.17", 1, 1), ("1.8", 1, 1), ("4.1", 1, 1), ("3.4", 1, 1), stalled=9)
    play(match, "die 1", "step 1.0")
    stall(match, 1, 3)
    assert match.view().phase == "race"
    assert match.view().stalled == 0
    assert purses(match) == [100] * 4
