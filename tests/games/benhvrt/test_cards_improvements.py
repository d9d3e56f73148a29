"""Improvements (BH-7.1): they stay on the chariot, and most of them work by themselves."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import (
    FACTS,
    about,
    all_ready,
    chariot,
    drive_to_lap,
    follow,
    hand,
    market,
    move,
    race,
    rolled,
    seen,
    speeds,
    walk,
    window,
)
from quadriga.engine.kernels.slots import CHANCE

IMPROVEMENTS = [name for name, card in FACTS.items() if card["kind"] == "Improvement"]
HALF = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}  # of n laps, rounded up


def passing(mover: tuple[str, ...], *target: str, speed: int = 3, hands=None):
    """Return a race: chariot 0, Speed 2, has just passed chariot 1 and has 4 of 5 steps left."""
    match = race(("1.6", 1, 2, *mover), ("2.9", 1, speed, *target), ("4.2", 1, 3), hands=hands or {})
    return follow(match, "die 3", "0: step 1.7")


@pytest.mark.parametrize("name", [name for name in IMPROVEMENTS if int(FACTS[name]["copies"]) > 1])
def test_bh_5_3_no_two_copies_of_an_improvement_on_one_chariot(name):
    match = market({0: [name]}, {0: [name]}, seats=2)
    assert list(match.actions()) == [f"fit {name} 2", "offer *", "ready"]


# --- Tow Rope and Scythed Hubs ----------------------------------------------------------------------------


@about("effect", "Tow Rope")
@pytest.mark.parametrize(("speed", "then"), [(1, 2), (3, 4), (5, 6), (6, 6)])
def test_a_tow_rope_adds_1_to_the_speed_when_passed(speed, then):
    assert speeds(passing((), "Tow Rope", speed=speed))[:3] == [2, then, 3]


@about("effect", "Tow Rope")
def test_a_tow_rope_of_the_mover_does_nothing():
    assert speeds(passing(("Tow Rope",)))[:3] == [2, 3, 3]


@about("effect", "Scythed Hubs")
@pytest.mark.parametrize(("speed", "then"), [(1, 1), (2, 1), (3, 2), (6, 5)])
def test_scythed_hubs_take_1_from_the_speed_of_the_passed(speed, then):
    assert speeds(passing(("Scythed Hubs",), speed=speed))[:3] == [2, then, 3]


@about("effect", "Scythed Hubs")
def test_scythed_hubs_of_the_passed_do_nothing():
    assert speeds(passing((), "Scythed Hubs"))[:3] == [2, 3, 3]


@about("protected", "Scythed Hubs")
def test_bh_7_8_bronze_flanks_do_not_help_against_scythed_hubs_nor_hinder_a_tow_rope():
    assert speeds(passing(("Scythed Hubs",), "Bronze Flanks"))[:2] == [2, 2]
    assert speeds(passing(("Bronze Flanks",), "Tow Rope", "Bronze Flanks"))[:2] == [2, 4]


@about("effect", "Tow Rope", "Scythed Hubs")
@pytest.mark.parametrize(("speed", "then"), [(1, 1), (3, 3), (5, 5), (6, 5)])
def test_bh_6_9_tow_rope_before_scythed_hubs(speed, then):
    assert speeds(passing(("Scythed Hubs",), "Tow Rope", speed=speed))[1] == then


@about("effect", "Tow Rope", "Scythed Hubs")
@pytest.mark.parametrize(("mover", "target", "then"), [((), ("Tow Rope",), 4), (("Scythed Hubs",), (), 2)])
def test_bh_6_9_once_per_target_and_move_and_again_in_the_next(mover, target, then):
    match = race(("1.6", 1, 2, *mover), ("2.9", 1, 3, *target), ("4.2", 1, 3))
    follow(match, "die 3", "0: step 1.7", "0: step 1.8", "0: step 2.10")
    assert speeds(match)[1] == then
    match = race(("2.8", 1, 2, *mover), ("3.11", 1, 3, *target), ("4.2", 1, 3))
    follow(match, "die 3", "0: step 2.9", "0: step 1.7", "0: step 2.9")  # beside it a second time
    assert speeds(match)[1] == then


@about("effect", "Tow Rope", "Scythed Hubs")
def test_bh_6_9_a_step_that_passes_two_and_a_sideways_step_count():
    chariots = [("2.8", 1, 2, "Scythed Hubs"), ("1.7", 1, 5), ("3.11", 1, 4, "Tow Rope")]
    match = follow(race(*chariots), "die 3", "0: step 2.9")
    assert speeds(match)[:3] == [2, 4, 4]
    match = race(("1.8", 1, 2, "Scythed Hubs"), ("3.12", 1, 5), ("4.2", 1, 3))
    follow(match, "die 3", "0: step 2.10")
    assert speeds(match)[1] == 4


@about("effect", "Tow Rope", "Scythed Hubs")
def test_bh_6_9_who_is_ahead_is_not_passed_and_the_first_square_does_not_count():
    match = race(("1.6", 1, 2, "Scythed Hubs"), ("2.8", 1, 5, "Tow Rope"), ("4.2", 1, 3))
    follow(match, "die 3", "0: step 1.7")
    assert speeds(match)[1] == 5
    match = race(("1.6", 1, 2, "Scythed Hubs"), ("2.10", 1, 5, "Tow Rope"), ("4.2", 1, 3))
    follow(match, "die 3", "0: step 1.7")
    assert speeds(match)[1] == 5


@about("effect", "Tow Rope", "Scythed Hubs")
def test_automatic_effects_come_before_cards():
    match = passing(("Scythed Hubs",), "Tow Rope", speed=6, hands={0: ["Broom in the Spokes"]})
    assert window(match) == "PB"
    assert speeds(match)[1] == 5
    follow(match, "0: play Broom in the Spokes")
    assert speeds(match)[1] == 1


# --- Greased Axles ----------------------------------------------------------------------------------------


@about("effect", "Greased Axles")
@pytest.mark.parametrize(("face", "roll"), [(1, 3), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_greased_axles_count_a_natural_1_as_3(face, roll):
    match = follow(race(("1.6", 1, 2, "Greased Axles"), ("4.2", 1, 3)), f"die {face}")
    assert (move(match).natural, rolled(match)) == (face, roll)
    assert walk(match) == 2 + roll
    assert speeds(match)[0] == roll


@about("effect", "Greased Axles")
@pytest.mark.parametrize(("card", "roll"), [("Add 1", 4), ("Move 1", 1), ("Subtract 2", 1)])
def test_move_cards_come_after_greased_axles_and_what_they_make_is_not_natural(card, roll):
    match = race(("1.6", 1, 2, "Greased Axles"), ("4.2", 1, 3), hands={1: [card]})
    follow(match, "die 1", f"1: play {card}")
    assert rolled(match) == roll


# --- Bronze Flanks: see also test_cards_passing.py ---------------------------------------------------------


@about("effect", "Bronze Flanks")
def test_bh_7_8_bronze_flanks_are_no_help_against_move_cards():
    match = race(("1.6", 1, 2, "Bronze Flanks"), ("4.2", 1, 3), hands={1: ["Move 1"]})
    follow(match, "die 5", "1: play Move 1")
    assert rolled(match) == 1


# --- Matched Greys ----------------------------------------------------------------------------------------


@about("effect", "Matched Greys")
@pytest.mark.parametrize(
    ("seats", "seat", "start", "speed"), [(4, 0, "1.17", 3), (6, 4, "1.16", 4), (12, 11, "4.27", 5)]
)
def test_matched_greys_start_with_2_more_speed(seats, seat, start, speed):
    match = all_ready(market({seat: ["Matched Greys"]}, seats=seats, laps=1))
    follow(match, f"{seat}: keep Matched Greys {seat}")
    assert chariot(match, seat).square == start
    assert speeds(match) == [n // 4 + 1 + 2 * (n == seat) for n in range(seats)]


@about("effect", "Matched Greys")
@pytest.mark.parametrize(("more", "speed"), [(2, 5), (3, 6), (4, 6), (5, 6)])
def test_a_starting_speed_is_6_at_most(more, speed):
    """From rank 3 the greys of the standard deck come to 5; a custom deck may have better ones."""
    greys = {"name": "Matched Greys", "kind": "Improvement", "copies": 2, "price": 5, "upkeep": 2}
    greys["does"] = [["start-speed", more]]
    match = all_ready(market({11: ["Matched Greys"]}, seats=12, deck_file={"card": [greys]}))
    follow(match, "11: keep Matched Greys 11")
    assert speeds(match)[8:] == [3, 3, 3, speed]


@about("effect", "Matched Greys")
def test_matched_greys_that_are_given_up_give_nothing():
    match = all_ready(market({0: ["Matched Greys"]}, laps=1))
    follow(match, "0: drop Matched Greys 0")
    assert speeds(match) == [1, 1, 1, 1]


@about("effect", "Matched Greys")
def test_matched_greys_are_for_the_start_only():
    match = all_ready(market({0: ["Matched Greys"]}, laps=1))
    follow(match, "0: keep Matched Greys 0", "die 2")
    assert move(match).steps == 3 + 2
    follow(match, "0: stop")
    assert speeds(match)[0] == 2


# --- Brake Lever ------------------------------------------------------------------------------------------


@about("effect", "Brake Lever")
@pytest.mark.parametrize(("use", "speed"), [("use Brake Lever", 5), ("pass", 2)])
def test_bh_7_8_the_brake_lever_may_keep_the_old_speed(use, speed):
    match = race(("1.6", 1, 5, "Brake Lever"), ("4.2", 1, 3))
    follow(match, "die 2", "0: stop")
    assert match.legal() == ["pass", "use Brake Lever"]
    follow(match, f"0: {use}")
    assert speeds(match)[0] == speed


@about("effect", "Brake Lever")
def test_bh_7_8_the_old_speed_is_that_before_the_roll():
    match = race(("1.6", 1, 2, "Brake Lever"), ("4.2", 1, 3), hands={0: ["Second Wind"], 1: ["Add 1"]})
    follow(match, "0: play Second Wind", "die 1", "1: play Add 1", "0: stop", "0: use Brake Lever")
    assert speeds(match)[0] == 4


@about("effect", "Brake Lever")
def test_bh_7_8_the_brake_lever_is_asked_even_if_nothing_would_change_and_also_without_a_step():
    match = race(("1.6", 1, 3, "Brake Lever"), ("4.2", 1, 3))
    follow(match, "die 3", "0: stop")
    assert match.legal() == ["pass", "use Brake Lever"]
    match = race(("1.6", 1, 1, "Brake Lever"), ("4.2", 1, 3), hands={1: ["Subtract 3"]})
    follow(match, "die 1", "1: play Subtract 3")
    assert match.legal() == ["pass", "use Brake Lever"]


@about("effect", "Brake Lever")
def test_bh_7_8_the_brake_lever_works_once_per_lap_the_stretch_before_the_line_counting_as_lap_1():
    match = race(("1.16", 0, 3, "Brake Lever"))
    follow(match, "die 1", "0: stop", "0: use Brake Lever", "die 1", "0: step 1.17", "0: step 1.0", "0: stop")
    assert chariot(match, 0).lap == 1
    assert match.actor == CHANCE  # not asked again
    assert drive_to_lap(match, 2) == []
    assert match.legal() == ["pass", "use Brake Lever"]  # by the lap it is on after its steps


@about("effect", "Brake Lever")
def test_bh_7_8_the_brake_lever_is_asked_again_while_it_is_unused():
    match = race(("1.6", 1, 3, "Brake Lever"))
    follow(match, "die 1", "0: stop", "0: pass", "die 2", "0: stop")
    assert match.legal() == ["pass", "use Brake Lever"]


@about("effect", "Brake Lever")
def test_bh_7_8_the_brake_lever_is_asked_after_a_fishwife_and_not_at_the_finish():
    match = race(("1.6", 1, 3, "Brake Lever"), ("2.9", 1, 3), hands={1: ["Thrown Fishwife"]})
    follow(match, "die 1", "0: step 1.7", "1: play Thrown Fishwife", "1: stop", "0: use Brake Lever")
    assert speeds(match)[0] == 3
    match = race(("1.17", 3, 3, "Brake Lever"), ("2.9", 1, 3))
    follow(match, "die 1", "0: step 1.0")
    assert match.actor == CHANCE


# --- Swivel Pole ------------------------------------------------------------------------------------------


@about("effect", "Swivel Pole")
def test_the_first_lane_change_of_a_move_costs_no_step():
    match = race(("1.6", 1, 1, "Swivel Pole"), ("4.2", 1, 3))
    follow(match, "die 2")
    assert move(match).steps == 3
    follow(match, "0: step 2.8")
    assert move(match).steps == 3
    follow(match, "0: step 3.10")
    assert move(match).steps == 2  # the second one costs
    follow(match, "0: step 3.11", "0: step 3.12")
    assert match.actor == CHANCE  # the next turn


@about("effect", "Swivel Pole")
def test_the_lane_change_may_be_the_last_step_and_is_had_again_in_the_next_move():
    match = race(("1.6", 1, 1, "Swivel Pole"))
    for start in (6, 8):
        follow(match, "die 1", f"0: step 1.{start + 1}", f"0: step 1.{start + 2}")
        assert match.legal() == [f"step 2.{start + 4}", "stop"]  # no step is left, only the lane change
        follow(match, "0: stop")
    follow(match, "die 1", "0: step 2.12", "0: step 2.13", "0: step 2.14")
    assert match.actor == CHANCE


@about("effect", "Swivel Pole")
def test_bh_7_8_the_swivel_pole_works_at_allowance_0():
    match = race(("1.6", 1, 1, "Swivel Pole"), ("4.2", 1, 3), hands={1: ["Subtract 3"]})
    follow(match, "die 1", "1: play Subtract 3")
    assert move(match).steps == 0
    assert match.legal() == ["step 2.8", "stop"]
    follow(match, "0: step 2.8")
    assert chariot(match, 0).square == "2.8"
    assert match.actor == CHANCE


@about("effect", "Swivel Pole")
def test_bh_7_8_with_no_free_square_beside_and_allowance_0_nobody_is_asked():
    match = race(("1.6", 1, 1, "Swivel Pole"), ("2.8", 1, 3), hands={1: ["Subtract 3"]})
    follow(match, "die 1", "1: play Subtract 3")
    assert chariot(match, 0).square == "1.6"
    assert match.actor == CHANCE


@about("effect", "Swivel Pole")
def test_bh_7_8_without_a_swivel_pole_a_lane_change_costs_a_step():
    match = race(("1.6", 1, 1), ("4.2", 1, 3))
    follow(match, "die 2", "0: step 2.8")
    assert move(match).steps == 2


# --- False Bottom -----------------------------------------------------------------------------------------


@about("effect", "False Bottom")
@pytest.mark.parametrize("laps", HALF)
def test_a_false_bottom_draws_a_card_for_every_two_laps_rounded_up(laps):
    match = all_ready(market({0: ["False Bottom"]}, laps=laps))
    before = seen(match).deck
    follow(match, "0: keep False Bottom 0", *["deal Add 1"] * HALF[laps])
    assert hand(match, 0) == ["Add 1"] * HALF[laps]
    assert seen(match).deck == before - HALF[laps]
    assert seen(match).phase == "race"


@about("effect", "False Bottom")
def test_false_bottoms_draw_after_everybodys_maintenance_from_the_dealers_left():
    fitted = {0: ["False Bottom"], 2: ["False Bottom"], 3: ["Tow Rope"]}
    match = all_ready(market(fitted, laps=3))
    follow(match, "0: keep False Bottom 0", "2: keep False Bottom 2", "3: keep Tow Rope 3")
    drawn = []
    while seen(match).phase != "race":
        drawn.append(match.happen("deal Add 1").seat)
    assert drawn == [0, 0, 2, 2]


@about("effect", "False Bottom")
def test_a_false_bottom_that_is_given_up_draws_nothing():
    match = all_ready(market({0: ["False Bottom"]}))
    follow(match, "0: drop False Bottom 0")
    assert seen(match).phase == "race"
    assert hand(match, 0) == []
    assert seen(match).discards == ["False Bottom"]


@about("effect", "False Bottom")
def test_both_chariots_of_a_player_draw():
    match = all_ready(market({0: ["False Bottom"], 2: ["False Bottom"]}, laps=1, seats=2))
    follow(match, "0: keep False Bottom 0", "0: keep False Bottom 2", "deal Add 1", "deal Tow Rope")
    assert hand(match, 0) == ["Add 1", "Tow Rope"]
    assert seen(match).phase == "race"


@about("empty deck", "False Bottom")
@pytest.mark.parametrize(("deck", "drawn"), [([], 0), (["Add 1"], 1), (["Add 1"] * 2, 2), (["Add 1"] * 3, 3)])
def test_a_false_bottom_draws_what_there_is_and_the_discards_stay(deck, drawn):
    match = all_ready(market({0: ["False Bottom"]}, laps=5, deck=deck))
    discards = len(seen(match).discards)
    follow(match, "0: keep False Bottom 0", *["deal Add 1"] * drawn)
    assert seen(match).phase == "race"
    assert len(hand(match, 0)) == drawn
    assert len(seen(match).discards) == discards == 79 - len(deck)
    assert seen(match).deck == 0
