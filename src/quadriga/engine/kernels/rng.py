"""The fast generator for simulation: xoshiro128++ on 32-bit words, one independent stream per game number.

All intermediate values fit what a 64-bit integer keeps of them, so plain and compiled code draw the same.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.record import Record, i64

_WORD = 0xFFFFFFFF
_GOLDEN = 0x9E3779B9


class Rng(Record):
    """Where a stream stands: four words of 32 bits, not all zero."""

    a = i64()
    b = i64()
    c = i64()
    d = i64()


@kernel
def _mix(word: int) -> int:
    """Scatter 32 bits over 32 bits, one to one."""
    word = ((word ^ (word >> 16)) * 0x85EBCA6B) & _WORD
    word = ((word ^ (word >> 13)) * 0xC2B2AE35) & _WORD
    return word ^ (word >> 16)


@kernel
def _absorb(seed: int, stream: int, lane: int) -> int:
    """One word of the starting point of a stream."""
    word = _mix((seed + lane * _GOLDEN) & _WORD)
    word = _mix(word ^ ((seed >> 32) & _WORD))
    word = _mix((word + lane) & _WORD ^ (stream & _WORD))
    return _mix(word ^ ((stream >> 32) & _WORD))


@kernel
def start(rng: Rng, seed: int, stream: int) -> None:
    """Put the generator at the beginning of stream number `stream` of `seed`."""
    rng.a = _absorb(seed, stream, 1)
    rng.b = _absorb(seed, stream, 2)
    rng.c = _absorb(seed, stream, 3)
    rng.d = _absorb(seed, stream, 4) | 1


@kernel
def draw(rng: Rng) -> int:
    """The next 32 random bits."""
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
    """A random integer from 0 to bound - 1, every one equally likely; bound is at most 2**31."""
    product = draw(rng) * bound
    if (product & _WORD) < bound:
        excess = (_WORD + 1 - bound) % bound
        while (product & _WORD) < excess:
            product = draw(rng) * bound
    return product >> 32


@kernel
def weighted(rng: Rng, weights: Ints, n: int) -> int:
    """A random index below n, as likely as its weight says."""
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
