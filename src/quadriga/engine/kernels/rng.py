"""The fast random generator for simulation: xoshiro128++ on 32-bit words, with a stream per game number.

No intermediate value overflows 64 bits in a way that matters, so plain and compiled code draw the same numbers.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel, native
from quadriga.engine.kernels.struct import Struct, i64

_WORD = 0xFFFFFFFF
_GOLDEN = 0x9E3779B9


class Rng(Struct):
    """The state of a stream: four words of 32 bits, not all zero."""

    a = i64()
    b = i64()
    c = i64()
    d = i64()


@native("copy")
def local(rng: Rng) -> Rng:
    """Return a copy for the caller alone. Compiled code keeps it in registers."""
    return rng.copy()


@kernel
def _mix(word: int) -> int:
    """Scramble 32 bits reversibly."""
    word = ((word ^ (word >> 16)) * 0x85EBCA6B) & _WORD
    word = ((word ^ (word >> 13)) * 0xC2B2AE35) & _WORD
    return word ^ (word >> 16)


@kernel
def _absorb(seed: int, stream: int, lane: int) -> int:
    """Return one word of the initial state of a stream."""
    word = _mix((seed + lane * _GOLDEN) & _WORD)
    word = _mix(word ^ ((seed >> 32) & _WORD))
    word = _mix((word + lane) & _WORD ^ (stream & _WORD))
    return _mix(word ^ ((stream >> 32) & _WORD))


@kernel
def start(rng: Rng, seed: int, stream: int) -> None:
    """Set the generator to the start of stream number `stream` of `seed`."""
    rng.a = _absorb(seed, stream, 1)
    rng.b = _absorb(seed, stream, 2)
    rng.c = _absorb(seed, stream, 3)
    rng.d = _absorb(seed, stream, 4) | 1


@kernel
def draw(rng: Rng) -> int:
    """Return the next 32 random bits."""
    a = rng.a
    b = rng.b
    c = rng.c ^ a
    d = rng.d ^ b
    rng.b = b ^ c
    rng.a = a ^ d
    rng.c = c ^ ((b << 9) & _WORD)
    rng.d = ((d << 11) | (d >> 21)) & _WORD
    total = (a + (d ^ b)) & _WORD
    return (((total << 7) | (total >> 25)) + a) & _WORD


@kernel
def below(rng: Rng, bound: int) -> int:
    """Return a random integer from 0 to bound - 1, each equally likely; bound is at most 2**31."""
    product = draw(rng) * bound
    if (product & _WORD) < bound:
        excess = (_WORD + 1 - bound) % bound
        while (product & _WORD) < excess:
            product = draw(rng) * bound
    return product >> 32


@kernel
def weighted(rng: Rng, weights: Ints, n: int) -> int:
    """Return a random index below n, with probabilities in proportion to the weights."""
    total = 0
    for i in range(n):
        total += weights[i]
    left = below(rng, total)
    choice = 0
    reached = 0
    for i in range(n):
        reached += weights[i]
        choice += 1 if reached <= left else 0
    return choice
