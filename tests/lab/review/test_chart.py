"""Charts of reviews: the file name decides the format; an unknown format and a missing library are refused."""

from __future__ import annotations

import struct
from xml.etree import ElementTree

import pytest

from quadriga.engine.errors import MissingExtraError, OptionError
from quadriga.lab.review import chart
from quadriga.lab.review.review import Move, Review, Side


def small_review() -> Review:
    moves = [
        Move(3, 0, "1-2", 0.6, 0.5, "1-3", 0.1, False, [0.5, 0.5], 0.03, 0.02),
        Move(9, 1, "2-3", 0.4, 0.4, "2-3", 0.0, True, [0.6, 0.4]),
    ]
    sides = [Side(0, 0.5, 1, 1, 0.1, 0.1, 0.6, 1.0), Side(1, 0.5, 1, 0, 0.0, 0.0, -0.6, 0.0)]
    return Review("ur", 10, 1, 1, 0.03, 12, moves, sides)


def test_the_ending_of_the_file_chooses_png_or_svg():
    found = small_review()
    content = chart.chart_file(found, ["Noir", "Blanc"], "ur, revu", "x.PNG")
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", content[16:24])
    assert wide > 1600
    assert high > 500
    drawn = ElementTree.fromstring(chart.chart_file(found, ["Noir", "Blanc"], "ur, revu", "x.svg"))
    assert {"ur, revu", "1. Noir", "2. Blanc", "100%"} <= {text.text for text in drawn.iter(f"{SVG}text")}


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", ["x.jpg", "x", "png", ".png"])
def test_an_unknown_ending_is_refused_and_the_known_ones_are_named(name):
    with pytest.raises(OptionError) as fault:
        chart.chart_file(small_review(), ["a", "b"], "x", name)
    assert "FILE.svg | FILE.png" in fault.value.text("en")


def test_only_the_mistakes_of_the_seat_itself_are_marked():
    marked = [
        (point["seat"], point["number"]) for point in chart.points(small_review(), ["a", "b"]) if point["lost"]
    ]
    assert marked == [(0, 3)]


def test_a_missing_library_is_refused_before_the_work_and_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as fault:
        chart.chart_suffix("x.svg")
    assert "quadriga[lab]" in fault.value.text("en")
