"""A study: what the lab counts while games are played, and the tables, report sections and boards made of it.

Every count is declared once, as a `Column`. A `Block` of columns is a part of the row of numbers that kernels write
for a game, and the same columns are those of the tables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.kernels.kernel import Ints
from quadriga.engine.kernels.struct import Struct
from quadriga.engine.match.options import Options
from quadriga.engine.parts.variables import S, T
from quadriga.engine.text.catalogues import LANGUAGES, Localised

Kind = Literal["int", "float", "text", "bool"]
Counts = npt.NDArray[np.int64]
Values = npt.NDArray[np.generic] | Sequence[object]
Columns = Mapping[str, Values]
"""The values of a table by column: arrays or lists of equal lengths."""

BLOCK = 50  # games in a block, whose counts of spaces are added up


class Column(NamedTuple):
    """A column: its name, the type of its values, its meaning in both languages, and whether it may be empty.

    A report calls the mean of its values by `label`, its short name in English and, where there is any, in French.
    """

    name: str
    kind: Kind
    en: str
    fr: str = ""
    is_optional: bool = False
    label: tuple[str, ...] = ()

    def meaning(self, language: str) -> str:
        """Return what the column means; in English where the game has no other text."""
        return (self.fr if language == "fr" else "") or self.en

    def labelled(self) -> Localised:
        """Return its short name; its name in the table where it has no other."""
        return Localised(tuple(zip(LANGUAGES, self.label or (self.name,), strict=False)))


class Table(NamedTuple):
    """A table: the name of its Parquet file, what a row is, and its columns."""

    name: str
    row: str
    columns: tuple[Column, ...]


GAME = Column("game", "int", "The number of the game, from 0.", "Le numéro de la partie, à partir de 0.")
RACE = Column(
    "race", "int", "The number of the race in the game, from 0.", "Le numéro de la course, à partir de 0."
)
SEAT = Column("seat", "int", "The seat, from 0.", "La place, à partir de 0.")
PLAYER = Column(
    "player", "text", "The player on the seat, such as `greedy`.", "Le joueur à cette place, comme `greedy`."
)
FIRST = Column(
    "first",
    "int",
    "The number of the first game of a block of games.",
    "Le numéro de la première partie d'un bloc de parties.",
)
GAMES = Column("games", "int", "The number of games in the block.", "Le nombre de parties du bloc.")


class Block(Generic[T]):
    """Counts of the same kind in the row of a game: the same few numbers for every index.

    A count that only kernels use is a name instead of a column.
    """

    def __init__(self, shape: Callable[[T, int], tuple[int, ...]], *counts: Column | str) -> None:
        """Declare the counts; `shape` returns the numbers of indices, by the tables and the number of seats."""
        self.shape = shape
        self._names = [count if isinstance(count, str) else count.name for count in counts]
        self.columns = tuple(count for count in counts if isinstance(count, Column))
        self.width = len(counts)

    def offset(self, name: str) -> int:
        """Return the offset of a count among the counts of one index."""
        return self._names.index(name)

    def named(self, counts: Counts) -> dict[str, Counts]:
        """Return the counts of some indices by column; the last axis of the array holds an index's counts."""
        return {column.name: counts[..., self.offset(column.name)] for column in self.columns}


@dataclass(frozen=True, eq=False, kw_only=True)
class Tallies(Generic[T, S]):
    """What `quadriga sim` counts, too: a few numbers a game, whose kernels cost next to nothing."""

    columns: tuple[Column, ...]
    """The counts, in the order in which `count` writes them."""

    remember: Callable[[T, S], int]
    """Return what `count` needs to know of the position before a step, packed into one integer."""

    count: Callable[[T, int, S, int, Ints], None]
    """Add the events of a step to the counts, from `slots.OWN_COUNTS` on."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Counted(Generic[T]):
    """The counts of some games of a study, from which its tables are made."""

    t: T
    options: Options
    seats: int
    first: int  # the number of the first of these games
    players: Sequence[Sequence[str]]  # by game and seat
    rows: Counts  # a row a game
    blocks: Sequence[Block[T]]
    at: Counts  # where the common counts begin in a row, then each block
    tallied: Mapping[str, Counts]  # what the game's tallies have counted, by column
    exact: Callable[[Struct], float | None]  # the chance of seat 0 in a position, where solved tables have it

    @property
    def numbers(self) -> Counts:
        """Return the numbers of the games."""
        return self.first + np.arange(len(self.rows))

    def block(self, block: Block[T]) -> Counts:
        """Return the counts of a block: by game, by its indices, and by count."""
        shape = (*block.shape(self.t, self.seats), block.width)
        begin = int(self.at[1 + self.blocks.index(block)])
        return self.rows[:, begin : begin + math.prod(shape)].reshape(len(self.rows), *shape)


def in_blocks(make: Callable[[Counts, int], Columns], counts: Counts, first: int) -> Columns:
    """Return the columns of successive blocks of games. The variance between blocks gives the error of a total."""
    parts = [make(counts[k : k + BLOCK], first + k) for k in range(0, len(counts), BLOCK)]
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}


def indices(shape: Sequence[int]) -> list[Counts]:
    """Return `np.indices(shape)`, each flattened."""
    return [each.ravel() for each in np.indices(shape)]


def texts(names: Sequence[str], numbers: Counts) -> npt.NDArray[np.object_]:
    """Return an array with `names[number]` for each number."""
    return np.array(names, object)[numbers]


class Picture(NamedTuple):
    """A board for heat maps: its drawing as SVG, and the outline of each space, as the `d` of a path."""

    drawing: str
    outlines: Mapping[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Study(Generic[T, S]):
    """What the lab counts in a game."""

    package: str
    """The package with the `words/` of the report's sections."""

    tallies: Tallies[T, S] | None = None
    """A few counts for `quadriga sim` and the table of games. None: there are none."""

    blocks: tuple[Block[T], ...] = ()
    """The blocks of a game's row of counts, in their order there."""

    count_step: Callable[[T, S, S, int, int, Ints, Ints], None] | None = None
    """Count the events of one step: tables, state before (which may be overwritten), state after, seat or CHANCE,
    action, where each block begins, row. None: only what is common to all games is counted."""

    standing: Callable[[T, S, Ints], None] | None = None
    """Write how far ahead each seat is; the seat with the largest number leads. None: by the scores so far."""

    game_columns: tuple[Column, ...] = ()
    """More columns of the table `games`."""

    tables: tuple[Table, ...] = ()
    """More tables."""

    fill: Callable[[Counted[T]], dict[str, Columns]] | None = None
    """Return the values of `game_columns`, under `games`, and of the `tables`. None: there are none."""

    starts: Callable[[Counted[T]], Counts] | None = None
    """Return the start position of every seat in every game, from 1. None: there is none."""

    sections: str | None = None
    """The module with a function `sections` that returns the game's sections of a report. It needs the lab.
    None: the report has the sections of every game."""

    replaces: tuple[str, ...] = ()
    """The ids of common sections that the game's own replace."""

    boards: Callable[[T], dict[str, Picture]] | None = None
    """Return the boards of heat maps by their names. None: there are no heat maps."""

    reviews: int = 0
    """The number of games that are reviewed unless told otherwise: each takes a while."""

    games_at_once: int = 200
    """The number of games that a worker plays at once, so that it takes about a second."""
