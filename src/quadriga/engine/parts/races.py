"""Races: parts of a game that a seat may have finished while others go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from quadriga.engine.parts.variables import S, T


@dataclass(frozen=True, eq=False, kw_only=True)
class Races(Generic[T, S]):
    """The races of a game."""

    number: Callable[[T, S], int]
    """Return the number of the race under way, from 0."""

    racing: Callable[[T, S], Sequence[int]]
    """Return the seats that still race; none between two races."""
