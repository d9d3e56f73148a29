"""Write SVG elements, paths and documents as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def inscription(text: str, x: float, y: float, size: int, colour: str, heading: float | None = None) -> str:
    """Return text in inscriptional letters around a point, turned by a heading in degrees."""
    return element(
        "text",
        escape_text(text),
        x=x,
        y=y,
        fill=colour,
        font_size=size,
        font_family="Cinzel, 'Trajan Pro', 'Times New Roman', serif",
        font_weight=700,
        text_anchor="middle",
        dominant_baseline="central",
        transform=None if heading is None else f"rotate({heading} {x} {y})",
    )


def path(points: Iterable[Point], closed: bool = False) -> str:
    """Return the `d` attribute of a path through points."""
    steps = [f"{_text(x)} {_text(y)}" for x, y in points]
    return "M" + "L".join(steps) + ("Z" if closed else "")


def document(width: float, height: float, *children: str, title: str, caption: Sequence[str] = ()) -> str:
    """Return a whole SVG file, with lines of text below the picture."""
    head = element("title", escape_text(title))
    longest = max(map(len, caption), default=1)
    size = min(width / 45, width / 0.62 / longest)  # a letter of a monospaced font is 0.6 of its size wide
    body = "\n".join((head, *children, *_caption(caption, width, height, size)))
    box = f"0 0 {_text(width)} {_text(height + (1.4 * size * (len(caption) + 0.6) if caption else 0))}"
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">'
    return f"{opening}\n{body}\n</svg>\n"


def _caption(lines: Sequence[str], width: float, top: float, size: float) -> Iterable[str]:
    """Yield the lines of text, on a ground of their own."""
    if lines:
        room = 1.4 * size * (len(lines) + 0.6)
        yield element("rect", x=0, y=top, width=width, height=room, fill="#f6efe0")
    for number, line in enumerate(lines, 1):
        yield element(
            "text",
            escape_text(line),
            x=0.3 * size,
            y=top + 1.4 * size * number,
            fill="#2c1d10",
            font_size=size,
            font_family="'DejaVu Sans Mono', Menlo, Consolas, monospace",
            **{"xml:space": "preserve"},
        )


def _text(value: object) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
