"""Quick games: pair a person with the next one who wants the same game. `queue` has the steps in the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.games import find
from quadriga.server.background import BackgroundTask
from quadriga.server.lobby import queue
from quadriga.server.lobby.listener import Listener
from quadriga.server.lobby.queue import Seeker, Wish
from quadriga.server.logs import LOGGER
from quadriga.server.messages.game_summary import game_summary
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.protocol.lobby import Quick, QuickChanged
from quadriga.server.protocol.requests import Create, Join, SeatRequest
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.seats.names import checked_name
from quadriga.server.storage.base import now
from quadriga.server.storage.lobby_schema import OPEN_TABLES

_BEAT_S = 1.0  # between two looks at the queue, while somebody waits here
_TRIED = 5  # quick tables with free seats that are tried


class _Search:
    """A page that looks for a quick game."""

    def __init__(self, listener: Listener, person: Person, wish: Wish) -> None:
        self.listener, self.person, self.wish = listener, person, wish
        self.row_id = ""
        self.began = time.monotonic()
        self.was_offered = False

    def say(self, state: str, table: str | None = None) -> None:
        """Tell the page how the search stands."""
        self.listener.send_message(QuickChanged(state, self.wish.game, self.wish.seats, table))


class QuickGames:
    """The pages of this process that look for a quick game."""

    def __init__(self, registry: Registry, process: str, tell: Callable[[Iterable[str]], None]) -> None:
        self._registry, self._store, self._process = registry, registry.store, process
        self._tell = tell  # the processes of these people that something has happened
        self._searches: dict[Listener, _Search] = {}
        self._wakes = asyncio.Event()
        self._task = BackgroundTask("quick games")

    def open(self) -> None:
        """Start to look at the queue."""
        self._task.start(self._run())

    async def close(self) -> None:
        """Look no more. The rows expire by themselves."""
        await self._task.end()

    def wake(self, people: Iterable[str]) -> None:
        """Look at the queue now, if one of these people waits here."""
        wanted = set(people)
        if any(each.person.id in wanted for each in self._searches.values()):
            self._wakes.set()

    # What pages ask for.

    async def seek(self, listener: Listener, asked: Quick, avoided: frozenset[str]) -> None:
        """Look for the next person who wants this game. Raises RoomError for strangers, and for wrong games."""
        person = listener.person
        if person is None:
            raise RoomError("person.stranger", 401)
        game = find(asked.game)
        game.resolve_options({}, asked.seats)
        wish = Wish(person.id, person.name or checked_name(asked.name), game.id, asked.seats, avoided | {person.id})
        search = _Search(listener, person, wish)
        if (table := await self._join_table(search)) is not None:
            search.say("paired", table)
            return
        search.say("waiting")
        self._searches[listener] = search
        await self._enqueue(search)

    async def cancel(self, listener: Listener) -> None:
        """End the search of a page, unless it has found somebody."""
        search = self._searches.pop(listener, None)
        if search is None:
            listener.send_message(QuickChanged("idle"))
            return
        table = await self._store.transact(lambda connection: queue.leave(connection, search.row_id))
        search.say("idle") if table is None else search.say("paired", table)

    async def gone(self, listener: Listener) -> None:
        """Leave the queue, because the page has gone."""
        search = self._searches.pop(listener, None)
        if search is not None:
            with suppress(QuadrigaError, StaleError):  # the row expires by itself
                await self._store.transact(lambda connection: queue.leave(connection, search.row_id))

    # The queue.

    async def _enqueue(self, search: _Search, is_again: bool = False) -> None:
        wish = search.wish
        found = await self._store.transact(lambda each: queue.seek(each, self._process, wish, is_again))
        if found is None:
            self._searches.pop(search.listener, None)
            search.say("idle")
            return
        row, other = found
        search.row_id = row.id
        if search.listener not in self._searches:  # it has gone meanwhile
            await self._store.transact(lambda connection: queue.leave(connection, row.id))
        if other is not None:
            self._tell([other])
        self._wakes.set()

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wakes.wait(), _BEAT_S if self._searches else None)
            self._wakes.clear()
            try:
                await self._look()
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("no quick games: %s", fault)
                await asyncio.sleep(_BEAT_S)
            except Exception:
                LOGGER.exception("cannot pair people")
                await asyncio.sleep(_BEAT_S)

    async def _look(self) -> None:
        searches = {each.row_id: each for each in self._searches.values() if each.row_id}
        ids = list(searches)
        at, rows = await self._store.transact(lambda connection: queue.renew(connection, self._process, ids))
        known = {row.id: row for row in rows}
        for row_id, search in searches.items():
            if self._searches.get(search.listener) is not search:
                continue
            row = known.get(row_id)
            if row is None:  # another page of this person looks, or this process was thought to be dead
                await self._enqueue(search, is_again=True)
            elif row.table_id is not None:
                await self._found(search, row.table_id)
            elif row.pairing is not None and row.proposed_until >= at:
                if row.answers:
                    await self._answer(search, row)
            elif row.pairing is not None:
                await self._propose_again(search)
            if time.monotonic() - search.began > self._registry.settings.quick_offer and not search.was_offered:
                search.was_offered = True
                if self._searches.get(search.listener) is search:
                    search.say("alone")

    async def _found(self, search: _Search, table: str) -> None:
        self._searches.pop(search.listener, None)
        search.say("paired", table)
        await self._store.transact(lambda connection: queue.leave(connection, search.row_id))

    async def _propose_again(self, search: _Search) -> None:
        avoided = search.wish.avoided
        other = await self._store.transact(lambda each: queue.propose_again(each, search.row_id, avoided))
        if other is not None:
            self._tell([other])

    # Tables.

    async def _answer(self, search: _Search, row: Seeker) -> None:
        """Make a table for somebody who waits here and whoever has proposed to play with them."""
        pairing = row.pairing
        assert pairing is not None
        other = await self._store.transact(lambda connection: queue.asker(connection, pairing))
        if other is None:
            return
        room, holders = await self._new_table(row, other)
        self._registry.limits.created(search.listener.address, room.state.id)
        people = [row.person_id, other.person_id]
        parts = list(zip(people, holders, strict=True))
        created = await self._store.created(room.state.id)
        summary, listed = game_summary(room.state), None
        if row.seats > len(parts):
            fill_at = created + self._registry.settings.quick_fill * 1000
            listed = {"opened": created, "fill_at": fill_at, "quick": _key(row.game, row.seats)}
        is_paired = await self._store.transact(
            lambda connection: queue.pair(connection, pairing, parts, summary, created, listed)
        )
        if is_paired:
            self._tell(people)
            if listed is not None:
                self._registry.observer.table_listed()
            await self._found(search, room.state.id)

    async def _new_table(self, row: Seeker, other: Seeker) -> tuple[Room, list[str]]:
        """Return a table with two people, which has begun if it has no other seats, and their holders there."""
        seats = [SeatRequest("me"), *(SeatRequest("open") for _ in range(row.seats - 1))]
        room, _ = await self._registry.create(Create(game=row.game, seats=seats, name=row.name))
        holder, _ = await self._registry.join(room, Join(name=other.name), None)
        await _begin_if_full(room)
        return room, [room.state.setup.host, holder]

    async def _join_table(self, search: _Search) -> str | None:
        """Take a seat at a quick table for more than two that has one; return the table."""
        wish = search.wish
        if wish.seats == 2:
            return None
        columns = (OPEN_TABLES.c.table_id, OPEN_TABLES.c.fill_at)
        alike = sa.select(*columns).where(OPEN_TABLES.c.quick == _key(wish.game, wish.seats))
        rows = await self._store.read(alike.order_by(OPEN_TABLES.c.opened.desc()).limit(_TRIED))
        for table_id, fill_at in rows:
            if fill_at is None or fill_at < now():
                continue
            people = await self._registry.people.history.people_at(table_id)
            if people & wish.avoided:
                continue
            with suppress(RoomError):  # it is full, or has begun
                room = await self._registry.room(table_id)
                holder, _ = await self._registry.join(room, Join(name=wish.name), None)
                await self._registry.take_part(room, holder, search.person)
                await _begin_if_full(room)
                return str(table_id)
        return None


def _key(game: str, seats: int) -> str:
    return f"{game} {seats}"


@retried
async def _begin_if_full(room: Room) -> None:
    async with room.exclusive() as state:
        if state.status == "waiting" and all(info.kind != "open" for info in state.seats):
            await room.begin()
