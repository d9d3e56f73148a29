"""A position for OpenSpiel's states: one struct and its choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from quadriga.engine.kernels.struct import Struct, Structured
from quadriga.games import find


class Position:
    """One struct, the player to decide, and the choices: actions, or outcomes of chance with their weights.

    OpenSpiel copies states by `deepcopy` and saves them by `pickle`; both copy the struct's bytes.
    """

    __slots__ = ("_view", "batch", "choices", "id", "player", "raw", "weights")

    def __init__(self, id: str, raw: bytearray, player: int, choices: list[int], weights: list[int]) -> None:
        self.id = id
        self.raw = raw
        self.batch: Structured = np.frombuffer(raw, find(id).rules.state.dtype)
        self.player = player
        self.choices = choices  # replaced by another list, never changed
        self.weights = weights
        self._view: Any = None

    @property
    def view(self) -> Any:
        """Return plain Python's view of the struct, made on first use."""
        if self._view is None:
            self._view = find(self.id).rules.state(memoryview(self.raw))
        return self._view

    def copy(self) -> Position:
        """Return a copy of the struct; the choices are shared."""
        return Position(self.id, bytearray(self.raw), self.player, self.choices, self.weights)

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.id, bytes(self.raw), self.player, self.choices, self.weights)

    def __str__(self) -> str:
        return describe(self.view)


def _restore(id: str, raw: bytes, player: int, choices: list[int], weights: list[int]) -> Position:
    return Position(id, bytearray(raw), player, choices, weights)


def describe(struct: Struct) -> str:
    """Return every field of a struct that is not zero; different structs give different texts."""
    parts = []
    for name in type(struct).dtype.names or ():
        value: Any = getattr(struct, name)
        if isinstance(value, int):
            if value:
                parts.append(f"{name}={value}")
            continue
        flat = np.asarray(value).ravel().tolist()
        shown = [f"{place}:{number}" for place, number in enumerate(flat) if number]
        if shown:
            parts.append(f"{name}=[{' '.join(shown)}]")
    return " ".join(parts)
