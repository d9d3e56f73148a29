"""The input of a player: the game as one seat observes it, and nothing more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.game import Game
from quadriga.engine.kernels.kernel import Ints
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.kernels.struct import Struct
from quadriga.engine.match.match import Match
from quadriga.engine.match.options import Options


class Perspective:
    """The information of one seat: legal actions, its view, and determinizations of its information set."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.seat = match.actor
        self.moment = len(match.entries)

    @property
    def game(self) -> Game:
        """Return the game that is played."""
        return self._match.game

    @property
    def options(self) -> Options:
        """Return the options of the game."""
        return self._match.options

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return self._match.seats

    @property
    def tables(self) -> Struct:
        """Return the tables of the game, which are public."""
        return self._match.t

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their texts."""
        return self._match.actions()

    def view(self) -> msgspec.Struct:
        """Return what the seat sees, as a structure."""
        return self._match.view(self.seat)

    def observation(self) -> npt.NDArray[np.int16]:
        """Return what the seat sees, as numbers."""
        game = self._match.game
        seen = np.zeros(game.rules.observation(self._match.seats), np.int16)
        game.rules.observe(self._match.t, self._match.s, self.seat, seen.data)
        return seen

    def propose(self, family: str, rng: Rng) -> str | None:
        """Return a sensible member of a family of actions, such as an offer, or None."""
        compounds = self._match.game.notation.compounds
        if compounds is None or compounds.propose is None:
            return None
        return compounds.propose(self._match.t, self._match.s, family, rng)

    def world(self, rng: Rng) -> Struct:
        """Return a determinization: a random position consistent with everything this seat knows."""
        dealt: Struct = self._match.s.copy()
        self._match.game.rules.deal(self._match.t, dealt, self.seat, rng)
        return dealt


Choose = Callable[[Struct, Ints, int], int]
"""Chooses one of the n legal actions in an array, in a determinization of the seat's information set."""


def chosen_text(observed: Perspective, world: Struct, choose: Choose) -> str:
    """Return the text of the action that is chosen in a determinization; it may be a compound one."""
    game, t = observed.game, observed.tables
    out = game.rules.scratch()[0].data
    after = world.copy()
    pieces: list[int] = []
    while not pieces or game.notation.is_unfinished(t, after):
        pieces.append(choose(after, out, game.rules.legal(t, after, out)))
        game.rules.step(t, after, pieces[-1])
    return game.notation.write(t, world, pieces)


class Player(Protocol):
    """Decides for a seat."""

    def decide(self, observed: Perspective) -> str:
        """Return the text of a legal action."""
        ...
