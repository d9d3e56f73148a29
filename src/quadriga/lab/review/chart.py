"""Draw a chart of a reviewed game: the chance of every seat, decision by decision, as SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from quadriga.engine.errors import OptionError
from quadriga.lab import plot
from quadriga.lab.review.review import SLIP, Review

if TYPE_CHECKING:
    import altair as alt

# Distinguishable with common colour blindness; a seat also has its own dash pattern.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5c00", "#56b4e9", "#e69f00", "#444444")
_DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [1, 3], [12, 4], [6, 2, 2, 2, 2, 2])
_GROUND, _GRID, _INK = "#fffdf7", "#d5cfc0", "#4a4436"
_WIDE, _HIGH = 820, 280
SUFFIXES = (".svg", ".png")


def chart_suffix(path: str) -> str:
    """Return the suffix of a chart file; raise OptionError for a format that cannot be written.

    Raise MissingExtraError if the plotting library is not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise OptionError("option.value", name="--chart", value=path, allowed="FILE.svg | FILE.png")
    plot.require()
    return suffix


def points(reviewed: Review, names: list[str]) -> list[dict[str, object]]:
    """Return the rows of the chart: for each seat its chance at the start, after each decision, and its result.

    `lost` is what the seat's own decision lost if that was a mistake, else 0.
    """
    rows: list[dict[str, object]] = []
    for seat, name in enumerate(names):
        side = reviewed.sides[seat]
        rows.append(_point(name, seat, 0, side.start))
        for move in reviewed.moves:
            lost = move.lost if move.seat == seat and move.lost >= SLIP else 0.0
            rows.append(_point(name, seat, move.number, move.chances[seat], lost))
        rows.append(_point(name, seat, max(reviewed.entries, 1), side.result))
    return rows


def _point(name: str, seat: int, number: int, chance: float, lost: float = 0.0) -> dict[str, object]:
    return {"name": name, "seat": seat, "number": number, "chance": min(max(chance, 0.0), 1.0), "lost": lost}


def chart(reviewed: Review, names: list[str], title: str) -> alt.LayerChart:
    """Return a line for each seat that ends at its result, and a dot at each mistake, larger the more was lost."""
    import altair as alt
    import polars as pl

    keys = [f"{seat + 1}. {name}" for seat, name in enumerate(names)]  # two seats may have one name
    rows = [row | {"name": keys[int(str(row["seat"]))]} for row in points(reviewed, names)]
    data = pl.DataFrame(rows)
    shade = [_COLOURS[seat % len(_COLOURS)] for seat in range(len(names))]
    dashes = [_DASHES[seat % len(_DASHES)] for seat in range(len(names))]
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", symbolStrokeWidth=2, symbolSize=400)
    colour = alt.Color("name:N", scale=alt.Scale(domain=keys, range=shade), sort=keys, legend=legend)
    dash = alt.StrokeDash("name:N", scale=alt.Scale(domain=keys, range=dashes), sort=keys, legend=legend)
    last = max(reviewed.entries, 1)
    across = alt.X(
        "number:Q",
        title=None,
        scale=alt.Scale(domain=[0, last], nice=False),
        axis=alt.Axis(grid=False, tickCount=10),
    )
    up = alt.Y(
        "chance:Q",
        title=None,
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    lines = alt.Chart(data).mark_line(strokeWidth=2).encode(x=across, y=up, color=colour, strokeDash=dash)
    dots = (
        alt.Chart(data)
        .transform_filter("datum.lost > 0")
        .mark_circle(opacity=0.6)
        .encode(
            x=across,
            y=up,
            color=colour,
            size=alt.Size("lost:Q", scale=alt.Scale(domain=[0, 0.2], range=[15, 320], clamp=True), legend=None),
        )
    )
    drawn: alt.LayerChart = (
        alt.layer(lines, dots)
        .properties(width=_WIDE, height=_HIGH, title=title, background=_GROUND)
        .configure_axis(gridColor=_GRID, domainColor=_GRID, labelColor=_INK, labelFontSize=12)
        .configure_title(color=_INK, fontSize=15, anchor="start")
        .configure_legend(labelColor=_INK, labelFontSize=13)
        .configure_view(stroke=None)
    )
    return drawn


def chart_file(reviewed: Review, names: list[str], title: str, path: str) -> bytes:
    """Return the content of a chart's file in the format of its suffix."""
    suffix = chart_suffix(path)
    drawn = chart(reviewed, names, title)
    return plot.png(drawn) if suffix == ".png" else plot.svg(drawn).encode()
