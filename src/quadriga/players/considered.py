"""What a player thinks of the actions before it, for people who ask: a hint with its reasons."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

import msgspec

from quadriga.players.perspective import Perspective

How = Literal["exact", "searched", "playouts"]
"""By tables of all positions, by looking ahead with what was learned, or by playing on many times."""


class Considered(msgspec.Struct, frozen=True):
    """An action and what it is worth: of two players the chance of winning, of more the share of the result.

    A share is half for the lead over the best of the others, and half for the leads over each of them.
    """

    text: str
    chance: float
    how: How
    tries: int = 0  # playouts behind it, where they were counted


@runtime_checkable
class Considers(Protocol):
    """A player who can say what he thinks of every action."""

    def consider(self, eyes: Perspective) -> list[Considered]:
        """The actions that were considered: first the one that `decide` takes, then the others, best first."""
        ...
