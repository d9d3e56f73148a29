"""Strokes of letters and digits, for pictures in pixels: capitals, and small capitals for lower case.

A glyph is drawn on a grid of five columns and seven rows; a stroke is a word of points, each a column and a row.
"""

from __future__ import annotations

import unicodedata
from functools import cache

Point = tuple[float, float]
Stroke = list[Point]

_GLYPHS = {
    "A": "062046 1434",
    "B": "00063645443303 3342413000",
    "C": "4130100105163645",
    "D": "00062644422000",
    "E": "40000646 0333",
    "F": "400006 0333",
    "G": "41301001051636454323",
    "H": "0006 4046 0343",
    "I": "1030 1636 2026",
    "J": "4045361605",
    "K": "0006 400346",
    "L": "000646",
    "M": "0600234046",
    "N": "06004640",
    "O": "103041453616050110",
    "P": "06003041423303",
    "Q": "103041453616050110 3447",
    "R": "06003041423303 2346",
    "S": "413010010213334445361605",
    "T": "0040 2026",
    "U": "000516364540",
    "V": "002640",
    "W": "0016223640",
    "X": "0046 4006",
    "Y": "002340 2326",
    "Z": "00400646",
    "0": "103041453616050110",
    "1": "112026 1636",
    "2": "01103041420646",
    "3": "0110304142334445361605 1333",
    "4": "36300444",
    "5": "4000033344453606",
    "6": "413010010516364544331304",
    "7": "004016",
    "8": "103041423313020110 1304051636454433",
    "9": "051636454130100102133342",
    "%": "0640 0010110100 3545463635",
    "&": "4611102030310405162644",
    "+": "2125 0343",
    "-": "1333",
    ".": "2626",
    ",": "2617",
    ":": "2222 2525",
    "'": "2021",
    "(": "30212536",
    ")": "10212516",
    "/": "0640",
    "!": "2024 2626",
    "?": "01103041422324 2626",
    " ": "",
}
_UNKNOWN = "0040460600"
_LIKE = {"–": "-", "—": "-", "’": "'", "\N{NO-BREAK SPACE}": " ", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE"}
_MARKS: dict[str, list[Stroke]] = {  # accents over or under a letter
    "\u0300": [[(2, -1), (1, -2)]],
    "\u0301": [[(2, -1), (3, -2)]],
    "\u0302": [[(1, -1), (2, -2), (3, -1)]],
    "\u0303": [[(0.5, -1), (1.5, -1.8), (2.5, -1), (3.5, -1.8)]],
    "\u0308": [[(1, -1.5), (1, -1.5)], [(3, -1.5), (3, -1.5)]],
    "\u0327": [[(2, 6), (2.4, 7.2), (1.4, 7.6)]],
}
_SMALL = 0.78
_GAP = 1.7
_HEIGHT = 6


@cache
def _strokes(glyph: str) -> list[Stroke]:
    found = []
    for word in _GLYPHS.get(glyph, _UNKNOWN).split():
        found.append([(float(word[i]), float(word[i + 1])) for i in range(0, len(word), 2)])
    return found


def _characters(text: str) -> list[tuple[list[Stroke], float]]:
    """Return the strokes of every letter and its size. An accent belongs to the letter before it."""
    found: list[tuple[list[Stroke], float]] = []
    plain = "".join(_LIKE.get(letter, letter) for letter in text)
    for letter in unicodedata.normalize("NFD", plain):
        if letter in _MARKS and found:
            found[-1] = ([*found[-1][0], *_MARKS[letter]], found[-1][1])
        elif not unicodedata.combining(letter):
            found.append((_strokes(letter.upper()), _SMALL if letter.islower() else 1.0))
    return found


def width(text: str, size: float) -> float:
    """Return the width of a text with capitals of height `size`."""
    return sum((4 + _GAP) * scale for _, scale in _characters(text)) * size / _HEIGHT


def text_strokes(text: str, x: float, y: float, size: float) -> list[Stroke]:
    """Return the strokes of a text that starts at a point of its base line."""
    unit, found = size / _HEIGHT, []
    for strokes, scale in _characters(text):
        for stroke in strokes:
            found.append([(x + a * scale * unit, y + (b - _HEIGHT) * scale * unit) for a, b in stroke])
        x += (4 + _GAP) * scale * unit
    return found
