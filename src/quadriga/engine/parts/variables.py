"""Type variables of the parts. A game that is found by its id has unknown records, so these are the defaults."""

from __future__ import annotations

import msgspec
from typing_extensions import TypeVar

from quadriga.engine.kernels.record import Record

T = TypeVar("T", bound=Record, default=Record)
"""The tables of a game: everything that its options change, read-only while a game is played."""

S = TypeVar("S", bound=Record, default=Record)
"""The state of a game."""

V = TypeVar("V", bound=msgspec.Struct, default=msgspec.Struct)
"""The view of a game: all that one seat may see."""
