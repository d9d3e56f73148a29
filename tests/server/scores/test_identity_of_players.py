"""Ratings after real games: bots that play by a key, accounts that become one, and deleted ones."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from server.people.test_identity import MANY_PROOFS
from server.scores.test_boards import members
from server.support.devices import Device
from server.support.in_process import in_process


async def played(devices: list[Device], keys: Any = None, **more: Any) -> str:
    """Play a game of Ur to its end; return the table. `keys` are secrets of bots that play instead of people."""
    table = await devices[0].table("ur", "me open", options={"rules": "blitz"}, **more)
    await devices[1].post(f"/api/tables/{table}/join", {"name": "x"})
    await devices[0].post(f"/api/tables/{table}/start")
    clients = [
        await (Device(each.server) if seat in (keys or {}) else each).connect(
            table, **({"token": keys[seat]} if seat in (keys or {}) else {})
        )
        for seat, each in enumerate(devices)
    ]
    for client in clients:
        await client.until("view")
    await asyncio.gather(*(client.play(random.Random(seat)) for seat, client in enumerate(clients)))
    for client in clients:
        await client.close()
    return table


async def test_a_bot_that_plays_by_a_key_has_a_rating_of_its_own(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, _ = await members(server, "Ann", "Bob")
        key = (await devices[1].post("/api/me/keys", {"label": "Robot"}))["key"]
        await played(devices)
        await played(devices, keys={1: key})
        await server.app.state.scores.update()
        own = (await devices[1].get("/api/me/ratings"))["ratings"]
        assert [(each["bot"], each["rating"]["games"]) for each in own] == [(None, 1), ("Robot", 1)]
        assert (await devices[0].get("/api/me/ratings"))["ratings"][0]["rating"]["games"] == 2


async def test_a_guest_keeps_the_rating_in_another_account_and_deleting_takes_the_name_from_it(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        (ann, bob), _ = await members(server, "Ann", "Bob")
        guest = Device(server)
        await guest.post("/api/me")
        await played([guest, bob])
        await server.app.state.scores.update()
        before = (await guest.get("/api/me/ratings"))["ratings"]
        assert before[0]["rating"]["games"] == 1
        await guest.post("/api/link", {"code": (await ann.post("/api/me/link"))["code"]})
        await server.app.state.scores.update()
        assert (await ann.get("/api/me/ratings"))["ratings"] == before
        others = (await bob.get("/api/me/ratings"))["ratings"]
        await ann.post("/api/me/delete", {"name": "Ann"})
        await server.app.state.scores.update()
        assert (await bob.get("/api/me/ratings"))["ratings"] == others
