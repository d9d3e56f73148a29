"""The tables of the database about leagues: people who keep score over many games.

A league's table is nowhere stored: it is computed from results, from the games of the league, and from its log.
Times are in milliseconds since 1970.
"""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

LEAGUES = sa.Table(
    "leagues",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), nullable=False, index=True),  # the owner
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),  # whether everybody may see it
    sa.Column("code", sa.String(32), nullable=False),  # of the link that invites
    sqlite_with_rowid=False,
)

LEAGUE_MEMBERS = sa.Table(
    "league_members",
    METADATA,
    sa.Column("league_id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), primary_key=True, index=True),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("left", sa.BigInteger, nullable=False),  # 0 for whoever belongs to it
    sqlite_with_rowid=False,
)

LEAGUE_INVITATIONS = sa.Table(
    "league_invitations",
    METADATA,
    sa.Column("league_id", sa.String(32), primary_key=True),
    sa.Column("look", sa.String(64), primary_key=True, index=True),  # who is invited, as names are compared
    sa.Column("person_id", sa.String(32), nullable=False, index=True),  # who invites
    sa.Column("name", sa.String(64), nullable=False),  # as it was typed
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

LEAGUE_SEASONS = sa.Table(
    "league_seasons",
    METADATA,
    sa.Column("league_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("begins", sa.BigInteger, nullable=False),
    sa.Column("ends", sa.BigInteger),  # when it ended, or will; NULL: until the owner ends it
    sa.Column("scoring", sa.String(8), nullable=False),  # what decides: points, average, wins or score
    sa.Column("least", sa.Integer, nullable=False),  # games that somebody needs to have a place
    sa.Column("games", sa.LargeBinary, nullable=False),  # JSON: which games count, with which options
    sqlite_with_rowid=False,
)

# A table of a league. Its game counts in the season in which it ends.
LEAGUE_GAMES = sa.Table(
    "league_games",
    METADATA,
    sa.Column("league_id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True, index=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("added_by", sa.String(32), nullable=False, index=True),  # "" once they have deleted their account
    sa.Column("state", sa.String(8), nullable=False),  # played; added later: asked, until the owner has taken it
    sa.Column("open", sa.Boolean, nullable=False),  # whether others than members may sit down
    sqlite_with_rowid=False,
)

# What an owner has done, and corrections. Rows are added and never changed.
LEAGUE_LOG = sa.Table(
    "league_log",
    METADATA,
    sa.Column("league_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("author", sa.String(32), nullable=False, index=True),  # "" once they have deleted their account
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("season", sa.Integer, nullable=False),
    sa.Column("table_id", sa.String(32)),  # of the game that it is about
    sa.Column("player", sa.String(32), index=True),  # the person that it is about
    sa.Column("points", sa.Integer),
    sa.Column("text", sa.String(200), nullable=False),  # the reason, or what has changed
    sqlite_with_rowid=False,
)

LEAGUES_COPIED = (LEAGUES, LEAGUE_MEMBERS, LEAGUE_INVITATIONS, LEAGUE_SEASONS, LEAGUE_GAMES, LEAGUE_LOG)
"""The tables that a copy of a store has to have."""
