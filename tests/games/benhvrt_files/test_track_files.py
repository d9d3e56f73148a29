"""Track files (BH-1.1, BH-1.5): a file is a track that can be raced, or is refused with the line and the reason."""

from __future__ import annotations

import json
import tomllib
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.benhvrt.positions import Match
from games.benhvrt_files.values import reason
from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.games.benhvrt import track_file
from quadriga.games.benhvrt.custom_files import good
from quadriga.games.benhvrt.drawing.render_svg import render_svg
from quadriga.lab.traces import random_match

from .values import ANYTHING, NUMBERS, changed, edited, places, spoken, written

TEXT = resources.files(track_file.PACKAGE).joinpath("data", "track.toml").read_text("utf-8")
OWN = tomllib.loads(TEXT)
GAME = find("ben-hvrt")


def raced(document: object, seats: int, seed: int, **more: object) -> None:
    """Play a whole random game on this track, with records that check every number."""
    options = {"track": document, "series": [1], "offers": 0, **more}
    settled, _ = GAME.resolve_options(json.loads(json.dumps(options)), seats)
    match = Match.of(random_match(GAME, settled, seats, seed, 0, SeededDice(seed, 0)))
    assert sum(match.scores) == 100 * match.t.chariots  # BH-2.4
    assert render_svg(match.t.track).startswith("<svg")


def tried(path: str) -> object | None:
    """Return the content of a track file; None if it was refused with an error that has its texts."""
    try:
        document, track = good(path, track_file.checked)
        assert track == track_file.check_file(path)
        return document
    except QuadrigaError as fault:
        assert path in spoken(fault)
        return None


@given(st.binary(max_size=60), st.sampled_from(["track.toml", "track.json"]))
def test_bh_1_1_garbage_is_refused(tmp_path_factory, content, name):
    assert tried(written(tmp_path_factory.getbasetemp(), name, content)) is None


@given(ANYTHING)
def test_bh_1_1_any_json_is_refused(value):
    track, faults = track_file.read(value)
    assert track is None
    for fault in faults:
        spoken(fault)


FIELDS = st.fixed_dictionaries(
    {
        "straights": st.one_of(ANYTHING, st.lists(NUMBERS, max_size=4)),
        "curves": st.one_of(ANYTHING, st.lists(NUMBERS, max_size=7)),
        "square": st.one_of(ANYTHING, NUMBERS),
        "curve": st.one_of(ANYTHING, NUMBERS),
    }
)


@given(FIELDS)
def test_bh_1_1_any_values_are_a_track_or_refused(document):
    track, faults = track_file.read(document)
    assert (track is None) == bool(faults)
    for fault in faults:
        spoken(fault)


@settings(max_examples=120)
@given(st.sampled_from(places(OWN)), st.one_of(st.just(...), ANYTHING, st.integers(0, 40)))
def test_bh_1_1_a_good_track_with_something_changed_is_a_track_or_refused(place, value):
    document = changed(OWN, place, value)
    track, faults = track_file.read(document)
    for fault in faults:
        spoken(fault)
    if track is not None:
        GAME.rules.new(GAME.resolve_options({"track": document}, 12)[0], 12)


@given(edited(TEXT))
def test_bh_1_1_an_edited_track_file_is_a_track_or_refused(tmp_path_factory, text):
    content = text.encode("utf-8", "surrogatepass")
    document = tried(written(tmp_path_factory.getbasetemp(), "edited.toml", content))
    if document is not None:
        assert tomllib.loads(text) == document


GOOD = st.fixed_dictionaries(
    {
        "straights": st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(3, 8)).map(list),
        "curves": st.lists(st.integers(1, 6), min_size=2, max_size=6),
        "square": st.integers(1, 60),
        "curve": st.integers(1, 60),
    }
)


@settings(max_examples=25)
@given(GOOD, st.sampled_from([2, 4, 12]), st.integers(0, 99))
def test_bh_1_1_a_track_that_is_accepted_can_be_raced_and_drawn(document, seats, seed):
    track, faults = track_file.read(document)
    if track is None:
        assert {fault.code for fault in faults} <= {"track.grid", "track.squares", "track.beside"}
        return
    assert all(lane[-1].front == track.lap for lane in track.lanes)
    raced(document, seats, seed)


@st.composite
def sectioned(draw) -> dict[str, object]:
    """A track of sections, most of them good."""
    lanes = draw(st.integers(2, 4))
    count = draw(st.integers(1, 6))
    sections = []
    for _ in range(count):
        squares = draw(st.lists(st.integers(1, 4), min_size=lanes, max_size=lanes))
        kind = draw(st.sampled_from(["straight", "curve"]))
        sections.append({"kind": kind, "length": draw(st.integers(1, 1000)), "squares": squares})
    names = [
        f"{lane}.{index}"
        for lane in range(1, lanes + 1)
        for index in range(sum(each["squares"][lane - 1] for each in sections))
    ]
    grid = draw(st.lists(st.lists(st.sampled_from(names), min_size=1, max_size=lanes), max_size=4))
    return {"section": sections, **({"grid": grid} if grid else {})}


