"""The folder of a study: its plan, its tables as Parquet, and the finished chunks of one that is under way."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.folders import data_path
from quadriga.games import find
from quadriga.lab.study import schema
from quadriga.lab.study.plan import StudyPlan
from quadriga.version import __version__

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1  # raised when columns change their meaning
PLAN = "plan.json"
_PARTS = "parts"
_NAME = re.compile(r"(\d+)-(\d+)\.(\w+)\.parquet")


class Document(StudyPlan, frozen=True, kw_only=True):
    """The content of `plan.json`: the plan, versions, lineups, and whether the tables are complete."""

    lab: int
    version: str  # of Quadriga
    rules_version: int  # of the game
    lineups: list[list[str]]  # by number: the player on each seat
    is_finished: bool  # whether the tables are complete


def default_folder() -> Path:
    """Return the folder for reports: `QUADRIGA_REPORTS`, else the one that the system has for a user's data."""
    return data_path("reports", "QUADRIGA_REPORTS")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep the folder of a study for the block. Raise FileError if another command works on it."""
    with files.file_errors(folder, "file.write"):
        folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # some systems open no folders; they cannot lock one
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            if not files.try_lock(handle):
                raise FileError("lab.busy", path=str(folder))
        yield


class Store:
    """The folder of one study. It exists; chunks are kept as they come, and become tables when all are there."""

    def __init__(self, folder: Path, plan: StudyPlan) -> None:
        self.folder, self.plan = folder, plan  # the plan may get the reviews that the folder has
        self._parts = folder / _PARTS
        self._tables = schema.tables(find(plan.game))
        with files.file_errors(folder, "file.write"):
            self._open()

    @property
    def is_finished(self) -> bool:
        """Return whether the tables of the plan are complete."""
        return bool((kept := self._read()) and kept.is_finished)

    def has(self, table: str, first: int, count: int) -> bool:
        """Return whether a chunk of games is kept. The table of games is written last."""
        return any(begin <= first and first + count <= begin + size for begin, size in self._kept(table))

    def put(self, first: int, count: int, tables: dict[str, pl.DataFrame]) -> None:
        """Keep the tables of a chunk."""
        for name in sorted(tables, key=lambda each: each == "games"):
            self._write(self._part(first, count, name), tables[name])

    def finish(self) -> None:
        """Join the chunks into tables, mark the study as finished, and remove the chunks."""
        import polars as pl

        with files.file_errors(self.folder, "file.write"):
            for table in self._tables:
                parts = [self._part(*kept, table.name) for kept in self._kept(table.name)]
                if parts:
                    with files.atomic_replace(self._table(table.name)) as fresh:
                        pl.scan_parquet(parts).sink_parquet(fresh, compression="zstd")
            self._note(is_finished=True)
            shutil.rmtree(self._parts)

    def read(self, table: str) -> pl.DataFrame:
        """Return a finished table."""
        import polars as pl

        return pl.read_parquet(self._table(table))

    def _open(self) -> None:
        """Begin a study, or continue one with the same plan. More games may be asked for, not fewer.

        Reviews that are there already stay.
        """
        kept = self._read()
        if kept is None:
            if any(self.folder.glob("*.parquet")):
                raise FileError("lab.folder", path=str(self.folder))
        else:
            own = _plan_of(kept)
            known = kept.lab, kept.version, kept.rules_version
            if known != (FORMAT, __version__, find(own.game).version) or not self.plan.continues(own):
                raise FileError("lab.plan", path=str(self.folder))
            if self.plan.games < own.games:
                raise OptionError("lab.fewer", kept=own.games, path=str(self.folder))
            self.plan = msgspec.structs.replace(self.plan, reviews=max(self.plan.reviews, own.reviews))
            if kept.is_finished:
                if own == msgspec.structs.replace(self.plan, files=own.files):
                    shutil.rmtree(self._parts, ignore_errors=True)
                    self._note(is_finished=True)  # files may have other names now
                    return
                self._take_apart(own)
        self._parts.mkdir(exist_ok=True)
        self._note(is_finished=False)

    def _take_apart(self, own: StudyPlan) -> None:
        """Turn the tables back into a chunk, without games of an incomplete chunk, so that more can be added."""
        import polars as pl

        shutil.rmtree(self._parts, ignore_errors=True)
        self._parts.mkdir()
        whole = own.games if own.games == self.plan.games else own.games - own.games % own.games_at_once
        for table in sorted(self._tables, key=lambda each: each.name == "games"):
            if not self._table(table.name).exists():
                continue
            frame, until = self.read(table.name), whole
            if table.name == "reviews":
                until = own.reviews
            elif "first" in frame.columns and "game" not in frame.columns:
                frame = frame.filter(pl.col("first") < whole)
            else:
                frame = frame.filter(pl.col("game") < whole)
            if until:
                self._write(self._part(0, until, table.name), frame)

    def _kept(self, table: str) -> list[tuple[int, int]]:
        """Return the chunks of a table that are kept, in order.

        The last chunk of a study may be a smaller one. When more games are asked for, a whole one replaces it.
        """
        found = (_NAME.fullmatch(path.name) for path in self._parts.glob(f"*.{table}.parquet"))
        return sorted(dict(sorted((int(match[1]), int(match[2])) for match in found if match)).items())

    def _part(self, first: int, count: int, table: str) -> Path:
        return self._parts / f"{first:09d}-{count}.{table}.parquet"

    def _table(self, table: str) -> Path:
        return self.folder / f"{table}.parquet"

    def _write(self, path: Path, frame: pl.DataFrame) -> None:
        with files.file_errors(path, "file.write"), files.atomic_replace(path) as fresh:
            frame.write_parquet(fresh, compression="zstd")

    def _note(self, *, is_finished: bool) -> None:
        """Write `plan.json`: the plan, versions, lineups, and whether the tables are complete."""
        document = Document(
            **{name: getattr(self.plan, name) for name in StudyPlan.__struct_fields__},
            lab=FORMAT,
            version=__version__,
            rules_version=find(self.plan.game).version,
            lineups=self.plan.lineups,
            is_finished=is_finished,
        )
        text = json.dumps(msgspec.to_builtins(document), indent=2, ensure_ascii=False)
        files.write_text(str(self.folder / PLAN), text + "\n")

    def _read(self) -> Document | None:
        """Return the plan in the folder, or None if there is none. Refuse a file that is something else."""
        path = self.folder / PLAN
        if not path.exists():
            return None
        try:
            return msgspec.convert(files.read_json(path), Document)
        except msgspec.ValidationError:
            raise FileError("lab.plan", path=str(self.folder)) from None


def _plan_of(kept: Document) -> StudyPlan:
    """Return the plan in a document."""
    return StudyPlan(**{name: getattr(kept, name) for name in StudyPlan.__struct_fields__})
