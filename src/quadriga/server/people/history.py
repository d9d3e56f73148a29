"""Which games people play and have played: lists, and counts of their results."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from quadriga.server.people.person import Person
from quadriga.server.storage.base import GameSummary, Storage
from quadriga.server.storage.functions import position
from quadriga.server.storage.people_schema import GAMES, PLAYERS

PAGE = 50  # games in one answer
_MONTH_MS = 86_400_000 * 30


class SeatSummary(msgspec.Struct, array_like=True):
    """A seat in the summary of a room."""

    kind: str
    name: str = ""
    holder: str = ""
    bot: str | None = None
    place: int | None = None


_SEATS = msgspec.json.Decoder(list[SeatSummary])


class ListedGame(NamedTuple):
    """A game in a person's list."""

    table_id: str
    game: str
    status: str
    turn: int | None
    created: int
    changed: int
    ended: int
    place: int | None
    holder: str
    seats: list[SeatSummary]

    @property
    def own_seats(self) -> list[int]:
        """The seats of the person."""
        return [number for number, seat in enumerate(self.seats) if seat.holder == self.holder]

    @property
    def is_my_turn(self) -> bool:
        """True if the game waits for the person, or for nobody else but bots."""
        if self.status != "playing":
            return False
        others = {seat.holder for seat in self.seats if seat.kind == "person"} - {self.holder}
        return not others or self.turn in self.own_seats


class Filter(NamedTuple):
    """The finished games that a person asks for. What is empty or 0 does not matter."""

    game: str = ""
    place: int | None = None  # of the person; 0 for games without a result
    others: Collection[str] = ()  # names, one of which somebody else or a bot has at the table
    since: int = 0  # milliseconds
    until: int = 0


class ResultCount(NamedTuple):
    """How often a person took a place, in a game with so many seats."""

    game: str
    seats: int
    place: int | None
    games: int
    last: int


_ALL = Filter()
_COLUMNS = (
    GAMES.c.table_id,
    GAMES.c.game,
    GAMES.c.status,
    GAMES.c.turn,
    PLAYERS.c.created,
    GAMES.c.changed,
    PLAYERS.c.ended,
    PLAYERS.c.place,
    PLAYERS.c.holder,
    GAMES.c.seats,
)


