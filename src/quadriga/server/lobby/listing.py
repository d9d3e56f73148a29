"""The listed tables of a store: those that wait for players, and games to watch."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from quadriga.server.people.history import SeatSummary
from quadriga.server.protocol.lobby import LobbySeat, LobbyTable
from quadriga.server.seats.votes import RUNNING
from quadriga.server.state.events import Setup, decode_setup
from quadriga.server.storage.base import Storage
from quadriga.server.storage.lobby_schema import OPEN_TABLES
from quadriga.server.storage.people_schema import GAMES, PLAYERS
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
        found = {row[0]: _table(row, self._setups[row[0]]) for row in rows if row[0] in self._setups}
        self._people = await self._read_people(list(found))
        before, self.tables = self.tables, found
        changed = [each for each in found.values() if before.get(each.id) != each]
        return Change(changed, [each for each in before if each not in found])

    def without(self, hidden: frozenset[str]) -> list[LobbyTable]:
        """Return the tables at which none of these people has a part."""
        return [each for each in self.tables.values() if not self._people.get(each.id, frozenset()) & hidden]

    async def _read_people(self, ids: list[str]) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        selected = sa.select(PLAYERS.c.table_id, PLAYERS.c.person_id).where(PLAYERS.c.table_id.in_(ids))
        for table_id, person_id in await self._store.read(selected) if ids else ():
            found.setdefault(table_id, set()).add(person_id)
        return {table_id: frozenset(people) for table_id, people in found.items()}

    async def _read_setups(self, ids: list[str]) -> None:
        self._setups = {each: self._setups[each] for each in ids if each in self._setups}
        if new := [each for each in ids if each not in self._setups]:
            rows = await self._store.read(sa.select(TABLES.c.id, TABLES.c.setup).where(TABLES.c.id.in_(new)))
            self._setups.update((table_id, decode_setup(bytes(setup))) for table_id, setup in rows)


def _table(row: sa.Row[Any], setup: Setup) -> LobbyTable:
    table_id, opened, fill_at, status, seats = tuple(row)
    return LobbyTable(
        id=table_id,
        game=setup.game,
        status=status,
        seats=[_seat(n, each, setup) for n, each in enumerate(_SEATS.decode(bytes(seats)))],
        options={name: value for name, value in setup.options.items() if _is_plain(value)},
        clock=setup.clock,
        rolls=setup.rolls,
        opened=opened,
        fill=fill_at if status == "waiting" else None,
    )


def _seat(number: int, seat: SeatSummary, setup: Setup) -> LobbySeat:
    if seat.kind == "open" and number in setup.reserved_names:
        return LobbySeat("reserved", setup.reserved_names[number], None)
    return LobbySeat(seat.kind, seat.name, seat.bot)


def _is_plain(value: object) -> bool:
    """Return whether an option's value is short enough for a list: a custom file is not."""
    if isinstance(value, list):
        return len(value) <= _MOST_VALUES and all(isinstance(each, _PLAIN) for each in value)
    return isinstance(value, _PLAIN)
