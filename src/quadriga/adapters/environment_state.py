"""Set up and link a game for an adapter."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import MissingExtraError
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.struct import Struct, Structured
from quadriga.engine.text import catalogues
from quadriga.games import find

if TYPE_CHECKING:
    from rich.text import Text

PACKAGE = "quadriga.adapters"

Observation = npt.NDArray[np.int16]
Mask = npt.NDArray[np.int8]


def need(module: str, extra: str, what: str) -> None:
    """Raise MissingExtraError, which says how to install the extra, if a module is not installed."""
    if find_spec(module) is None:
        raise MissingExtraError("extra.missing", extra=extra, what=what)


class GameSetup:
    """A game with its options, tables and starting position, and arrays to work in."""

    def __init__(
        self, id: str, options: Mapping[str, object], seats: int | None, compiled: bool | None = None
    ) -> None:
        self.game = find(id)
        self.options, self.seats = self.game.resolve_options(options, seats)
        self.machine = Machine(self.game, compiled=compiled)
        self.link, self.direct = self.machine.link, self.machine.link_unchecked
        self.t, start = self.game.rules.new(self.options, self.seats)
        self.tables: Structured = self.t.array()
        self.origin: Structured = start.array()
        self.out, self.weights = self.game.rules.scratch()
        self.out_view, self.weights_view = self.out.data, self.weights.data  # faster for reading a few integers
        self.width = self.game.rules.observation(self.seats)
        utilities = self.game.rules.utilities
        self.zero_sum = utilities is not None and utilities.is_zero_sum

    def utility(self, points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the utility of final scores: 1 and -1 in a game for a win alone, else the scores."""
        worth = points.astype(np.float64)
        return 2.0 * worth - 1.0 if self.zero_sum else worth

    def struct(self, batch: Structured) -> Any:
        """Return the position of a one-element array as a state struct that shares its memory."""
        kind: type[Struct] = self.game.rules.state
        return kind(memoryview(batch.view(np.uint8).reshape(-1).data))

    def drawing(self, batch: Structured, seat: int = NOBODY) -> Text:
        """Return the position as the terminal shows it to a seat, by default to a spectator."""
        seen = self.game.display.view(self.t, self.struct(batch), seat)
        return self.game.display.render_text(self.t, seen, catalogues.of(catalogues.preferred(), self.game.package))
