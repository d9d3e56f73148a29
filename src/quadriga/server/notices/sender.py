"""Send what is due. A notice is marked before it is sent: a killed process may lose it, and never sends it twice.

Several processes may sweep one database. A lease spares them the work; that nobody is told twice does not depend on
it, since each notice is claimed by an update that succeeds once.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

import sqlalchemy as sa

from quadriga.server import metrics
from quadriga.server.background import BackgroundTask
from quadriga.server.limits import Buckets
from quadriga.server.logs import LOGGER
from quadriga.server.notices import duty, hours, outbox
from quadriga.server.notices.channels import NOTHING_CHOSEN
from quadriga.server.notices.delivery import Delivery, Result
from quadriga.server.notices.lanes import SLOW_S, Lanes, Sending
from quadriga.server.notices.outbox import BATCH, Decision, Outcome, Row
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.rooms.registry import Registry
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import SharedStorage, now
from quadriga.server.storage.notices_schema import OUTBOX
from quadriga.server.storage.telling import INVITATION, LEAGUE, READY, TURN

_DUTY = "notices"
_LEASES = 6  # looks for notices that a lease lasts
_DAY_MS = 86_400_000  # after which a notice that cannot be sent is given up
_CLEARED_MS = 3_600_000  # between two deletions of notices that are done
_CROWDED_MS = 600_000  # that a notice waits if its channel was sent too many
_BUSY_MS = 5_000  # that a notice waits if too many are being sent to hosts that answer slowly
_FIRST_WAIT_MS, _LONGEST_WAIT_MS = 30_000, 3_600_000  # between two attempts


class Sender:
    """Sends the notices of a server, or of one process among several."""

    def __init__(self, registry: Registry, delivery: Delivery) -> None:
        self._registry, self._store, self._delivery = registry, registry.store, delivery
        settings = registry.settings
        self._every_s = settings.notice_every
        self._rates = Buckets(settings.notice_rate, settings.notice_burst)
        self._owner = new_id()
        self._cleared = 0
        self._lanes = Lanes()
        self._telling: set[asyncio.Task[int]] = set()
        self._task = BackgroundTask("notices")

    def open(self) -> None:
        """Start to send."""
        self._task.start(self._run())

    async def close(self) -> None:
        """Stop to send. What is being sent is finished."""
        await self._task.end()
        await asyncio.gather(*self._telling, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            look = asyncio.ensure_future(self._look())
            try:
                await asyncio.shield(look)
            except asyncio.CancelledError:
                await asyncio.gather(look, return_exceptions=True)
                raise
            except (RoomError, StaleError) as fault:  # the store does not answer: the next look tries again
                LOGGER.warning("notices wait: %s", fault)
            except Exception:
                LOGGER.exception("notices")

    async def sweep(self) -> int:
        """Send everything that is due, and wait for all answers; return how many notices were sent."""
        begun = await self._look()
        return sum(await asyncio.gather(*begun))

    async def _look(self) -> list[asyncio.Task[int]]:
        """Begin to send everything that is due; return the tasks that do it. Those to slow hosts may take long."""
        begun: list[asyncio.Task[int]] = []
        while rows := await outbox.due_rows(self._store, now()):
            if not await self._has_duty():
                break
            begun += await self._send(rows)
            if len(rows) < BATCH:
                break
        await self._clear()
        return begun

    async def _has_duty(self) -> bool:
        if not isinstance(self._store, SharedStorage):
            return True  # one process has the file
        at = now()
        until = at + int(self._every_s * 1000 * _LEASES)
        return await duty.take(self._store, _DUTY, self._owner, at, until)

    async def _clear(self) -> None:
        waiting = sa.select(sa.func.count()).select_from(OUTBOX).where(OUTBOX.c.due.is_not(None))
        metrics.notices_waiting.set((await self._store.read(waiting))[0][0])
        if now() - self._cleared > _CLEARED_MS:
            self._cleared = now()
            await self._store.transact(lambda connection: outbox.clear(connection, now()))

    # Deciding.

    async def _send(self, rows: Sequence[Row]) -> list[asyncio.Task[int]]:
        here = await self._people_here({row.table_id for row in rows if row.table_id})
        at = now()
        channels: dict[str, list[Decision]] = defaultdict(list)
        others = []
        for row in rows:
            decision = self._decide(row, at, here)
            if decision.is_withdrawn or decision.due is not None:
                others.append(decision)
            else:
                channels[row.channel_id].append(decision)
        begun, waiting = [], channels
        while waiting:
            started, waiting, busy = await self._begin(waiting)
            begun += started
            others += [Decision(each.row, now() + _BUSY_MS) for each in busy]
            if waiting and not started and self._telling:  # until one has an answer, or is known to be slow
                await asyncio.wait(self._telling, timeout=SLOW_S, return_when=asyncio.FIRST_COMPLETED)
        if others:
            await self._store.transact(lambda connection: outbox.claim(connection, others))
        return begun

    async def _begin(
        self, channels: Mapping[str, list[Decision]]
    ) -> tuple[list[asyncio.Task[int]], dict[str, list[Decision]], list[Decision]]:
        """Mark notices of as many channels as there is room for, and begin to send them.

        Return the tasks, the channels that have to wait for the next answer, and the notices that are postponed,
        since they go to slow hosts.
        """
        entered: dict[str, Sending] = {}
        waiting: dict[str, list[Decision]] = {}
        busy: list[Decision] = []
        for channel, decisions in channels.items():
            host = _host(decisions[0].row)
            if (sending := self._lanes.enter(host)) is not None:
                entered[channel] = sending
            elif self._lanes.is_slow(host):
                busy += decisions
            else:
                waiting[channel] = decisions
        wanted = [decision for channel in entered for decision in channels[channel]]
        claimed: dict[str, list[Row]] = defaultdict(list)
        try:
            if wanted:
                for row in await self._store.transact(lambda connection: outbox.claim(connection, wanted)):
                    claimed[row.channel_id].append(row)
        finally:
            for channel in entered.keys() - claimed.keys():  # another process was faster
                self._lanes.cancel(entered[channel])
        tasks = [asyncio.create_task(self._tell(rows, entered[channel])) for channel, rows in claimed.items()]
        for task in tasks:
            self._telling.add(task)
            task.add_done_callback(self._told)
        return tasks, waiting, busy

    async def _tell(self, rows: Sequence[Row], sending: Sending) -> int:
        """Send marked notices of one channel, and note what has become of them; return how many were sent."""
        try:
            result = await self._delivery.send(rows)
        finally:
            self._lanes.leave(sending)
        metrics.notices.labels(rows[0].channel, result.kind).inc()
        outcomes = [_outcome(row, result) for row in rows]
        await self._store.transact(lambda connection: outbox.conclude(connection, outcomes))
        return sum(outcome.state == "sent" for outcome in outcomes)

    def _told(self, task: asyncio.Task[int]) -> None:
        self._telling.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            LOGGER.warning("what has become of a notice is not known: %s", fault)

    def _decide(self, row: Row, at: int, here: frozenset[tuple[str, str]]) -> Decision:
        wanted = NOTHING_CHOSEN.kinds if row.kinds is None else row.kinds.split()
        kind = {LEAGUE: INVITATION, READY: TURN}.get(row.kind, row.kind)  # they have one switch
        if not row.is_true or kind not in wanted or (row.table_id, row.holder) in here:
            return Decision(row, is_withdrawn=True)
        zone = row.zone or "UTC"
        told = hours.next_time(row.since, at, zone, row.digest, row.quiet_from, row.quiet_until)
        if told > at:
            return Decision(row, told)
        if not self._rates.take(row.channel_id):
            return Decision(row, at + _CROWDED_MS)
        return Decision(row)

    async def _people_here(self, tables: Iterable[str]) -> frozenset[tuple[str, str]]:
        """Return which people look at which of these tables."""
        known = {table: self._registry.rooms.get(table) for table in tables}
        here = {
            (table, viewer.holder)
            for table, room in known.items()
            if room is not None
            for viewer in room.presence.viewers
            if viewer.holder is not None
        }
        if isinstance(self._store, SharedStorage) and known:
            here |= await self._store.people_at(list(known))
        return frozenset(here)


def _host(row: Row) -> str:
    """Return what a notice is sent to: a host, or the mail server."""
    return urlsplit(row.address).netloc if row.channel != "mail" else "mail"


def _outcome(row: Row, result: Result) -> Outcome:
    if result.kind == "gone":
        return Outcome(row, "failed", is_gone=True)
    at = now()
    if result.kind == "again" and at - row.since < _DAY_MS:
        wait_ms = max(_FIRST_WAIT_MS << min(row.tries, 10), int((result.after_s or 0) * 1000))
        return Outcome(row, "waiting", at + min(wait_ms, _LONGEST_WAIT_MS))
    return Outcome(row, "sent" if result.kind == "sent" else "failed")
