"""Recognise a file before it is opened as a store: a store, an empty file, or a foreign file to leave alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from quadriga.engine.errors import FileError
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.storage import journal
from quadriga.server.storage.schema import VERSIONS

_SQLITE_HEADER = b"SQLite format 3\0"
_TABLES = {"tables", "log", "alembic_version"}  # every version of the store has these


def refused(code: str, path: Path, **parameters: object) -> FileError:
    """Return the error for a store's file."""
    return FileError(f"store.{code}", package=PACKAGE, path=str(path), **parameters)


def version(path: Path) -> str | None:
    """Return the version of a store, None if nothing is stored yet. The file is only read.

    Raises FileError if it cannot be read, is not a store, or has a newer version.
    """
    try:
        is_empty = not path.exists() or (path.is_file() and path.stat().st_size == 0)
    except OSError as fault:
        raise refused("open", path, reason=fault.strerror) from None
    if is_empty and journal.read(path):
        raise refused("gone", path, numbers=str(journal.path_of(path)))
    if is_empty:
        return None
    if not path.is_file():
        raise refused("foreign", path)
    try:
        with path.open("rb") as file:  # SQLite does not say why it cannot open a file
            has_header = file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            return _version(connection, path)
    except OSError as fault:
        raise refused("open", path, reason=fault.strerror) from None
    except UnicodeError as fault:  # the name of a table is damaged
        raise refused("bad", path, reason=fault) from None
    except sqlite3.Error as fault:
        if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            raise (refused("bad", path, reason=fault) if has_header else refused("foreign", path)) from None
        raise refused("open", path, reason=fault) from None


def _version(connection: sqlite3.Connection, path: Path) -> str | None:
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        return None
    if not names >= _TABLES:
        raise refused("foreign", path)
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if found is None:
        raise refused("foreign", path)
    if found[0] not in VERSIONS:
        raise refused("newer", path, found=found[0], known=VERSIONS[-1])
    return str(found[0])
