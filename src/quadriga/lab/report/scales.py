"""Scales: charts of one quantity show the same range, so that they can be compared by eye."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from quadriga.lab.report.figure import Section


class Scale(NamedTuple):
    """What a chart shows: from the least to the largest value, and places on its other axis if it is a curve."""

    low: float
    high: float
    first: float
    last: float


def quantity(section: Section) -> tuple[str, str]:
    """Return a key of what a section measures: the titles of its axes, or the kind of its heat map."""
    return ("heat", section.id.split(":")[0]) if section.chart == "heat" else (section.axis, section.across)


def scales(sections: Iterable[Section]) -> dict[tuple[str, str], Scale]:
    """Return a scale for each quantity: it holds the values and intervals of all sections that measure it."""
    values: dict[tuple[str, str], list[float]] = {}
    places: dict[tuple[str, str], list[float]] = {}
    for section in sections:
        key = quantity(section)
        values.setdefault(key, []).extend(each for each in _shown(section) if math.isfinite(each))
        places.setdefault(key, []).extend(figure.x for figure in section.figures if figure.x is not None)
    return {
        key: Scale(min(each), max(each), min(places[key], default=0.0), max(places[key], default=0.0))
        for key, each in values.items()
        if each
    }


def _shown(section: Section) -> list[float]:
    """Return all values that a chart shows, with 0 for bars, heat maps and curves of shares, which begin there."""
    if section.chart == "heat":
        return [0.0, *(value for heat in section.heats for value in heat.values.values())]
    measures = [figure.measure for figure in section.figures]
    values = [each for measure in measures for each in (measure.value, measure.low, measure.high)]
    values += [figure.expected for figure in section.figures if figure.expected is not None]
    is_share = any(figure.form == "percent" for figure in section.figures)
    return [0.0, *values] if section.chart == "bars" or (section.chart == "curve" and is_share) else values
