"""A desk: one of our games set up and linked, as every adapter needs it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from quadriga.engine import words
from quadriga.engine.errors import MissingExtraError
from quadriga.engine.game import NOBODY
from quadriga.engine.machine import Machine
from quadriga.engine.record import Record, Structured
from quadriga.games import find

if TYPE_CHECKING:
    from rich.text import Text

PACKAGE = "quadriga.adapters"

Observation = npt.NDArray[np.int16]
Mask = npt.NDArray[np.int8]


def need(module: str, extra: str, what: str) -> None:
    """Refuse with the command that helps where somebody has not installed an extra."""
    if find_spec(module) is None:
        raise MissingExtraError("extra.missing", extra=extra, what=what)


class Desk:
    """A game with its options, its tables, its starting position, and room to work."""

    def __init__(
        self, id: str, options: Mapping[str, object], seats: int | None, compiled: bool | None = None
    ) -> None:
        self.game = find(id)
        self.options, self.seats = self.game.settle(options, seats)
        self.machine = Machine(self.game, compiled=compiled)
        self.link, self.direct = self.machine.link, self.machine.direct
        self.t, start = self.game.new(self.options, self.seats)
        self.tables: Structured = self.t.array()
        self.origin: Structured = start.array()
        self.out, self.weights = self.game.scratch()
        self.written, self.weighed = self.out.data, self.weights.data  # quicker to read a few integers from
        self.width = self.game.observation(self.seats)
        self.zero_sum = self.game.id == "ur"

    def utility(self, points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """What the final scores are worth: in Ur 1 to the winner and -1 to the loser, else the scores."""
        worth = points.astype(np.float64)
        return 2.0 * worth - 1.0 if self.zero_sum else worth

    def record(self, batch: Structured) -> Any:
        """Plain Python's view of a position that lies in an array of one."""
        kind: type[Record] = self.game.state
        return kind(memoryview(batch.view(np.uint8).reshape(-1).data))

    def drawing(self, batch: Structured, seat: int = NOBODY) -> Text:
        """The position as a seat sees it, as the terminal shows it; by default as a spectator does."""
        seen = self.game.view(self.t, self.record(batch), seat)
        return self.game.draw(self.t, seen, words.of(words.preferred(), self.game.package))
