"""The part of a game for its bots: rules of thumb, settings of the search, a network, and whether it is solvable.

All functions are kernels, so that bots can play millions of games. They see what a seat may see: a bot gives them a
random position that fits what its seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.kernels.kernel import Ints
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.parts.display import Note
from quadriga.engine.parts.values import Values
from quadriga.engine.parts.variables import S, T

SearchKind = Literal["tree", "pairs", "expectimax"]
"""The algorithm of a search: an information-set tree; paired playouts of each action and the advised one; or
expectimax, for two-seat games of perfect information whose positions can be evaluated."""

FIRST_TEMPER = 16
"""The bit of the first temper; the bits below it are parts."""

WITHOUT = 256
"""By which the parts that an exploiter leaves out are multiplied; its own number is less."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Search(Generic[T, S]):
    """Settings of the search player for a game."""

    kind: SearchKind = "tree"
    """The kind of search."""

    chapter: Callable[[T, S], int] | None = None
    """Return the number of the race or round under way; a search looks no further than its end. None: the end of
    the game."""

    appraise: Callable[[T, S, Ints], None] | None = None
    """Write the value of what each seat owns at the end of a chapter, in one unit. None: the scores."""

    enough: Callable[[T, S], int] | None = None
    """Return the lead at the end of a chapter, in units of `appraise`, that counts as a win. None: any lead."""

    shortlist: Callable[[T, S, Ints, int], int] | None = None
    """Move the legal actions that are worth searching to the front; return how many. None: all are."""

    building: Callable[[T, S], bool] | None = None
    """Return whether a compound action is half-built; rules of thumb choose its other pieces. None: never."""

    unsearched: Callable[[T, S], bool] | None = None
    """Return whether a decision is left to the rules of thumb, since a search finds nothing better. None: never. An
    analysis of the position compares the actions all the same."""

    evaluate: Callable[[T, S, Ints], int] | None = None
    """Return how good a position is for seat 0 against seat 1, from -2 ** 30 to 2 ** 30; the array is the network
    of the game, or one zero. Expectimax needs it. None: every position is even."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Network(Generic[T]):
    """A network that `Search.evaluate` reads."""

    numbers: Callable[[T], npt.NDArray[np.int64]]
    """Return the weights of the network for games with these tables as one row of integers, with scratch space. Its
    values are win probabilities. A row that begins with 0 says that there is no network for these games."""

    training: str | None = None
    """The module with the functions of `quadriga train`, which needs the lab. None: it cannot be trained."""


class Said(NamedTuple):
    """A remark of a bot about its action, and the seats that hear it."""

    seats: tuple[int, ...]
    note: Note


@dataclass(frozen=True, eq=False, kw_only=True)
class Bots(Generic[T, S]):
    """The part of a game that its bots need."""

    advise: Callable[[T, S, Rng, Ints, int, int], int]
    """Return one of the n legal actions in an array, by rules of thumb. The bits of the last number are the
    `parts` to leave out, for ablation measurements, and a temper."""

    parts: tuple[str, ...] = ()
    """The names of the parts of the rules of thumb that a bot can be told to leave out, 16 at most."""

    tempers: tuple[str, ...] = ()
    """The names of the tempers that a bot can have: ways to play, of equal strength. Each is a bit, from
    `FIRST_TEMPER` on."""

    levels: Mapping[str, str] = field(default_factory=dict)
    """The player that stands for a level, such as `{"easy": "greedy:slips-40"}`, where it is not the usual one."""

    worth: Callable[[T, S, int, str], float] | None = None
    """Return the worth of a card, by its name, to a seat, in the money of the game; it depends on public things.
    Raises OptionError if there is no such card. None: no worths are known."""

    exploiters: tuple[str, ...] = ()
    """The names of bots that were written to exploit the rules of thumb; they only measure."""

    exploit: Callable[[T, S, Rng, Ints, int, int], int] | None = None
    """Return one of the n legal actions as an exploiter does. The last number is that of the exploiter, plus
    `WITHOUT` times the parts that its rules of thumb leave out. None: there are no exploiters."""

    reason: Callable[[T, S, Sequence[int]], Said | None] | None = None
    """Return what a bot says about an action in a position, such as the price for which it would not refuse. It may
    depend only on what the seats that hear it may know. None: bots say nothing."""

    search: Search[T, S] | None = None
    """Settings of the search. None: a tree search of the whole game."""

    network: Network[T] | None = None
    """A network that evaluates positions. None: there is none."""

    values: Values | None = None
    """The numbers by which the rules of thumb judge, which `quadriga train` finds. None: they are not trained."""

    is_solvable: bool = False
    """Whether `quadriga solve` solves the game: bots, reviews and the coach then look for its tables."""
