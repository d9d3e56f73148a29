"""Chain the logs: store a hash with every event, and the number and hash of the last event of every room."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

from quadriga.server.storage.base import StoredRoom
from quadriga.server.storage.chain import first_hash, next_hash

revision = "0003"
down_revision = "0002"

# The trigger moves the room's head with each event. An event that is not the next one sets the head's number to
# NULL, which NOT NULL refuses: this takes one look-up instead of two, and half the time.
_TRIGGER = """
CREATE TRIGGER log_follows AFTER INSERT ON log BEGIN
  UPDATE heads SET number = CASE number WHEN NEW.number - 1 THEN NEW.number END, hash = NEW.hash
  WHERE table_id = NEW.table_id;
END
"""

# The same for PostgreSQL. A second writer of the same number waits here for the first, and is refused.
_POSTGRES_TRIGGER = """
CREATE FUNCTION log_follows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE heads SET number = NEW.number, hash = NEW.hash
  WHERE table_id = NEW.table_id AND number = NEW.number - 1;
  IF NOT FOUND THEN RAISE unique_violation USING MESSAGE = 'the event is not the next of its log'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER log_follows AFTER INSERT ON log FOR EACH ROW EXECUTE FUNCTION log_follows()
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
    """Rewrite every log with its hashes."""
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
    for row in rooms:
        _chain(connection, StoredRoom._make(row))
    op.drop_table("log")
    op.rename_table("chained", "log")
    is_postgres = connection.dialect.name == "postgresql"
    connection.exec_driver_sql(_POSTGRES_TRIGGER if is_postgres else _TRIGGER)


def _chain(connection: sa.Connection, room: StoredRoom) -> None:
    """Copy a room's log with its hashes. A field of a wrong type gets none, and loading refuses the room."""
    last, digest = 0, _hash_or_empty(first_hash, room)
    rows: list[tuple[object, ...]] = []
    selected = "SELECT number, at, kind, body FROM log WHERE table_id = ? ORDER BY number"
    for number, at, kind, body in connection.exec_driver_sql(selected, (room.id,)).all():
        last, digest = number, _hash_or_empty(next_hash, digest, number, at, kind, body)
        rows.append((room.id, number, at, kind, body, digest))
    if rows:
        connection.exec_driver_sql("INSERT INTO chained VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.exec_driver_sql("INSERT INTO heads VALUES (?, ?, ?)", (room.id, last, digest))


def _hash_or_empty(function: Callable[..., bytes], *values: object) -> bytes:
    try:
        return function(*values)
    except (TypeError, AttributeError, struct.error):
        return b""


def downgrade() -> None:
    """Rewrite every log without hashes."""
    is_postgres = op.get_bind().dialect.name == "postgresql"
    op.execute("DROP FUNCTION log_follows CASCADE" if is_postgres else "DROP TRIGGER log_follows")
    _log("plain")
    op.execute("INSERT INTO plain SELECT table_id, number, at, kind, body FROM log")
    op.drop_table("log")
    op.rename_table("plain", "log")
    op.drop_table("heads")
