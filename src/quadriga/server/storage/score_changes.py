"""Changes of who played and of results, which have ratings computed again from the game that is concerned.

`rating_positions` says how far each pool is rated. Whoever changes something before that position moves it back, in
the same transaction. Rows that are later than the position stay until they are replaced, so lists are never empty.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from quadriga.server.storage.scores_schema import RATED, RATING_POSITIONS, RATINGS, RESULT_PLAYERS, RESULTS

_LOCK = sa.text("SELECT pg_advisory_xact_lock(7226040)")


def lock(connection: sa.Connection) -> None:
    """Let no other process change results or ratings until this transaction ends. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK)


def move_back(connection: sa.Connection, pool: str, ended: int) -> None:
    """Have the games of a pool rated again from a time on, under the lock."""
    own = RATING_POSITIONS.c.pool == pool
    known = connection.execute(sa.select(RATING_POSITIONS.c.ended).where(own)).scalar()
    if known is None:
        connection.execute(RATING_POSITIONS.insert().values(pool=pool, ended=0, table_id=""))
    elif known >= ended:
        connection.execute(sa.update(RATING_POSITIONS).where(own).values(ended=ended, table_id=""))


def forget_rated(connection: sa.Connection, table_id: str) -> None:
    """Delete what a game has changed in ratings, under the lock."""
    own = RATED.c.table_id == table_id
    rows = connection.execute(sa.select(RATED.c.pool, RATED.c.player).where(own)).all()
    connection.execute(sa.delete(RATED).where(own))
    for pool in {row.pool for row in rows}:
        show_newest(connection, pool, {row.player for row in rows if row.pool == pool})


def show_newest(connection: sa.Connection, pool: str, players: Iterable[str]) -> None:
    """Make the last rows of `rated` the ratings of some players."""
    columns = (RATED.c.mean, RATED.c.deviation, RATED.c.games, RATED.c.ended)
    for player in players:
        own = (RATED.c.pool == pool, RATED.c.player == player)
        newest = sa.select(*columns).where(*own).order_by(RATED.c.ended.desc(), RATED.c.table_id.desc()).limit(1)
        row = connection.execute(newest).mappings().first()
        connection.execute(sa.delete(RATINGS).where(RATINGS.c.pool == pool, RATINGS.c.player == player))
        if row is not None:
            connection.execute(RATINGS.insert().values(pool=pool, player=player, **row))


def merge_player(connection: sa.Connection, player: str, into: str) -> None:
    """Give the results of one person to another, and have their games rated again, from the first of either.

    A game in which both have played is not rated any more.
    """
    lock(connection)
    for pool, ended in _first_games(connection, player):
        move_back(connection, pool, ended)
    _rename(connection, player, into)


def forget_player(connection: sa.Connection, player: str, other: str) -> None:
    """Put another id, which belongs to nobody, in place of a person's. The ratings of others stay as they are."""
    lock(connection)
    _rename(connection, player, other)


def _first_games(connection: sa.Connection, player: str) -> list[tuple[str, int]]:
    """Return the pools in which somebody has results, with the end of the first."""
    joined = sa.select(RESULTS.c.pool, sa.func.min(RESULTS.c.ended)).join(
        RESULT_PLAYERS, RESULT_PLAYERS.c.table_id == RESULTS.c.table_id
    )
    found = connection.execute(joined.where(RESULT_PLAYERS.c.player == player).group_by(RESULTS.c.pool))
    return [(pool, int(ended)) for pool, ended in found]


def _rename(connection: sa.Connection, player: str, into: str) -> None:
    own = RESULT_PLAYERS.c.player == player
    connection.execute(sa.update(RESULT_PLAYERS).where(own).values(player=into))
    rows = connection.execute(sa.select(RATED.c.table_id, RATED.c.pool).where(RATED.c.player == player)).all()
    both = sa.select(RATED.c.table_id).where(RATED.c.player == into)
    connection.execute(sa.delete(RATED).where(RATED.c.player == player, RATED.c.table_id.in_(both)))
    connection.execute(sa.update(RATED).where(RATED.c.player == player).values(player=into))
    connection.execute(sa.delete(RATINGS).where(RATINGS.c.player == player))
    for pool in {row.pool for row in rows}:
        show_newest(connection, pool, [into])
