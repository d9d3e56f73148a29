"""The tables of the database about meeting people: which rooms are open to everybody.

A room is listed while it has a row in `open_tables`. Times are milliseconds since 1970.
"""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

OPEN_TABLES = sa.Table(
    "open_tables",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("opened", sa.BigInteger, nullable=False, index=True),
    sa.Column("fill_at", sa.BigInteger, index=True),  # when bots take the open seats; NULL: never
    sa.Column("claimed", sa.BigInteger, nullable=False),  # until then one process fills the seats; 0: none does
    sqlite_with_rowid=False,
)

LOBBY_COPIED = (OPEN_TABLES,)
"""The tables that a copy of a store has to have."""
