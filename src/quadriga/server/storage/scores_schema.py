"""The tables of the database about what games add up to: results of finished games, and ratings.

All but `result_players` is derived from logs and can be computed again. `result_players` says who played; it has
no names. Times are in milliseconds since 1970.
"""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

# A game that was played to its end.
RESULTS = sa.Table(
    "results",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("pool", sa.String(80), nullable=False),  # the game and the size of the table, for example "ur/2"
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("uncounted", sa.String(16), nullable=False),  # the reason why it is not rated; "" if it is
    sa.Column("body", sa.LargeBinary, nullable=False),  # JSON: options, and what each seat has won
    sqlite_with_rowid=False,
)

# Who played in a seat: the id of a person, or another random id once they have deleted their account.
RESULT_PLAYERS = sa.Table(
    "result_players",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player", sa.String(32), nullable=False, index=True),
    sa.Column("key_id", sa.String(32)),  # of the person's bot that played over the network; NULL for the person
    sqlite_with_rowid=False,
)

# What a game has changed in the rating of a player: a person, or a bot over the network, by the id of its key.
RATED = sa.Table(
    "rated",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("player", sa.String(32), primary_key=True),
    sa.Column("pool", sa.String(80), nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),  # among all seats; last for whoever has left
    sa.Column("mean_before", sa.Double, nullable=False),
    sa.Column("deviation_before", sa.Double, nullable=False),
    sa.Column("mean", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),  # that count, with this one
    sqlite_with_rowid=False,
)

# The rating of a player now: what the last row of `rated` says.
RATINGS = sa.Table(
    "ratings",
    METADATA,
    sa.Column("pool", sa.String(80), primary_key=True),
    sa.Column("player", sa.String(32), primary_key=True, index=True),
    sa.Column("mean", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),  # of the last game
    sqlite_with_rowid=False,
)

# How far the results of a pool are rated: up to this game, in the order of ending. Later rows of `rated` are of an
# earlier computation, and will be replaced.
RATING_POSITIONS = sa.Table(
    "rating_positions",
    METADATA,
    sa.Column("pool", sa.String(80), primary_key=True),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("table_id", sa.String(32), nullable=False),
)

# What a review of a game says of the person in a seat, as chances from 0 to 1. It can be reviewed again.
REVIEWED = sa.Table(
    "reviewed",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("result", sa.Double, nullable=False),
    sa.Column("adjusted", sa.Double, nullable=False),  # the result without the luck of the dice
    sa.Column("error", sa.Double, nullable=False),  # of that, the half-width of its 95 % interval; 0 if it is exact
    sqlite_with_rowid=False,
)

sa.Index("results_in_order", RESULTS.c.ended, RESULTS.c.table_id)
sa.Index("results_in_pool", RESULTS.c.pool, RESULTS.c.ended, RESULTS.c.table_id)
sa.Index("rated_in_order", RATED.c.pool, RATED.c.ended, RATED.c.table_id)
sa.Index("rated_of_player", RATED.c.player, RATED.c.pool, RATED.c.ended, RATED.c.table_id)
sa.Index("ratings_best", RATINGS.c.pool, RATINGS.c.mean, RATINGS.c.player)

SCORES_COPIED = (RESULTS, RESULT_PLAYERS, RATED, RATINGS, RATING_POSITIONS, REVIEWED)
"""The tables that a copy of a store has to have."""
