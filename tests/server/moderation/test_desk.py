"""Moderation from the command line, beside a running server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quadriga.engine.errors import OptionError
from quadriga.server.moderation.desk import Desk
from server.moderation.test_flow import RATES, ann_and_bob, end_of
from server.support.devices import Device
from server.support.in_process import in_process


async def test_a_running_server_notices_what_the_command_line_does(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        ann, bob, table, _, his = await ann_and_bob(server)
        store = server.registry.settings.store
        await asyncio.to_thread(Desk(store).appoint, "Ann", "host")
        act = await asyncio.to_thread(Desk(store).act, "ban", "bob", "Enough.", 1.0, "")
        assert await end_of(his) == 4403
        room = server.registry.rooms[table]
        while not room.state.seats[1].bot_controlled:
            await asyncio.sleep(0)
        await asyncio.to_thread(Desk(store).lift, act.id, "A mistake.")
        while (await bob.call("GET", f"/api/tables/{table}"))[0] != 200:
            pass
        assert (await ann.get("/api/host"))["staff"] == [{"name": "Ann", "role": "host"}]
        changed = await asyncio.to_thread(Desk(store).rules, ["access=invitation", "words=foo, bar"])
        assert changed["words"] == ("foo", "bar")
        guest = Device(server)
        await guest.post("/api/me", {})
        while (await guest.get("/api/house"))["access"] != "invitation":
            pass
        assert (await guest.call("POST", "/api/me/keep", {"name": "Gus"}))[1]["code"] == "house.invitation"
        code = await asyncio.to_thread(Desk(store).invite)
        await guest.post("/api/me/keep", {"name": "Gus", "invitation": code})
        lines = await asyncio.to_thread(Desk(store).log)
        assert [line.split("  ")[2] for line in lines] == ["rules", "rules", "lift", "ban", "role"]
        for wrong in ("access=maybe", "access", "colour=red"):
            with pytest.raises(OptionError):
                await asyncio.to_thread(Desk(store).rules, [wrong])
