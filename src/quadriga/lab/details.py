"""The games of a simulation one by one, as columns for a data frame and as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.lab.study.data_tables import need_polars

ENDINGS = (".parquet", ".csv")

Rows = npt.NDArray[np.int64]
Columns = dict[str, Rows]
"""A value of each game, by the name of the column."""


def numbered(first: int, rows: Rows) -> Rows:
    """Return the rows of the entry point `measure`, each behind the number of its game."""
    return np.column_stack([first + np.arange(len(rows)), rows])


def columns(parts: Sequence[Rows], tallies: Sequence[str], seats: int) -> Columns:
    """Return numbered rows, in parts, as columns. The winner of a game with several is -1."""
    rows = np.concatenate([np.zeros((0, 3 + len(tallies) + seats), np.int64), *parts])
    scores = rows[:, 3 + len(tallies) :]
    best = scores == scores.max(axis=1, keepdims=True)
    winners = best.sum(axis=1)
    return {
        "game": rows[:, 0],
        "winner": np.where(winners == 1, best.argmax(axis=1), -1),
        "winners": winners,
        "decisions": rows[:, 1],
        "chances": rows[:, 2],
        **{name: rows[:, 3 + at] for at, name in enumerate(tallies)},
        **{f"score_{seat}": scores[:, seat] for seat in range(scores.shape[1])},
    }


def check_file(path: str) -> None:
    """Raise an error if the ending of a path, its folder or a missing extra does not let columns be written."""
    if Path(path).suffix not in ENDINGS:
        allowed = " | ".join(f"FILE{each}" for each in ENDINGS)
        raise OptionError("option.value", name="--out", value=path, allowed=allowed)
    need_polars()
    files.check_folder(path)


def write(path: str, found: Mapping[str, Rows]) -> None:
    """Write columns to a Parquet or CSV file, by its ending."""
    import polars as pl

    frame = pl.DataFrame(dict(found))
    with files.file_errors(path, "file.write"), files.atomic_replace(path) as fresh:
        if Path(path).suffix == ".csv":
            frame.write_csv(fresh)
        else:
            frame.write_parquet(fresh, compression="zstd")
