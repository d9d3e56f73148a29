"""Chain the logs: a hash with every event, and the number and hash of the last one for every room."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from quadriga.server.storage.base import StoredRoom
from quadriga.server.storage.chain import first, following

revision = "0003"
down_revision = "0002"

# An event that is not the next one is refused, as is the number that somebody else has taken.
_TRIGGER = """
CREATE TRIGGER log_follows AFTER INSERT ON log BEGIN
  SELECT RAISE(ABORT, 'not the next event') WHERE NOT EXISTS (
    SELECT 1 FROM heads WHERE table_id = NEW.table_id AND number = NEW.number - 1
  );
  UPDATE heads SET number = NEW.number, hash = NEW.hash WHERE table_id = NEW.table_id;
END
"""


def _log(name: str, *more: sa.Column[Any]) -> None:
    op.create_table(
        name,
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        *more,
        sqlite_with_rowid=False,
    )


def upgrade() -> None:
    """Write every log anew with its hashes."""
    op.create_table(
        "heads",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    _log("chained", sa.Column("hash", sa.LargeBinary, nullable=False))
    connection = op.get_bind()
    rooms = connection.exec_driver_sql("SELECT id, created, public, status, setup FROM tables ORDER BY id").all()
    for room in rooms:
        _chain(connection, StoredRoom._make(room))
    op.drop_table("log")
    op.rename_table("chained", "log")
    connection.exec_driver_sql(_TRIGGER)


def _chain(connection: sa.Connection, kept: StoredRoom) -> None:
    last, digest = 0, first(kept)
    rows: list[tuple[object, ...]] = []
    chosen = "SELECT number, at, kind, body FROM log WHERE table_id = ? ORDER BY number"
    for number, at, kind, body in connection.exec_driver_sql(chosen, (kept.id,)).all():
        last, digest = number, following(digest, number, at, kind, body)
        rows.append((kept.id, number, at, kind, body, digest))
    if rows:
        connection.exec_driver_sql("INSERT INTO chained VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.exec_driver_sql("INSERT INTO heads VALUES (?, ?, ?)", (kept.id, last, digest))


def downgrade() -> None:
    """Write them without."""
    op.execute("DROP TRIGGER log_follows")
    _log("plain")
    op.execute("INSERT INTO plain SELECT table_id, number, at, kind, body FROM log")
    op.drop_table("log")
    op.rename_table("plain", "log")
    op.drop_table("heads")
