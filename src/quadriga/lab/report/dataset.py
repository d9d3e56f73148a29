"""Read the tables of a study, and estimate from them."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from quadriga import games
from quadriga.engine.errors import FileError
from quadriga.engine.game import Game
from quadriga.engine.parts.study import Table
from quadriga.engine.text.catalogues import Localised
from quadriga.lab.statistics import Measure, ratio
from quadriga.lab.study import schema

PLAN = "plan.json"
PACKAGE = "quadriga.lab.report"


class Dataset:
    """The plan and the tables of a study in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.plan: dict[str, Any] = json.loads((folder / PLAN).read_text("utf-8"))
            self.game: Game = games.find(self.plan["game"])
        except (OSError, ValueError, KeyError, TypeError):
            raise FileError("study.folder", package=PACKAGE, path=str(folder), file=PLAN) from None
        self._tables: dict[str, pl.DataFrame] = {}

    def table(self, name: str) -> pl.DataFrame:
        """Return a table. An absent one is empty."""
        if name not in self._tables:
            self._tables[name] = self._read(name)
        return self._tables[name]

    def label(self, table: str, column: str) -> Localised:
        """Return the short name of a declared column."""
        return next(each for each in self._declared(table).columns if each.name == column).labelled()

    def _declared(self, table: str) -> Table:
        return next(each for each in schema.tables(self.game) if each.name == table)

    def _read(self, table: str) -> pl.DataFrame:
        known = self._declared(table)
        path = self.folder / f"{table}.parquet"
        if not path.exists():
            kinds = {"int": pl.Int64, "float": pl.Float64, "text": pl.String, "bool": pl.Boolean}
            return pl.DataFrame(schema={column.name: kinds[column.kind] for column in known.columns})
        try:
            found = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError):
            raise FileError("study.folder", package=PACKAGE, path=str(self.folder), file=path.name) from None
        if missing := [column.name for column in known.columns if column.name not in found.columns]:
            raise FileError("study.columns", package=PACKAGE, path=str(path), columns=missing)
        return found

    @cached_property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.plan["seats"])

    @cached_property
    def tables(self) -> Any:
        """The lookup tables of the game as it was set up."""
        return self.game.rules.new(self.plan["options"], self.seats)[0]

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.table("games"))


def rate(
    table: pl.DataFrame,
    above: pl.Expr,
    below: pl.Expr | None = None,
    *,
    is_share: bool = False,
    unit: str = "game",
) -> Measure:
    """Return the ratio estimate of two sums, by default the mean over rows, with the error between units."""
    lower = pl.len() if below is None else below.sum()
    sums = table.group_by(unit, maintain_order=True).agg(
        above.sum().cast(pl.Float64).alias("above"), lower.cast(pl.Float64).alias("below")
    )
    return ratio(sums["above"].to_numpy(), sums["below"].to_numpy(), is_share)


def values(table: pl.DataFrame, column: str) -> list[Any]:
    """Return the different values of a column, in order."""
    return sorted(table[column].unique().to_list())
