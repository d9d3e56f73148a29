"""People at several processes that share a database: one name, one use of a code, one list of games."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa

from quadriga.server.people.devices import RENEWED_AFTER
from quadriga.server.storage.people_schema import SESSIONS
from server.cluster.test_following import two
from server.people.test_identity import MANY_PROOFS, change
from server.support.devices import Device


async def test_a_name_and_a_code_are_given_once_whichever_process_is_asked():
    async with two(**MANY_PROOFS) as servers:
        people = [Device(servers[n % 2]) for n in range(6)]
        for each in people:
            await each.post("/api/me")
        tried = await asyncio.gather(*(each.call("POST", "/api/me/keep", {"name": "Ann"}) for each in people))
        assert sorted(status for status, _ in tried) == [200] + [409] * 5
        ann = people[[status for status, _ in tried].index(200)]
        code = (await ann.post("/api/me/link"))["code"]
        phones = [Device(servers[n % 2]) for n in range(6)]
        used = await asyncio.gather(*(each.call("POST", "/api/link", {"code": code}) for each in phones))
        assert sorted(status for status, _ in used) == [200] + [403] * 5


async def test_a_secret_is_replaced_and_a_recovery_code_renewed_once_at_two_processes():
    async with two(**MANY_PROOFS) as servers:
        ann = Device(servers[0])
        code = await ann.member("Ann")
        await change(servers[0], sa.update(SESSIONS).values(renewed=SESSIONS.c.renewed - RENEWED_AFTER - 1))
        bearer = {"authorization": f"Bearer {ann.secret}"}
        answers = await asyncio.gather(
            *(asyncio.to_thread(Device(servers[n % 2]).raw, "GET", "/api/me", None, **bearer) for n in range(6))
        )
        assert sum("set-cookie" in headers for _, _, headers in answers) == 1
        phones = [Device(server) for server in servers]
        await asyncio.gather(*(each.post("/api/recover", {"code": code}) for each in phones))
        renewed = await asyncio.gather(*(each.post("/api/me/recovery") for each in phones))
        valid = [
            (await Device(servers[0]).call("POST", "/api/recover", {"code": each["recovery"]}))[0]
            for each in renewed
        ]
        assert sorted(valid) == [200, 403]  # the one that was stored last


async def test_a_device_is_known_and_signed_out_at_every_process():
    async with two(**MANY_PROOFS) as servers:
        ann = Device(servers[0])
        await ann.member("Ann")
        table = await ann.table(seats="me bot")
        client = await ann.connect(table)
        await client.until("view")
        ann.server = servers[1]
        shown = (await ann.get("/api/me/games"))["games"]
        assert [(each["table"], each["mine"]) for each in shown] == [(table, True)]
        assert (await (await ann.connect(table)).until("welcome"))["seats"] == [0]
        secret = ann.secret
        (device,) = (await ann.get("/api/me/devices"))["devices"]
        await ann.post(f"/api/me/devices/{device['id']}/remove")
        for server in servers:
            assert (await server.fetch("GET", "/api/me", None, secret))[1]["me"] is None


async def test_lists_say_whose_turn_it_is_when_each_person_plays_at_another_process():
    async with two(**MANY_PROOFS) as servers:
        people = [Device(server) for server in servers]
        for device, name in zip(people, ["Ann", "Bob"], strict=True):
            await device.member(name)
        table = await people[0].table(dice={"kind": "seeded", "seed": 3})
        await people[1].post(f"/api/tables/{table}/join", {"name": "x"})
        await people[0].post(f"/api/tables/{table}/start")
        clients = [await each.connect(table) for each in people]
        for client in clients:
            await client.until("view")
        for _ in range(12):
            while (turn := next((seat for seat, client in enumerate(clients) if client.legal), None)) is None:
                await asyncio.gather(*(client.hear() for client in clients))
            mine = [(await each.get("/api/me/games"))["games"][0]["mine"] for each in people]
            assert mine == [turn == 0, turn == 1]
            number, action = clients[turn].number, clients[turn].legal[0]["text"]  # type: ignore[index]
            await clients[turn].act(action)
            for client in clients:
                while client.number <= number:
                    await client.hear()
