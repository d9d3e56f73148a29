"""The input of a player: the game as one seat observes it, and nothing more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.kernel import Ints
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.struct import Struct
from quadriga.engine.match.entry import Action
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

    def legal(self) -> list[Action]:
        """Return the actions that can be played as they stand; those with parts to choose are in `families`."""
        return self._match.legal()

    def families(self) -> list[str]:
        """Return the kinds of action that `build` can make here, such as `offer`."""
        return self._match.families()

    def build(self, family: str, **parts: object) -> Action:
        """Return an action of a family from its parts, as `Match.build` does. Raises IllegalActionError.

        >>> import quadriga
        >>> from quadriga.players import Perspective
        >>> match = quadriga.new("ben-hvrt", seed=3)
        >>> while "offer" not in match.families():
        ...     _ = match.push(match.legal()[-1])
        >>> observed = Perspective(match)
        >>> observed.build("offer", to=1 - observed.seat, give=[5], want=["Tow Rope"])
        'offer 1 give 5 for Tow Rope'
        """
        return self._match.build(family, **parts)

    def check(self, text: Action) -> None:
        """Raise IllegalActionError if an action is not legal here."""
        self._match.check(text)

    def worth(self, card: str, seat: int | None = None) -> float:
        """Return the worth of a card to a seat, without a seat to this one, by the bots' rules of thumb.

        It is in the money of the game. Raises OptionError if the game has no worth of cards, or no such card.

        >>> import quadriga
        >>> from quadriga.players import Perspective
        >>> Perspective(quadriga.new("ben-hvrt", seed=3)).worth("Add 3")
        1.8
        """
        bots = self.game.bots
        if bots is None or bots.worth is None:
            raise OptionError("player.worth", game=self.game.id)
        rng = Rng()
        start(rng, 0, self.moment)
        return bots.worth(self._match.t, self.world(rng), self.seat if seat is None else seat, card)

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
