"""The notation of a game: its actions and outcomes as text, in records, messages and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from quadriga.engine.kernels.rng import Rng
from quadriga.engine.parts.variables import S, T


@dataclass(frozen=True, eq=False, kw_only=True)
class Compounds(Generic[T, S]):
    """Actions that are too many to list, such as offers. Each is put together from several integers."""

    is_unfinished: Callable[[T, S], bool]
    """Return whether an action is half-built, so that the same seat has to choose the next piece."""

    parse: Callable[[T, S, str], list[int] | None]
    """Return the pieces of a written action. None: it is no compound one."""

    format: Callable[[T, S, Sequence[int]], str]
    """Return the notation of the pieces."""

    builders: Mapping[str, Callable[[T, S, Mapping[str, object]], str]] = field(default_factory=dict)
    """By family, write an action from named parts: `match.offer(to=1, ...)` calls the builder of `offer`."""

    propose: Callable[[T, S, str, Rng], str | None] | None = None
    """Return a sensible action of a family, for players that play at random, or None. None: they leave it out."""

    parse_shown: Callable[[T, S, str], str] | None = None
    """Return the notation of an action as a person types it in the terminal. None: the text as it is."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Notation(Generic[T, S]):
    """How actions and outcomes of chance are written."""

    text: Callable[[T, S, int], str]
    """Return the notation of an action or outcome in a position."""

    roller: Callable[[T, S], int]
    """Return the seat that rolls or draws now, or NOBODY."""

    is_dice_roll: Callable[[T, S], bool] | None = None
    """Return whether the outcome due is dice that a player rolls. None: no outcome is."""

    has_fixed_outcome_texts: bool = False
    """Whether an outcome has the same text in every position."""

    target: Callable[[T, S, int], str | None] | None = None
    """Return the space of the board that an action leads to, if any. None: actions lead nowhere."""

    section: Callable[[T, S], dict[str, object] | None] | None = None
    """Return the heading of the current part of a game in a record. None: a game has one part."""

    shown_text: Callable[[T, S, Sequence[int]], str] | None = None
    """Return the notation as the terminal shows it. None: the notation of records."""

    compounds: Compounds[T, S] | None = None
    """Actions from several pieces. None: every action is one integer."""

    def is_unfinished(self, t: T, s: S) -> bool:
        """Return whether an action is half-built."""
        return self.compounds is not None and self.compounds.is_unfinished(t, s)

    def write(self, t: T, s: S, actions: Sequence[int]) -> str:
        """Return the notation of an action, whether it is one integer or several pieces."""
        if self.compounds is None or len(actions) == 1:
            return self.text(t, s, actions[0])
        return self.compounds.format(t, s, actions)

    def show(self, t: T, s: S, actions: Sequence[int]) -> str:
        """Return the notation of an action as the terminal shows it, where numbers may begin with 1."""
        return self.write(t, s, actions) if self.shown_text is None else self.shown_text(t, s, actions)
