"""Results without the luck of the dice: what reviews of rated games have found, added up over a player's games.

A review is made when somebody asks for one. What it says of a seat is stored once for everybody, without a name:
who sat there is known by `result_players`. Ratings know nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import partial
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.games import find
from quadriga.server.logs import LOGGER
from quadriga.server.scores.results import Results
from quadriga.server.storage.base import Storage
from quadriga.server.storage.score_changes import lock
from quadriga.server.storage.scores_schema import RATED, RESULT_PLAYERS, REVIEWED


class _Side(msgspec.Struct):
    """What a review says of a seat, as far as it is stored: chances from 0 to 1."""

    seat: int
    result: float
    adjusted: float
    adjusted_error: float


class _Review(msgspec.Struct):
    game: str
    sides: list[_Side]
    interrupted: bool


_REVIEW = msgspec.json.Decoder(_Review)


class WithoutLuck(NamedTuple):
    """The reviewed games of a player in a pool: means of a game, from 0 to 1."""

    games: int
    result: float
    adjusted: float  # the result without luck
    error: float  # the half-width of its 95 % interval; 0 if every move was judged exactly


class Luck:
    """What reviews have found in the rated games of a store."""

    def __init__(self, store: Storage, results: Results) -> None:
        self._store, self._results = store, results

    async def keep(self, table_id: str, review: bytes) -> None:
        """Store what a review says of the people of a game of two that can be solved.

        Seats that somebody has left are not theirs, and are left out. A review stays until there is one that is at
        least as exact: of two processes one may lack solved tables. If the store fails, the reader has the review
        all the same.
        """
        try:
            await self._keep(table_id, review)
        except QuadrigaError as fault:
            LOGGER.warning("a review of %s is not stored: %s", table_id, fault)
        except Exception:
            LOGGER.exception("a review of %s is not stored", table_id)

    async def _keep(self, table_id: str, review: bytes) -> None:
        found = _REVIEW.decode(review)
        if found.interrupted or len(found.sides) != 2 or not find(found.game).is_solvable:
            return
        await self._results.store_result(table_id)  # the review may have been faster
        for result in await self._results.of([table_id]):
            rows = [
                {
                    "table_id": table_id,
                    "seat": side.seat,
                    "result": side.result,
                    "adjusted": side.adjusted,
                    "error": side.adjusted_error,
                }
                for side in found.sides
                if result.seats[side.seat].holder and not result.seats[side.seat].left
            ]
            await self._store.transact(partial(_replace, table_id, rows))

    async def of(self, players: Collection[str]) -> dict[str, dict[str, WithoutLuck]]:
        """Return what reviews have found of players, who are people or keys of bots, by player and pool."""
        if not players:
            return {}
        is_theirs = RATED.c.player == sa.func.coalesce(RESULT_PLAYERS.c.key_id, RESULT_PLAYERS.c.player)
        means = (sa.func.avg(REVIEWED.c.result), sa.func.avg(REVIEWED.c.adjusted))
        squares = sa.func.sum(REVIEWED.c.error * REVIEWED.c.error)
        selected = (
            sa.select(RATED.c.player, RATED.c.pool, sa.func.count(), *means, squares)
            .join(REVIEWED, REVIEWED.c.table_id == RATED.c.table_id)
            .join(
                RESULT_PLAYERS,
                sa.and_(
                    RESULT_PLAYERS.c.table_id == REVIEWED.c.table_id,
                    RESULT_PLAYERS.c.seat == REVIEWED.c.seat,
                    is_theirs,
                ),
            )
            .where(RATED.c.player.in_(list(players)))
            .group_by(RATED.c.player, RATED.c.pool)
        )
        found: dict[str, dict[str, WithoutLuck]] = {}
        for player, pool, games, result, adjusted, square in await self._store.read(selected):
            error = math.sqrt(square) / games
            found.setdefault(player, {})[pool] = WithoutLuck(games, float(result), float(adjusted), error)
        return found


def _replace(table_id: str, rows: list[dict[str, Any]], connection: sa.Connection) -> None:
    lock(connection)
    own = REVIEWED.c.table_id == table_id
    known = connection.execute(sa.select(sa.func.max(REVIEWED.c.error)).where(own)).scalar()
    if known is not None and any(row["error"] > known for row in rows):
        return
    connection.execute(sa.delete(REVIEWED).where(own))
    if rows:
        connection.execute(REVIEWED.insert(), rows)