@settings(max_examples=60)
@given(sectioned(), st.sampled_from([2, 4, 12]), st.integers(0, 99))
def test_bh_1_5_a_track_of_sections_that_is_accepted_can_be_raced_and_drawn(document, seats, seed):
    track, faults = track_file.read(document)
    if track is None:
        known = {"grid", "squares", "beside", "short", "place-twice", "places"}
        assert {fault.code for fault in faults} <= {f"track.{code}" for code in known}
        return
    assert all(lane[-1].front == track.lap for lane in track.lanes)
    raced(document, min(seats, len(track.places)), seed, chariots=1)


SECTIONS = """\
# mine
grid = [["1.5", "2.7"], ["1.4"]]

[[section]]
kind = "straight"
length = 60
squares = [2, 2]

[[section]]
kind = "curve"
length = 50
squares = [2, 4]

[[section]]
kind = "straight"
length = 60
squares = 2
"""


def test_bh_1_5_a_file_of_sections_is_a_track():
    track = track_file.checked(tomllib.loads(SECTIONS), SECTIONS)
    assert [len(lane) for lane in track.lanes] == [6, 8]
    assert [track.squares[square].text for square, _ in track.places] == ["1.5", "2.7", "1.4"]


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('kind = "curve"', 'kind = "loop"', "kind", 10),
        ("length = 50", "length = 0", "section-length", 11),
        ("length = 50", "long = 50", "section-length", 9),
        ("squares = [2, 4]", "squares = [2, 4, 6]", "section-squares", 12),
        ("squares = [2, 4]", "squares = [2, 31]", "section-squares", 12),
        ("squares = [2, 4]", 'squares = "many"', "section-squares", 12),
        ('grid = [["1.5", "2.7"], ["1.4"]]', 'grid = ["1.5"]', "ranks", 2),
        ('grid = [["1.5", "2.7"], ["1.4"]]', 'grid = [["1.5", "2.8"]]', "place", 2),
        ('grid = [["1.5", "2.7"], ["1.4"]]', 'grid = [["1.5"], ["1.5"]]', "place-twice", 2),
        ('grid = [["1.5", "2.7"], ["1.4"]]', 'grid = [["1.5"]]', "places", 2),
        ('grid = [["1.5", "2.7"], ["1.4"]]', "", "grid", 17),
        ('grid = [["1.5", "2.7"], ["1.4"]]', "curve = 3", "both", 2),
        ('grid = [["1.5", "2.7"], ["1.4"]]', "colour = 3", "field", 2),
    ],
)
def test_bh_1_5_what_is_wrong_with_a_section_or_the_grid_is_said_with_its_line(old, new, code, line):
    text = SECTIONS.replace(old, new, 1)
    faults = track_file.read(tomllib.loads(text), text)[1]
    found = {reason(fault): fault for fault in faults}
    assert f"track.{code}" in found
    assert found[f"track.{code}"].parameters["line"] == line
    assert spoken(found[f"track.{code}"]).startswith(f"line {line}: ")


def test_bh_1_5_a_lane_of_two_squares_is_refused():
    document = {"section": [{"kind": "curve", "length": 9, "squares": [2, 5]}], "grid": [["2.4", "2.3"]]}
    assert [fault.code for fault in track_file.read(document)[1]] == ["track.short"]


@given(edited(SECTIONS))
def test_bh_1_5_an_edited_file_of_sections_is_a_track_or_refused(tmp_path_factory, text):
    content = text.encode("utf-8", "surrogatepass")
    document = tried(written(tmp_path_factory.getbasetemp(), "edited.toml", content))
    if document is not None:
        assert tomllib.loads(text) == document


def test_bh_1_5_lengths_may_be_anything_since_only_their_order_counts():
    document = OWN | {"curve": 1000, "curves": [7, 9, 11, 13]}
    assert track_file.checked(document).lap <= 3000
    raced(document, 4, 1)


@pytest.mark.parametrize(
    ("field", "value", "code", "line"),
    [
        ("straights", [2, 5], "straights", 2),
        ("straights", [2, 5, 21], "straights", 2),
        ("straights", [2, 5, 2], "grid", 2),
        ("straights", "2, 5, 3", "straights", 2),
        ("curves", [4], "curves", 3),
        ("curves", [1] * 7, "curves", 3),
        ("curves", [0, 4], "curves", 3),
        ("curves", [20, 20, 20, 20], "squares", 3),
        ("curves", [1, 10, 1, 1], "beside", 3),
        ("square", 0, "length", 4),
        ("square", 1.5, "length", 4),
        ("curve", 1001, "length", 5),
    ],
)
def test_bh_1_1_what_is_wrong_with_a_track_is_said_with_its_line(field, value, code, line):
    text = "# mine\n" + "".join(
        f"{key} = {json.dumps(content)}\n" for key, content in (OWN | {field: value}).items()
    )
    _, (fault,) = track_file.read(tomllib.loads(text), text)
    assert reason(fault) == f"track.{code}"
    assert fault.parameters["line"] == line
    assert spoken(fault).startswith(f"line {line}: ")
    _, (without,) = track_file.read(tomllib.loads(text))
    assert without.code == f"track.{code}"


def test_bh_1_1_every_wrong_field_is_named():
    text = "straights = 1\ncolour = 2\nsquare = 3\n"
    found = track_file.read(tomllib.loads(text), text)[1]
    assert [fault.parameters.get("line") for fault in found] == [2, 1, None, None]
