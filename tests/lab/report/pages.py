"""Read the page of a report: its articles, with the rows of their tables and the texts of their charts."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import NamedTuple

_ARTICLE = re.compile(r'<article id="([^"]*)-en"(.*?)</article>', re.S)
_ROW = re.compile(r'<tr[^>]*><th scope="row">(.*?)</th>(.*?)</tr>', re.S)
_CELL = re.compile(r"<td>(.*?)</td>", re.S)
_CHART = re.compile(r"<figure>.*?</figure>", re.S)
_TEXT = re.compile(r"<text[^>]*>([^<]*)</text>")
_TAG = re.compile(r"<[^>]*>")


class Row(NamedTuple):
    label: str
    cells: list[str]


class Article(NamedTuple):
    text: str

    @property
    def rows(self) -> list[Row]:
        """The rows of the table."""
        return [
            Row(_plain(label).removesuffix("●").strip(), [_plain(cell) for cell in _CELL.findall(cells)])
            for label, cells in _ROW.findall(self.text)
        ]

    @property
    def charts(self) -> list[list[str]]:
        """The texts in each of the charts."""
        return [[_plain(text) for text in _TEXT.findall(chart)] for chart in _CHART.findall(self.text)]


def _plain(markup: str) -> str:
    return html.unescape(_TAG.sub("", markup)).strip()


def articles(path: Path) -> dict[str, Article]:
    """Return the English articles of a report by the ids of their sections, with dashes."""
    return {id: Article(text) for id, text in _ARTICLE.findall(path.read_text("utf-8"))}


def number(text: str) -> tuple[float, float]:
    """Return the number at the beginning of a text, and half of the last digit that it is written with."""
    found = re.match(r"[+−]?([\d,]+)(\.\d+)?(%?)", text)
    assert found, text
    whole, digits, percent = found.groups()
    value = float(whole.replace(",", "") + (digits or "")) * (-1 if text.startswith("−") else 1)
    half = 0.5 * 10.0 ** -(len(digits) - 1 if digits else 0)
    return (value / 100, half / 100) if percent else (value, half)
