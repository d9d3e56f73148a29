"""A player's analysis of the legal actions: a hint with its reasons."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

import msgspec

from quadriga.players.perspective import Perspective

How = Literal["exact", "searched", "playouts"]
"""The method: exact tables, expectimax with a network, or playouts."""


class Considered(msgspec.Struct, frozen=True):
    """An action and its worth: with two players the chance of winning, with more the share of the result.

    Half of a share is for the lead over the best of the others, and half for the leads over each of them.
    """

    text: str
    chance: float
    how: How
    tries: int = 0  # playouts behind it, where they were counted


@runtime_checkable
class Considers(Protocol):
    """A player that can analyse every action."""

    def consider(self, observed: Perspective) -> list[Considered]:
        """Return the analysed actions: first the one that `decide` takes, then the others, best first."""
        ...
