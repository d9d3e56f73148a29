"""The tables of the database about meeting people: open rooms, who looks for a game, friends and dates.

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
    sa.Column("quick", sa.String(80), index=True),  # of a table for quick games: the game and the number of seats
    sa.Column("claimed", sa.BigInteger, nullable=False),  # until then one process fills the seats; 0: none does
    sqlite_with_rowid=False,
)

# People who look for a quick game, while they look.
SEEKERS = sa.Table(
    "seekers",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), nullable=False, unique=True),
    sa.Column("name", sa.String(64), nullable=False),  # at the table
    sa.Column("process", sa.String(32), nullable=False, index=True),  # that has the page
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),  # the process has to renew it
    sa.Column("pairing", sa.String(32), index=True),  # shared by two who are about to be paired
    sa.Column("answers", sa.Boolean, nullable=False),  # true for the one of them who has waited
    sa.Column("proposed_until", sa.BigInteger, nullable=False),  # when a pairing without an answer ends
    sa.Column("table_id", sa.String(32)),  # of those who are paired
    sqlite_with_rowid=False,
)

# Friendships have a row for each of the two.
FRIENDS = sa.Table(
    "friends",
    METADATA,
    sa.Column("person_id", sa.String(32), primary_key=True),
    sa.Column("other_id", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Who asks whom to be friends. A name is stored as it is compared, and need not be anybody's.
FRIEND_REQUESTS = sa.Table(
    "friend_requests",
    METADATA,
    sa.Column("person_id", sa.String(32), primary_key=True),
    sa.Column("look", sa.String(64), primary_key=True, index=True),
    sa.Column("name", sa.String(64), nullable=False),  # as it was typed
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

BLOCKS = sa.Table(
    "blocks",
    METADATA,
    sa.Column("person_id", sa.String(32), primary_key=True),
    sa.Column("look", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(64), nullable=False),  # as it was typed, or shown at the table
    sa.Column("other_id", sa.String(32), index=True),  # NULL if nobody had this name
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

INVITATIONS = sa.Table(
    "invitations",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), nullable=False, index=True),  # who invites
    sa.Column("look", sa.String(64), nullable=False, index=True),  # who is invited
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# A game night: an invitation for a date.
NIGHTS = sa.Table(
    "nights",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), nullable=False, index=True),  # who invites
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("title", sa.String(80), nullable=False),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("table_id", sa.String(32)),
    sqlite_with_rowid=False,
)

NIGHT_GUESTS = sa.Table(
    "night_guests",
    METADATA,
    sa.Column("night_id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), primary_key=True, index=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("answer", sa.String(8), nullable=False),  # yes, no or maybe
    sqlite_with_rowid=False,
)

COMPANY = (FRIENDS, FRIEND_REQUESTS, BLOCKS, INVITATIONS, NIGHTS, NIGHT_GUESTS)
"""The tables about friends, blocks and invitations, in which a row belongs to a person."""

LOBBY_COPIED = (OPEN_TABLES, *COMPANY)
"""The tables that a copy of a store has to have."""
