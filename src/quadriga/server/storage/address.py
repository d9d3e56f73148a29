"""The address of a store: a file, or a database of PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from quadriga.engine.errors import FileError, MissingExtraError
from quadriga.server.protocol.errors import PACKAGE

if TYPE_CHECKING:
    from quadriga.server.storage.base import Storage


_SCHEMES = ("postgresql://", "postgres://")


async def open_store(address: Path | str) -> Storage:
    """Open a store; create or migrate it if needed. Raises FileError if it cannot be used."""
    if isinstance(address, Path):
        from quadriga.server.storage.sqlite.store import SqliteStore

        return await SqliteStore.opened(address)
    if not address.startswith(_SCHEMES):
        raise FileError("store.scheme", package=PACKAGE, text=address.partition("://")[0] + "://")
    try:
        from quadriga.server.storage.postgres.store import PostgresStore
    except ModuleNotFoundError as missing:
        raise MissingExtraError("extra.missing", what=missing.name, extra="postgres") from None
    return await PostgresStore.opened(address)


def shown(address: Path | str) -> str:
    """Return an address as messages may show it: without a password."""
    if isinstance(address, Path):
        return str(address)
    from quadriga.server.storage.postgres.database import masked

    return masked(address)