class History:
    """The games of all people."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def add(self, person: Person, holder: str, summary: GameSummary, created: int) -> bool:
        """Note that a person has a part in a room; return False if somebody else has it."""
        return await self._store.transact(lambda each: add_part(each, person.id, holder, summary, created))

    async def played_by_key(self, person: Person, table_id: str, key_id: str) -> None:
        """Note that a bot has taken the seat of a person by its key: the game is not theirs."""
        own = (PLAYERS.c.person_id == person.id, PLAYERS.c.table_id == table_id, PLAYERS.c.key_id.is_(None))
        if await self._store.read(sa.select(PLAYERS.c.table_id).where(*own)):
            marked = sa.update(PLAYERS).where(*own).values(key_id=key_id)
            await self._store.transact(lambda connection: connection.execute(marked))

    async def holder(self, person: Person, table_id: str) -> str | None:
        """Return who a person is in a room; None if they have no part in it."""
        selected = sa.select(PLAYERS.c.holder).where(
            PLAYERS.c.person_id == person.id, PLAYERS.c.table_id == table_id
        )
        found = await self._store.read(selected)
        return found[0][0] if found else None

    async def is_playing(self, person: Person, table_id: str) -> bool:
        """Return whether a person has a part in a room whose game is not over."""
        own = (PLAYERS.c.person_id == person.id, PLAYERS.c.table_id == table_id, PLAYERS.c.ended == 0)
        return bool(await self._store.read(sa.select(PLAYERS.c.table_id).where(*own)))

    async def people_at(self, table_id: str) -> frozenset[str]:
        """Return the ids of the people who have a part in a room."""
        rows = await self._store.read(sa.select(PLAYERS.c.person_id).where(PLAYERS.c.table_id == table_id))
        return frozenset(row[0] for row in rows)

    async def open_games(self, person: Person) -> list[ListedGame]:
        """Return a person's games that are not over, the last changed first."""
        selected = _listed(person).where(PLAYERS.c.ended == 0).order_by(GAMES.c.changed.desc()).limit(PAGE)
        return _games(await self._store.read(selected))

    async def finished(
        self, person: Person, wanted: Filter = _ALL, before: tuple[int, str] | None = None, count: int = PAGE
    ) -> list[ListedGame]:
        """Return a person's finished games, the last first; `before` is the end and the id of the last known."""
        selected = _listed(person).where(PLAYERS.c.ended > max(0, wanted.since - 1), *_conditions(wanted))
        if before is not None:
            selected = selected.where(sa.tuple_(PLAYERS.c.ended, PLAYERS.c.table_id) < before)
        ordered = selected.order_by(PLAYERS.c.ended.desc(), PLAYERS.c.table_id.desc())
        return _games(await self._store.read(ordered.limit(count)))

    async def results(self, person: Person) -> list[ResultCount]:
        """Return how often a person took each place, by game and number of seats."""
        columns = (PLAYERS.c.game, PLAYERS.c.seats, PLAYERS.c.place)
        counted = sa.select(*columns, sa.func.count(), sa.func.max(PLAYERS.c.ended))
        own = counted.where(PLAYERS.c.person_id == person.id, PLAYERS.c.ended > 0).group_by(*columns)
        return [ResultCount._make(row) for row in await self._store.read(own.order_by(*columns))]

    async def months(self, person: Person, since: int) -> list[tuple[str, int, int, int]]:
        """Return a person's finished and won games of each game by spans of 30 days after a time."""
        span = ((PLAYERS.c.ended - since) // _MONTH_MS).label("span")
        won = sa.func.sum(sa.case((PLAYERS.c.place == 1, 1), else_=0))
        counted = sa.select(PLAYERS.c.game, span, sa.func.count(), won)
        own = counted.where(PLAYERS.c.person_id == person.id, PLAYERS.c.ended >= max(since, 1))
        rows = await self._store.read(own.group_by(PLAYERS.c.game, span).order_by(PLAYERS.c.game, span))
        return [(game, int(number), int(count), int(wins)) for game, number, count, wins in rows]

    async def tables_of(self, person: Person) -> list[tuple[str, str]]:
        """Return the rooms in which a person has a part, and who they are there."""
        selected = sa.select(PLAYERS.c.table_id, PLAYERS.c.holder).where(PLAYERS.c.person_id == person.id)
        return [tuple(row) for row in await self._store.read(selected.order_by(PLAYERS.c.table_id))]


def add_part(connection: sa.Connection, person_id: str, holder: str, summary: GameSummary, created: int) -> bool:
    """Note that a person has a part in a room; return False if somebody else has it."""
    taken = sa.select(PLAYERS.c.person_id).where(
        PLAYERS.c.table_id == summary.table_id,
        sa.or_(PLAYERS.c.holder == holder, PLAYERS.c.person_id == person_id),
    )
    if connection.execute(taken).first() is not None:
        return False
    row = {
        "person_id": person_id,
        "table_id": summary.table_id,
        "holder": holder,
        "game": summary.game,
        "seats": len(_SEATS.decode(summary.seats)),
        "created": created,
        "ended": summary.changed if summary.status in ("over", "ended", "closed") else 0,
        "place": dict(summary.places).get(holder),
    }
    connection.execute(PLAYERS.insert().values(**row))
    return True


def _listed(person: Person) -> sa.Select[Any]:
    joined = sa.select(*_COLUMNS).join(GAMES, GAMES.c.table_id == PLAYERS.c.table_id)
    return joined.where(PLAYERS.c.person_id == person.id)


def _conditions(wanted: Filter) -> Iterable[sa.ColumnElement[bool]]:
    if wanted.game:
        yield PLAYERS.c.game == wanted.game
    if wanted.place is not None:
        yield PLAYERS.c.place == wanted.place if wanted.place else PLAYERS.c.place.is_(None)
    if wanted.until:
        yield PLAYERS.c.ended < wanted.until
    if wanted.others:
        # As `SeatSummary` is encoded. No other text of a summary can look like this: its quotes would be escaped.
        parts = [msgspec.json.encode([kind, name])[:-1] for kind in ("person", "bot") for name in wanted.others]
        yield sa.or_(*(position(GAMES.c.seats, part) > 0 for part in parts))


def _games(rows: Iterable[sa.Row[Any]]) -> list[ListedGame]:
    return [ListedGame._make((*row[:-1], _SEATS.decode(row[-1]))) for row in rows]
