"""Track files (BH-1.1): a file is a track that can be raced, or is refused with the line and the reason."""

from __future__ import annotations

import json
import tomllib
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.games.benhvrt import board
from quadriga.games.benhvrt.custom_files import good
from quadriga.games.benhvrt.drawing.render_svg import render_svg
from quadriga.lab.traces import random_match

from .values import ANYTHING, NUMBERS, changed, edited, places, spoken, written

TEXT = resources.files(board.PACKAGE).joinpath("data", "track.toml").read_text("utf-8")
OWN = tomllib.loads(TEXT)
GAME = find("ben-hvrt")


def raced(document: object, seats: int, seed: int) -> None:
    """Play a whole random game on this track, with records that check every number."""
    options = {"track": document, "series": [1], "offers": 0}
    settled, _ = GAME.resolve_options(json.loads(json.dumps(options)), seats)
    match = random_match(GAME, settled, seats, seed, 0, SeededDice(seed, 0))
    assert sum(match.scores) == 100 * match.t.chariots  # BH-2.4
    assert render_svg(match.t.track).startswith("<svg")


def tried(path: str) -> object | None:
    """Return the content of a track file; None if it was refused with an error that has its texts."""
    try:
        document, track = good(path, board.checked)
        assert track == board.check_file(path)
        return document
    except QuadrigaError as fault:
        assert path in spoken(fault)
        return None


@given(st.binary(max_size=60), st.sampled_from(["track.toml", "track.json"]))
def test_bh_1_1_garbage_is_refused(tmp_path_factory, content, name):
    assert tried(written(tmp_path_factory.getbasetemp(), name, content)) is None


@given(ANYTHING)
def test_bh_1_1_any_json_is_refused(value):
    track, faults = board.read(value)
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
    track, faults = board.read(document)
    assert (track is None) == bool(faults)
    for fault in faults:
        spoken(fault)


@settings(max_examples=120)
@given(st.sampled_from(places(OWN)), st.one_of(st.just(...), ANYTHING, st.integers(0, 40)))
def test_bh_1_1_a_good_track_with_something_changed_is_a_track_or_refused(place, value):
    document = changed(OWN, place, value)
    track, faults = board.read(document)
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
    track, faults = board.read(document)
    if track is None:
        assert {fault.code for fault in faults} <= {"track.grid", "track.squares", "track.long", "track.beside"}
        return
    assert all(lane[-1].front == track.lap for lane in track.lanes)
    raced(document, seats, seed)


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
        ("curve", 1000, "long", 5),
    ],
)
def test_bh_1_1_what_is_wrong_with_a_track_is_said_with_its_line(field, value, code, line):
    text = "# mine\n" + "".join(
        f"{key} = {json.dumps(content)}\n" for key, content in (OWN | {field: value}).items()
    )
    _, (fault,) = board.read(tomllib.loads(text), text)
    assert fault.parameters["reason"].code == f"track.{code}"
    assert fault.parameters["line"] == line
    assert spoken(fault).startswith(f"line {line}: ")
    _, (without,) = board.read(tomllib.loads(text))
    assert without.code == f"track.{code}"


def test_bh_1_1_every_wrong_field_is_named():
    text = "straights = 1\ncolour = 2\nsquare = 3\n"
    found = board.read(tomllib.loads(text), text)[1]
    assert [fault.parameters.get("line") for fault in found] == [2, 1, None, None]
