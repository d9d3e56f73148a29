"""What is deleted after a time that the host sets: chat, guests, and notes of what was done with accounts."""

from __future__ import annotations

import asyncio
from typing import Any

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.people.person import GUEST
from quadriga.server.protocol.errors import StaleError
from quadriga.server.rooms.erasing import erase_person
from quadriga.server.rooms.registry import Registry
from quadriga.server.storage.base import now
from quadriga.server.storage.moderation_schema import CHAT_AUTHORS
from quadriga.server.storage.people_schema import AUDIT, GAMES, PEOPLE, PLAYERS
from quadriga.server.storage.schema import CHAT

JOB = "retention"  # the name of the lease
BATCH = 200  # tables or people of one transaction
_EVERY_S = 600.0
_DAY_MS = 86_400_000
_RUNNING = ("playing", "paused")


class Retention:
    """Deletes in a task of its own, on one process at a time."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._task = BackgroundTask("retention")
        self._kept: set[str] = set()  # guests who cannot be deleted, because a table of theirs is damaged

    def open(self) -> None:
        """Start the task, if anything is to be deleted."""
        settings = self._registry.settings
        if not (settings.keep_chat or settings.keep_guests or settings.keep_audit):
            return
        self._registry.compete(JOB)
        self._task.start(self._run())

    async def close(self) -> None:
        """End the task."""
        await self._task.end()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_S)
            try:
                while self._registry.is_on_duty(JOB) and await self.sweep():
                    pass
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("old chat and guests are not deleted now: %s", fault)
            except Exception:
                LOGGER.exception("cannot delete old chat and guests")

    async def sweep(self) -> int:
        """Delete one batch of everything; return how much there was."""
        settings = self._registry.settings
        found = 0
        if settings.keep_chat:
            found += await self._sweep_chat(_before(settings.keep_chat))
        if settings.keep_audit:
            found += await self._sweep_audit(_before(settings.keep_audit))
        if settings.keep_guests:
            found += await self._sweep_guests(_before(settings.keep_guests))
        return found

    async def _sweep_chat(self, before: int) -> int:
        """Delete the chat of tables where nothing was written since a time, and that are not in memory."""
        quiet = sa.select(CHAT.c.table_id).group_by(CHAT.c.table_id).having(sa.func.max(CHAT.c.at) < before)
        rows = await self._registry.store.read(quiet.limit(BATCH))
        tables = [row[0] for row in rows if row[0] not in self._registry.rooms]
        # In one statement, so that a table where somebody writes just now keeps its chat.
        still = CHAT.c.table_id.in_(quiet.where(CHAT.c.table_id.in_(tables)))
        has_chat = sa.exists().where(CHAT.c.table_id == CHAT_AUTHORS.c.table_id)

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(CHAT).where(still))
            # Numbers of messages begin again: who wrote the old ones must not be taken for the author of new ones.
            connection.execute(sa.delete(CHAT_AUTHORS).where(CHAT_AUTHORS.c.table_id.in_(tables), ~has_chat))

        if tables:
            await self._registry.store.transact(work)
        return len(tables)

    async def _sweep_audit(self, before: int) -> int:
        old = sa.select(AUDIT.c.id).where(AUDIT.c.at < before).order_by(AUDIT.c.id).limit(BATCH)
        return await self._delete(sa.delete(AUDIT).where(AUDIT.c.id.in_(old)))

    async def _sweep_guests(self, before: int) -> int:
        """Delete guests who were not here since a time, unless a game of theirs is running."""
        running = sa.exists().where(
            PLAYERS.c.person_id == PEOPLE.c.id,
            GAMES.c.table_id == PLAYERS.c.table_id,
            GAMES.c.status.in_(_RUNNING),
        )
        gone = sa.select(PEOPLE.c.id).where(PEOPLE.c.role == GUEST, PEOPLE.c.seen < before, ~running)
        rows = await self._registry.store.read(gone.limit(BATCH + len(self._kept)))
        guests = [row[0] for row in rows if row[0] not in self._kept]
        for guest in guests:
            await self._delete_guest(guest)
        return len(guests)

    async def _delete_guest(self, guest: str) -> None:
        accounts = self._registry.people.accounts
        person = await accounts.find(guest)
        if person is None or person.role != GUEST:
            return
        try:
            await erase_person(self._registry, person)
        except QuadrigaError as fault:
            self._kept.add(guest)
            LOGGER.warning("a guest is kept: %s", fault)
            return
        await accounts.delete(person)

    async def _delete(self, statement: sa.Delete) -> int:
        def work(connection: sa.Connection) -> int:
            done: sa.CursorResult[Any] = connection.execute(statement)
            return done.rowcount

        return await self._registry.store.transact(work)


def _before(days: float) -> int:
    return now() - round(days * _DAY_MS)
