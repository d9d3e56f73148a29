"""The tables of the database for games by days: deadlines and vacations. Times are in milliseconds since 1970."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

# When a game by days has to be looked at next. A copy of what its log says, written in the same transaction.
DEADLINES = sa.Table(
    "deadlines",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("due", sa.BigInteger, nullable=False, index=True),
    sa.Column("kind", sa.String(8), nullable=False),  # warning, due, or bots: they play on without people
    sa.Column(
        "ends", sa.BigInteger, nullable=False
    ),  # when the time of the person is over; 0 if no person has to move
    sa.Column("holder", sa.String(32), nullable=False),  # the person who has to move, as the log names them
    sqlite_with_rowid=False,
)

VACATIONS = sa.Table(
    "vacations",
    METADATA,
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("begins", sa.BigInteger, primary_key=True),
    sa.Column("ends", sa.BigInteger, nullable=False),  # at the latest; brought forward when the person comes back
    sqlite_with_rowid=False,
)
