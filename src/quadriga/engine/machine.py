"""A machine runs drivers for one game, compiled where it can and plain where it must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from quadriga.engine import compiler, link
from quadriga.engine.game import Game
from quadriga.engine.kernel import Function
from quadriga.engine.options import Options
from quadriga.engine.record import Structured


class Machine:
    """Links drivers for a game: `machine.link(playouts)` runs on NumPy arrays at full speed."""

    def __init__(
        self,
        game: Game,
        *,
        compiled: bool | None = None,
        boundscheck: bool = False,
        report: compiler.Report | None = None,
        filling: link.Filling | None = None,
    ) -> None:
        self.game = game
        self.filling = {**game.filling, **(filling or {})}  # other kernels in some of the game's slots
        self.compiled = compiler.available() if compiled is None else compiled
        self.boundscheck = boundscheck
        self.report = report
        self._linked: dict[Function, Callable[..., Any]] = {}

    def link(self, driver: Function) -> Callable[..., Any]:
        """The driver with this game in its slots; asked for twice, made once."""
        if driver not in self._linked:
            self._linked[driver] = (
                compiler.compiled(driver, self.filling, boundscheck=self.boundscheck, report=self.report)
                if self.compiled
                else link.plain(driver, self.filling)
            )
        return self._linked[driver]

    def direct(self, driver: Function) -> Callable[..., Any]:
        """The same for a caller that steps single games: without the check of every argument's type.

        Only for arguments that are always the same arrays, made by this machine; others would be misread.
        """
        linked = self.link(driver)
        return compiler.direct(linked) if self.compiled else linked

    def ready(self, *drivers: Function) -> bool:
        """Whether these can be had without compiling: plain, or from the disk."""
        return not self.compiled or all(
            compiler.lies_ready(driver, self.filling, boundscheck=self.boundscheck) for driver in drivers
        )

    def records(self, options: Options, seats: int) -> tuple[Structured, Structured]:
        """Tables and starting position as arrays of one, which drivers take."""
        t, s = self.game.new(options, seats)
        return t.array(), s.array()

    def states(self, count: int) -> Structured:
        """Room for so many positions."""
        return np.zeros(count, self.game.state.dtype)
