"""Reports, acts and appeals, as people and moderators meet them."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from quadriga.server.moderation import acts, desk
from quadriga.server.protocol.errors import RoomError, TakenError
from quadriga.server.state import verify
from quadriga.server.storage.moderation_schema import HOUSE_LOG
from quadriga.server.upkeep import archiver
from server.lobby.test_live import MANY
from server.people.test_history import play_out
from server.support.devices import Device
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.services import shared_postgres

RATES = {**MANY, "report_rate": 1e6, "report_burst": 1e6, "moderation_burst": 1e6, "proof_burst": 1e6}


async def staff(server: InProcessServer) -> tuple[Device, Device]:
    """Return the host and a moderator whom the host has appointed."""
    host, moderator = Device(server), Device(server)
    await host.member("Hera")
    await moderator.member("Mo")
    code = await server.registry.people.accounts.host_code()
    await host.post("/api/me/host", {"code": code})
    await host.post("/api/host/roles", {"name": "Mo", "role": "moderator"})
    return host, moderator


async def ann_and_bob(server: InProcessServer) -> tuple[Device, Device, str, Client, Client]:
    """Return two people who play, their table, and their sockets."""
    ann, bob = Device(server), Device(server)
    await ann.member("Ann")
    await bob.member("Bob")
    table = await ann.table()
    await bob.post(f"/api/tables/{table}/join", {"name": "Bob"})
    await ann.post(f"/api/tables/{table}/start")
    return ann, bob, table, await ann.connect(table), await bob.connect(table)


async def insulted(server: InProcessServer) -> tuple[Device, Device, str, Client, Client]:
    """Return Ann and Bob after Bob has insulted Ann, and Ann has reported it."""
    ann, bob, table, hers, his = await ann_and_bob(server)
    await his.say(type="chat", text="you are a donkey")
    line = (await hers.until("chat"))["chat"]
    await ann.post("/api/reports", {"table": table, "message": line["number"], "reason": "insult"})
    return ann, bob, table, hers, his


async def only_case(moderator: Device) -> str:
    (case,) = (await moderator.get("/api/moderation/queue"))["cases"]
    return str(case["id"])


async def end_of(client: Client) -> int:
    """Receive until the server closes the socket; return the close code."""
    while True:
        try:
            await client.hear(loose=True)
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code


async def test_a_reported_message_is_muted_appealed_against_and_decided_by_the_host(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        host, moderator = await staff(server)
        _, bob, _, hers, his = await insulted(server)
        case = await moderator.get(f"/api/moderation/cases/{await only_case(moderator)}")
        assert [(line["text"], line["reported"]) for line in case["chat"]] == [("you are a donkey", True)]
        assert (case["member"], case["game"], case["reports"][0]["by"]) == ("Bob", "ur", "Ann")
        order = {"kind": "mute", "case": case["case"]["id"], "hours": 2, "reason": "Be kind."}
        assert (await moderator.post("/api/moderation/acts", order))["cases"] == []
        await his.until("standing")
        await his.say(type="chat", text="again")
        assert (await his.until("refused"))["code"] == "chat.muted"
        (act,) = (await bob.get("/api/me/standing"))["acts"]
        assert (act["kind"], act["holds"], act["reason"], act["appeal"]) == ("mute", True, "Be kind.", "possible")
        await bob.post(f"/api/me/acts/{act['id']}/appeal", {"text": "It was a joke."})
        assert (await bob.call("POST", f"/api/me/acts/{act['id']}/appeal", {"text": "Once more."}))[0] == 409
        decision = {"lift": True, "answer": "Granted."}
        status, refused = await moderator.call("POST", f"/api/moderation/acts/{act['id']}/decide", decision)
        assert (status, refused["code"]) == (403, "moderation.yours")
        await host.post(f"/api/moderation/acts/{act['id']}/decide", decision)
        (act,) = (await bob.get("/api/me/standing"))["acts"]
        assert (act["appeal"], act["answer"], act["holds"]) == ("lifted", "Granted.", False)
        await his.say(type="chat", text="sorry")
        assert (await hers.until("chat"))["chat"]["text"] == "sorry"
        kinds = [line["kind"] for line in (await host.get("/api/moderation/log"))["lines"]]
        assert kinds == ["decide", "appeal", "close", "mute", "role"]
        assert "Mo" not in str(await bob.get("/api/me/standing"))


async def test_a_ban_ends_the_sockets_and_the_game_goes_on_for_the_others(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        _, moderator = await staff(server)
        ann, bob, table, _, his = await insulted(server)
        await moderator.post("/api/moderation/acts", {"kind": "ban", "name": "Bob", "reason": "Enough."})
        assert await end_of(his) == 4403
        room = server.registry.rooms[table]
        while not room.state.seats[1].bot_controlled:
            assert (await ann.get(f"/api/tables/{table}"))["status"] == "playing"
        for method, path, body in (
            ("POST", "/api/tables", {"game": "ur", "name": "Bob", "seats": [{"kind": "me"}, {"kind": "bot"}]}),
            ("GET", f"/api/tables/{table}", None),
            ("POST", "/api/me/name", {"name": "Rob"}),
        ):
            status, refused = await bob.call(method, path, body)
            assert (status, refused["code"], refused["with"]["reason"]) == (403, "house.banned", "Enough.")
        again = await bob.connect(table)
        assert (await again.hear(loose=True))["code"] == "house.banned"
        (act,) = (await bob.get("/api/me/standing"))["acts"]
        await bob.post(f"/api/me/acts/{act['id']}/appeal", {"text": "Please."})
        await moderator.post(f"/api/moderation/acts/{act['id']}/lift", {"reason": "A mistake."})
        assert (await bob.get(f"/api/tables/{table}"))["status"] == "playing"


async def test_a_report_takes_the_words_from_the_store_and_tells_the_reported_nothing(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        _, moderator = await staff(server)
        ann, bob, table, *_ = await ann_and_bob(server)
        for body in ({"message": 7}, {"seat": 9}):
            status, refused = await ann.call("POST", "/api/reports", {"table": table, "reason": "spam", **body})
            assert (status, refused["code"]) == (404, "moderation.gone")
        assert await ann.post("/api/reports", {"table": table, "seat": 1, "reason": "name"}) == {"ok": True}
        assert await ann.post("/api/reports", {"table": table, "seat": 1, "reason": "name"}) == {"ok": True}
        assert await ann.post("/api/reports", {"name": "bob", "reason": "name"}) == {"ok": True}
        (case,) = (await moderator.get("/api/moderation/queue"))["cases"]
        assert (case["name"], case["reasons"]) == ("Bob", ["name"])
        assert (await bob.call("POST", "/api/reports", {"name": "Bob", "reason": "name"}))[0] == 422
        assert "reports" not in str(await bob.get("/api/me/standing"))
        assert (await bob.get("/api/me/export"))["reports"] == []
        assert (await bob.call("GET", "/api/moderation/queue"))[0] == 403


async def test_a_watcher_is_found_by_their_message_and_deleting_the_account_deletes_it(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        _, moderator = await staff(server)
        ann, _, table, hers, _ = await ann_and_bob(server)
        watcher = Device(server)
        await watcher.member("Wim")
        theirs = await watcher.connect(table, name="Anonymous")
        await theirs.say(type="chat", text="what a donkey")
        line = (await hers.until("chat"))["chat"]
        await ann.post("/api/reports", {"table": table, "message": line["number"], "reason": "insult"})
        case = await moderator.get(f"/api/moderation/cases/{await only_case(moderator)}")
        assert (case["member"], case["case"]["name"]) == ("Wim", "Anonymous (watching)")
        await watcher.post("/api/me/delete", {"name": "Wim"})
        assert (await moderator.get("/api/moderation/queue"))["cases"] == []
        assert await server.registry.store.chat(table, 10) == []


async def test_only_the_host_acts_against_moderators_and_nobody_against_the_host(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        host, moderator = await staff(server)
        other = Device(server)
        await other.member("Max")
        await host.post("/api/host/roles", {"name": "Max", "role": "moderator"})

        async def warn(by: Device, name: str) -> int:
            return (await by.call("POST", "/api/moderation/acts", {"kind": "warn", "name": name, "reason": "x"}))[0]

        assert [await warn(moderator, each) for each in ("Max", "Hera", "Mo")] == [403, 403, 422]
        assert (await warn(host, "Max"), await warn(other, "Hera")) == (200, 403)
        assert (await moderator.call("POST", "/api/host/roles", {"name": "Mo", "role": "member"}))[0] == 403


async def test_a_renamed_member_has_the_new_name_at_running_tables_and_the_old_one_is_gone(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        _, moderator = await staff(server)
        ann, bob, table, *_ = await ann_and_bob(server)
        starts = int(time.time() * 1000) + 600_000
        plan = {"kind": "knockout", "game": "ur", "seats": 2, "starts": starts, "name": "Bob"}
        path = f"/api/tournaments/{(await bob.post('/api/tournaments', plan))['tournament']['summary']['id']}"
        await bob.post(f"{path}/enter", {"name": "Bob"})
        order = {"kind": "rename", "name": "Bob", "rename": "Robert", "reason": "Not a name."}
        await moderator.post("/api/moderation/acts", order)
        while (await ann.get(f"/api/tables/{table}"))["seats"][1]["name"] != "Robert":
            pass
        assert (await bob.get("/api/me"))["me"]["name"] == "Robert"
        tournament = (await ann.get(path))["tournament"]
        assert (tournament["summary"]["by"], tournament["standings"][0]["name"]) == ("Robert", "Robert")
        for device in (ann, bob):
            assert (await device.call("POST", "/api/me/name", {"name": "B0B"}))[1]["code"] == "person.taken"


@pytest.mark.parametrize("is_shared", [False, True])
async def test_a_name_that_was_taken_away_goes_from_finished_and_archived_games(tmp_path: Path, is_shared: bool):
    address = shared_postgres().new_database() if is_shared else tmp_path / "store.sqlite"
    async with in_process(address, **RATES, archive_after=1e-9) as server:
        _, moderator = await staff(server)
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Horribilis")
        tables = [await play_out([ann, bob], options={"rules": "blitz"}) for _ in range(2)]
        for room in list(server.registry.rooms.values()):
            server.registry.unload(room)
        upkeep, store = server.app.state.upkeep, server.registry.store
        assert await archiver.archive(store, tables[0])
        hers, his = await ann.connect(tables[1]), await bob.connect(tables[1])
        await hers.until("welcome")  # who comes later finds what was said in the welcome
        await his.say(type="chat", text="well played")
        await hers.until("chat")
        again = (await ann.post(f"/api/tables/{tables[1]}/rematch"))["table"]["id"]  # keeps a seat for the name
        running = await bob.table(seats="me bot")
        order = {"kind": "rename", "name": "Horribilis", "rename": "Robert", "reason": "Not a name."}
        await moderator.post("/api/moderation/acts", order)
        done = sa.select(HOUSE_LOG.c.id).where(HOUSE_LOG.c.kind == "renamed")
        while not await store.read(done):
            await asyncio.sleep(0.01)
        while "—" not in [seat["name"] for seat in hers.table["seats"]]:
            await hers.hear(loose=True)
        assert not await upkeep.renaming.step()
        for table in (*tables, again, running):
            found = [await ann.get(f"/api/tables/{table}")]
            if table in tables:
                found += [await ann.get(f"/api/tables/{table}/replay"), await asyncio.to_thread(record, ann, table)]
            found += [await store.load(table), await store.chat(table, 9)]  # which verifies
            assert "Horribilis" not in str(found)
        assert [line.name for line in await store.chat(tables[1], 9)] == ["Robert"]
        history = await bob.get("/api/me/history")
        assert "Horribilis" not in str(history)
        assert (await bob.get(f"/api/tables/{running}"))["seats"][0]["name"] == "Robert"
    if not is_shared:
        assert verify.check(tmp_path / "store.sqlite").whole


def record(device: Device, table: str) -> bytes:
    return device.raw("GET", f"/api/tables/{table}/record")[1]


async def test_a_name_that_was_taken_away_while_no_server_was_there_goes_when_one_is(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Horribilis")
        table = await play_out([ann, bob], options={"rules": "blitz"})
    house = desk.Desk(tmp_path / "store.sqlite")
    house.act("rename", "Horribilis", "Not a name.", None, "Terribilis")
    house.act("rename", "Terribilis", "Nor is this.", None, "Robert")
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        while "Horribilis" in str(await server.fetch("GET", f"/api/tables/{table}")):
            await asyncio.sleep(0.01)
    assert verify.check(tmp_path / "store.sqlite").whole


async def test_a_ban_stays_when_the_account_is_deleted_and_goes_along_when_accounts_are_merged(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        _, moderator = await staff(server)
        bob, eve = Device(server), Device(server)
        recovery = await eve.member("Eve")
        await bob.member("Bob")
        order: dict[str, Any] = {"kind": "ban", "reason": "Enough."}
        await moderator.post("/api/moderation/acts", {**order, "name": "Bob"})
        secret = bob.secret
        await bob.post("/api/me/delete", {"name": "Bob"})
        assert secret
        kept = Device(server, cookie=f"{server.registry.people.cookie}={secret}")
        status, refused = await kept.call("POST", "/api/me", {})
        assert (status, refused["code"]) == (403, "house.banned")
        guest = Device(server)
        await guest.post("/api/me", {})
        person = (await guest.get("/api/me"))["me"]["id"]

        def ban(connection: sa.Connection) -> None:
            acts.do(connection, None, acts.Order("mute", person, "Guest", "Quiet.", 1))

        await server.registry.store.transact(ban)
        await guest.post("/api/recover", {"code": recovery, "merge": True})
        assert [each["kind"] for each in (await guest.get("/api/me/standing"))["acts"]] == ["mute"]


async def test_the_log_of_the_house_cannot_be_changed(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        await staff(server)
        for statement in (sa.delete(HOUSE_LOG), sa.update(HOUSE_LOG).values(detail="")):
            with pytest.raises((TakenError, RoomError)):
                await server.registry.store.transact(partial(execute, statement))
        assert len(await server.registry.store.read(sa.select(HOUSE_LOG))) == 1


def execute(statement: sa.Delete | sa.Update, connection: sa.Connection) -> None:
    connection.execute(statement)
