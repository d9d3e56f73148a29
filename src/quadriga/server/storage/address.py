"""The address of a store: a file, or a database of PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from quadriga.engine.errors import FileError, MissingExtraError
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.storage import lock
from quadriga.server.storage.backup import version_of
from quadriga.server.storage.opening import refused, version
from quadriga.server.storage.schema import HEAD

if TYPE_CHECKING:
    from quadriga.server.storage.base import Storage


_SCHEMES = ("postgresql://", "postgres://")


async def open_store(address: Path | str) -> Storage:
    """Open a store; create or migrate it if needed. Raises FileError if it cannot be used."""
    if isinstance(address, Path):
        from quadriga.server.storage.sqlite.store import SqliteStore

        return await SqliteStore.opened(address)
    _check_database(address)
    from quadriga.server.storage.postgres.store import PostgresStore

    return await PostgresStore.opened(address)


@contextmanager
def reserved(address: Path | str) -> Iterator[None]:
    """Keep a store's file to this process for the block; any number of processes may use a database.

    Raises FileError if it is not a store, or if another process uses it.
    """
    if isinstance(address, str):
        yield
        return
    version(address)
    with lock.held(address):
        yield


def check_current(address: Path | str) -> None:
    """Raise FileError unless there is a store of this version at an address. Nothing is changed."""
    if isinstance(address, Path):
        if (found := version_of(address)) != HEAD:
            raise refused("older", address, found=found)
        return
    _check_database(address)
    from quadriga.server.storage.postgres import database

    if (found := database.version_of(address)) != HEAD:
        raise database.refused("older", address, found=found)


def _check_database(address: str) -> None:
    """Raise an error if an address is not that of a database, or if its driver is not installed."""
    if not address.startswith(_SCHEMES):
        raise FileError("store.scheme", package=PACKAGE, text=address.partition("://")[0] + "://")
    if find_spec("psycopg") is None:
        raise MissingExtraError("extra.missing", what="psycopg", extra="postgres")


def shown(address: Path | str) -> str:
    """Return an address as messages may show it: without a password."""
    if isinstance(address, Path):
        return str(address)
    from quadriga.server.storage.postgres.database import masked

    return masked(address)
