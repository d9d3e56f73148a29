"""Backup and restore of the host's store: whole, checked, and also while the server runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.table.refusals import PACKAGE


def backup(store: Path, target: Path) -> int:
    """Copy a store into a file of its own, as of one moment; returns how many tables are in it."""
    if not store.is_file():
        raise FileError("store.missing", package=PACKAGE, path=str(store))
    if target.exists():
        raise FileError("store.there", package=PACKAGE, path=str(target))
    return _copied(store, target)


def restore(source: Path, store: Path) -> int:
    """Put a backup in place of the host's store, which must be empty or gone."""
    if not source.is_file():
        raise FileError("store.missing", package=PACKAGE, path=str(source))
    for path in (store, store.with_name(store.name + "-wal")):
        if path.exists():
            raise FileError("store.there", package=PACKAGE, path=str(path))
    store.parent.mkdir(parents=True, exist_ok=True)
    return _copied(source, store)


def _copied(source: Path, target: Path) -> int:
    """Copy a store and check the copy; the target is whole or not there."""
    try:
        with (
            files.replaced(target) as fresh,
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=10)) as old,
            closing(sqlite3.connect(fresh)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            found = new.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise FileError("store.bad", package=PACKAGE, path=str(source), reason=found)
            return int(new.execute("SELECT count(*) FROM tables").fetchone()[0])
    except (sqlite3.Error, OSError) as fault:
        raise FileError("store.bad", package=PACKAGE, path=str(source), reason=str(fault)) from None
