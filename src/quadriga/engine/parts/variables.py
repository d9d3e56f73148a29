"""Type variables of the parts. A game that is found by its id has unknown structs, so these are the defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from quadriga.engine.kernels.struct import Struct

if TYPE_CHECKING:
    from typing_extensions import TypeVar
else:
    from typing import TypeVar as _TypeVar

    def TypeVar(name: str, *, default: object = None, **limits: object) -> _TypeVar:  # noqa: N802
        """Return a type variable. Defaults are for type checkers; Python has them from 3.13."""
        return _TypeVar(name, **limits)


T = TypeVar("T", bound=Struct, default=Struct)
"""The tables of a game: everything that its options change, read-only while a game is played."""

S = TypeVar("S", bound=Struct, default=Struct)
"""The state of a game."""

V = TypeVar("V", bound=msgspec.Struct, default=msgspec.Struct)
"""The view of a game: all that one seat may see."""

OutV = TypeVar("OutV", bound=msgspec.Struct, default=msgspec.Struct, covariant=True)
"""The view, of a match that returns it."""

InT = TypeVar("InT", bound=Struct, contravariant=True)
"""The tables, of a function that takes them."""

InV = TypeVar("InV", bound=msgspec.Struct, contravariant=True)
"""The view, of a function that takes it."""
