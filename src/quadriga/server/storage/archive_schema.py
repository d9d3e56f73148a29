"""The table of the database with the logs of games that ended long ago, in a compact form."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

# The first events of a log, or all of them. A row of SQLite has a number here, unlike those of other tables: new
# rows go to the end of the table, where a backup finds them together, and a body stays in one piece.
ARCHIVE = sa.Table(
    "archive",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # of the last event in it
    sa.Column("hash", sa.LargeBinary, nullable=False),  # of that event
    sa.Column("body", sa.LargeBinary, nullable=False),  # `archive.packing`
)
