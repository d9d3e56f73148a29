"""The tables of the database about people: who they are, how they prove it, and which games they play.

`games` and the results in `players` are copies of what the logs say, for lists and statistics. Secrets are stored
as hashes only.
"""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

PEOPLE = sa.Table(
    "people",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),  # milliseconds
    sa.Column("seen", sa.BigInteger, nullable=False),  # to the day
    sa.Column("role", sa.String(16), nullable=False),  # guest, member, moderator or host
    sa.Column("name", sa.String(64)),  # of a member
    sa.Column("look", sa.String(64), unique=True),  # equal for names that look alike
    sa.Column("public", sa.Boolean, nullable=False),  # whether others may see the profile
    sa.Column("recovery_id", sa.String(16), unique=True),  # the part of the recovery code that finds the person
    sa.Column("recovery_hash", sa.LargeBinary),  # the salt and the hash of the part that proves it
)

FORMER_NAMES = sa.Table(
    "former_names",
    METADATA,
    sa.Column("look", sa.String(64), primary_key=True),
    sa.Column("person_id", sa.String(32), nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),  # until then nobody else may take the name
)

# A device of a person, or a key of one of their bots.
SESSIONS = sa.Table(
    "sessions",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("kind", sa.String(8), nullable=False),  # device or bot
    sa.Column("label", sa.String(64), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),  # to the day
    sa.Column("hash", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("renewed", sa.BigInteger, nullable=False),  # when the secret was replaced
    sa.Column("former_hash", sa.LargeBinary, unique=True),  # of the secret before
)

PASSKEYS = sa.Table(
    "passkeys",
    METADATA,
    sa.Column("id", sa.LargeBinary, primary_key=True),  # that the authenticator has given
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("uses", sa.BigInteger, nullable=False),  # as the authenticator counts them
    sa.Column("label", sa.String(64), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

# Secrets that can be used once, for a few minutes: codes for another device, challenges for passkeys.
ONE_TIME_CODES = sa.Table(
    "one_time_codes",
    METADATA,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("person_id", sa.String(32)),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
)

# The part of a person in a room.
PLAYERS = sa.Table(
    "players",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("holder", sa.String(32), nullable=False),  # as the log of the room names the person
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),  # 0 while the game is not over
    sa.Column("place", sa.Integer),  # 1 for the winner; NULL without a result
    sa.Column("key_id", sa.String(32)),  # of the bot that has taken the seat by its key; NULL if the person plays
    sqlite_with_rowid=False,
)

GAMES = sa.Table(
    "games",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("turn", sa.Integer),  # the seat to move, as everybody may know it
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("seats", sa.LargeBinary, nullable=False),  # JSON: holders, names and places
    sa.Column("turn_seat", sa.Integer),  # like `turn`, but kept while the game is paused
    sa.Column("turn_number", sa.Integer, nullable=False, server_default="0"),  # of the event that began this turn
    sqlite_with_rowid=False,
)

# What was done with an account, for its owner and the host.
AUDIT = sa.Table(
    "audit",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("person_id", sa.String(32), nullable=False, index=True),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)

# Facts about the server itself, for example the code with which the first host proves to own it.
SITE = sa.Table(
    "site",
    METADATA,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)

sa.Index("players_finished", PLAYERS.c.person_id, PLAYERS.c.ended, PLAYERS.c.table_id)
sa.Index("players_by_game", PLAYERS.c.person_id, PLAYERS.c.game, PLAYERS.c.ended, PLAYERS.c.table_id)
sa.Index("players_of_table", PLAYERS.c.table_id, PLAYERS.c.holder)

COPIED = (PEOPLE, FORMER_NAMES, SESSIONS, PASSKEYS, PLAYERS, GAMES, AUDIT, SITE)
"""The tables that a copy of a store has to have, in the order in which rows can be inserted."""
