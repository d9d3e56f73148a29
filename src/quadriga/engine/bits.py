"""Sets of small numbers as bits of an integer."""

from __future__ import annotations

from quadriga.engine.kernel import native


@native("ctpop")
def count(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


@native("cttz")
def lowest(mask: int) -> int:
    """The number of the lowest bit set; the mask is not empty."""
    return (mask & -mask).bit_length() - 1
