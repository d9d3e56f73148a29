"""Turn drawings into pictures: one position as PNG, several as an animated GIF. Runs in a worker process."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import PIL.Image

SIZE = (1200, 630)  # of one position: what sites show of a posted link
ANIMATED_SIZE = (480, 320)  # at most
FRAME_MS = 350
LAST_FRAME_MS = 2500
_GROUND = "#f1e9d8"
# The drawings ask for fonts that a server seldom has; this list names one of each system.
_FONTS = "text { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace }"
_BOX = re.compile(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')
_GRAIN = re.compile(r'<\w+ [^>]*filter="url[^>]*/>')  # costs more than all the rest, and can hardly be seen


def picture(svgs: Sequence[str]) -> bytes:
    """Return one drawing as PNG of `SIZE`, or several as an animated GIF."""
    import PIL.Image

    if len(svgs) == 1:
        canvas = PIL.Image.new("RGB", SIZE, _GROUND)
        drawn = PIL.Image.open(io.BytesIO(_png(svgs[0], SIZE)))
        canvas.paste(drawn, ((SIZE[0] - drawn.width) // 2, (SIZE[1] - drawn.height) // 2), drawn.convert("RGBA"))
        return _saved(canvas, "PNG", optimize=True)
    frames = [PIL.Image.open(io.BytesIO(_png(svg, ANIMATED_SIZE))).convert("RGB") for svg in svgs]
    coverage = PIL.Image.Quantize.MAXCOVERAGE  # the colours of small things count, too
    palette = _sample(frames).quantize(255, coverage)
    coloured = [frame.quantize(palette=palette, dither=PIL.Image.Dither.NONE) for frame in frames]
    times = [FRAME_MS] * (len(frames) - 1) + [LAST_FRAME_MS]
    return _saved(coloured[0], "GIF", save_all=True, append_images=coloured[1:], duration=times, loop=0)


def _sample(frames: Sequence[PIL.Image.Image]) -> PIL.Image.Image:
    """Return some frames below each other."""
    import PIL.Image

    chosen = frames[:: max(1, len(frames) // 4)]
    width, height = frames[0].size
    sample = PIL.Image.new("RGB", (width, height * len(chosen)))
    for number, frame in enumerate(chosen):
        sample.paste(frame, (0, number * height))
    return sample


def _png(svg: str, most: tuple[int, int]) -> bytes:
    """Draw into as much of a rectangle as the proportions allow."""
    import resvg_py

    found = _BOX.search(svg)
    assert found is not None
    zoom = min(most[0] / float(found[1]), most[1] / float(found[2]))
    width, height = max(1, int(float(found[1]) * zoom)), max(1, int(float(found[2]) * zoom))
    return bytes(resvg_py.svg_to_bytes(_GRAIN.sub("", svg), width=width, height=height, style_sheet=_FONTS))


def _saved(image: PIL.Image.Image, kind: str, **how: object) -> bytes:
    into = io.BytesIO()
    image.save(into, kind, **how)
    return into.getvalue()
