"""Step a match from position to position, and find the actor and legal actions once per position."""

from __future__ import annotations

import threading

from quadriga.engine.game import Game
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.kernels.struct import Struct

_ARRAYS = threading.local()  # shared by all matches: an array for each of them would take more than its state


class Stepper:
    """Step in plain Python. Compare the bytes of the state, so that changes by others are noticed."""

    def __init__(self, game: Game, t: Struct, s: Struct) -> None:
        self.game, self.t, self.s = game, t, s
        self._rules = game.rules
        self._here = b""  # the position that the fields below describe
        self._actor = CHANCE
        self._found: list[int] | None = None  # the legal actions or outcomes, once they were asked for
        self._weights: list[int] = []  # of outcomes

    @property
    def here(self) -> bytes:
        """Return the position as bytes."""
        here = self.s.raw.tobytes()
        if here != self._here:
            self._find_actor(here)
        return self._here

    @property
    def actor(self) -> int:
        """Return the seat to decide, CHANCE or OVER."""
        here = self.s.raw.tobytes()
        if here != self._here:
            self._find_actor(here)
        return self._actor

    def legal(self) -> list[int]:
        """Return the legal actions or outcomes in the game's own order; the list must not be changed."""
        actor = self.actor
        if self._found is None:
            self._found = self._find_legal() if actor >= CHANCE else []
        return self._found

    def weights(self) -> list[int]:
        """Return the weight of each outcome of chance."""
        self.legal()
        return self._weights

    def step(self, action: int) -> None:
        """Apply a legal action or an outcome of chance."""
        self._rules.step(self.t, self.s, action)

    def _find_actor(self, here: bytes) -> None:
        """Find the actor of a new position."""
        self._actor, self._found, self._weights = self._rules.actor(self.t, self.s), None, []
        self._here = here

    def _find_legal(self) -> list[int]:
        """Return the legal actions or outcomes of the position."""
        out, weights = _scratch(self.game)
        if self._actor != CHANCE:
            return out[: self._rules.legal(self.t, self.s, out)].tolist()
        count = self._rules.outcomes(self.t, self.s, out, weights)
        self._weights = weights[:count].tolist()
        return out[:count].tolist()


def _scratch(game: Game) -> tuple[memoryview, memoryview]:
    """Return the arrays of this thread that a game writes actions or outcomes and weights to."""
    sizes = game.rules.max_legal, game.rules.max_outcomes
    known: dict[tuple[int, int], tuple[memoryview, memoryview]] | None = getattr(_ARRAYS, "by_size", None)
    if known is None:
        known = _ARRAYS.by_size = {}
    if sizes not in known:
        out, weights = game.rules.scratch()
        known[sizes] = out.data, weights.data
    return known[sizes]
