"""Sets of small numbers as bits of an integer."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel, native


@native("ctpop")
def count(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


@native("cttz")
def lowest(mask: int) -> int:
    """The number of the lowest bit set; the mask is not empty."""
    return (mask & -mask).bit_length() - 1


@kernel
def root(number: int) -> int:
    """The whole part of a square root."""
    if number < 2:
        return number
    guess = number
    better = (guess + 1) >> 1
    while better < guess:
        guess = better
        better = (guess + number // guess) >> 1
    return guess
