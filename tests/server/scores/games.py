"""Results that were never played, to be rated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from quadriga.server.scores.changes import Standing
from quadriga.server.scores.ratings import Ratings
from quadriga.server.scores.results import Payment, Result, SeatResult, put
from quadriga.server.storage.base import Storage
from quadriga.server.storage.scores_schema import RATED, RATINGS, RESULT_PLAYERS


def person(name: str, place: int = 1, left: bool = False, key: str | None = None) -> SeatResult:
    """Return what became of a seat of a person, whose id is their name."""
    return SeatResult(f"holder of {name}", None, place, 10 - place, left, name, key)


def bot(level: str, place: int = 1) -> SeatResult:
    """Return what became of a seat of a bot."""
    return SeatResult("", level, place, 10 - place)


def result(
    ended: int, seats: Sequence[SeatResult], game: str = "ur", uncounted: str = "", table_id: str = ""
) -> Result:
    """Return a result; its table is named after its end."""
    return Result(table_id or f"table-{ended:06}", game, {}, ended, uncounted, list(seats))


def bribed(ended: int, *people: str, paid: int) -> Result:
    """Return the result of a game of Ben Hvrt in which the last has paid the first a bribe."""
    seats = [person(name, place) for place, name in enumerate(people, 1)]
    found = result(ended, seats, "ben-hvrt")
    found.paid = [Payment(len(people) - 1, 0, paid)]
    return found


def two(ended: int, winner: str, loser: str) -> Result:
    """Return the result of a game of two."""
    return result(ended, [person(winner, 1), person(loser, 2)])


async def add(store: Storage, *results: Result, again: bool = False) -> None:
    """Store results, and who has played."""

    def work(connection: sa.Connection) -> None:
        for each in results:
            connection.execute(sa.delete(RESULT_PLAYERS).where(RESULT_PLAYERS.c.table_id == each.table_id))
            rows = [
                {"table_id": each.table_id, "seat": number, "player": seat.player, "key_id": seat.key}
                for number, seat in enumerate(each.seats)
                if seat.player is not None
            ]
            connection.execute(RESULT_PLAYERS.insert(), rows)
            put(connection, each, again)

    await store.transact(work)


async def tables(store: Storage) -> list[list[tuple[Any, ...]]]:
    """Return everything that is stored of ratings, to the last digit."""
    found = []
    for table in (RATED, RATINGS):
        rows = await store.read(sa.select(table).order_by(*table.primary_key.columns))
        found.append([tuple(row) for row in rows])
    return found


async def standings(store: Storage, pool: str, *players: str) -> list[Standing]:
    """Return the ratings of players who all have one."""
    found = await Ratings(store).of(players, pool)
    return [found[each] for each in players]
