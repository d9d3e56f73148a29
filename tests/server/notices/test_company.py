"""Notices of invitations and game nights: once, in time, withdrawn when answered, and never over a block."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from quadriga.server.storage.base import now
from quadriga.server.storage.notices_schema import OUTBOX
from server.notices.games import notices, rows, serving, two_people, webhook
from server.support.devices import Device
from server.support.in_process import InProcessServer
from server.support.receivers import receiving

HOUR_MS = 3_600_000


async def invite(device: Device, name: str, table: str | None = None) -> str:
    table = table or await device.table()
    await device.post(f"/api/tables/{table}/invitations", {"name": name})
    return table


def night(**more: Any) -> dict[str, Any]:
    return {"game": "ur", "seats": 2, "at": now() + 24 * HOUR_MS, "name": "x", **more}


async def now_due(server: InProcessServer) -> None:
    """Let time pass until everything in the outbox is due."""
    await server.registry.store.transact(lambda c: c.execute(sa.update(OUTBOX).values(due=0)).rowcount)


async def test_an_invitation_is_told_once_with_a_link_to_its_table(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        await webhook(bob, hook.address)
        await bob.post("/api/me/notices", {"kinds": ["invitation"], "detail": True})
        table = await invite(ann, "Bob")
        await invite(ann, "Bob", table)
        await invite(ann, "Nobody")
        assert await notices(server).sender.sweep() == 1
        await invite(ann, "Bob", table)
        assert await notices(server).sender.sweep() == 0
        assert [got.body.decode() for got in hook.got] == ["You are invited to a game of Ben's Royal Game of Ur."]
        assert hook.got[0].headers["click"] == f"{server.address}/t/{table}"


async def test_an_invitation_that_is_answered_over_or_not_wanted_is_not_told(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        await webhook(bob, hook.address)
        await invite(ann, "Bob")
        (own,) = (await bob.get("/api/me/company"))["invitations"]
        await bob.post(f"/api/me/invitations/{own['id']}/remove")
        taken = await invite(ann, "Bob")
        await bob.post(f"/api/tables/{taken}/join", {"name": "Bob"})
        cem = Device(server)
        await cem.member("Cem")
        begun = await invite(ann, "Bob")
        await cem.post(f"/api/tables/{begun}/join", {"name": "Cem"})
        await ann.post(f"/api/tables/{begun}/start")
        await invite(cem, "Bob")
        await cem.post("/api/me/delete", {"name": "Cem"})
        assert len(await rows(server)) == 4
        assert await notices(server).sender.sweep() == 0
        assert await rows(server) == []
        await bob.post("/api/me/notices", {"kinds": ["turn"]})  # switched off
        await invite(ann, "Bob")
        assert await notices(server).sender.sweep() == 0
        assert hook.got == []


async def test_nobody_is_told_by_somebody_whom_they_have_blocked_or_who_has_blocked_them(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        for device in (ann, bob):
            await webhook(device, f"{hook.address}/{device is bob}")
        evening = (await ann.post("/api/nights", night()))["id"]
        await bob.post(f"/api/nights/{evening}/answer", {"answer": "yes", "name": "x"})
        await invite(ann, "Bob")
        await invite(bob, "Ann")
        await ann.post("/api/me/blocks", {"name": "Bob"})
        await now_due(server)
        assert await notices(server).sender.sweep() == 1
        assert [got.path for got in hook.got] == ["/False"]  # the host of the night
        await invite(ann, "Bob")
        await invite(bob, "Ann")
        assert [kind for kind, _, _, state in await rows(server) if state == "waiting"] == []


async def test_one_person_does_not_flood_another_with_notices(tmp_path: Path):
    async with serving(tmp_path) as server:
        ann, bob = await two_people(server)
        await webhook(bob, "https://example.org/")
        for _ in range(7):
            await invite(ann, "Bob")
        assert len(await rows(server)) == 5
        assert len((await bob.get("/api/me/company"))["invitations"]) == 7


async def test_those_who_come_to_a_night_are_told_an_hour_before(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        await webhook(bob, hook.address)
        begins = now() + 24 * HOUR_MS
        coming, declined, cancelled = [(await ann.post("/api/nights", night(at=begins)))["id"] for _ in range(3)]
        for each in (coming, declined, cancelled):
            await bob.post(f"/api/nights/{each}/answer", {"answer": "maybe", "name": "x"})
        await bob.post(f"/api/nights/{coming}/answer", {"answer": "yes", "name": "x"})
        await bob.post(f"/api/nights/{declined}/answer", {"answer": "no", "name": "x"})
        await ann.post(f"/api/nights/{cancelled}/remove")
        soon = (await ann.post("/api/nights", night(at=now() + HOUR_MS // 2)))["id"]
        await bob.post(f"/api/nights/{soon}/answer", {"answer": "yes", "name": "x"})
        due = await server.registry.store.read(sa.select(OUTBOX.c.due))
        assert [tuple(row) for row in due] == [(begins - HOUR_MS,)] * 3
        assert await notices(server).sender.sweep() == 0
        await now_due(server)
        assert await notices(server).sender.sweep() == 1
        assert [got.body for got in hook.got] == [b"A game night begins soon."]
        assert hook.got[0].headers["click"] == f"{server.address}/night/{coming}"
        assert [(kind, about) for kind, about, _, _ in await rows(server)] == [("night", coming)]
