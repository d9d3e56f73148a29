"""Lists that are made of ratings: leaderboards, and the games that have changed a rating.

A leaderboard shows members whose profile is public, and their bots, with a sure rating, who have played lately.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from quadriga.server.people.codes import BOT
from quadriga.server.scores.changes import SURE, Change, Standing
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import PEOPLE, PLAYERS, SESSIONS
from quadriga.server.storage.schema import TABLES
from quadriga.server.storage.scores_schema import RATED, RATINGS

PAGE = 50  # lines of a leaderboard
CURVE = 200  # games of a curve in one answer
LATELY_MS = 180 * 86_400_000  # whoever has not played a game that counts for longer is not listed


class Ranked(NamedTuple):
    """A line of a leaderboard: a member, or a bot of a member with its label."""

    player: str
    name: str
    bot: str | None
    standing: Standing


class Part(NamedTuple):
    """Who plays in a room, and whether everybody may know their rating."""

    table_id: str
    holder: str
    person: str
    player: str  # the person, or the id of the key of their bot
    is_public: bool


class Boards:
    """Lists made of the ratings of a store."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def best(self, pool: str, at: int, first: int = 0, count: int = PAGE) -> list[Ranked]:
        """Return the best players of a pool, as of a time: the rows of a page."""
        owner = sa.func.coalesce(SESSIONS.c.person_id, RATINGS.c.player)
        is_bot = sa.and_(SESSIONS.c.id == RATINGS.c.player, SESSIONS.c.kind == BOT)
        columns = (RATINGS.c.mean, RATINGS.c.deviation, RATINGS.c.games, RATINGS.c.ended)
        joined = (
            sa.select(RATINGS.c.player, PEOPLE.c.name, SESSIONS.c.label, *columns)
            .select_from(RATINGS)
            .outerjoin(SESSIONS, is_bot)
            .join(PEOPLE, PEOPLE.c.id == owner)
        )
        shown = joined.where(
            RATINGS.c.pool == pool,
            RATINGS.c.deviation <= SURE,
            RATINGS.c.ended > at - LATELY_MS,
            PEOPLE.c.public,
            PEOPLE.c.name.is_not(None),
        )
        ordered = shown.order_by(RATINGS.c.mean.desc(), RATINGS.c.player.desc()).offset(first).limit(count)
        return [Ranked(row[0], row[1], row[2], Standing._make(row[3:])) for row in await self._store.read(ordered)]

    async def curve(
        self, player: str, pool: str, before: tuple[int, str] | None = None, count: int = CURVE
    ) -> list[tuple[str, Change]]:
        """Return what games have changed in a rating, the last game first, each with its table."""
        selected = sa.select(RATED).where(RATED.c.player == player, RATED.c.pool == pool)
        if before is not None:
            selected = selected.where(sa.tuple_(RATED.c.ended, RATED.c.table_id) < before)
        ordered = selected.order_by(RATED.c.ended.desc(), RATED.c.table_id.desc()).limit(count)
        return [(row.table_id, Change.of(row)) for row in await self._store.read(ordered)]

    async def known_to(self, person_id: str, table_ids: Collection[str]) -> set[str]:
        """Return the tables that everybody may know, and those where a person has played."""
        own = sa.exists().where(PLAYERS.c.table_id == TABLES.c.id, PLAYERS.c.person_id == person_id)
        shown = sa.select(TABLES.c.id).where(TABLES.c.id.in_(table_ids), sa.or_(TABLES.c.public, own))
        return {row[0] for row in await self._store.read(shown)}

    async def bots_of(self, person_id: str) -> dict[str, str]:
        """Return the labels of the keys of a person's bots."""
        selected = sa.select(SESSIONS.c.id, SESSIONS.c.label)
        own = selected.where(SESSIONS.c.person_id == person_id, SESSIONS.c.kind == BOT)
        return {row.id: row.label for row in await self._store.read(own)}

    async def parts(self, table_ids: Collection[str]) -> list[Part]:
        """Return who plays or has played in some rooms."""
        if not table_ids:
            return []
        columns = (PLAYERS.c.table_id, PLAYERS.c.holder, PLAYERS.c.person_id, PLAYERS.c.key_id, PEOPLE.c.public)
        joined = sa.select(*columns).join(PEOPLE, PEOPLE.c.id == PLAYERS.c.person_id)
        rows = await self._store.read(joined.where(PLAYERS.c.table_id.in_(list(table_ids))))
        return [Part(table, holder, person, key or person, public) for table, holder, person, key, public in rows]
