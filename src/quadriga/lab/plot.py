"""Render charts of Altair as SVG or PNG, without a network. Altair and vl-convert come with the extra `lab`."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from quadriga.engine.errors import MissingExtraError

if TYPE_CHECKING:
    import altair as alt

_MODULES = {"altair": "Altair", "vl_convert": "vl-convert", "polars": "Polars"}
_NUMBERS: dict[str, Any] = {  # how a language writes numbers, as d3-format wants it
    "en": {"decimal": ".", "thousands": ",", "grouping": [3], "currency": ["", ""], "percent": "%"},
    "fr": {"decimal": ",", "thousands": "\u202f", "grouping": [3], "currency": ["", ""], "percent": "\u202f%"},
}


def require() -> None:
    """Raise MissingExtraError unless all packages of the extra `lab` are installed."""
    for module, name in _MODULES.items():
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError("extra.missing", extra="lab", what=name)


def svg(chart: alt.TopLevelMixin, language: str = "en") -> str:
    """Return a chart as an SVG element, with numbers as a language writes them."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(_described(chart), format_locale=_NUMBERS[language]))


def png(chart: alt.TopLevelMixin, language: str = "en", scale: float = 2.0) -> bytes:
    """Return a chart as PNG, with `scale` pixels for every unit."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(_described(chart), scale=scale, format_locale=_NUMBERS[language]))


def _described(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """Return a chart in Vega-Lite. Its parts were checked against the schema when they were made."""
    return chart.to_dict(validate=False)
