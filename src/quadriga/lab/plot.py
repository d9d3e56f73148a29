"""Render charts of Altair as SVG or PNG, without a network. Altair and vl-convert come with the extra `lab`."""

from __future__ import annotations

import importlib.util
import io
from typing import TYPE_CHECKING

from quadriga.engine.errors import MissingExtraError

if TYPE_CHECKING:
    import altair as alt

_MODULES = {"altair": "Altair", "vl_convert": "vl-convert", "polars": "Polars"}


def require() -> None:
    """Raise MissingExtraError unless all packages of the extra `lab` are installed."""
    for module, name in _MODULES.items():
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError("extra.missing", extra="lab", what=name)


def svg(chart: alt.TopLevelMixin) -> str:
    """Return a chart as an SVG element."""
    text = io.StringIO()
    chart.save(text, format="svg")
    return text.getvalue()


def png(chart: alt.TopLevelMixin, scale: float = 2.0) -> bytes:
    """Return a chart as PNG, with `scale` pixels for every unit."""
    content = io.BytesIO()
    chart.save(content, format="png", scale_factor=scale)
    return content.getvalue()
