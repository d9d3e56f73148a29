"""The tables of a tournament: rooms with the right people in the right seats, which begin at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.lab.tournament.state import Table
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import RoomError, StaleError, TakenError
from quadriga.server.protocol.requests import Create, SeatRequest
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.scores.tournaments.store import Known
from quadriga.server.seats.names import distinct
from quadriga.server.seats.tokens import new_id
from quadriga.server.state import events
from quadriga.server.state.events import BotControl, Moves, Sit, Status
from quadriga.server.storage import telling
from quadriga.server.storage.base import SharedStorage, now
from quadriga.server.storage.schema import TABLES

_AT_ONCE = 8  # tables that are made at once
_PACE_MS = 700  # that bots take for a move while somebody looks
_TOLD_AFTER_MS = 20_000  # who looks at the page of the tournament has come by then
_RUNNING = ("waiting", "playing", "paused")


class Tables:
    """Makes the tables of tournaments. To make one again changes nothing: it may have been half made by a process
    that was killed."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._made: set[str] = set()
        self.settled: set[str] = set()  # tables at which nobody is waited for any more

    async def make(self, known: Known) -> None:
        """Make all open tables that are not there."""
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(table: Table) -> None:
            async with slots:
                await self._make(known, table)
                self._made.add(table.id)

        missing = [each for each in known.state.open_tables.values() if each.id not in self._made]
        found = await asyncio.gather(*(one(each) for each in missing), return_exceptions=True)
        for fault in found:
            if isinstance(fault, QuadrigaError | StaleError | TakenError):
                LOGGER.warning("a table of tournament %s is not made yet: %s", known.id, fault)
            elif fault is not None:
                raise fault
        if any(found):
            raise RoomError("table.again", 503)

    async def _make(self, known: Known, table: Table) -> None:
        try:
            room = await self._registry.room(table.id)
        except RoomError as fault:
            if fault.code != "table.unknown":
                raise
            room = await self._create(known, table)
        for seat, number in enumerate(table.players):
            person_id, info = known.players[number].person_id, room.state.seats[seat]
            if person_id is None or info.kind != "person":
                continue
            person = await self._registry.people.accounts.find(person_id)
            if person is not None:
                await self._registry.take_part(room, info.holder, person)
        if known.chosen.days is None and room.state.status == "waiting":  # by days each turn is told
            await self._tell(known, table)
        async with room.exclusive() as state:
            if state.status == "waiting":
                await room.begin()
            elif state.status == "playing":
                room.schedule()

    async def _tell(self, known: Known, table: Table) -> None:
        """Tell people who are elsewhere that their table is ready: once, however often it is made."""
        told_ms = min(_TOLD_AFTER_MS, int(self._registry.settings.notice_after * 1000))
        people = [known.players[number].person_id for number in table.players]

        def work(connection: sa.Connection) -> None:
            for each in people:
                if each is not None:
                    telling.put(connection, each, telling.READY, table.id, 0, now() + told_ms)

        await self._registry.store.transact(work)

    async def _create(self, known: Known, table: Table) -> Room:
        chosen, taken, sits = known.chosen, list[str](), list[Sit]()
        for seat, number in enumerate(table.players):
            player = known.players[number]
            if player.bot is not None:
                sits.append(Sit(seat, "bot", player.bot, "", player.bot))
            else:
                name = distinct(player.name or "–", taken)
                sits.append(Sit(seat, "person", name, new_id()))
                taken.append(name)
        asked = Create(
            game=chosen.game,
            seats=[SeatRequest("open") for _ in table.players],
            name=known.name or "–",
            options=chosen.options,
            clock=chosen.clock,
            days=chosen.days,
            pace=_PACE_MS,
        )
        return await self._registry.create_seated(asked, sits, table.id, known.id)

    async def ended(self, table_ids: Sequence[str]) -> dict[str, str]:
        """Return the status of those tables at which nothing is played any more."""
        status = TABLES.c.status
        chosen = sa.select(TABLES.c.id, status).where(TABLES.c.id.in_(table_ids), status.not_in(_RUNNING))
        return dict(await self._registry.store.read(chosen)) if table_ids else {}

    async def absent(self, known: Known, tables: Sequence[Table]) -> list[tuple[Table, list[int]]]:
        """Return at which tables people have not come, and who; bots play in their places."""
        found = []
        for table in tables:
            room = await self._registry.room(table.id)
            there = await self._there(room)
            seats = [
                seat
                for seat, info in enumerate(room.state.seats)
                if info.kind == "person" and info.holder not in there
            ]
            if seats:
                moved = await self._moved(table.id)
                seats = [each for each in seats if each not in moved]
            if not seats:
                continue
            async with room.exclusive() as state:
                covers = [
                    BotControl(each, True, absent=True) for each in seats if not state.seats[each].bot_controlled
                ]
                if state.status == "playing" and covers:
                    await room.change(*covers)
            found.append((table, [table.players[each] for each in seats]))
        return found

    async def _there(self, room: Room) -> set[str]:
        """Return who looks at a room, at whatever process."""
        there = {each.holder for each in room.presence.viewers if each.holder is not None}
        store = self._registry.store
        if isinstance(store, SharedStorage):
            there |= {holder for _, holder in await store.people_at([room.state.id])}
        return there

    async def _moved(self, table_id: str) -> set[int]:
        """Return the seats for which a person has made a move."""
        moved = set[int]()
        for line in await self._registry.store.events(table_id):
            event = events.decode(line.kind, line.body)
            if isinstance(event, Moves):
                moved |= {each.seat for each in event.done if each.by == "person" and each.seat is not None}
        return moved

    async def left(self, known: Known, table: Table) -> list[int]:
        """Return the seats of people for whom a bot plays now, also those who have lost theirs by time."""
        room = await self._registry.room(table.id)
        people = [known.players[number].bot is None for number in table.players]
        return [seat for seat, info in enumerate(room.state.seats) if people[seat] and info.played_by_bot]

    async def end(self, table_ids: Sequence[str]) -> None:
        """End games whose result is decided. One that cannot be ended counts no more anyway."""
        for each in table_ids:
            try:
                await _end_game(await self._registry.room(each))
            except RoomError as fault:
                LOGGER.warning("a game of a tournament goes on although its result is decided: %s", fault)


@retried
async def _end_game(room: Room) -> None:
    async with room.exclusive() as state:
        if state.status in _RUNNING:
            await room.change(Status("ended"))
