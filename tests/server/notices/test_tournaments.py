"""Notices of tables of tournaments: people who are elsewhere are told once that theirs is ready."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from server.notices.games import notices, rows, serving, two_people, webhook
from server.support.devices import Device
from server.support.in_process import InProcessServer
from server.support.receivers import receiving


async def begun(server: InProcessServer, people: tuple[Device, ...], **more: Any) -> str:
    """Begin a tournament of members; return the table of the first two."""
    plan = {"name": "Ann", "kind": "swiss", "game": "ur", "options": {"markers": 1}, "seats": 2, "rounds": 1}
    starts = int(time.time() * 1000) + 600_000
    made = await people[0].post("/api/tournaments", {**plan, "starts": starts, **more})
    path = f"/api/tournaments/{made['tournament']['summary']['id']}"
    for each in people:
        await each.post(f"{path}/enter", {"name": "Ann"})
    await people[0].post(f"{path}/begin")
    for each in people:
        while (await each.get(path))["table"] is None:
            await asyncio.sleep(0.01)
    table = str((await people[0].get(path))["table"])
    room = server.registry.rooms[table]
    while room.state.status != "playing":  # it is shown before it begins
        await asyncio.sleep(0.01)
    async with room.exclusive():  # what it begins with is stored
        return table


async def test_a_table_that_is_ready_is_told_once_and_not_again_as_a_turn(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as ann_hook, receiving() as bob_hook:
        ann, bob = await two_people(server)
        await webhook(ann, ann_hook.address)
        await webhook(bob, bob_hook.address)
        table = await begun(server, (ann, bob))
        assert sorted(each[0] for each in await rows(server)) == ["ready", "ready", "turn"]
        assert await notices(server).sender.sweep() == 2
        for hook in (ann_hook, bob_hook):
            assert [got.body.decode() for got in hook.got] == ["Your table in a tournament is ready."]
            assert hook.got[0].headers["click"] == f"{server.address}/t/{table}"
        assert await notices(server).sender.sweep() == 0


async def test_who_is_at_the_table_or_plays_by_days_is_not_told_that_it_is_ready(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        await webhook(bob, hook.address)
        client = await bob.connect(await begun(server, (ann, bob)))
        await client.until("view")
        assert await notices(server).sender.sweep() == 0
        await begun(server, (ann, bob), days={"days": 1})
        await notices(server).sender.sweep()
        assert "Your table in a tournament is ready." not in [got.body.decode() for got in hook.got]
