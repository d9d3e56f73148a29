"""Charts of figures with Altair: dots with intervals, curves with bands, and bars.

Colours are variables of the page's style sheet, so that one picture fits its light and its dark theme. A chart is
as wide as a phone, and the page enlarges it a little elsewhere.
"""

from __future__ import annotations

import altair as alt
import polars as pl

from quadriga.engine.text.catalogues import Words
from quadriga.lab import plot
from quadriga.lab.report.figure import Figure, Form, tell
from quadriga.lab.report.scales import Scale

WIDTH = 350
_INKS = [f"var(--ink-{k})" for k in range(1, 7)]
_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3]]
_FORMATS: dict[Form, str] = {
    "percent": ".1~%",
    "points": "+.1~%",
    "ducats": "+~r",
    "number": "~r",
    "change": "+~r",
    "sure": ".1%",
    "short": "~r",
    "whole": "~r",
}

_STYLE = alt.Config(
    aria=False,
    background="transparent",
    font="Verdana, DejaVu Sans, sans-serif",
    axis=alt.AxisConfig(
        gridColor="var(--line)",
        domainColor="var(--line)",
        tickColor="var(--line)",
        labelColor="var(--text)",
        titleColor="var(--text)",
        titleFontWeight="normal",
        labelFontSize=11,
        titleFontSize=11,
    ),
    legend=alt.LegendConfig(labelColor="var(--text)", labelFontSize=11, labelLimit=300, symbolStrokeWidth=2),
    view=alt.ViewConfig(stroke=None),
)


def dots(figures: list[Figure], words: Words, title: str, series: list[str], scale: Scale) -> str:
    """Return a row for each label with a dot and its interval for each series, and lines at expected values."""
    rows = _rows(figures, words)
    labels = list(dict.fromkeys(str(row["label"]) for row in rows))
    named = [name for name in series if name]
    height = len(labels) * max(22, 14 * len(named))
    form = figures[0].form
    table = pl.DataFrame(rows)
    base = alt.Chart(table)
    y = alt.Y("label:N", sort=labels, title=None, axis=alt.Axis(labelLimit=185, grid=False, ticks=False))
    x = alt.X("low:Q", title=title, axis=_axis(form), scale=_scale(scale))
    extra = _series(series)
    offset = {"yOffset": alt.YOffset("series:N", sort=series)} if named else {}
    lines = base.mark_rule(strokeWidth=2).encode(y=y, x=x, x2="high:Q", color=extra["color"], **offset)
    marks = base.mark_point(filled=True, size=55, opacity=1).encode(y=y, x="value:Q", **extra, **offset)
    layers: list[alt.Chart] = [lines, marks]
    expected = {figure.expected for figure in figures if figure.expected is not None}
    if expected and (named or len(expected) == 1):
        zero = pl.DataFrame({"expected": sorted(expected)})
        layers.insert(0, alt.Chart(zero).mark_rule(strokeDash=[4, 3], color="var(--muted)").encode(x="expected:Q"))
    return _render(layers, height, words)


def curve(figures: list[Figure], words: Words, title: str, across: str, series: list[str], scale: Scale) -> str:
    """Return a line with a band for each series."""
    table = pl.DataFrame(_rows(figures, words))
    base = alt.Chart(table)
    x = alt.X(
        "x:Q",
        title=across,
        axis=_axis("percent" if across.endswith("%") else "whole"),
        scale=alt.Scale(domain=[scale.first, scale.last], zero=False, nice=False),
    )
    form = figures[0].form
    y = alt.Y("low:Q", title=title, axis=_axis(form), scale=_scale(scale))
    extra = _series(series, lines=True)
    band = base.mark_area(opacity=0.22).encode(x=x, y=y, y2="high:Q", color=extra["color"])
    line = base.mark_line(strokeWidth=2).encode(x=x, y="value:Q", **extra)
    return _render([band, line], 190, words)


def _scale(scale: Scale) -> alt.Scale:
    return alt.Scale(domain=[scale.low, scale.high], zero=False, nice=True)


def bars(figures: list[Figure], words: Words, title: str, across: str, series: list[str], scale: Scale) -> str:
    """Return a bar for each label, side by side for each series."""
    rows = _rows(figures, words)
    labels = list(dict.fromkeys(str(row["label"]) for row in rows))
    table = pl.DataFrame(rows)
    angle = -45 if max(map(len, labels)) * len(labels) > 45 else 0
    axis = alt.Axis(labelAngle=angle, grid=False, ticks=False, labelOverlap=True)
    x = alt.X("label:N", sort=labels, title=across, axis=axis, scale=alt.Scale(paddingInner=0.12))
    extra = _series(series)
    offset = {"xOffset": alt.XOffset("series:N", sort=series)} if any(series) else {}
    base = alt.Chart(table)
    y = alt.Y("value:Q", title=title, axis=_axis(figures[0].form), scale=_scale(scale))
    columns = base.mark_bar(opacity=0.85).encode(x=x, y=y, color=extra["color"], **offset)
    whiskers = base.mark_rule(color="var(--text)").encode(x=x, y="low:Q", y2="high:Q", **offset)
    return _render([columns, whiskers], 170, words)


def _rows(figures: list[Figure], words: Words) -> list[dict[str, object]]:
    return [
        {
            "label": tell(words, figure.label),
            "series": tell(words, figure.series),
            "x": figure.x,
            "value": figure.measure.value,
            "low": figure.measure.low,
            "high": figure.measure.high,
        }
        for figure in figures
    ]


def _axis(form: Form) -> alt.Axis:
    step = 1 if form == "whole" else alt.Undefined
    return alt.Axis(format=_FORMATS[form], tickCount=4, tickMinStep=step, labelFlush=False, labelOverlap="greedy")


def _series(series: list[str], lines: bool = False) -> dict[str, object]:
    """Return the encodings that tell series apart: by colour, and by shape or dashes."""
    if not any(series):
        return {"color": alt.value(_INKS[0])}
    inks = [_INKS[k % len(_INKS)] for k in range(len(series))]
    longest = max(map(len, series))
    columns = 1 if longest > 18 else 3 if longest > 2 else len(_INKS)
    key = alt.Legend(title=None, orient="top", columns=columns, symbolOpacity=1)
    if lines:
        key = alt.Legend(
            title=None, orient="top", columns=columns, symbolOpacity=1, symbolType="stroke", symbolSize=300
        )
    colour = alt.Color("series:N", scale=alt.Scale(domain=series, range=inks), sort=series, legend=key)
    if lines:
        dashes = [_DASHES[k % len(_DASHES)] for k in range(len(series))]
        dash = alt.StrokeDash("series:N", scale=alt.Scale(domain=series, range=dashes), sort=series, legend=key)
        return {"color": colour, "strokeDash": dash}
    shapes = [_SHAPES[k % len(_SHAPES)] for k in range(len(series))]
    shape = alt.Shape("series:N", scale=alt.Scale(domain=series, range=shapes), sort=series, legend=key)
    return {"color": colour, "shape": shape}


def _render(layers: list[alt.Chart], height: int, words: Words) -> str:
    size = alt.AutoSizeParams(type="fit-x", contains="padding")
    return plot.svg(alt.layer(*layers, width=WIDTH, height=height, autosize=size, config=_STYLE), words.language)
