"""The cluster: the processes that share a store, as one of them sees it.

Every process sends a regular heartbeat, the pulse, to the database. It proves that the process is alive, announces
the people that it serves, and returns what the others have done: their people, and how far every log has grown. So
a room goes on without pub/sub as well, only later. The lease of a room belongs to one process, which makes the
moves of bots and clocks. When a process dies its leases expire, and a process with people in the room acquires the
lease.

Nothing depends on the lease being exact: the log refuses a second event with the same number.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import StaleError
from quadriga.server.rooms import audience
from quadriga.server.rooms.processes import follower
from quadriga.server.rooms.processes.pubsub import Channel
from quadriga.server.rooms.room import Room
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import SharedStorage, Visitors

LEASE_S = 3.0  # a process without a heartbeat for this long counts as dead
_PULSE_S = 1.0  # between two heartbeats
_POLL_S = 0.5  # between two heartbeats while pub/sub does not work


class Cluster:
    """Coordinates the rooms of this process with those of the others."""

    def __init__(self, store: SharedStorage, rooms: Mapping[str, Room], channel: Channel) -> None:
        self.process = new_id()
        self._store, self._rooms, self._channel = store, rooms, channel
        self._changed: set[str] = set()  # rooms whose people have changed
        self._has_work = asyncio.Event()
        self._holds_until = 0.0
        self._pulsing = asyncio.Lock()
        self._task = BackgroundTask("cluster")
        self._wanted_jobs: set[str] = set()  # that one process at a time does
        self._jobs: set[str] = set()  # those that this process does

    def compete(self, job: str) -> None:
        """Try to get the lease of a job that one process at a time does, from the next heartbeat on."""
        self._wanted_jobs.add(job)

    def holds(self, job: str) -> bool:
        """Return whether this process has the lease of a job."""
        return job in self._jobs and time.monotonic() < self._holds_until

    def open(self) -> None:
        """Start the task that sends heartbeats."""
        self._task.start(self._run())

    async def join(self, room: Room) -> None:
        """Register a room that was loaded; send a heartbeat to learn which people other processes serve in it."""
        room.is_leader = False
        room_id = room.state.id
        room.presence.on_change = lambda: self._note(room_id)
        with suppress(QuadrigaError, StaleError):  # the next pulse repeats it
            await self._pulse([room_id])

    def _note(self, room_id: str) -> None:
        self._changed.add(room_id)
        self._has_work.set()

    async def _run(self) -> None:
        next_full = 0.0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_work.wait(), max(0.0, next_full - time.monotonic()))
            self._has_work.clear()
            is_full = time.monotonic() >= next_full
            try:
                await self._pulse(list(self._rooms) if is_full else list(self._changed))
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("no pulse: %s", fault)
                self._has_work.clear()
                is_full = True
            except Exception:
                LOGGER.exception("cannot handle a pulse")
                is_full = True
            if is_full:
                next_full = time.monotonic() + (_PULSE_S if self._channel.is_live else _POLL_S)
            if time.monotonic() > self._holds_until:
                self._lose_all()

    async def _pulse(self, known: list[str]) -> None:
        """Send a heartbeat, and apply its answer to the rooms: leases, people at other processes, new events."""
        async with self._pulsing:
            started = time.monotonic()
            changed, self._changed = self._changed, set()
            visitors = {room_id: self._visitors(room_id) for room_id in changed}
            wanted = [
                room_id
                for room_id in {*known, *changed}
                if (room := self._rooms.get(room_id)) is not None and room.presence.viewers and not room.is_leader
            ]
            wanted += sorted(self._wanted_jobs - self._jobs)
            try:
                pulse = await self._store.pulse(self.process, LEASE_S, visitors, wanted, known)
            except BaseException:
                self._changed |= changed
                raise
            self._holds_until = started + LEASE_S
        if pulse.is_new:  # the others have forgotten this process, and all that it has announced
            self._lose_all()
            self._changed |= set(self._rooms)
            await self._pulse(list(self._rooms))
            return
        self._jobs |= self._wanted_jobs & pulse.driven
        for room_id in {*known, *changed}:
            room = self._rooms.get(room_id)
            if room is None:
                continue
            if not room.presence.viewers:
                room.is_leader = False
            if room_id in pulse.newest:
                audience.set_elsewhere(room, pulse.elsewhere.get(room_id, Visitors()))
                follower.published(room, *pulse.newest[room_id])
            if room_id in pulse.driven and room.presence.viewers:
                room.lead()

    def _visitors(self, room_id: str) -> Visitors:
        room = self._rooms.get(room_id)
        if room is None:
            return Visitors()
        viewers = room.presence.viewers
        holders = frozenset(viewer.holder for viewer in viewers if viewer.holder is not None)
        return Visitors(holders, sum(not viewer.seats for viewer in viewers))

    def _lose_all(self) -> None:
        """Stop making moves of bots and clocks in any room: the leases have expired or are given back."""
        self._jobs.clear()
        for room in self._rooms.values():
            room.is_leader = False

    async def close(self) -> None:
        """Stop the heartbeats, and release all leases."""
        if await self._task.end():
            self._lose_all()
            with suppress(QuadrigaError, StaleError):  # without a database the leases expire by themselves
                await self._store.leave(self.process)
