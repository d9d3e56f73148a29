"""The advice of a coach before a decision, as messages: about the position, and about each legal action."""

from __future__ import annotations

from typing import NamedTuple

from quadriga.engine.text.catalogues import Message


class Advice(NamedTuple):
    """Messages about a position and, by action, about what each legal action leads to."""

    position: list[Message]
    actions: dict[int, list[Message]]


def whole_percent(share: float) -> Message:
    """Return a share in whole per cent; one that is not quite 0 or 1 is not rounded to these."""
    if 0 < share < 0.005:
        return Message("share.least", {})
    if 0.995 < share < 1:
        return Message("share.most", {})
    return Message("share.whole", {"n": round(100 * share)})


def percent_with_tenths(share: float) -> Message:
    """Return a share in per cent with one digit after the point."""
    whole, tenth = divmod(round(1000 * share), 10)
    return Message("share.tenths", {"whole": whole, "tenth": tenth})
