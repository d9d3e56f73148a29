"""Backup and restore of the host's store: whole, checked, and also while the server runs."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from quadriga.engine.errors import FileError
from quadriga.table.refusals import PACKAGE


def backup(store: Path, target: Path) -> int:
    """Copy a store into a file of its own, as of one moment; returns how many tables are in it."""
    if not store.is_file():
        raise _refuse("missing", store)
    if target.exists():
        raise _refuse("there", target)
    return _copied(store, target)


def restore(source: Path, store: Path) -> int:
    """Put a backup in place of the host's store, which must be empty or gone."""
    if not source.is_file():
        raise _refuse("missing", source)
    for path in (store, store.with_name(store.name + "-wal")):
        if path.exists():
            raise _refuse("there", path)
    store.parent.mkdir(parents=True, exist_ok=True)
    return _copied(source, store)


def _copied(source: Path, target: Path) -> int:
    """Through a neighbour file, so that a target is whole or not there."""
    draft = target.with_name(target.name + ".part")
    draft.unlink(missing_ok=True)
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=10)) as old,
            closing(sqlite3.connect(draft)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            found = new.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise _refuse("bad", source, reason=found)
            tables = int(new.execute("SELECT count(*) FROM tables").fetchone()[0])
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(target)
    except (sqlite3.Error, OSError) as fault:
        raise _refuse("bad", source, reason=str(fault)) from None
    finally:
        draft.unlink(missing_ok=True)
    return tables


def _refuse(code: str, path: Path, **parameters: object) -> FileError:
    return FileError(f"store.{code}", package=PACKAGE, path=str(path), **parameters)
