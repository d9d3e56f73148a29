"""What a player is given: the game through the eyes of one seat, and nothing behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.game import Game
from quadriga.engine.kernel import Ints
from quadriga.engine.match import Match
from quadriga.engine.options import Options
from quadriga.engine.record import Record
from quadriga.engine.rng import Rng


class Perspective:
    """One seat's eyes: what is legal, what is seen, and worlds dealt at random that fit what is seen."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.seat = match.actor
        self.moment = len(match.entries)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._match.game

    @property
    def options(self) -> Options:
        """How the game was set up."""
        return self._match.options

    @property
    def seats(self) -> int:
        """For how many it was set up."""
        return self._match.seats

    @property
    def tables(self) -> Any:
        """The game's tables, which everybody knows."""
        return self._match.t

    def actions(self) -> dict[str, int]:
        """The legal actions by their texts."""
        return self._match.actions()

    def view(self) -> msgspec.Struct:
        """What the seat sees, in words and lists."""
        return self._match.view(self.seat)

    def observation(self) -> npt.NDArray[np.int16]:
        """What the seat sees, in numbers."""
        game = self._match.game
        seen = np.zeros(game.observation(self._match.seats), np.int16)
        game.observe(self._match.t, self._match.s, self.seat, seen.data)
        return seen

    def propose(self, family: str, rng: Rng) -> str | None:
        """A sensible member of a family of actions, such as an offer."""
        return self._match.game.propose(self._match.t, self._match.s, family, rng)

    def world(self, rng: Rng) -> Record:
        """A position that may be the true one for all that this seat knows."""
        dealt: Record = self._match.s.copy()
        self._match.game.redeal(self._match.t, dealt, self.seat, rng)
        return dealt


Choose = Callable[[Record, Ints, int], int]
"""Chooses one of the n legal actions in a room that was lent, in a world that may be the true one."""


def spoken(eyes: Perspective, world: Record, choose: Choose) -> str:
    """The text of what is chosen in a world: an action, or a member of a family put together from its pieces."""
    game, t = eyes.game, eyes.tables
    out = game.scratch()[0].data
    draft = world.copy()
    pieces: list[int] = []
    while not pieces or game.unfinished(t, draft):
        pieces.append(choose(draft, out, game.legal(t, draft, out)))
        game.step(t, draft, pieces[-1])
    return game.text(t, world, pieces[0]) if len(pieces) == 1 else game.compound(t, world, pieces)


class Player(Protocol):
    """Somebody who decides."""

    def decide(self, eyes: Perspective) -> str:
        """The text of a legal action."""
        ...
