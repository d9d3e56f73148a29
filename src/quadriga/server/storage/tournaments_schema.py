"""The tables of the database about tournaments: what each is, its log, and who plays.

The log has no names and no ids of people. Times are in milliseconds since 1970.
"""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

TOURNAMENTS = sa.Table(
    "tournaments",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), nullable=False, index=True),  # who organises it; "" once deleted
    sa.Column("name", sa.String(64), nullable=False),  # of the organiser
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("starts", sa.BigInteger, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),  # open, running, over or aborted
    sa.Column("wakes", sa.BigInteger, index=True),  # when a server has to look at it next; NULL: never
    sa.Column("seed", sa.LargeBinary, nullable=False),  # the secret of the draw
    sa.Column("body", sa.LargeBinary, nullable=False),  # JSON: what the organiser has chosen
    sqlite_with_rowid=False,
)

TOURNAMENT_EVENTS = sa.Table(
    "tournament_events",
    METADATA,
    sa.Column("tournament_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),  # JSON
    sqlite_with_rowid=False,
)

# Who the players of a log are.
TOURNAMENT_PLAYERS = sa.Table(
    "tournament_players",
    METADATA,
    sa.Column("tournament_id", sa.String(32), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),  # the number in the log
    sa.Column("person_id", sa.String(32), index=True),  # NULL for a bot of the server, and once deleted
    sa.Column("name", sa.String(64), nullable=False),  # "" once deleted
    sa.Column("bot", sa.String(40)),  # the kind of a bot of the server
    sqlite_with_rowid=False,
)

sa.Index("tournaments_in_order", TOURNAMENTS.c.status, TOURNAMENTS.c.starts)
sa.Index("tournament_players_once", TOURNAMENT_PLAYERS.c.tournament_id, TOURNAMENT_PLAYERS.c.person_id, unique=True)

TOURNAMENTS_COPIED = (TOURNAMENTS, TOURNAMENT_EVENTS, TOURNAMENT_PLAYERS)
"""The tables that a copy of a store has to have."""
