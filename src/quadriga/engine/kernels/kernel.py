"""Kernels: functions written once that run as plain Python and, linked for a game, as machine code.

A kernel works on structs, integers and arrays that its caller passes in. It allocates nothing, keeps no state,
calls only other kernels, and refers to no globals but numbers. Therefore `link` can compile it unchanged and name
the exact content that went into the machine code. Its indices count from the start: compiled code reads a negative
one outside of the array, as any that is too large, unless it is linked with `boundscheck`.

Kernels that share many arrays take them as one workspace: a NamedTuple whose fields have the types below, or are
themselves workspaces. It costs nothing in compiled code.

A slot is a name without a body, which `link` binds to a game's kernel. Entry points are kernels that call slots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

_MARK = "__quadriga__"


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Mark a function as a kernel; called directly it is plain Python."""
    setattr(function, _MARK, "kernel")
    return function


def slot(function: Callable[P, T]) -> Callable[P, T]:
    """Mark a function as a slot: a name that `link` binds to a game's kernel."""
    setattr(function, _MARK, "slot")
    return function


def native(instruction: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Mark a function of one argument that compiled code has an instruction for.

    `ctpop` and `cttz` take an integer; `copy` takes a struct and returns a copy on the stack of the caller.
    """

    def mark(function: Callable[P, T]) -> Callable[P, T]:
        setattr(function, _MARK, "native " + instruction)
        return function

    return mark


def kind(thing: object) -> str | None:
    """Return the mark of `thing`: "kernel", "slot", "native INSTRUCTION", or None."""
    return cast("str | None", getattr(thing, _MARK, None)) if callable(thing) else None


class Ints(Protocol):
    """An array of 64-bit integers that a kernel reads and writes."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


class Shorts(Ints, Protocol):
    """An array of 16-bit integers: observations."""


class Values(Ints, Protocol):
    """An array of 32-bit integers: large tables."""


class Flags(Ints, Protocol):
    """An array of 8-bit integers that are 0 or 1."""


class IntRows(Protocol):
    """Rows of 64-bit integers: `rows[i][j]`."""

    def __getitem__(self, index: int, /) -> Ints: ...


class ShortRows(Protocol):
    """Rows of 16-bit integers: one observation a row."""

    def __getitem__(self, index: int, /) -> Shorts: ...


class FlagRows(Protocol):
    """Rows of flags: one mask of legal actions a row."""

    def __getitem__(self, index: int, /) -> Flags: ...


Function = Callable[..., Any]
