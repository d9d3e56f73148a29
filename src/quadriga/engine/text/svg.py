"""Write SVG elements, paths and documents as text."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]


def element(tag: str, *children: str, **attributes: object) -> str:
    """Return an element. In attribute names `_` stands for a hyphen, and a trailing `_` is dropped."""
    named = "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(_text(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{named}>{''.join(children)}</{tag}>" if children else f"<{tag}{named}/>"


def escape_text(text: str) -> str:
    """Return text as the content of an element."""
    return escape(text)


def path(points: Iterable[Point], closed: bool = False) -> str:
    """Return the `d` attribute of a path through points."""
    steps = [f"{_text(x)} {_text(y)}" for x, y in points]
    return "M" + "L".join(steps) + ("Z" if closed else "")


def document(width: float, height: float, *children: str, title: str) -> str:
    """Return a whole SVG file."""
    head = element("title", escape_text(title))
    body = "\n".join((head, *children))
    box = f"0 0 {_text(width)} {_text(height)}"
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">'
    return f"{opening}\n{body}\n</svg>\n"


def _text(value: object) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
