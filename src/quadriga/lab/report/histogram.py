"""Histograms: the share of rows in each bin. All studies of a report have the same bins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import polars as pl

from quadriga.engine.text.catalogues import Message
from quadriga.lab.report.dataset import Dataset, rate
from quadriga.lab.report.figure import Figure, Label, Number

_BARS = 12  # about, and not counting the last

Rows = Callable[[Dataset], pl.DataFrame]


class Bins(NamedTuple):
    """Bins of equal width over a range of whole numbers. The last one may have no upper end."""

    starts: range
    is_open: bool
    per_unit: int  # how many of these whole numbers make 1 of what is shown

    @property
    def width(self) -> int:
        """The width of a bin."""
        return self.starts.step

    def label(self, least: int) -> Label:
        """Return the label of the bin that begins at a number."""
        if self.is_open and least == self.starts[-1]:
            return Message("report.more", {"least": self._number(least)})
        if self.per_unit > 1:
            return Message("report.part", {"low": self._number(least), "high": self._number(least + self.width)})
        return str(least) if self.width == 1 else f"{least}–{least + self.width - 1}"

    def _number(self, value: int) -> Number:
        return Number(value / self.per_unit, "whole" if self.per_unit == 1 else "short")

    def holds(self, least: int, column: str) -> pl.Expr:
        """Return a Polars expression: whether a value of a column is in the bin that begins at a number."""
        inside = pl.col(column) >= least
        return inside if least == self.starts[-1] else inside & (pl.col(column) < least + self.width)


def bins(columns: Sequence[pl.Series], per_unit: int = 1) -> Bins:
    """Return about a dozen bins for the values of some non-empty columns. The last bin holds the outliers."""
    low = min(int(column.min()) for column in columns)  # type: ignore[arg-type]
    high = max(int(column.quantile(0.99) or 0) for column in columns)
    width = _nice((high - low + 1) / _BARS)
    first = low // width * width
    starts = range(first, max(high, first) + 1, width)
    is_open = any(bool((column >= starts[-1] + width).any()) for column in columns)
    return Bins(starts, is_open, per_unit)


def histogram(
    data: Dataset, studies: Sequence[Dataset], rows: Rows, column: str, id: str, per_unit: int = 1
) -> list[Figure]:
    """Return the share of a study's rows in each bin. The bins follow from all studies of the report."""
    table = rows(data)
    if table.is_empty():
        return []
    columns = [rows(study)[column] for study in studies]
    found = bins([each for each in columns if len(each)], per_unit)
    return [
        Figure(
            f"{id}.{least}",
            found.label(least),
            rate(table, found.holds(least, column), is_share=True),
            "percent",
            is_tested=False,
            x=least / per_unit,
        )
        for least in found.starts
    ]


def _nice(width: float) -> int:
    """Return the least of 1, 2, 5, 10, 20, ... that is at least `width`."""
    size = 1
    while True:
        for step in (1, 2, 5):
            if step * size >= width:
                return step * size
        size *= 10
