"""A player's analysis of the legal actions: a hint with its reasons."""

from __future__ import annotations

from math import hypot, sqrt
from typing import Literal, Protocol, runtime_checkable

import msgspec

from quadriga.players.perspective import Perspective

How = Literal["exact", "searched", "playouts"]
"""The method: exact tables, expectimax with a network, or playouts."""


_Z = 1.96  # standard errors of a 95 % interval
_SEARCHED = 0.02  # 95 % of the chances that expectimax finds with the network are this close to the tables


class Considered(msgspec.Struct, frozen=True):
    """An action and its estimated value: with two players the win probability, with more the share of the result.

    Half of a share is for the lead over the best of the others, and half for the leads over each of them.
    """

    text: str
    chance: float
    how: How
    tries: int = 0  # playouts behind it, where they were counted

    @property
    def error(self) -> float:
        """Return the half-width of the 95 % confidence interval of `chance`.

        The value of a playout lies between 0 and 1, so its variance is at most that of a game won or lost.
        """
        if self.how == "exact":
            return 0.0
        if self.how == "searched":
            return _SEARCHED
        likely = (self.chance * self.tries + 1) / (self.tries + 2)
        return _Z * sqrt(likely * (1 - likely) / max(self.tries, 1))

    def is_close_to(self, other: Considered) -> bool:
        """Return whether the difference of two estimates is within their error, so not significant."""
        return abs(self.chance - other.chance) <= hypot(self.error, other.error)


@runtime_checkable
class Considers(Protocol):
    """A player that can analyse every action."""

    def consider(self, observed: Perspective) -> list[Considered]:
        """Return the analysed actions: first the one that `decide` takes, then the others, best first."""
        ...
