"""Course files: ours are consistent, and a bad one is refused with the segment and the reason."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import deque
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quadriga
from games.avecaesar.positions import Match
from quadriga.engine.errors import OptionError, QuadrigaError
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.games.avecaesar.board import NEVER, Course, check, courses, own_courses, own_document
from quadriga.games.avecaesar.drawing.geometry import shape
from quadriga.games.avecaesar.drawing.render_svg import render_svg
from soak import count

OWN = json.loads(own_document())
GAME = find("ave-caesar")


def by_breadth(course, start: int, lap: int, coin: bool) -> int:
    """Return the fewest steps to the finish, by breadth-first search over (space, lap, coin)."""
    seen, queue = {(start, lap, coin)}, deque([(start, lap, coin, 0)])
    while queue:
        x, laps, held, way = queue.popleft()
        if held and course.spaces[x].alley:
            held = False
        targets = list(course.steps[x])
        if held and x == course.gate and laps in (1, 2):
            targets.append(course.entrance)
        for y in targets:
            after = laps + (y < x)
            if after > 3:
                if not held:
                    return way + 1
                continue
            if (y, after, held) not in seen:
                seen.add((y, after, held))
                queue.append((y, after, held, way + 1))
    return NEVER


@pytest.mark.parametrize("name", list(own_courses()))
def test_the_distance_to_go_agrees_with_a_search_from_every_space(name):
    course = own_courses()[name]
    for (lap, coin), table in course.to_go.items():
        for x in range(0, len(course.spaces), 3):
            assert table[x] == by_breadth(course, x, lap, coin)


def test_to_go_is_never_where_the_coin_cannot_be_paid_any_more():
    course = own_courses()["white cw"]
    assert course.to_go[3, True][course.index["A2", 0, 0]] == NEVER
    assert course.to_go[3, False][course.index["F-", 2, 0]] == 1


def changed(change) -> dict[str, Any]:
    document = copy.deepcopy(OWN)
    document["courses"] = {"white": document["courses"]["white"]}
    change(document["segments"], document["courses"]["white"])
    return document


def set_(path: str, value):
    """Return a change that puts a value at a place such as `A5.lanes` or `course.alley.spaces`."""

    def apply(segments, course):
        head, *keys, last = path.split(".")
        place = course if head == "course" else segments[head]
        for key in keys:
            place = place[key]
        if value is None:
            del place[last]
        else:
            place[last] = value

    return apply


WRONG = [
    (set_("A5.lanes", []), "lanes", "A5"),
    (set_("A5.lanes", [0]), "lanes", "A5"),
    (set_("A5.lanes", [1.5]), "lanes", "A5"),
    (set_("A5.lanes", "1"), "lanes", "A5"),
    (set_("A5.lanes", [1] * 9), "lanes", "A5"),
    (set_("A5.lanes", None), "lanes", "A5"),
    (set_("A4.walls", [1, 1]), "walls", "A4"),
    (set_("A4.walls", [2]), "walls", "A4"),
    (set_("A7.walls", [0]), "unwalled", "A7"),
    (set_("A2.a", [25, 50]), "bounds", "A2"),
    (set_("A2.a", [50, 25, 75]), "bounds", "A2"),
    (set_("A2.a", [0, 50, 75]), "bounds", "A2"),
    (set_("A2.turn", "left"), "turn", "A2"),
    (set_("course.order", []), "order", "white"),
    (set_("course.order", ["F+", "A1", 5, "F-"]), "order", "white"),
    (set_("course.order", ["F+", "A1", "A1", "F-"]), "twice", "white"),
    (set_("course.order", ["F+", "A1", "Z9", "F-"]), "unknown", "white"),
    (set_("course.start_lane", {}), "starts", "white"),
    (set_("course.start_lane", {"1": 4, "3": 2}), "starts", "white"),
    (set_("course.start_lane", {"1": 4, "2": 4}), "starts", "white"),
    (set_("course.start_lane", {"1": 6}), "starts", "white"),
    (set_("course.alley", None), "alley", "white"),
    (set_("course.alley.spaces", 0), "alley", "white"),
    (set_("course.alley.spaces", "3"), "alley", "white"),
    (set_("course.alley.beside", ["F-"]), "alley", "white"),
    (set_("course.alley.beside", ["F+", "A1"]), "beside", "white"),
    (set_("course.alley.beside", ["F-", "A1"]), "beside", "white"),
    (set_("course.alley.after", ["A22", 0]), "alley-end", "white"),
    (set_("course.alley.before", ["A1", 7]), "alley-end", "white"),
    (set_("course.target", "80"), "target-number", "white"),
    (set_("course.target", 79), "target", "white"),
    (set_("course.length", {"A5": -1}), "length", "white"),
]


@pytest.mark.parametrize(("change", "code", "where"), WRONG)
def test_a_wrong_course_file_is_refused_with_the_place_and_the_reason(change, code, where):
    with pytest.raises(OptionError) as caught:
        courses(changed(change))
    assert caught.value.code == f"course.{code}"
    assert caught.value.parameters["where"] == where
    assert where in str(caught.value)
    assert caught.value.text("fr") != str(caught.value)


@pytest.mark.parametrize(
    "document", [None, [], {}, {"segments": {}}, {"segments": {}, "courses": {}}, {"segments": 1}]
)
def test_what_is_no_course_file_is_refused(document):
    with pytest.raises(OptionError, match="course file"):
        courses(document)


def test_a_course_that_is_too_long_for_the_cards_is_refused():
    def longer(segments, course):
        del course["target"]
        segments["A5"]["lanes"] = [5]

    with pytest.raises(OptionError, match=r"costs 92 points; a player's cards have 84"):
        courses(changed(longer))


def graph(change) -> Course:
    """Return the white course with a changed graph, as a later file format may allow."""
    course = Course("white", "cw", own_courses()["white cw"].plan)
    change(course.steps, course.index)
    return course


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda steps, index: steps[index["A5", 0, 0]].clear(), "dead-end"),
        (
            lambda steps, index: [
                targets.remove(index["A2", 0, 0]) for targets in steps if index["A2", 0, 0] in targets
            ],
            "dead-end",
        ),
        (lambda steps, index: steps[index["A5", 0, 0]].append(index["A4", 0, 0]), "ring"),
        (
            lambda steps, index: steps[index["A5", 0, 0]].__setitem__(slice(None), [index["A5", 0, 0] + 30]),
            "dead-end",
        ),
    ],
)
def test_dead_ends_and_steps_backwards_are_refused(change, code):
    with pytest.raises(OptionError) as caught:
        check(graph(change))
    assert caught.value.code == f"course.{code}"


def test_a_course_whose_finish_cannot_be_reached_with_a_stop_in_the_alley_is_refused():
    def detour(steps, index):
        """All lead past the gate."""
        gate = index["A23", 0, 0]
        for targets in steps:
            if gate in targets and len(targets) > 1:
                targets.remove(gate)
        steps[index["A22", 0, 0]] = [index["A23", 1, 0]]
        steps[index["A21", 0, 1]] = [index["A22", 1, 0], index["A22", 0, 0]]

    course = graph(detour)
    assert course.to_go[0, True][course.starts[0]] == NEVER
    with pytest.raises(OptionError) as caught:
        check(course)
    assert caught.value.code in ("course.dead-end", "course.unreachable")


@pytest.mark.parametrize(
    ("segments", "alley", "code"),
    [(30, 3, "spaces"), (4, 12, "short"), (9, 12, "wide")],
)
def test_courses_of_impossible_size_are_refused(segments, alley, code):
    names = [f"s{n}" for n in range(segments)]
    lanes = (
        {"lanes": [1] * 8, "a": [10, 20, 30, 40, 50, 60, 70]}
        if code == "wide"
        else {"lanes": [1, 1, 1, 1], "a": [25, 50, 75]}
    )
    document = {
        "segments": {name: dict(lanes) for name in names},
        "courses": {
            "mine": {
                "order": names,
                "alley": {
                    "spaces": alley,
                    "after": [names[-2], 0],
                    "before": [names[1], 0],
                    "beside": [names[-1], names[0]],
                },
                "start_lane": {"1": 0, "2": 1, "3": 2},
            }
        },
    }
    with pytest.raises(OptionError) as caught:
        courses(document)
    assert caught.value.code == f"course.{code}"


def ring() -> dict[str, Any]:
    """Return a small custom course with a neck of one lane beside the alley."""
    segments = {name: {"lanes": [1, 1]} for name in ("out", "a", "b", "c", "d", "e", "in")}
    segments |= {name: {"lanes": [1, 1, 1], "a": [33, 67]} for name in ("first", "last")}
    segments["neck"] = {"lanes": [1]}
    order = ["first", "out", "a", "b", "c", "d", "e", "in", "neck", "last"]
    alley = {"spaces": 3, "after": ["in", 0], "before": ["out", 0], "beside": ["neck", "last", "first"]}
    starts = {"1": 0, "2": 1, "3": 2}
    return {"segments": segments, "courses": {"mine": {"order": order, "alley": alley, "start_lane": starts}}}


def test_a_course_of_ones_own_is_raced_saved_and_replayed():
    document = ring()
    from quadriga.engine.match.dice import SeededDice
    from quadriga.engine.match.trace import dumps
    from quadriga.engine.match.trace_reader import read
    from quadriga.lab.traces import random_match

    options, seats = GAME.resolve_options({"course": document}, 3)
    assert options["courses"] == ["mine cw", "mine ccw"]
    match = Match.of(random_match(GAME, options, seats, 1, 0, SeededDice(1)))
    text = dumps(match)
    assert json.loads(text.splitlines()[0])["options"]["course"] == document
    (reading,) = read(text.encode().splitlines(), find)
    assert reading.match == match
    assert render_svg(match.t.raced[0]).startswith("<svg")


@pytest.mark.parametrize(("lap", "coin", "passable"), [(1, True, True), (2, True, True), (1, False, False)])
def test_ac_4_3_the_alley_is_a_route_past_for_who_may_enter_it(lap, coin, passable):
    """AC-4.3 with AC-5.2: a chariot that still has its coin passes a leader in the neck through the alley."""
    from games.avecaesar.positions import out, position

    leader = ("neck.0.0", lap, [6, 6, 6], {"coin": False})
    behind = ("d.0.0", lap, [5, 5, 5], {"coin": coin})
    match = position(leader, behind, out("a.0.0"), course="mine cw", course_file=ring())
    assert match.actor == (1 if passable else 0)


def test_ac_4_3_on_lap_3_nobody_may_enter_the_alley():
    from games.avecaesar.positions import out, position

    leader = ("neck.0.0", 3, [6, 6, 6], {"coin": False})
    match = position(leader, ("d.0.0", 3, [5, 5, 5]), out("a.0.0"), course="mine cw", course_file=ring())
    assert match.actor == 0


def test_unknown_courses_are_refused_with_the_known_ones():
    with pytest.raises(OptionError, match="white cw, white ccw"):
        Match(GAME, {"courses": ["green cw"]}, 3)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=6,
)


@settings(max_examples=count(20, 1000))
@given(st.data())
def test_a_course_file_with_anything_anywhere_never_gives_a_traceback(data):
    document = copy.deepcopy(OWN)
    document["courses"] = {"white": document["courses"]["white"]}
    place = document
    for _ in range(data.draw(st.integers(1, 5))):
        if isinstance(place, dict) and place:
            key = data.draw(st.sampled_from(sorted(place)))
        elif isinstance(place, list) and place:
            key = data.draw(st.integers(0, len(place) - 1))
        else:
            break
        if data.draw(st.booleans()) or not isinstance(place[key], dict | list):
            place[key] = data.draw(json_values)
            break
        place = place[key]
    try:
        for course in courses(document).values():
            shape(course)
    except QuadrigaError as fault:
        assert str(fault)


@pytest.mark.parametrize("name", list(own_courses()))
def test_a_drawn_course_is_a_closed_track_whose_steps_are_between_neighbours(name):
    course = own_courses()[name]
    drawn = shape(course)
    assert set(drawn.spaces) == {space.text for space in course.spaces}
    for x, targets in enumerate(course.steps):
        for y in targets:
            (ax, ay), (bx, by) = (drawn.spaces[course.spaces[z].text].centre for z in (x, y))
            assert ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 < 190
    for space in drawn.spaces.values():
        assert all(0 < px < drawn.width and 0 < py < drawn.height for px, py in space.outline)


@pytest.mark.parametrize("name", list(own_courses()))
def test_no_two_spaces_lie_on_each_other(name):
    from quadriga.games.avecaesar.drawing.render_svg import _inside

    drawn = shape(own_courses()[name])
    for text, space in drawn.spaces.items():
        for other, shape_ in drawn.spaces.items():
            assert _inside(space.centre, shape_.outline) == (text == other), (text, other)


@pytest.mark.parametrize("course", list(own_courses()))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_low_board_shows_every_chariot_and_move_in_21_lines_of_80_columns(course, language):
    seats = len(own_courses()[course].starts)
    match, rng = quadriga.new("ave-caesar", seats, seed=2, courses=[course]), random.Random(2)
    say = catalogues.of(language, match.game.package)
    assert match.game.display.render_low is not None
    for _ in range(60):
        seen, marks = match.view(match.actor), match.marks()
        page = match.game.display.render_low(match.t, seen, say, 80, marks).plain
        lines = page.splitlines()
        assert len(lines) <= 21
        assert max(map(len, lines)) <= 80
        board = "\n".join(lines[1 : -seats - 1])
        for chariot in seen.chariots:
            shown = re.search(rf"[ ♔╳]{'ABCDEF'[chariot.seat]}( |│|$)", board, re.MULTILINE)
            assert shown or chariot.space is None
        assert all(f"[{number}]" in board for number in marks.values() if len(number) == 1)
        match.push(rng.choice(match.legal()))
        if match.over:
            break
