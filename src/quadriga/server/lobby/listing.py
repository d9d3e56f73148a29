"""The listed tables of a store: those that wait for players, and games to watch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from quadriga.server.people.history import SeatSummary
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.lobby import LobbySeat, LobbyTable
from quadriga.server.scores.boards import Boards, Part
from quadriga.server.scores.changes import Standing
from quadriga.server.scores.pools import pool_of
from quadriga.server.scores.ratings import Ratings
from quadriga.server.seats.votes import RUNNING
from quadriga.server.state.events import Setup, decode_setup
from quadriga.server.storage.base import Storage
from quadriga.server.storage.lobby_schema import OPEN_TABLES
from quadriga.server.storage.people_schema import GAMES
from quadriga.server.storage.schema import TABLES

MOST = 100  # tables that are listed, the newest first
_MOST_VALUES = 20  # of an option that is a list
_SHOWN = ("waiting", *RUNNING)
_SEATS = msgspec.json.Decoder(list[SeatSummary])
_PLAIN = (str, int, float, bool)


class Change(NamedTuple):
    """How the list differs from the one before."""

    tables: list[LobbyTable]
    gone: list[str]


class Listing:
    """The list as it was read last."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self._boards, self._ratings = Boards(store), Ratings(store)
        self._setups: dict[str, Setup] = {}  # they never change, and may be large
        self.tables: dict[str, LobbyTable] = {}
        self._people: dict[str, frozenset[str]] = {}  # who have a part in each of them

    async def read(self) -> Change:
        """Read the list; return how it has changed."""
        columns = (OPEN_TABLES.c.table_id, OPEN_TABLES.c.opened, OPEN_TABLES.c.fill_at)
        selected = sa.select(*columns, GAMES.c.status, GAMES.c.seats)
        joined = selected.join(GAMES, GAMES.c.table_id == OPEN_TABLES.c.table_id)
        rows = await self._store.read(
            joined.where(GAMES.c.status.in_(_SHOWN)).order_by(OPEN_TABLES.c.opened.desc()).limit(MOST)
        )
        await self._read_setups([row[0] for row in rows])
        known = [row for row in rows if row[0] in self._setups]
        parts = await self._boards.parts([row[0] for row in known])
        rated = await self._ratings.all_of({each.player for each in parts if each.is_public})
        public = {(each.table_id, each.holder): each.player for each in parts if each.is_public}
        found = {row[0]: _table(row, self._setups[row[0]], public, rated) for row in known}
        self._people = _people(parts)
        before, self.tables = self.tables, found
        changed = [each for each in found.values() if before.get(each.id) != each]
        return Change(changed, [each for each in before if each not in found])

    def without(self, hidden: frozenset[str]) -> list[LobbyTable]:
        """Return the tables at which none of these people has a part."""
        return [each for each in self.tables.values() if not self._people.get(each.id, frozenset()) & hidden]

    async def _read_setups(self, ids: list[str]) -> None:
        self._setups = {each: self._setups[each] for each in ids if each in self._setups}
        if new := [each for each in ids if each not in self._setups]:
            rows = await self._store.read(sa.select(TABLES.c.id, TABLES.c.setup).where(TABLES.c.id.in_(new)))
            for table_id, setup in rows:
                with suppress(RoomError):  # of a newer version, which lists it
                    self._setups[table_id] = decode_setup(bytes(setup))


def _people(parts: Iterable[Part]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for each in parts:
        found.setdefault(each.table_id, set()).add(each.person)
    return {table_id: frozenset(people) for table_id, people in found.items()}


def _table(
    row: sa.Row[Any],
    setup: Setup,
    public: Mapping[tuple[str, str], str],
    rated: Mapping[str, Mapping[str, Standing]],
) -> LobbyTable:
    """Return a table of the list. `public` is who may be rated, by table and holder; `rated` has their ratings."""
    table_id, opened, fill_at, status, seats = tuple(row)
    decoded = _SEATS.decode(bytes(seats))
    pool = pool_of(setup.game, len(decoded))
    ratings = [rated.get(public.get((table_id, each.holder), ""), {}).get(pool) for each in decoded]
    return LobbyTable(
        id=table_id,
        game=setup.game,
        status=status,
        seats=[_seat(n, each, setup, known) for n, (each, known) in enumerate(zip(decoded, ratings, strict=True))],
        options={name: value for name, value in setup.options.items() if _is_plain(value)},
        clock=setup.clock,
        days=setup.days.days if setup.days else None,
        rolls=setup.rolls,
        opened=opened,
        fill=fill_at if status == "waiting" else None,
    )


def _seat(number: int, seat: SeatSummary, setup: Setup, known: Standing | None) -> LobbySeat:
    if seat.kind == "open" and number in setup.reserved_names:
        return LobbySeat("reserved", setup.reserved_names[number], None)
    return LobbySeat(
        seat.kind, seat.name, seat.bot, None if known is None or known.is_provisional else round(known.mean)
    )


def _is_plain(value: object) -> bool:
    """Return whether an option's value is short enough for a list: a custom file is not."""
    if isinstance(value, list):
        return len(value) <= _MOST_VALUES and all(isinstance(each, _PLAIN) for each in value)
    return isinstance(value, _PLAIN)
