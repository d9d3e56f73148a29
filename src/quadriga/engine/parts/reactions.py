"""Reactions: seats that are asked out of turn, in windows that the others may not notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from quadriga.engine.parts.variables import S, T


@dataclass(frozen=True, eq=False, kw_only=True)
class Deals(Generic[T, S]):
    """Deals that a seat may make in a window, such as bribes. A person is asked only for one that they announce."""

    allowed: Callable[[T], bool]
    """Return whether deals may be made in this game at all."""

    family: str
    """The family of actions that are deals, as `actions` lists it: `bribe *`."""

    alone: Callable[[T, S], bool]
    """Return whether the actor is asked only because they could make a deal."""

    payments: Callable[[T, S, int, int], list[tuple[int, int]]]
    """Return who pays a seat for an action by deals made before, and how much each."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Reactions(Generic[T, S]):
    """The reaction windows of a game."""

    windows: tuple[str, ...]
    """The names of the windows in which nobody may notice which seat is asked."""

    window: Callable[[T, S], str | None]
    """Return the window in which the actor is asked, if any."""

    hides_actor: Callable[[T, S], bool]
    """Return whether the others may not know which seat is asked in this position."""

    mover: Callable[[T, S], int]
    """Return the seat whose move others react to, or NOBODY."""

    chapter: Callable[[T, S], int]
    """Return the number of the race or round, for settings of a player that hold until its end."""

    ask_all: Callable[[T, bool], None]
    """Change the tables so that windows, or with the flag all windows, also ask seats that can only pass: then the
    time of an answer reveals nothing about a hand."""

    concerns: Callable[[T, S, bool, int | None], bool] | None = None
    """Return whether the open window concerns the seat that it asks: people may choose to be asked in such windows
    only. With the flag the seat's own hand counts; without it the answer follows from public information. The
    last argument is the seat since whose action everybody has passed. None: all windows concern."""

    deals: Deals[T, S] | None = None
    """Deals that can be made in windows, if any."""
