"""Run entry points for one game: compiled if Numba is installed, else as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from quadriga.engine.game import Game
from quadriga.engine.kernels import compiler, link
from quadriga.engine.kernels.kernel import Function
from quadriga.engine.kernels.struct import Structured
from quadriga.engine.match.options import Options


class Machine:
    """Link entry points for a game: `machine.link(playouts)` runs on NumPy arrays at full speed.

    Without `knowledge`, positions do not note what seats know of each other (`Rules.knowledge`), which is faster.
    """

    def __init__(
        self,
        game: Game,
        *,
        compiled: bool | None = None,
        boundscheck: bool = False,
        report: compiler.Report | None = None,
        bindings: link.Bindings | None = None,
        knowledge: bool = True,
    ) -> None:
        self.game = game
        notes = {} if knowledge else game.rules.knowledge
        self.bindings = {**game.bindings, **notes, **(bindings or {})}  # these replace the game's own
        self.compiled = compiler.is_available() if compiled is None else compiled
        self.boundscheck = boundscheck
        self.report = report
        self._linked: dict[Function, Callable[..., Any]] = {}

    def link(self, entry: Function) -> Callable[..., Any]:
        """Return the entry point with its slots bound to this game; it is linked once."""
        if entry not in self._linked:
            self._linked[entry] = (
                compiler.compile_kernel(entry, self.bindings, boundscheck=self.boundscheck, report=self.report)
                if self.compiled
                else link.plain(entry, self.bindings)
            )
        return self._linked[entry]

    def link_bulk(self, entry: Function) -> Callable[..., Any]:
        """Return the entry point for a few long calls: ready sooner, as object code, where that can be had."""
        found = None
        if self.compiled and not self.boundscheck:
            found = compiler.load_object(entry, self.bindings, report=self.report)
        return found or self.link(entry)

    def link_unchecked(self, entry: Function) -> Callable[..., Any]:
        """Return the entry point without the check of argument types, for callers that step single games.

        The arguments must be arrays of the declared types, such as this machine makes; others are misread.
        """
        linked = self.link(entry)
        return compiler.unchecked(linked) if self.compiled else linked

    def is_ready(self, *entries: Function) -> bool:
        """Return whether these entry points need no compiling: they run plain, or are in the disk cache."""
        return not self.compiled or all(
            compiler.is_cached(entry, self.bindings, boundscheck=self.boundscheck) for entry in entries
        )

    def structs(self, options: Options, seats: int) -> tuple[Structured, Structured]:
        """Return the tables and the starting position as arrays of one element, as entry points take them."""
        t, s = self.game.rules.new(options, seats)
        return t.array(), s.array()

    def states(self, count: int) -> Structured:
        """Return an array of this many empty positions."""
        return np.zeros(count, self.game.rules.state.dtype)
