"""Charts: a valid PNG with smooth lines; the file name decides the format, and unknown formats are refused."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from quadriga.engine.errors import OptionError
from quadriga.lab.review import chart, letters
from quadriga.lab.review.raster import Raster
from quadriga.lab.review.review import Move, Review, Side


def decoded(content: bytes) -> np.ndarray:
    """Return the pixels of a PNG, decoded as the format defines."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        name, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += 12 + length
    wide, high, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 2, 0, 0, 0]
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(high, 1 + 3 * wide)
    assert (rows[:, 0] == 2).all()
    return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).reshape(high, wide, 3)


def small_review() -> Review:
    moves = [
        Move(3, 0, "1-2", 0.6, 0.5, "1-3", 0.1, False, [0.5, 0.5], 0.03, 0.02),
        Move(9, 1, "2-3", 0.4, 0.4, "2-3", 0.0, True, [0.6, 0.4]),
    ]
    sides = [Side(0, 0.5, 1, 1, 0.1, 0.1, 0.6, 1.0), Side(1, 0.5, 1, 0, 0.0, 0.0, -0.6, 0.0)]
    return Review("ur", 10, 1, 1, 0.03, 12, moves, sides)


def test_lines_are_drawn_with_smooth_edges():
    sheet = Raster(20, 10, "#ffffff", scale=2)
    sheet.line([(2, 5), (18, 5)], "#000000", 2)
    sheet.dot(10, 5, 3, "#ff0000", 0.5)
    pixels = decoded(sheet.png())
    assert pixels.shape == (20, 40, 3)
    assert pixels[10, 8].tolist() == [0, 0, 0]
    assert pixels[1, 1].tolist() == [255, 255, 255]
    assert pixels[10, 20].tolist() == [128, 0, 0]
    slant = Raster(20, 20, "#ffffff", scale=1)
    slant.line([(2, 3), (17, 11)], "#000000", 1)
    assert len(np.unique(decoded(slant.png()))) > 20


def test_every_letter_of_both_languages_is_drawn_as_itself():
    shapes = {}
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789%&+-.,:'()/!?":
        shapes[letter] = str(letters.text_strokes(letter, 0, 0, 6))
    assert len(set(shapes.values())) == len(shapes)
    assert letters.text_strokes("é", 0, 0, 6) != letters.text_strokes("e", 0, 0, 6)
    assert letters.text_strokes("ç", 0, 0, 6) != letters.text_strokes("c", 0, 0, 6)
    assert letters.text_strokes("œ", 0, 0, 6) == letters.text_strokes("oe", 0, 0, 6)
    assert letters.width("AB", 6) == 2 * letters.width("A", 6)
    assert letters.text_strokes("漢", 0, 0, 6)  # a box, rather than nothing


def test_the_file_name_chooses_the_format_and_an_unknown_one_is_refused():
    found = small_review()
    pixels = decoded(chart.chart_file(found, ["Noir", "Blanc"], "ur, revu", "x.PNG"))
    assert pixels.shape == (720, 1800, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 30
    assert chart.chart_file(found, ["a", "b"], "x", "x.svg").startswith(b"<svg")
    for name in ("x.jpg", "x", "png", ".png"):
        with pytest.raises(OptionError) as fault:
            chart.chart_file(found, ["a", "b"], "x", name)
        assert "FILE.svg | FILE.png" in fault.value.text("en")
