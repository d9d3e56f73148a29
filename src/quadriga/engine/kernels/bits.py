"""Sets of small numbers as the bits of an integer, and an integer square root."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel, native


@native("ctpop")
def count(mask: int) -> int:
    """Return the number of bits that are set."""
    return mask.bit_count()


@native("cttz")
def lowest(mask: int) -> int:
    """Return the number of the lowest set bit; the mask must not be empty."""
    return (mask & -mask).bit_length() - 1


@kernel
def without_lowest(mask: int, n: int) -> int:
    """Return the mask without its n lowest set bits."""
    for _ in range(n):
        mask &= mask - 1
    return mask


@kernel
def root(number: int) -> int:
    """Return the whole part of the square root."""
    if number < 2:
        return number
    guess = number
    better = (guess + 1) >> 1
    while better < guess:
        guess = better
        better = (guess + number // guess) >> 1
    return guess
