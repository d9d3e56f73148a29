"""Moderation over several processes: what one of them is told counts at all of them within seconds."""

from __future__ import annotations

import pytest

from server.cluster.test_following import two
from server.moderation.test_flow import RATES, end_of, staff
from server.support.devices import Device


@pytest.mark.parametrize("pubsub", [True, False])
async def test_a_ban_at_one_process_ends_sockets_at_the_other_and_a_bot_takes_the_seat_once(pubsub: bool):
    async with two(pubsub, **RATES) as servers:
        _, moderator = await staff(servers[0])
        ann, bob = Device(servers[0]), Device(servers[1])
        await ann.member("Ann")
        await bob.member("Bob")
        table = await ann.table()
        await bob.post(f"/api/tables/{table}/join", {"name": "Bob"})
        await ann.post(f"/api/tables/{table}/start")
        hers, his = await ann.connect(table), await bob.connect(table)
        await hers.until("welcome")  # it holds what was said before
        await his.say(type="chat", text="you are a donkey")
        line = (await hers.until("chat"))["chat"]
        await ann.post("/api/reports", {"table": table, "message": line["number"], "reason": "insult"})
        (case,) = (await moderator.get("/api/moderation/queue"))["cases"]
        await moderator.post("/api/moderation/acts", {"kind": "ban", "case": case["id"], "reason": "Enough."})
        assert await end_of(his) == 4403
        rooms = [server.registry.rooms[table] for server in servers]
        while not all(room.state.seats[1].bot_controlled for room in rooms):
            await ann.get(f"/api/tables/{table}")
        assert (await bob.call("GET", f"/api/tables/{table}"))[1]["code"] == "house.banned"
        assert (await ann.get(f"/api/tables/{table}"))["status"] == "playing"
