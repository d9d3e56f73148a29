"""Teaching: what lessons, puzzles and the coach need of a game.

The lessons themselves are files in the game's package: `learn/lessons.toml`, `first_race.toml`, `glossary.toml`
and `puzzles.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from quadriga.engine.advice import Advice
from quadriga.engine.parts.variables import S, T


@dataclass(frozen=True, kw_only=True)
class PuzzleSetup:
    """The games that puzzles are searched in."""

    grades: tuple[float, float, float]
    """The least lead of the best move over the next one, from easy to hard."""

    seats: Callable[[int], int]
    """Return the number of seats of game number n."""

    options: Callable[[int], dict[str, object]]
    """Return the options of game number n. They must leave no compound actions to choose from."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Teaching(Generic[T, S]):
    """How a game is taught."""

    place: Callable[[T, S, Mapping[str, object]], None] | None = None
    """Set up a position that a lesson describes. None: lessons start at the beginning of a game."""

    facts: Callable[[T, S, S, int, int], dict[str, int | float]] | None = None
    """Return numbers about a seat's action that lessons name, from the states before and after it; chances are
    floats. None: lessons name none."""

    coach: Callable[[T, S, int, Mapping[int, float]], Advice] | None = None
    """Return what matters to a seat now, in numbers. Its state is dealt anew wherever the seat knows nothing, and
    the advice must be the same for every such state. The mapping has exact chances to win by action, where
    solved tables have them. None: there is no coach."""

    puzzles: PuzzleSetup | None = None
    """The games in which `quadriga puzzles --make` searches. None: it does not."""

    puzzle_maker: str | None = None
    """A module with a function `make(count, seed, report)` that makes puzzles in another way, and may need the
    tables of bots. None: they are searched, if there are games to search in."""
