"""The tables of the database: rooms, their logs, heads and snapshots, their chat, and signing keys.

A room is a row of `tables`; the names in the database are those of version 0.1. `people_schema` has the tables
about people, `mail_schema` those about e-mail, `oidc_schema` that about an identity provider, `lobby_schema`
those about meeting people, `days_schema` those of games by days, `scores_schema` those of results and ratings,
`leagues_schema` those of leagues, `archive_schema` that of archived logs, `moderation_schema` those of moderation.
"""

from __future__ import annotations

import sqlalchemy as sa

VERSIONS = (
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
    "0009",
    "0010",
    "0011",
    "0012",
    "0013",
    "0014",
    "0015",
    "0016",
)
"""All migrations, the oldest first."""

HEAD = VERSIONS[-1]
"""The newest migration; a store of this version needs none."""

METADATA = sa.MetaData()

TABLES = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),  # milliseconds
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("setup", sa.LargeBinary, nullable=False),  # JSON; holds the secret seed
)

LOG = sa.Table(
    "log",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),  # JSON
    sa.Column("hash", sa.LargeBinary, nullable=False),  # over the event before it and this one: `chain`
    sqlite_with_rowid=False,
)

# The last event of every room. A trigger writes it with each event, and refuses an event that is not the next one.
# It is a separate table because the rows of `tables` can be large: a set-up may hold a custom deck.
HEADS = sa.Table(
    "heads",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

SNAPSHOTS = sa.Table(
    "snapshots",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # of the event that it was taken after
    sa.Column("body", sa.LargeBinary, nullable=False),  # packed; it shortens replays and may be deleted at any time
    sqlite_with_rowid=False,
)

CHAT = sa.Table(
    "chat",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

KEYS = sa.Table(
    "keys",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
)

sa.Index("tables_open", TABLES.c.public, TABLES.c.status)
