"""How a match gets from position to position: what is to be known of each is looked up once, plain or compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quadriga.engine.game import Game
from quadriga.engine.slots import CHANCE
from quadriga.engine.solo import advance, asked

if TYPE_CHECKING:
    from quadriga.engine.machine import Machine

_UNKNOWN = -1


class Walk:
    """A position that is played on. Who else writes into its state is noticed: the bytes are compared."""

    def __init__(self, game: Game, t: Any, s: Any) -> None:
        self.game, self.t, self.s = game, t, s
        self.out, self.odds = game.scratch()
        self._listed, self._weighed = self.out.data, self.odds.data
        self._here = b""  # the position that the rest is about
        self._actor = CHANCE
        self._count = _UNKNOWN  # of what may be done or happen,
        self._found: list[int] | None = None  # ... and that, where somebody has asked for it

    @property
    def here(self) -> bytes:
        """The position as bytes."""
        here: bytes = self.s.raw.tobytes()
        if here != self._here:
            self._look(here)
        return self._here

    @property
    def actor(self) -> int:
        """Who is to decide: a seat, CHANCE or OVER."""
        here: bytes = self.s.raw.tobytes()
        if here != self._here:
            self._look(here)
        return self._actor

    def listed(self) -> list[int]:
        """What may be done here, or happen, in the game's own order; not to be changed."""
        if self.actor >= CHANCE and self._count == _UNKNOWN:
            self._list()
        if self._found is None:
            self._found = self._listed[: max(self._count, 0)].tolist()
        return self._found

    def weights(self) -> list[int]:
        """How likely each outcome of chance is."""
        return self._weighed[: len(self.listed())].tolist()

    def step(self, action: int) -> None:
        """Play a legal action, or let an outcome happen."""
        self.game.step(self.t, self.s, action)

    def _look(self, here: bytes) -> None:
        """Who is asked in a position that was not known yet."""
        self._actor, self._count, self._found = self.game.actor(self.t, self.s), _UNKNOWN, None
        self._here = here

    def _list(self) -> None:
        """... and what."""
        if self._actor == CHANCE:
            self._count = self.game.outcomes(self.t, self.s, self._listed, self._weighed)
        else:
            self._count = self.game.legal(self.t, self.s, self._listed)


class QuickWalk(Walk):
    """The same by compiled kernels, on the same memory: a step and all that is to be known then are one call."""

    def __init__(self, machine: Machine, t: Any, s: Any) -> None:
        super().__init__(machine.game, t, s)
        self._advance, self._asked = machine.direct(advance), machine.direct(asked)
        self._tables, self._state = t.array(), s.array()

    def step(self, action: int) -> None:
        """Play a legal action, or let an outcome happen."""
        found = self._advance(self._tables, self._state, action, self.out, self.odds)
        self._actor, self._count, self._found = (found & 15) - 2, found >> 4, None
        self._here = self.s.raw.tobytes()

    def _look(self, here: bytes) -> None:
        found = self._asked(self._tables, self._state, self.out, self.odds)
        self._actor, self._count, self._found = (found & 15) - 2, found >> 4, None
        self._here = here
