"""A printed game as files (BH-1.5, BH-7.7): cards as public reviews describe them, boards of other shapes."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from typing import Any

import pytest

from games.benhvrt.positions import Match, chariot, move, play, position, race, series, window
from quadriga.engine.errors import OptionError
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.games.benhvrt import track_file
from quadriga.games.benhvrt.drawing.geometry import shape
from quadriga.lab.traces import random_match
from quadriga.learn.coach import coaching

GAME = find("ben-hvrt")
PRINTED = tomllib.loads("""
[[card]]
name = "Hook"
kind = "Improvement"
copies = 2
price = 5
upkeep = 1
does = [["when-passed", 1]]

[[card]]
name = "Plow Handle"
kind = "Event"
copies = 2
price = 5
window = "PB"
does = [["retire"], ["slow-to", 1]]

[[card]]
name = "Well-Aimed Cat"
kind = "Event"
copies = 2
price = 5
window = "PA"
does = [["halt"], ["shift", 3]]

[[card]]
name = "Steady Hand"
kind = "Driver"
copies = 2
price = 5
upkeep = 1
does = [["calm"]]
""")


def passing(**more):
    """Return a race in which chariot 0 takes a step that passes chariot 1."""
    match = race(("1.6", 1, 3), ("2.9", 1, 4), moved=(1,), seats=4, deck=PRINTED, **more)
    play(match, "die 3", "step 1.7")
    return match


def test_bh_7_7_hook_a_passed_chariot_gains_speed():
    assert chariot(passing(fitted={1: ["Hook"]}), 1).speed == 5


def test_bh_7_7_plow_handle_the_driver_retires_and_the_speed_becomes_1():
    match = passing(hands={0: ["Plow Handle"]}, fitted={1: ["Steady Hand"]})
    play(match, "play Plow Handle")
    assert (chariot(match, 1).driver, chariot(match, 1).speed) == (None, 1)


def test_bh_7_7_plow_handle_also_slows_a_chariot_without_a_driver():
    match = passing(hands={0: ["Plow Handle"]})
    assert (window(match), match.legal()) == ("PB", ["pass", "play Plow Handle"])
    assert [each.id for each in coaching(match, 0).actions["play Plow Handle"]] == ["ben-hvrt.coach.speed"]
    play(match, "play Plow Handle")
    assert chariot(match, 1).speed == 1


def test_bh_7_7_between_moves_such_a_card_can_name_any_chariot():
    cards = [card | {"window": "BM"} if card["name"] == "Plow Handle" else card for card in PRINTED["card"]]
    match = race(
        ("1.6", 1, 3), ("2.9", 1, 4), seats=4, begun=False, hands={0: ["Plow Handle"]}, deck={"card": cards},
        fitted={1: ["Steady Hand"]},
    )  # fmt: skip
    assert match.legal() == ["pass", "play Plow Handle 0", "play Plow Handle 1"]


def test_bh_7_7_well_aimed_cat_stops_the_passer_who_is_moved_up_to_three_squares():
    match = passing(hands={1: ["Well-Aimed Cat"]})
    play(match, "play Well-Aimed Cat", "shift 1.6", "shift 1.5", "shift 1.4")
    assert (chariot(match, 0).square, chariot(match, 0).speed) == ("1.4", 3)
    assert move(match).chariot == 1  # the next


# --- BH-1.5 ---------------------------------------------------------------------------------------------


def straight(squares, length: int = 30) -> dict[str, Any]:
    return {"kind": "straight", "length": length, "squares": squares}


def curve(squares, length: int = 40) -> dict[str, Any]:
    return {"kind": "curve", "length": length, "squares": squares}


RECTANGLE = {
    "section": [
        *(straight([2, 2, 2], 60), curve([1, 2, 3]), straight(2, 60), curve([1, 2, 3])),
        *(straight(3, 90), curve([1, 2, 3]), straight([1, 1, 2], 60), curve([1, 2, 3]), straight(4, 120)),
    ]
}
BOARDS = {
    "rectangle": RECTANGLE,
    "triangle": {
        "section": [straight([3, 3]), curve([3, 5]), curve([2, 3]), straight(2), curve([5, 7]), straight(2),
                    curve([5, 7]), straight(6)],
    },
    "ring": {"section": [straight([3, 4]), curve([11, 13])], "grid": [["1.13", "2.16"], ["1.12", "2.15"]]},
    "no straight": {"section": [curve([9, 11]), curve([9, 11])]},
    "no curve": {"section": [straight([9, 11])]},
    "line in a bend": {"section": [curve([2, 3]), straight([5, 5]), curve([4, 6]), straight(5), curve([2, 3])],
                       "grid": [["1.17", "2.21"], ["1.16", "2.20"], ["1.15", "2.19"]]},
    "line before a bend": {"section": [curve([4, 6]), straight([6, 6]), curve([4, 6]), straight(6)]},
    "line after a bend": {"section": [straight([6, 6]), curve([4, 6]), straight(6), curve([6, 8])]},
    "uneven": {"section": [straight([4, 5, 6, 7], 97), curve([5, 7, 9, 11], 89), straight([3, 4, 5, 6], 83)]},
}  # fmt: skip
track = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def test_bh_1_5_a_track_has_any_number_of_straights_and_curves():
    found = track_file.checked(RECTANGLE)
    assert [len(lane) for lane in found.lanes] == [16, 20, 25]
    lengths = [front - rear for lane in found.lanes for rear, front in [(lane[0].rear, lane[0].front)]]
    assert lengths == [lengths[0]] * 3  # the first straight is divided alike
    assert found.length == 60 + 40 + 60 + 40 + 90 + 40 + 60 + 40 + 120


@track
def test_bh_1_5_every_lane_has_the_same_sections_with_their_ends_aligned(board):
    found = track_file.checked(board)
    ends = []
    for number, lane in enumerate(found.lanes):
        counts = [section.squares[number] for section in found.sections]
        assert sum(counts) == len(lane)
        ends.append([lane[sum(counts[: n + 1]) - 1].front for n in range(len(counts))])
        assert lane[0].rear == 0
        assert all(a.front == b.rear for a, b in pairwise(lane))
    assert all(each == ends[0] for each in ends)
    assert ends[0][-1] == found.lap


def test_bh_1_5_squares_overlap_as_on_paper_however_their_lengths_divide():
    """Lengths that divide into no common unit: edges are compared as fractions."""
    found = track_file.checked(BOARDS["uneven"])
    assert found.lap < 200  # numbered in order
    edges: dict[str, tuple[float, float]] = {}
    for lane, squares in enumerate(found.lanes):
        end, found_edges = 0.0, []
        for section in found.sections:
            count = section.squares[lane]
            found_edges += [
                (end + section.length * n / count, end + section.length * (n + 1) / count) for n in range(count)
            ]
            end += section.length
        edges |= {square.text: edge for square, edge in zip(squares, found_edges, strict=True)}
    for place, here in enumerate(found.squares):
        beside = {found.squares[other].text for other in found.beside(place)}
        rear, front = edges[here.text]
        assert beside == {
            there.text
            for there in found.squares
            if abs(there.lane - here.lane) == 1
            and max(rear, edges[there.text][0]) + 1e-9 < min(front, edges[there.text][1])
        }


@track
@pytest.mark.parametrize("seats", [2, 4])
def test_bh_1_5_a_track_is_raced_and_drawn_whatever_its_shape(board, seats):
    options, count = GAME.resolve_options({"track": board, "series": [1], "offers": 0, "chariots": 1}, seats)
    for seed in range(2):
        match = Match.of(random_match(GAME, options, count, seed, 0, SeededDice(seed, 0)))
        assert sum(match.scores) == 100 * seats  # BH-2.4
    for width in (40, 80, 120):
        first = next(each for each in match.positions() if any(chariot.racing for chariot in each.view().chariots))
        assert first.text(width=width)


@track
def test_bh_1_5_the_drawn_track_closes_and_no_square_lies_on_another(board):
    found = track_file.checked(board)
    drawn = shape(found)
    centres = [each.centre for each in drawn.squares.values()]
    assert min(abs(complex(*a) - complex(*b)) for a in centres for b in centres if a is not b) > 15
    for place, square in enumerate(found.squares):
        ahead = drawn.squares[found.squares[found.ahead(place)].text].outline
        mine = drawn.squares[square.text].outline
        assert (
            len({*mine} & {*ahead}) >= 2 or _nearest(mine, ahead) < 0.3
        )  # they share an edge, the last and first too
        assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in mine)


def _nearest(one: list[Any], other: list[Any]) -> float:
    """Return the second smallest distance between the points of two outlines."""
    return sorted(abs(complex(*a) - complex(*b)) for a in one for b in other)[1]


def test_bh_1_5_a_track_has_its_own_grid():
    grid = [["3.24", "1.15"], ["2.19"], ["1.14", "2.18", "3.23"]]
    match = position("grid", seats=6, track=RECTANGLE | {"grid": grid})
    assert [chariot(match, n).square for n in range(6)] == ["3.24", "1.15", "2.19", "1.14", "2.18", "3.23"]
    assert [chariot(match, n).speed for n in range(6)] == [1, 1, 2, 3, 3, 3]  # BH-1.3: rank r starts with Speed r


def test_bh_1_5_no_more_chariots_than_start_squares():
    small = RECTANGLE | {"grid": [["1.15", "2.19"], ["3.24"]]}
    assert series(3, track=small, chariots=1).t.chariots == 3
    with pytest.raises(OptionError, match="3 start squares"):
        series(4, track=small)
    with pytest.raises(OptionError, match="3 start squares"):
        series(2, track=small)  # two chariots each


def test_bh_1_5_laps_are_counted_where_the_track_says_that_the_line_is():
    match = race(("2.21", 1, 1), None, None, None, laps=2, track=BOARDS["line in a bend"])
    play(match, "die 1", "step 2.0", "stop")
    assert chariot(match, 0).lap == 2
