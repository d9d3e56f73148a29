"""The rules of Ave Caesar, one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

from typing import Any

import pytest

from games.avecaesar.positions import Match, out, position, seen, wreck
from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.slots import CHANCE
from quadriga.games import find
from quadriga.games.avecaesar.board import own_courses
from quadriga.games.avecaesar.rules.turn import pass_turn

GAME = find("ave-caesar")
COURSES = own_courses()
FAR: tuple[str, int, list[int]] = ("A12.0.0", 0, [])


def tournament(seats: int = 3, **options) -> Match:
    return Match(GAME, options, seats)


def steps(course: str, space: str) -> set[str]:
    """Return the targets of a single step."""
    found = COURSES[course]
    segment, lane, j = space.split(".")
    x = found.index[segment, int(lane), int(j)]
    return {found.spaces[y].text for y in found.steps[x]}


def cards(match: Match) -> set[str]:
    """Return the cards that can be played."""
    return {text.split()[0] for text in match.legal()}


# --- AC-1 -----------------------------------------------------------------------------------------------


def test_ac_1_1_four_courses_in_two_directions():
    assert sorted(COURSES) == sorted(f"{n} {d}" for n in ("white", "blue", "yellow", "red") for d in ("cw", "ccw"))


@pytest.mark.parametrize(("course", "most"), [("white", 4), ("blue", 4), ("yellow", 6), ("red", 6)])
def test_ac_1_1_side_a_has_room_for_four_chariots_and_side_b_for_six(course, most):
    for seats in range(3, 7):
        if seats <= most:
            tournament(seats, courses=[f"{course} cw"])
        else:
            with pytest.raises(OptionError, match=f"{course} cw has {most} starts"):
                tournament(seats, courses=[f"{course} cw"])


@pytest.mark.parametrize("seats", [1, 2, 7])
def test_ac_1_1_there_are_three_to_six_players(seats):
    with pytest.raises(OptionError, match="3 to 6"):
        tournament(seats)


def test_ac_1_1_anticlockwise_every_edge_is_reversed():
    for name in ("white", "blue", "yellow", "red"):
        edges = []
        for direction in ("cw", "ccw"):
            course = COURSES[f"{name} {direction}"]
            pairs = {
                (course.spaces[x].text, course.spaces[y].text)
                for x in range(len(course.spaces))
                for y in course.steps[x]
            }
            pairs.add((course.spaces[course.gate].text, course.spaces[course.entrance].text))
            edges.append(pairs)
        assert edges[0] == {(b, a) for a, b in edges[1]}


def test_ac_1_2_a_step_goes_on_in_the_lane():
    assert steps("white cw", "W12.1.0") == {"W12.1.1"}
    assert steps("white ccw", "W12.1.1") == {"W12.1.0"}


def test_ac_1_2_over_a_boundary_to_what_overlaps_and_diagonally_to_what_touches():
    assert steps("white cw", "F-.3.0") == {"F+.2.0", "F+.3.0", "F+.4.0"}
    assert steps("white cw", "A2.1.0") == {"A3.0.0", "A3.1.0", "A3.2.0"}


def test_ac_1_2_a_wall_on_both_sides_of_a_corner_bars_the_diagonal():
    assert steps("white cw", "A3.1.0") == {"A4.0.0"}  # walls in A3 and in A4 at the middle
    assert steps("white cw", "A3.2.0") == {"A4.1.0"}
    assert steps("white cw", "A4.0.0") == {"A5.0.0"}


def test_ac_1_2_a_single_space_segment_joins_all_its_neighbours():
    assert steps("white cw", "A5.0.0") == {"A6.0.0", "A6.1.0"}
    assert steps("white ccw", "A5.0.0") == {"A4.0.0", "A4.1.0"}


def test_ac_1_3_the_leading_edge_is_the_station():
    course = COURSES["white cw"]
    stations = {space.text: float(space.station) for space in course.spaces}
    assert stations["F+.0.0"] == 1
    assert stations["A7.0.0"] == pytest.approx(7.5)
    assert stations["A7.0.1"] == stations["A7.1.0"] == 8
    assert stations["W12.1.0"] == pytest.approx(12 + 1 / 3)
    mirrored = {space.text: float(space.station) for space in COURSES["white ccw"].spaces}
    assert mirrored["F-.0.0"] == 1
    assert mirrored["A7.0.1"] == pytest.approx(17.5)


def test_ac_1_3_alley_spaces_spread_over_the_columns_they_lie_beside():
    alley = {s.text: float(s.station) for s in COURSES["white cw"].spaces if s.alley}
    assert alley == pytest.approx({"ALLEY.0.0": 24 + 2 / 3, "ALLEY.0.1": 1 / 3, "ALLEY.0.2": 1})


@pytest.mark.parametrize(("course", "before"), [("white", 1), ("blue", 1), ("yellow", 3), ("red", 3)])
@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_ac_1_3_the_second_of_three_or_the_fourth_of_six_alley_spaces_is_past_the_line(course, direction, before):
    found = COURSES[f"{course} {direction}"]
    x, crossings = found.entrance, []
    while found.spaces[x].alley:
        following = found.steps[x][0]
        crossings.append(following < x)
        x = following
    assert crossings.index(True) == before - 1
    assert sum(crossings) == 1


def test_ac_1_3_crossing_the_line_is_stepping_from_the_last_to_the_first_column():
    match = position(("F-.2.0", 1, [1, 1, 1]), out(), out())
    match.play("1 F+.2.0")
    assert seen(match, 0).lap == 2
    match = position(("A23.1.0", 1, [1, 1, 1]), out(), out())
    match.play("1 F-.2.0")
    assert seen(match, 0).lap == 1


@pytest.mark.parametrize(("course", "price"), [("white", 80), ("blue", 80), ("yellow", 78), ("red", 78)])
@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_ac_1_4_the_cheapest_race_costs_the_same_from_every_start(course, direction, price):
    assert set(COURSES[f"{course} {direction}"].cheapest) == {price}


def test_ac_1_4_starts_lie_in_the_column_before_the_line_one_step_from_it():
    for course in COURSES.values():
        names = [course.spaces[x].text for x in course.starts]
        column = course.plan.order[-1] if course.direction == "cw" else course.plan.order[0]
        assert names == [f"{column}.{lane}.0" for lane in course.plan.starts]
        assert all(y < x for x in course.starts for y in course.steps[x])


def test_ac_1_4_the_first_crossing_begins_lap_1_and_the_one_after_lap_3_finishes():
    match = position(("F-.2.0", 0, [1, 1, 1]), out(), out())
    match.play("1 F+.2.0")
    assert seen(match, 0).lap == 1
    match = position(("F-.2.0", 3, [1, 1, 1], {"coin": False}), out(), out())
    match.play("1 finish")
    assert match.over


# --- AC-2 -----------------------------------------------------------------------------------------------


def test_ac_2_1_everybody_has_a_chariot_a_coin_and_four_each_of_1_to_6():
    match = tournament(4)
    for text in ("cut 6", "cut 1", "cut 1", "cut 1"):
        match.happen(text)
    assert [(o.text, o.weight) for o in match.outcomes()] == [(f"draw {n}", 4) for n in range(1, 7)]
    assert all(c.coin and c.deck == 24 and c.held == 0 for c in match.view().chariots)


def test_ac_2_2_the_highest_cut_takes_start_i_and_moves_first_the_rest_clockwise():
    match = tournament(4)
    for text in ("cut 3", "cut 2", "cut 6", "cut 5"):
        match.happen(text)
    assert match.view().order == [2, 3, 0, 1]
    assert [seen(match, seat).space for seat in (2, 3, 0, 1)] == ["F-.4.0", "F-.3.0", "F-.2.0", "F-.1.0"]


def test_ac_2_2_tied_players_cut_again_from_their_full_decks_in_seat_order():
    match = tournament(3)
    for text in ("cut 5", "cut 2", "cut 5"):
        match.happen(text)
    assert match.game.notation.roller(match.t, match.s) == 0
    assert [(o.text, o.weight) for o in match.outcomes()] == [(f"cut {n}", 4) for n in range(1, 7)]
    match.happen("cut 1")
    assert match.game.notation.roller(match.t, match.s) == 2
    match.happen("cut 1")  # tied once more
    match.happen("cut 2")
    match.happen("cut 1")
    assert match.view().order == [0, 1, 2]


def test_ac_2_2_then_each_seat_from_0_draws_three():
    match = tournament(3)
    for text in ("cut 1", "cut 2", "cut 1"):
        match.happen(text)
    drawn = []
    while match.actor == CHANCE:
        drawn.append(match.game.notation.roller(match.t, match.s))
        match.happen(match.outcomes()[0].text)
    assert drawn == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert match.actor == 1


def next_order(*chariots, variants=(), turn=0) -> list[int]:
    """Return the order of the race after one that ends with seat `turn` crossing the finish."""
    match = position(*chariots, turn=turn, races=2, variants=variants)
    match.play("1 finish")
    assert match.view().race == 2
    return match.view().order


LAST = ("F-.2.0", 3, [1], {"coin": False, "deck": []})


def done(place: int, **more):
    return ("F+.0.0", 3, [], {"status": 1, "finish": place, "deck": [], **more})


def test_ac_2_3_the_player_placed_last_starts_at_i_the_rest_clockwise():
    assert next_order(LAST, done(1), done(2)) == [0, 1, 2]
    assert next_order(done(1), LAST, out(), turn=1) == [2, 0, 1]


def test_ac_2_3_dishonoured_finishers_come_after_honoured_ones_and_before_who_did_not_finish():
    assert next_order(LAST, done(1, dishonoured=True), done(2)) == [1, 2, 0]
    assert next_order(LAST, done(1, dishonoured=True), out()) == [2, 0, 1]


def test_ac_2_3_who_did_not_finish_is_placed_by_how_far_he_came_and_ties_by_turn_order():
    assert next_order(LAST, out("A3.0.0", 2), out("A9.0.0", 1)) == [2, 0, 1]
    assert next_order(LAST, out("A3.0.0", 1), out("A9.0.0", 1)) == [1, 2, 0]
    assert next_order(LAST, out("A3.0.0", 1), out("A3.1.0", 1)) == [2, 0, 1]  # equally far: 1 was earlier


# --- AC-3 -----------------------------------------------------------------------------------------------


def test_ac_3_1_play_one_card_move_exactly_that_many_steps_and_draw_back_to_three():
    match = position(("A5.0.0", 1, [1, 2, 4]), ("A2.0.0", 1, [1, 1, 1]), out())
    assert cards(match) == {"1", "2", "4"}
    match.play("2 A7.1.0")
    assert match.actor == CHANCE
    assert match.game.notation.roller(match.t, match.s) == 0
    match.happen("draw 3")
    assert match.view(0).hand == [1, 3, 4]
    assert match.actor == 1


def test_ac_3_1_a_card_that_can_be_played_must_be():
    match = position(("A4.0.0", 1, [1, 6, 6]), ("A3.0.0", 1, [1, 1, 1]), out())
    assert match.legal() == ["1 A5.0.0"]


def test_ac_3_1_who_can_play_nothing_keeps_his_cards_and_misses_the_turn():
    match = position(("A4.0.0", 1, [2, 3, 4]), ("A5.0.0", 1, [1, 1, 1]), out())
    assert match.actor == 1
    assert match.view(0).hand == [2, 3, 4]


def test_ac_3_1_who_has_left_the_track_draws_no_more():
    match = position(("F-.2.0", 3, [1, 1, 1], {"coin": False}), ("A2.0.0", 1, [1, 1, 1]), out())
    match.play("1 finish")
    assert match.actor == 1


def test_ac_3_1_an_empty_deck_gives_no_card():
    match = position(("A5.0.0", 1, [1, 2], {"deck": []}), ("A2.0.0", 1, [1, 1, 1]), out())
    match.play("1 A6.0.0")
    assert match.actor == 1
    assert match.view(0).hand == [2]


def test_ac_3_2_one_chariot_a_space_and_none_passes_through_another():
    match = position(("A4.0.0", 1, [1, 2, 3]), ("A5.0.0", 1, [1, 1, 1]), out(), settle=False)
    assert match.game.rules.legal(match.t, match.s, match.game.rules.scratch()[0].data) == 0
    match = position(("A5.0.0", 1, [1, 2, 4]), ("A6.0.0", 1, [1, 1, 1]), out())
    assert match.legal() == ["1 A6.1.0", "2 A7.0.0", "2 A7.1.0", "4 A8.0.0", "4 A8.1.0", "4 A9.0.0"]
    match = position(("A6.0.0", 1, [1, 2, 3]), ("A7.1.0", 1, [1, 1, 1]), out())
    assert match.legal() == ["1 A7.0.0", "2 A7.0.1", "3 A8.0.0", "3 A8.1.0"]


def test_ac_3_2_walls_bar_the_way():
    match = position(("A3.1.0", 1, [1, 1, 1]), out(), out())
    assert match.legal() == ["1 A4.0.0"]


def test_ac_3_3_a_move_that_reaches_the_finish_may_overshoot():
    match = position(("A23.1.0", 3, [1, 2, 5], {"coin": False}), out(), out())
    assert [text for text in match.legal() if "finish" in text] == ["2 finish", "5 finish"]
    assert cards(match) == {"1", "2", "5"}


def test_ac_3_3_the_first_space_past_the_line_must_be_free():
    blockers = [(f"F+.{lane}.0", 1, [1, 1, 1]) for lane in range(3)]
    match = position(("F-.1.0", 3, [1, 2, 3], {"coin": False}), *blockers)
    assert match.actor == 1  # F-.1 leads to F+.0, F+.1 and F+.2 only
    match = position(("F-.1.0", 3, [1, 2, 3], {"coin": False}), *blockers[:2], out())
    assert match.legal() == ["1 finish", "2 finish", "3 finish"]


def test_ac_3_4_who_has_played_his_last_card_without_finishing_leaves_at_once_and_scores_nothing():
    match = position(("A5.0.0", 3, [1], {"deck": [], "coin": False}), ("A4.0.0", 1, [1, 2, 3]), out())
    match.play("1 A6.0.0")
    assert seen(match, 0).status == "out"
    assert match.scores[0] == 0
    assert "1 A5.0.0" in match.legal()  # and is in nobody's way


# --- AC-4 -----------------------------------------------------------------------------------------------


def test_ac_4_1_a_leading_chariot_may_not_play_a_6():
    match = position(("A6.0.0", 1, [1, 6, 6]), ("A3.0.0", 1, [1, 1, 6]), out())
    assert cards(match) == {"1"}
    match = position(("A6.0.0", 1, [1, 6, 6]), ("A3.0.0", 2, [1, 1, 6]), out())
    assert cards(match) == {"1", "6"}


def test_ac_4_1_tied_chariots_all_lead():
    for turn in (0, 1):
        match = position(("A6.0.0", 1, [1, 6, 6]), ("A6.1.0", 1, [1, 1, 6]), ("A2.0.0", 1, [6, 1, 1]), turn=turn)
        assert cards(match) == {"1"}
    match = position(("A7.0.1", 1, [1, 6, 6]), ("A7.1.0", 1, [1, 1, 6]), out())
    assert cards(match) == {"1"}  # equal leading edges, though the one lane has two spaces


def test_ac_4_1_a_chariot_that_is_not_racing_does_not_lead():
    match = position(("A6.0.0", 1, [1, 6, 6]), ("A3.0.0", 1, [1, 1, 6]), out("A20.0.0", 2))
    assert cards(match) == {"1"}


@pytest.mark.parametrize(("begun", "allowed"), [(False, True), (True, False)])
def test_ac_4_2_the_very_first_card_of_the_race_may_be_a_6(begun, allowed):
    starts = [(f"F-.{lane}.0", 0, [1, 5, 6]) for lane in (4, 3, 2)]
    assert ("6" in cards(position(*starts, begun=begun))) == allowed


def test_ac_4_3_a_leader_with_only_6s_misses_turns_until_passed():
    match = position(("A6.0.0", 1, [6, 6, 6]), ("A4.0.0", 1, [3, 1, 1]), out())
    assert match.actor == 1
    match.play("3 A7.1.0")
    match.happen("draw 1")
    assert match.actor == 0
    assert cards(match) == {"6"}


def test_ac_4_3_exception_a_leader_in_a_narrow_place_whom_nobody_can_pass_may_play_a_6():
    match = position(("A5.0.0", 1, [6, 6, 6]), ("A4.0.0", 1, [1, 1, 1]), ("A20.0.0", 0, [1, 2, 3]))
    assert match.actor == 0
    assert cards(match) == {"6"}


def test_ac_4_3_only_6s_are_all_cards_held_even_fewer_than_three():
    match = position(("A5.0.0", 1, [6], {"deck": []}), ("A4.0.0", 1, [1, 1, 1]), out())
    assert match.actor == 0
    match = position(("A5.0.0", 1, [6, 6, 1]), ("A4.0.0", 1, [1, 1, 1]), out())
    assert cards(match) == {"1"}


def test_ac_4_3_two_leaders_with_only_6s_that_block_the_way_between_them_may_play_a_6():
    both = [("A6.0.0", 1, [6, 6, 6]), ("A6.1.0", 1, [6, 6, 6])]
    match = position(*both, ("A4.0.0", 1, [1, 1, 1]))
    assert match.actor == 0
    assert cards(match) == {"6"}
    match = position(both[0], ("A6.1.0", 1, [6, 6, 2]), ("A4.0.0", 1, [1, 1, 1]))
    assert match.actor == 1  # the other leader can drive on, so the first waits
    assert cards(match) == {"2"}


def test_ac_4_3_a_route_past_counts_whatever_the_cards_and_whoever_else_stands_in_it():
    match = position(("A6.0.0", 1, [6, 6, 6]), ("A4.0.0", 1, [4, 4, 4]), ("A5.0.0", 1, [5, 5, 5]))
    assert match.actor == 1 or match.actor == 2  # lane 1 of A6 is open to them


def test_ac_4_3_a_chariot_a_lap_behind_must_be_able_to_come_all_the_way_round():
    match = position(("A5.0.0", 2, [6, 6, 6]), ("W14.0.0", 0, [1, 1, 1]), out())
    assert match.actor == 0  # whoever comes round comes to A5 and no further


def test_ac_4_4_once_somebody_has_finished_nobody_leads():
    finished: tuple[Any, ...] = ("F+.0.0", 3, [], {"status": 1, "finish": 1, "deck": []})
    match = position(("A6.0.0", 1, [1, 6, 6]), ("A3.0.0", 1, [1, 1, 6]), finished)
    assert cards(match) == {"1", "6"}
    dishonoured: tuple[Any, ...] = ("F+.0.0", 3, [], {"status": 1, "finish": 1, "deck": [], "dishonoured": True})
    match = position(("A6.0.0", 1, [1, 6, 6]), ("A3.0.0", 1, [1, 1, 6]), dishonoured)
    assert cards(match) == {"1", "6"}


def waiting(**options) -> Match:
    """Return a race: the leader is in the alley with only 6s; others with fitting cards wait behind."""
    return position(
        ("ALLEY.0.0", 2, [6, 6, 6], {"coin": False}),
        ("A23.0.0", 2, [2, 3, 3]),
        ("A22.0.0", 2, [3, 3, 4]),
        **options,
    )


def test_ac_4_5_after_as_many_misses_as_chariots_leaders_may_play_a_6_for_one_turn():
    match = waiting()
    assert match.actor == 0  # three have missed; the ban is lifted
    assert match.view().free
    assert cards(match) == {"6"}


def test_ac_4_5_a_move_in_that_round_does_not_end_the_others_lifted_turn():
    match = waiting()
    match.play(match.legal()[0])
    match.happen("draw 1")
    assert match.actor == 1
    assert match.view().free


def test_ac_4_5_if_the_lifted_round_moves_nobody_the_race_ends_and_the_unfinished_score_nothing():
    match = waiting(settle=False)
    match.s.misses = 5  # three, and two of the three lifted turns; seat 1 has the last and cannot move either
    match.s.at, match.s.lifted = 0, 0b010
    pass_turn(match.t, match.s)
    assert match.over
    assert match.scores == [0, 0, 0]


def test_ac_4_5_any_move_starts_the_count_anew():
    match = position(("A6.0.0", 1, [6, 6, 6]), ("A4.0.0", 1, [3, 1, 1]), out())
    assert match.s.misses == 1
    match.play("3 A7.1.0")
    assert match.s.misses == 0


# --- AC-5 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lap", [1, 2])
def test_ac_5_1_ending_a_move_in_the_alley_at_the_end_of_lap_1_or_2_gives_the_coin(lap):
    match = position(("A23.0.0", lap, [1, 2, 3]), out(), out())
    assert {"1 ALLEY.0.0", "2 ALLEY.0.1", "3 ALLEY.0.2"} <= set(match.legal())
    match.play("2 ALLEY.0.1")
    assert not seen(match, 0).coin
    assert seen(match, 0).lap == lap + 1


@pytest.mark.parametrize(
    ("lap", "coin", "open_"), [(1, True, True), (2, True, True), (3, True, False), (1, False, False)]
)
def test_ac_5_2_only_with_the_coin_at_the_end_of_lap_1_or_2_may_the_alley_be_entered(lap, coin, open_):
    match = position(("A23.0.0", lap, [1, 1, 1], {"coin": coin}), out(), out())
    assert ("1 ALLEY.0.0" in match.legal()) == open_


def test_ac_5_2_the_alley_may_be_driven_through_without_stopping_which_gives_no_coin():
    blockers = [(f"F-.{lane}.0", 1, [1, 1, 1]) for lane in (0, 1, 2)]
    match = position(("A23.0.0", 1, [4, 4, 4]), *blockers)  # the track is blocked, the alley is not
    assert match.legal() == ["4 A1.0.0"]
    match.play("4 A1.0.0")
    assert seen(match, 0).coin
    assert seen(match, 0).lap == 2


def test_ac_5_3_several_chariots_may_be_in_the_alley_and_none_overtakes_there():
    match = position(("A23.0.0", 1, [1, 2, 3]), ("ALLEY.0.1", 2, [1, 1, 1], {"coin": False}), out())
    alley = [text for text in match.legal() if "ALLEY" in text]
    assert alley == ["1 ALLEY.0.0"]


def test_ac_5_4_a_6_that_ac_4_bars_does_not_count_as_fitting():
    """From A21.1 a 6 leads through the alley to A1, a 5 to its third space, a 4 to its second."""
    behind, ahead = ("A2.0.0", 2, [1, 1, 1]), ("A2.0.0", 3, [1, 1, 1])
    start = "A20.0.0"  # from here a 6 fits the alley and a 5 does too
    leading = position((start, 2, [6, 6, 2]), behind, out())
    assert cards(leading) == {"2"}
    six_fits = position((start, 2, [6, 2, 2]), ahead, out())
    assert all("ALLEY" in text for text in six_fits.legal() if text.startswith("6"))
    near = "A22.0.0"  # from here a 2 fits, a 6 drives past
    assert cards(position((near, 2, [6, 2, 2]), ahead, out())) == {"2"}
    barred = position(("A21.0.1", 2, [6, 6, 6]), behind, out())
    assert barred.actor == 1  # a leader's 6 would fit nothing he may play


def test_ac_5_5_who_crosses_after_lap_2_with_his_coin_and_outside_the_alley_is_dishonoured():
    match = position(("A23.0.0", 2, [4, 5, 5]), out(), out())
    match.play(match.legal()[0])
    assert seen(match, 0).dishonoured
    assert seen(match, 0).status == "racing"


def test_ac_5_5_a_dishonoured_chariot_can_finish_but_scores_nothing_and_takes_no_place():
    match = position(
        ("F-.2.0", 3, [1, 1, 1], {"dishonoured": True}),
        ("F-.3.0", 3, [1, 1, 1], {"coin": False}),
        out(),
    )
    match.play("1 finish")
    match.play("1 finish")
    assert match.result == [0, 6, 0]


# --- AC-6 -----------------------------------------------------------------------------------------------


def test_ac_6_1_places_among_honoured_finishers_get_6_4_3_2_1_0():
    chariots = [(f"M1.{lane}.0", 3, [1, 1, 1], {"coin": False}) for lane in range(6)]
    match = position(*chariots, course="yellow cw")
    for _ in range(6):
        match.play(match.legal()[0])
    assert match.result == [6, 4, 3, 2, 1, 0]


def test_ac_6_1_the_race_goes_on_until_every_chariot_has_finished_or_is_out():
    match = position(LAST, ("A5.0.0", 1, [1, 2, 3]), out())
    match.play("1 finish")
    assert not match.over
    assert match.actor == 1


@pytest.mark.parametrize(
    ("seats", "courses"),
    [
        (3, ["white cw", "blue cw", "white ccw", "blue ccw"]),
        (4, ["white cw", "blue cw", "white ccw", "blue ccw"]),
        (5, ["yellow cw", "red cw", "yellow ccw", "red ccw"]),
        (6, ["yellow cw", "red cw", "yellow ccw", "red ccw"]),
    ],
)
def test_ac_6_2_four_recommended_races_by_default(seats, courses):
    assert tournament(seats).options["courses"] == courses


def test_ac_6_2_one_to_eight_races_on_any_courses():
    assert tournament(3, courses=["red cw"]).view().races == 1
    assert tournament(3, courses=["red cw"] * 8).view().races == 8
    for wrong in ([], ["red cw"] * 9, ["red"], ["green cw"], "red cw", [5]):
        with pytest.raises(OptionError):
            tournament(3, courses=wrong)


def test_ac_6_2_points_add_up_over_the_races():
    match = position(LAST, done(1), done(2), races=2)
    match.play("1 finish")
    assert match.scores == [3, 6, 4]
    assert match.view().race == 2
    assert all(c.coin and c.lap == 0 and c.deck == 24 for c in match.view().chariots)


# --- Variants -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variants", "order"), [((), [0, 1, 2]), (("start-by-place",), [1, 2, 0])])
def test_ac_v1_the_winner_starts_at_i_the_second_at_ii(variants, order):
    assert next_order(LAST, done(1), done(2), variants=variants) == order


def test_ac_v1_the_turn_order_follows_the_start_positions():
    match = position(done(1), LAST, out(), turn=1, races=2, variants=["start-by-place"])
    match.play("1 finish")
    assert match.view().order == [0, 1, 2]
    match = position(LAST, done(1), out(), races=2, variants=["start-by-place"])
    match.play("1 finish")
    assert match.view().order == [1, 0, 2]
    assert [seen(match, seat).space for seat in (1, 0, 2)] == ["F-.4.0", "F-.3.0", "F-.2.0"]
    while match.actor == CHANCE:
        match.happen(match.outcomes()[0].text)
    assert match.actor == 1


BLOCKED = [("A4.0.0", 1, [2, 3, 4]), ("A5.0.0", 1, [1, 1, 1])]


@pytest.mark.parametrize("variants", [(), ("bottom-card",)])
def test_ac_v2_who_misses_a_turn_puts_a_card_of_his_choice_under_his_deck_and_draws(variants):
    match = position(*BLOCKED, out(), variants=variants)
    if not variants:
        assert match.actor == 1
        return
    assert match.actor == 0
    assert match.legal() == ["bottom 2", "bottom 3", "bottom 4"]
    match.play("bottom 3")
    assert match.game.notation.roller(match.t, match.s) == 0
    match.happen("draw 6")
    assert match.view(0).hand == [2, 4, 6]
    assert match.view(0).under == [3]
    assert match.view(1).under == []
    assert match.actor == 1


def test_ac_v2_with_an_empty_deck_nothing_happens():
    match = position(("A4.0.0", 1, [2, 3, 4], {"deck": []}), BLOCKED[1], out(), variants=["bottom-card"])
    assert match.actor == 1


def test_ac_v2_a_card_under_the_deck_comes_when_the_rest_is_drawn_and_is_still_a_draw():
    match = position(("A4.0.0", 1, [2, 3, 4], {"deck": [5]}), BLOCKED[1], out(), variants=["bottom-card"])
    match.play("bottom 2")
    assert [o.text for o in match.outcomes()] == ["draw 5"]
    match.happen("draw 5")
    assert match.view(0).under == [2]
    match.play("1 A6.0.0")
    match.happen("draw 1")
    match.play("3 A7.0.0") if "3 A7.0.0" in match.legal() else match.play(match.legal()[0])
    assert [(o.text, o.weight) for o in match.outcomes()] == [("draw 2", 1)]


STUCK = ("A6.0.0", 1, [6, 6, 6])
BEHIND = [("A3.0.0", 1, [1, 1, 1]), ("A2.0.0", 1, [1, 1, 1])]


@pytest.mark.parametrize("variants", [(), ("crash-and-burn",)])
def test_ac_v3_a_leader_with_only_6s_crashes_and_his_space_stays_blocked(variants):
    match = position(STUCK, *BEHIND, variants=variants)
    assert seen(match, 0).status == ("wrecked" if variants else "racing")
    assert match.actor == 1
    assert match.s.misses == (0 if variants else 1)


def test_ac_v3_there_is_no_exception_for_a_leader_whom_nobody_can_pass():
    match = position(("A5.0.0", 1, [6, 6, 6]), *BEHIND, variants=["crash-and-burn"])
    assert match.over or seen(match, 0).status == "wrecked"


def test_ac_v3_not_on_the_first_card_nor_after_a_finish_nor_in_a_lifted_round():
    starts = [(f"F-.{lane}.0", 0, [6, 6, 6]) for lane in (4, 3, 2)]
    assert cards(position(*starts, begun=False, variants=["crash-and-burn"])) == {"6"}
    assert cards(position(STUCK, BEHIND[0], done(1), variants=["crash-and-burn"])) == {"6"}
    lifted = position(STUCK, *BEHIND, variants=["crash-and-burn"], settle=False)
    lifted.s.lifted = 1
    pass_turn(lifted.t, lifted.s)
    assert lifted.actor == 0
    assert cards(lifted) == {"6"}


def test_ac_v3_a_wreck_is_part_of_the_board():
    """AC-5.4: a wreck in the alley makes a card that would have to pass it no fitting card."""
    match = position(("A23.0.0", 2, [2, 3, 5]), wreck("ALLEY.0.0"), out(), variants=["crash-and-burn"])
    assert match.actor == 0
    assert cards(match) == {"2", "3", "5"}


def test_ac_v3_if_no_chariot_can_reach_the_finish_any_more_the_race_ends_and_nobody_scores():
    match = position(("A5.0.0", 1, [6, 6, 6]), *BEHIND, variants=["crash-and-burn"])
    assert match.over
    assert match.scores == [0, 0, 0]
    open_ = position(("A6.0.0", 1, [6, 6, 6]), *BEHIND, variants=["crash-and-burn"])
    assert not open_.over


@pytest.mark.parametrize("wrong", [["fast"], ["dishonour", "dishonour"], "dishonour", [1]])
def test_ac_v_unknown_or_doubled_variants_are_refused(wrong):
    with pytest.raises(OptionError, match="variants"):
        tournament(3, variants=wrong)
