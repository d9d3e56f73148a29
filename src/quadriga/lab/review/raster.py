"""Draw smooth lines, dots and letters in pixels, and write them as PNG."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from quadriga.lab.review import letters

Point = tuple[float, float]


class Raster:
    """Pixels, `scale` of them for every unit of the drawing."""

    def __init__(self, width: float, height: float, ground: str, scale: float = 2.0) -> None:
        self.scale = scale
        self.wide, self.high = round(width * scale), round(height * scale)
        self._pixels = np.empty((self.high, self.wide, 3))
        self._pixels[:] = colour(ground)

    def line(self, points: Sequence[Point], ink: str, thick: float, opacity: float = 1.0) -> None:
        """Draw a line through points, with round ends and corners."""
        self._stroke([points], ink, thick, opacity)

    def dot(self, x: float, y: float, radius: float, ink: str, opacity: float = 1.0) -> None:
        """Draw a disc."""
        self.line([(x, y), (x, y)], ink, 2 * radius, opacity)

    def text(self, words: str, x: float, y: float, size: float, ink: str) -> None:
        """Draw a text from a point of its base line; capitals are about 0.72 `size` high."""
        strokes = letters.text_strokes(words, x, y, 0.72 * size)
        if strokes:
            self._stroke(strokes, ink, max(size / 10, 1 / self.scale), 1.0)

    def _stroke(self, strokes: Sequence[Sequence[Point]], ink: str, thick: float, opacity: float) -> None:
        """Draw some strokes as one, so that crossings are no darker."""
        half = thick * self.scale / 2
        xs, ys = zip(*(point for stroke in strokes for point in stroke), strict=True)
        left, right = _span(min(xs) * self.scale, max(xs) * self.scale, half, self.wide)
        top, bottom = _span(min(ys) * self.scale, max(ys) * self.scale, half, self.high)
        cover = np.zeros((bottom - top, right - left))
        for stroke in strokes:
            for (ax, ay), (bx, by) in pairwise(stroke):
                start = ax * self.scale - left, ay * self.scale - top
                _cover(cover, start, ((bx - ax) * self.scale, (by - ay) * self.scale), half)
        part = self._pixels[top:bottom, left:right]
        part += (cover * opacity)[:, :, None] * (np.array(colour(ink)) - part)

    def png(self) -> bytes:
        """Return the picture as PNG, with eight bits a colour; each row is the difference from the one above."""
        pixels = np.clip(np.rint(self._pixels), 0, 255).astype(np.uint8).reshape(self.high, -1)
        rows = np.empty((self.high, 1 + 3 * self.wide), np.uint8)
        rows[:, 0] = 2  # the filter "up"
        rows[0, 1:] = pixels[0]
        rows[1:, 1:] = pixels[1:] - pixels[:-1]
        head = struct.pack(">IIBBBBB", self.wide, self.high, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def colour(ink: str) -> tuple[int, int, int]:
    """Return `#rrggbb` as numbers."""
    return int(ink[1:3], 16), int(ink[3:5], 16), int(ink[5:7], 16)


def _cover(cover: npt.NDArray[np.float64], start: Point, way: Point, half: float) -> None:
    """Raise the coverage of every pixel to that of a straight stroke, by the distance from it."""
    (x, y), (dx, dy) = start, way
    left, right = _span(x, x + dx, half, cover.shape[1])
    top, bottom = _span(y, y + dy, half, cover.shape[0])
    across = np.arange(left, right)[None, :] + 0.5 - x
    down = np.arange(top, bottom)[:, None] + 0.5 - y
    length = dx * dx + dy * dy
    along = np.clip((across * dx + down * dy) / length, 0, 1) if length else np.zeros((1, 1))
    distance = np.hypot(across - along * dx, down - along * dy)
    part = cover[top:bottom, left:right]
    np.maximum(part, np.clip(half + 0.5 - distance, 0, 1), out=part)


def _span(a: float, b: float, half: float, most: int) -> tuple[int, int]:
    """Return the pixels that a stroke may touch in one direction."""
    first, last = min(a, b) - half - 1, max(a, b) + half + 2
    return min(max(int(first), 0), most), min(max(int(last), 0), most)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
