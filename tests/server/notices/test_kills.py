"""Servers that are killed at random moments, alone or beside others: nobody is told twice, and little is lost."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from quadriga.server.notices.lanes import AT_ONCE
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import now
from quadriga.server.storage.notices_schema import CHANNELS, OUTBOX
from quadriga.server.storage.people_schema import PEOPLE
from server.support.harness import Server
from server.support.receivers import Receiver, receiving
from server.support.services import new_shared_store
from soak import count

NOTICES = count(120, 5_000)
KILLS = count(4, 200)
SETTINGS = {"notice_every": 0.02, "notice_private": 1, "notice_rate": 1e6, "notice_burst": 1e6}


async def fill(store: Path | str, hook: Receiver) -> None:
    """Put notices into the outbox of a store, each to a channel of its own."""
    opened = await open_store(store)

    def work(connection: sa.Connection) -> None:
        at = now()
        person = {"id": "ann", "created": at, "seen": at, "role": "member", "public": False}
        connection.execute(PEOPLE.insert().values(**person))
        for number in range(NOTICES):
            channel = {"id": str(number), "person_id": "ann", "kind": "webhook", "shape": "ntfy", "created": at}
            more = {"address": f"{hook.address}/{number}", "keys": b"", "origin": "http://x", "label": ""}
            connection.execute(CHANNELS.insert().values(**channel, **more))
            row = {"channel_id": str(number), "kind": "warning", "table_id": "", "key": 1, "since": at}
            connection.execute(OUTBOX.insert().values(**row, due=at + number, tries=0, state="waiting"))

    await opened.transact(work)
    await opened.close()


async def left(store: Path | str) -> Counter[str]:
    """Return how many notices are in which state."""
    opened = await open_store(store)
    found = await opened.read(sa.select(OUTBOX.c.state, sa.func.count()).group_by(OUTBOX.c.state))
    await opened.close()
    return Counter(dict(found))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_kills_lose_little_and_double_nothing(tmp_path: Path, kind: str):
    store: Path | str = tmp_path / "tables.sqlite" if kind == "sqlite" else new_shared_store()
    rng = random.Random(1)
    async with receiving() as hook:
        await fill(store, hook)
        servers = [Server(store, **SETTINGS) for _ in range(1 if kind == "sqlite" else 2)]
        for server in servers:
            await asyncio.to_thread(server.start)
        for each in range(KILLS):
            share = NOTICES * (each + 1) // (KILLS + 1)
            await hook.until(min(share, NOTICES - (each + 1) * AT_ONCE))
            await asyncio.sleep(rng.random() * 0.01)
            server = servers[each % len(servers)]
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        while all(got.path != f"/{NOTICES - 1}" for got in hook.got):  # the last one
            await hook.until(len(hook.got) + 1)
        for server in servers:
            await asyncio.to_thread(server.kill, signal.SIGTERM)  # what is being sent is finished
        told = Counter(got.path for got in hook.got)
    found = await left(store)
    assert max(told.values()) == 1
    assert set(found) <= {"sent", "sending"}
    assert found["sent"] + found["sending"] == NOTICES
    assert len(told) >= found["sent"]
    assert NOTICES - len(told) <= KILLS * AT_ONCE
