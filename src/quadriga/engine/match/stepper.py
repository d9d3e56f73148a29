"""Step a match from position to position, plain or compiled, and look up the actor and legal actions once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quadriga.engine.game import Game
from quadriga.engine.kernels.single_env import find_legal, step_and_find
from quadriga.engine.kernels.slots import CHANCE

if TYPE_CHECKING:
    from quadriga.engine.kernels.machine import Machine

_UNKNOWN = -1


class Stepper:
    """A position that is played on. It compares the bytes, so other writers of the state are noticed."""

    def __init__(self, game: Game, t: Any, s: Any) -> None:
        self.game, self.t, self.s = game, t, s
        self.out, self.odds = game.scratch()
        self._listed, self._weighed = self.out.data, self.odds.data
        self._here = b""  # the position that the fields below describe
        self._actor = CHANCE
        self._count = _UNKNOWN  # of legal actions or outcomes,
        self._found: list[int] | None = None  # ... and these, if they were asked for

    @property
    def here(self) -> bytes:
        """Return the position as bytes."""
        here: bytes = self.s.raw.tobytes()
        if here != self._here:
            self._look(here)
        return self._here

    @property
    def actor(self) -> int:
        """Return who is to decide: a seat, CHANCE or OVER."""
        here: bytes = self.s.raw.tobytes()
        if here != self._here:
            self._look(here)
        return self._actor

    def listed(self) -> list[int]:
        """Return the legal actions or outcomes in the game's own order; the list must not be changed."""
        if self.actor >= CHANCE and self._count == _UNKNOWN:
            self._list()
        if self._found is None:
            self._found = self._listed[: max(self._count, 0)].tolist()
        return self._found

    def weights(self) -> list[int]:
        """Return the weight of each outcome of chance."""
        return self._weighed[: len(self.listed())].tolist()

    def step(self, action: int) -> None:
        """Play a legal action, or let an outcome happen."""
        self.game.step(self.t, self.s, action)

    def _look(self, here: bytes) -> None:
        """Find the actor of a new position."""
        self._actor, self._count, self._found = self.game.actor(self.t, self.s), _UNKNOWN, None
        self._here = here

    def _list(self) -> None:
        """Find its legal actions or outcomes."""
        if self._actor == CHANCE:
            self._count = self.game.outcomes(self.t, self.s, self._listed, self._weighed)
        else:
            self._count = self.game.legal(self.t, self.s, self._listed)


class CompiledStepper(Stepper):
    """The same with compiled kernels on the same memory: one call steps and finds the actor and legal actions."""

    def __init__(self, machine: Machine, t: Any, s: Any) -> None:
        super().__init__(machine.game, t, s)
        self._advance, self._asked = machine.direct(step_and_find), machine.direct(find_legal)
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
