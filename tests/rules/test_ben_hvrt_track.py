"""The track of Ben Hvrt (BH-1), one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.benhvrt.positions import chariot, everybody_passes, play, position, race, series
from quadriga.engine.errors import OptionError
from quadriga.games.benhvrt.rules.chariots import foremost, rearmost
from quadriga.games.benhvrt.track_file import own_track

TRACK = own_track()
RING = {"straights": [3, 3, 4], "curves": [3, 4, 5], "square": 20, "curve": 60}


def square(name: str):
    return TRACK.squares[TRACK.number[name]]


def steps(name: str) -> set[str]:
    """Return the squares to which a chariot alone on the track could step."""
    match = race((name, 1, 6), None, None, None, laps=2)
    play(match, "die 6")
    return {text.removeprefix("step ") for text in match.legal()} - {"stop"}


def order(*chariots: tuple[str, int]) -> list[int]:
    """Return chariots at (square, lap), from the foremost to the rearmost."""
    match = race(*((name, lap, 1) for name, lap in chariots), laps=6)
    left, found = match.s.racing, []
    while left:
        found.append(foremost(match.t, match.s, left))
        left &= ~(1 << found[-1])
    assert rearmost(match.t, match.s, match.s.racing) == found[-1]
    return found


def test_bh_1_1_four_lanes_of_18_22_26_and_30_squares_96_in_all():
    assert [len(lane) for lane in TRACK.lanes] == [18, 22, 26, 30]
    assert len(TRACK.squares) == 96
    assert [square.lane for square in TRACK.lanes[0]] == [1] * 18


@pytest.mark.parametrize(("lane", "bends", "length"), [(1, 4, 30), (2, 6, 20), (3, 8, 15), (4, 10, 12)])
def test_bh_1_1_each_lane_is_2_straight_a_curve_5_straight_a_curve_3_straight(lane, bends, length):
    lengths = [square.front - square.rear for square in TRACK.lanes[lane - 1]]
    assert lengths == [30] * 2 + [length] * bends + [30] * 5 + [length] * bends + [30] * 3


def test_bh_1_1_every_lane_is_a_lap_of_540_and_squares_follow_each_other():
    assert TRACK.lap == 540
    for lane in TRACK.lanes:
        assert lane[0].rear == 0
        assert lane[-1].front == 540
        assert all(a.front == b.rear for a, b in pairwise(lane))


def test_bh_1_1_a_square_is_its_lane_and_its_two_edges():
    assert (square("2.3").lane, square("2.3").rear, square("2.3").front) == (2, 80, 100)
    assert (square("4.29").lane, square("4.29").rear, square("4.29").front) == (4, 510, 540)


def test_bh_1_1_a_track_of_ones_own_is_built_from_its_numbers():
    match = series(4, track=RING)
    assert [len(lane) for lane in match.t.track.lanes] == [16, 18, 20]
    assert match.t.squares == 54
    match = position("grid", track=RING)
    assert [chariot(match, n).square for n in range(4)] == ["1.15", "2.17", "3.19", "1.14"]


def test_bh_1_1_and_raced_on():
    """Three lanes, the lap at 320: laps, steps sideways on its curves, and the finish."""
    match = race(("3.19", 1, 1), ("2.5", 0, 1), None, None, laps=2, track=RING)
    play(match, "die 1", "step 3.0", "step 2.0")
    assert (chariot(match, 0).square, chariot(match, 0).lap) == ("2.0", 2)
    play(match, "die 1")
    assert match.legal() == ["step 1.4", "step 1.5", "step 2.6", "step 3.5", "step 3.6", "stop"]
    match = race(("1.15", 2, 1), None, None, None, laps=2, track=RING)
    play(match, "die 1", "step 1.0")
    assert match.over


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"curves": [4]}, "curve"),
        ({"straights": [2, 5]}, "straight"),
        ({"square": 0}, "square"),
        ({"colour": 1}, "colour"),
        ({"straights": [3, 3, 3]}, "4"),  # twelve chariots in three lanes need four ranks
    ],
)
def test_bh_1_1_a_track_that_cannot_be_is_refused_with_the_reason(change, reason):
    with pytest.raises(OptionError, match=reason):
        series(4, track=RING | change)


def test_bh_1_2_on_the_straight_a_step_goes_on_or_to_the_square_beside():
    assert steps("2.0") == {"2.1", "1.0", "3.0"}
    assert steps("1.0") == {"1.1", "2.0"}
    assert steps("4.0") == {"4.1", "3.0"}


def test_bh_1_2_on_a_curve_to_every_square_that_overlaps_also_half_back():
    assert steps("2.3") == {"2.4", "1.2", "1.3", "3.3", "3.4"}
    assert square("1.2").rear < square("2.3").rear  # half back
    assert steps("1.2") == {"1.3", "2.2", "2.3"}


def test_bh_1_2_corner_contact_is_not_adjacency():
    assert "3.3" not in steps("4.2")  # 4.2 ends at 72, 3.3 begins at 75
    assert steps("4.2") == {"4.3", "3.2"}
    assert "2.1" not in steps("1.2")  # 2.1 ends where 1.2 begins
    assert "2.1" not in steps("1.0")


def test_bh_1_2_never_to_the_square_directly_behind():
    for lane in TRACK.lanes:
        for here in lane:
            place = TRACK.number[here.text]
            assert TRACK.behind(place) not in [TRACK.ahead(place), *TRACK.beside(place)]
    assert "2.2" not in steps("2.3")


def test_bh_1_2_adjacency_sideways_is_mutual_and_only_between_neighbouring_lanes():
    for place, here in enumerate(TRACK.squares):
        for other in TRACK.beside(place):
            assert place in TRACK.beside(other)
            assert abs(TRACK.squares[other].lane - here.lane) == 1


def test_bh_1_2_only_forward_steps_cross_the_line():
    for lane, last in enumerate((17, 21, 25, 29), 1):
        place = TRACK.number[f"{lane}.{last}"]
        assert TRACK.squares[TRACK.ahead(place)].text == f"{lane}.0"
        assert all(TRACK.squares[other].front == 540 for other in TRACK.beside(place))
        assert all(TRACK.squares[other].rear == 0 for other in TRACK.beside(TRACK.number[f"{lane}.0"]))
    assert steps("2.21") == {"2.0", "1.17", "3.25"}


def test_bh_1_3_rank_1_ends_at_the_line_and_the_others_stand_behind_it():
    match = position("grid", seats=12)
    squares = [chariot(match, n).square for n in range(12)]
    assert squares[:4] == ["1.17", "2.21", "3.25", "4.29"]
    assert squares[4:8] == ["1.16", "2.20", "3.24", "4.28"]
    assert squares[8:] == ["1.15", "2.19", "3.23", "4.27"]


def test_bh_1_3_rank_r_starts_with_speed_r():
    match = position("grid", seats=12)
    assert [chariot(match, n).speed for n in range(12)] == [1] * 4 + [2] * 4 + [3] * 4


def test_bh_1_3_but_at_most_6():
    """Two lanes, so that twelve chariots make six ranks; with Matched Greys more than 6 would come."""
    track = {"straights": [2, 3, 6], "curves": [3, 4], "square": 20, "curve": 60}
    match = position("grid", seats=12, track=track, fitted={10: ["Matched Greys"], 6: ["Matched Greys"]})
    assert [chariot(match, n).speed for n in range(12)] == [1, 1, 2, 2, 3, 3, 6, 4, 5, 5, 6, 6]


def test_bh_1_4_a_later_lap_is_ahead_and_before_the_first_crossing_it_is_lap_0():
    assert order(("1.17", 0), ("1.0", 1), ("2.21", 1), ("4.0", 2)) == [3, 2, 1, 0]
    match = position("grid")
    assert {chariot(match, n).lap for n in range(4)} == {0}


def test_bh_1_4_on_the_same_lap_the_leading_edge_counts():
    assert order(("1.2", 1), ("2.3", 1), ("3.3", 1), ("4.3", 1)) == [1, 0, 2, 3]  # 100, 90, 90, 84


def test_bh_1_4_at_equal_edges_the_lower_lane_is_ahead():
    assert order(("4.0", 1), ("3.0", 1), ("2.0", 1), ("1.0", 1)) == [3, 2, 1, 0]
    assert order(("3.3", 1), ("1.2", 1), ("2.0", 1), ("1.0", 1)) == [1, 0, 3, 2]  # 1.2 and 3.3 both end at 90


def test_bh_1_4_a_to_h_start_in_that_order():
    match = position("grid", seats=8, dealer=7)
    moved = []
    for _ in range(8):
        moved.append(match.s.mover)
        play(match, "die 1", "stop")
        everybody_passes(match)
    assert moved == [0, 1, 2, 3, 4, 5, 6, 7]
