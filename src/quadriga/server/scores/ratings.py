"""Ratings of all players, computed in the order in which games ended.

Every process may compute at any time: one after the other takes the next games of a pool, in one transaction each.
The same results give the same ratings, to the last digit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from quadriga.server.scores.changes import Change, Standing, changes, rated_as
from quadriga.server.scores.results import COLUMNS, Result, decoded, players_at
from quadriga.server.storage.base import Storage
from quadriga.server.storage.score_changes import lock, show_newest
from quadriga.server.storage.scores_schema import RATED, RATING_POSITIONS, RATINGS, RESULTS

BATCH = 100  # games that are rated in one transaction
_STANDING = (RATED.c.mean, RATED.c.deviation, RATED.c.games, RATED.c.ended)


class Ratings:
    """The ratings of a store."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def update(self) -> int:
        """Rate all games that are not rated yet; return how many there were."""
        count = 0
        for pool in await self._unrated_pools():
            while done := await self.rate(pool):
                count += done
        return count

    async def pools(self) -> list[str]:
        """Return the pools that have results."""
        selected = sa.select(RATING_POSITIONS.c.pool).order_by(RATING_POSITIONS.c.pool)
        return [row[0] for row in await self._store.read(selected)]

    async def _unrated_pools(self) -> list[str]:
        """Return the pools that have results which are not rated yet."""
        known = RATING_POSITIONS.c
        later = sa.tuple_(RESULTS.c.ended, RESULTS.c.table_id) > sa.tuple_(known.ended, known.table_id)
        has_more = sa.exists().where(RESULTS.c.pool == known.pool, later)
        return [
            row[0] for row in await self._store.read(sa.select(known.pool).where(has_more).order_by(known.pool))
        ]

    async def rate(self, pool: str, count: int = BATCH) -> int:
        """Rate the next games of a pool; return how many there were."""
        return await self._store.transact(lambda connection: rate(connection, pool, count))

    async def of(self, players: Collection[str], pool: str) -> dict[str, Standing]:
        """Return the ratings of those players who have one in a pool: people, or bots by the id of their key."""
        return {each: found[pool] for each, found in (await self.all_of(players, pool)).items()}

    async def all_of(self, players: Collection[str], pool: str | None = None) -> dict[str, dict[str, Standing]]:
        """Return the ratings of players by player and pool."""
        if not players:
            return {}
        columns = (RATINGS.c.player, RATINGS.c.pool, RATINGS.c.mean, RATINGS.c.deviation)
        selected = sa.select(*columns, RATINGS.c.games, RATINGS.c.ended).where(RATINGS.c.player.in_(list(players)))
        if pool is not None:
            selected = selected.where(RATINGS.c.pool == pool)
        found: dict[str, dict[str, Standing]] = {}
        for row in await self._store.read(selected.order_by(RATINGS.c.pool)):
            found.setdefault(row.player, {})[row.pool] = Standing._make(row[2:])
        return found

    async def changes(self, table_ids: Sequence[str]) -> dict[str, dict[str, Change]]:
        """Return what games have changed, by table and player. Games that are not rated yet are missing."""
        rows = await self._store.read(sa.select(RATED).where(RATED.c.table_id.in_(list(table_ids))))
        found: dict[str, dict[str, Change]] = {}
        for row in rows:
            found.setdefault(row.table_id, {})[row.player] = Change.of(row)
        return found


def rate(connection: sa.Connection, pool: str, count: int) -> int:
    """Rate the next games of a pool; return how many there were."""
    lock(connection)
    own = RATING_POSITIONS.c.pool == pool
    selected = sa.select(RATING_POSITIONS.c.ended, RATING_POSITIONS.c.table_id).where(own)
    position = connection.execute(selected).first()
    if position is None:
        return 0
    results = _next_results(connection, pool, (position[0], position[1]), count)
    if not results:
        return 0
    players = {who for result in results for seat in result.seats if (who := rated_as(seat)) is not None}
    known = _standings(connection, pool, players, (position[0], position[1]))
    rows: list[dict[str, object]] = []
    for result in results:
        for change in changes(result, known):
            known[change.player] = change.after
            rows.append(_row(result, pool, change))
    _replace(connection, pool, [each.table_id for each in results], rows)
    last = results[-1]
    connection.execute(sa.update(RATING_POSITIONS).where(own).values(ended=last.ended, table_id=last.table_id))
    return len(results)


def _next_results(connection: sa.Connection, pool: str, after: tuple[int, str], count: int) -> list[Result]:
    later = sa.tuple_(RESULTS.c.ended, RESULTS.c.table_id) > after
    selected = sa.select(*COLUMNS).where(RESULTS.c.pool == pool, later)
    rows = connection.execute(selected.order_by(RESULTS.c.ended, RESULTS.c.table_id).limit(count)).all()
    return decoded(rows, connection.execute(players_at([row[0] for row in rows]))) if rows else []


def _standings(
    connection: sa.Connection, pool: str, players: Collection[str], until: tuple[int, str]
) -> dict[str, Standing]:
    """Return the ratings of players after a game; those who are new then are missing."""
    found = {}
    for player in players:
        own = (RATED.c.player == player, RATED.c.pool == pool)
        until_then = sa.tuple_(RATED.c.ended, RATED.c.table_id) <= until
        newest = sa.select(*_STANDING).where(*own, until_then)
        row = connection.execute(newest.order_by(RATED.c.ended.desc(), RATED.c.table_id.desc()).limit(1)).first()
        if row is not None:
            found[player] = Standing._make(row)
    return found


def _replace(connection: sa.Connection, pool: str, table_ids: Sequence[str], rows: list[dict[str, object]]) -> None:
    """Put new rows in place of those that games have, and show the newest."""
    games = RATED.c.table_id.in_(table_ids)
    players = {row[0] for row in connection.execute(sa.select(RATED.c.player).where(games))}
    connection.execute(sa.delete(RATED).where(games))
    if rows:
        connection.execute(RATED.insert(), rows)
    show_newest(connection, pool, sorted(players | {str(row["player"]) for row in rows}))


def _row(result: Result, pool: str, change: Change) -> dict[str, object]:
    return {
        "table_id": result.table_id,
        "player": change.player,
        "pool": pool,
        "ended": result.ended,
        "place": change.place,
        "mean_before": change.before.mean,
        "deviation_before": change.before.deviation,
        "mean": change.after.mean,
        "deviation": change.after.deviation,
        "games": change.after.games,
    }
