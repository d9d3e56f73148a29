"""The time of a store: processes on several machines compare times of one clock."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.base import now

_POSTGRES_NOW = sa.text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")


def store_now(connection: sa.Connection) -> int:
    """Return the time of the database in milliseconds since 1970; a file has that of its only process."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(_POSTGRES_NOW).scalar_one())
    return now()
