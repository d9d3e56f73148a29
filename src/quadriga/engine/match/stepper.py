"""Step a match from position to position, and find the actor and legal actions once per position."""

from __future__ import annotations

from typing import Any

from quadriga.engine.game import Game
from quadriga.engine.kernels.slots import CHANCE

_UNKNOWN = -1


class Stepper:
    """Step in plain Python. Compare the bytes of the state, so that changes by others are noticed."""

    def __init__(self, game: Game, t: Any, s: Any) -> None:
        self.game, self.t, self.s = game, t, s
        self.out, self.weight_array = game.scratch()
        self._out_view, self._weight_view = self.out.data, self.weight_array.data
        self._here = b""  # the position that the fields below describe
        self._actor = CHANCE
        self._count = _UNKNOWN  # of legal actions or outcomes
        self._found: list[int] | None = None  # the legal actions or outcomes, once they were asked for

    @property
    def here(self) -> bytes:
        """Return the position as bytes."""
        here: bytes = self.s.raw.tobytes()
        if here != self._here:
            self._find_actor(here)
        return self._here

    @property
    def actor(self) -> int:
        """Return the seat to decide, CHANCE or OVER."""
        here: bytes = self.s.raw.tobytes()
        if here != self._here:
            self._find_actor(here)
        return self._actor

    def legal(self) -> list[int]:
        """Return the legal actions or outcomes in the game's own order; the list must not be changed."""
        if self.actor >= CHANCE and self._count == _UNKNOWN:
            self._find_legal()
        if self._found is None:
            self._found = self._out_view[: max(self._count, 0)].tolist()
        return self._found

    def weights(self) -> list[int]:
        """Return the weight of each outcome of chance."""
        return self._weight_view[: len(self.legal())].tolist()

    def step(self, action: int) -> None:
        """Apply a legal action or an outcome of chance."""
        self.game.step(self.t, self.s, action)

    def _find_actor(self, here: bytes) -> None:
        """Find the actor of a new position."""
        self._actor, self._count, self._found = self.game.actor(self.t, self.s), _UNKNOWN, None
        self._here = here

    def _find_legal(self) -> None:
        """Find the legal actions or outcomes of the position."""
        if self._actor == CHANCE:
            self._count = self.game.outcomes(self.t, self.s, self._out_view, self._weight_view)
        else:
            self._count = self.game.legal(self.t, self.s, self._out_view)
