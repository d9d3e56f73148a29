"""The warden: does at once, in one process, what a change of the house means for people who are here.

Somebody who is banned loses their sockets, and a bot plays on for them. Every process does this for its own
sockets. The seats of a banned person are given to bots by whichever process is first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server.lobby.lobby import Lobby
from quadriga.server.logs import LOGGER
from quadriga.server.moderation.acts import BAN, RENAME, RENAMED
from quadriga.server.moderation.house import News
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.protocol.server_messages import StandingChanged
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.seats.known import Known
from quadriga.server.seats.outbox import CLOSED, Outbox
from quadriga.server.seats.votes import RUNNING
from quadriga.server.state.events import BotControl, RoomEvent, Sit
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.people_schema import PLAYERS


class Warden:
    """Follows the changes of the house."""

    def __init__(self, registry: Registry, lobby: Lobby) -> None:
        self._registry, self._lobby = registry, lobby
        self.on_rename: Callable[[], None] = lambda: None  # called when a name was taken away
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Start to follow."""
        self._registry.house.on_change = self._changed

    async def close(self) -> None:
        """Follow no more."""
        self._registry.house.on_change = lambda news: None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _changed(self, news: list[News]) -> None:
        targets = frozenset(each.target for each in news)
        for room in self._registry.rooms.values():
            for viewer in room.presence.viewers | room.presence.arriving:
                self._tell(viewer, viewer.person, viewer.address, viewer.holder, targets, viewer.plays)
        for listener in tuple(self._lobby.listeners):
            self._tell(listener, listener.person, listener.address, None, targets, False)
        for subject in {each.target for each in news if each.kind == BAN}:
            self._spawn(self._remove(subject))
        if any(each.kind == RENAME for each in news):
            self.on_rename()
        for subject in {each.target for each in news if each.kind == RENAMED}:
            self._spawn(self._reload(subject))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work, name="warden")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _tell(
        self,
        outbox: Outbox,
        person: Known | None,
        address: str,
        holder: str | None,
        targets: frozenset[str],
        plays: bool,
    ) -> None:
        """Close the socket of somebody who may not be here any more; tell those whom something concerns."""
        house = self._registry.house
        try:
            house.check_ban(None if person is None else person.id, holder)
            house.check_stranger(person, address)
            if not plays:
                house.check_watcher(person)
        except RoomError as fault:
            outbox.send_message(texts.refused(fault))
            outbox.close(CLOSED)
            return
        if (person is not None and person.id in targets) or holder in targets:
            outbox.send_message(StandingChanged())

    async def _remove(self, subject: str) -> None:
        """Give the seats of somebody to bots, at all tables where they have a part."""
        try:
            store = self._registry.store
            own = (PLAYERS.c.person_id == subject, PLAYERS.c.ended == 0)
            parts = [
                (row[0], row[1])
                for row in await store.read(sa.select(PLAYERS.c.table_id, PLAYERS.c.holder).where(*own))
            ]
            here = [room for room in self._registry.rooms.values() if room.state.seats_of(subject)]
            parts += [(room.state.id, subject) for room in here]
            for table_id, holder in parts:
                with suppress(RoomError):  # a table that is damaged, or gone
                    await self._change(await self._registry.room(table_id), holder)
        except (QuadrigaError, StaleError) as fault:
            LOGGER.warning("cannot take somebody from their tables: %s", fault)
        except Exception:
            LOGGER.exception("cannot take somebody from their tables")

    @retried
    async def _change(self, room: Room, holder: str) -> None:
        async with room.exclusive() as state:
            if changes := _removal(state, holder):
                await room.change(*changes)

    async def _reload(self, subject: str) -> None:
        """Read tables again from which a name was taken out, maybe by another process."""
        try:
            own = sa.select(PLAYERS.c.table_id).where(PLAYERS.c.person_id == subject)
            tables = {row[0] for row in await self._registry.store.read(own)}
            for room in tuple(self._registry.rooms.values()):
                if room.state.id in tables or room.state.seats_of(subject):
                    async with room.exclusive():
                        await room.reload()
        except (QuadrigaError, StaleError) as fault:
            LOGGER.warning("a table is not read again: %s", fault)
        except Exception:
            LOGGER.exception("cannot read a table again")


def _removal(state: RoomState, holder: str) -> list[RoomEvent]:
    """Return the events that open the seats of somebody before the start, and give them to a bot in a game."""
    seats = state.seats_of(holder)
    if state.status == "waiting":
        return [Sit(seat, "open") for seat in seats]
    if state.status not in RUNNING:
        return []
    return [BotControl(seat, True) for seat in seats if not state.seats[seat].bot_controlled]
