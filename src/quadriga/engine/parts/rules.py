"""The rules of a game: eight functions over its tables and its state, and how large their results can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic

import numpy as np
import numpy.typing as npt

from quadriga.engine.kernels import slots
from quadriga.engine.kernels.kernel import Ints, Shorts
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.match.options import Options
from quadriga.engine.parts.variables import S, T


@dataclass(frozen=True, eq=False, kw_only=True)
class Utilities(Generic[T, S]):
    """What final scores are worth to programs that learn, as OpenSpiel asks for it."""

    longest: int
    """More decisions than any known game has: a bound, not a rule that ends a game."""

    bounds: Callable[[T, S], tuple[float, float]]
    """Return the lowest and the highest utility of a seat, by the tables and the first state."""

    is_zero_sum: bool = False
    """Whether two seats play for a score of 1 or 0, which counts as 1 or -1. Else the scores count as they are."""

    passing_seat: str | None = None
    """The field of the state with the seat that has rolled. With it, that seat passes after a roll that leads to
    the next roll: programs that follow chance until a seat decides would otherwise never end."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Rules(Generic[T, S]):
    """How a game is played. All functions but `new` are kernels."""

    tables: type[T]
    """The struct of the tables."""

    state: type[S]
    """The struct of the state."""

    new: Callable[[Options, int], tuple[T, S]]
    """Return the tables and the first state, by checked options and the number of seats."""

    actor: Callable[[T, S], int]
    """Return the seat to decide, CHANCE or OVER."""

    legal: Callable[[T, S, Ints], int]
    """Write the legal actions of the seat to decide; return how many."""

    outcomes: Callable[[T, S, Ints, Ints], int]
    """Write the possible outcomes of chance and their weights; return how many."""

    step: Callable[[T, S, int], None]
    """Apply a legal action or an outcome of chance, with all that follows without a decision."""

    scores: Callable[[T, S, Ints], None]
    """Write the score of each seat."""

    observe: Callable[[T, S, int, Shorts], None]
    """Write what a seat may see, as numbers."""

    redeal: Callable[[T, S, int, Rng], None] | None = None
    """Determinize: replace what a seat cannot know by a random deal consistent with what it knows. None: the game
    has perfect information."""

    actions: int
    """Actions are integers below this."""

    max_legal: int
    """The legal actions at one decision, at most."""

    max_outcomes: int
    """The outcomes of one roll or draw, at most."""

    observation: Callable[[int], int]
    """Return how many numbers `observe` writes, by the number of seats."""

    roll: Callable[[T, S, Rng, Ints, Ints], int] | None = None
    """Return a random outcome of chance, distributed as `outcomes`. None: one of `outcomes` is drawn by weight."""

    choose: Callable[[T, S, Rng, Ints], int] | None = None
    """Return a random legal action, each equally likely. None: one of `legal` is drawn."""

    observe_again: Callable[[T, S, int, Shorts], None] | None = None
    """Do as `observe`, over an earlier observation with the same tables, or zeros. None: `observe` is used."""

    playout: Callable[[T, S, Rng, Ints, Ints, Ints], None] | None = None
    """Play a random playout and count, as `slots.play_randomly` does. None: `slots.play_randomly` is used."""

    knowledge: Mapping[object, object] = field(default_factory=dict)
    """Kernels that record what seats know of each other, for `observe` and `redeal` alone; each with a kernel that
    does nothing, which replaces it in entry points that need no such knowledge."""

    utilities: Utilities[T, S] | None = None
    """What scores are worth. None: the game is not registered with OpenSpiel, and scores count as they are."""

    @property
    def has_hidden_information(self) -> bool:
        """Return whether the game has hidden information, so that it needs `redeal`."""
        return self.redeal is not None

    @property
    def bindings(self) -> dict[object, object]:
        """Return the kernel for each slot of the entry points that the rules fill, and the structs."""
        required = ("actor", "legal", "outcomes", "step", "scores", "observe")
        return {
            slots.Tables: self.tables,
            slots.State: self.state,
            **{getattr(slots, name): getattr(self, name) for name in required},
            slots.observe_again: self.observe_again or self.observe,
            slots.redeal: self.redeal or slots.nothing_hidden,
            slots.roll: self.roll or slots.roll_by_weight,
            slots.choose: self.choose or slots.choose_listed,
            slots.playout: self.playout or slots.play_randomly,
        }

    def deal(self, t: T, s: S, seat: int, rng: Rng) -> None:
        """Determinize the state for a seat by `redeal`; change nothing in a game of perfect information."""
        if self.redeal is not None:
            self.redeal(t, s, seat, rng)

    def scratch(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return two arrays for entry points to write to: legal actions or outcomes, and weights."""
        size = max(self.max_legal, self.max_outcomes)
        return np.zeros(size, np.int64), np.zeros(size, np.int64)
