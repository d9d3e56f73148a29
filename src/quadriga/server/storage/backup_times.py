"""When a store was backed up, and when a backup was last restored to try it: facts that the store itself keeps."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import sqlalchemy as sa

from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.people_schema import SITE

MADE, RESTORED = "backup-made", "backup-restored"
KINDS = (MADE, RESTORED)
_PUT = "INSERT INTO site (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"


def note(address: Path | str, kind: str) -> None:
    """Note that something was done just now, also while servers run."""
    value = str(now()).encode()
    if isinstance(address, str):
        asyncio.run(_note_shared(address, kind, value))
        return
    uri = f"{address.absolute().as_uri()}?mode=rw"
    with (
        suppress(sqlite3.Error),  # an older or read-only store has a good backup, too
        closing(sqlite3.connect(uri, uri=True, timeout=10)) as disk,
        disk,
    ):
        disk.execute(_PUT, (kind, value))


async def _note_shared(url: str, kind: str, value: bytes) -> None:
    def work(connection: sa.Connection) -> None:
        connection.execute(sa.delete(SITE).where(SITE.c.name == kind))
        connection.execute(SITE.insert().values(name=kind, value=value))

    store = await open_store(url)
    try:
        await store.transact(work)
    finally:
        await store.close()


async def read(store: Storage) -> dict[str, int]:
    """Return when each was done last, in milliseconds since 1970; 0: never."""
    rows = await store.read(sa.select(SITE.c.name, SITE.c.value).where(SITE.c.name.in_(KINDS)))
    return {**dict.fromkeys(KINDS, 0), **{name: int(bytes(value)) for name, value in rows}}
