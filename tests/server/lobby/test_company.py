"""Friends, blocks and invitations: both ways, and without telling which names there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from quadriga.server.people import company
from server.lobby.test_live import MANY, until
from server.lobby.test_quick import queued
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.live import Live, listen


async def members(server: InProcessServer, *names: str) -> list[Device]:
    found = [Device(server) for _ in names]
    for device, name in zip(found, names, strict=True):
        await device.member(name)
    return found


async def told(page: Live, field: str, wanted: list[Any]) -> None:
    """Receive until a list of the person's company is as wanted."""
    while (page.company or {}).get(field) != wanted:
        await page.hear()


async def listen_on(page: Live) -> None:
    """Receive for ever."""
    while True:
        await page.hear()


async def test_two_who_ask_each_other_are_friends_until_one_ends_it(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob = await members(server, "Ann", "Bob")
        pages = [await listen(ann), await listen(bob)]
        assert (await ann.post("/api/me/friends", {"name": "BOB"}))["asked"] == ["BOB"]
        await told(pages[1], "asks", ["Ann"])
        assert (await bob.post("/api/me/friends", {"name": "ann"}))["friends"] == ["Ann"]
        await told(pages[0], "friends", ["Bob"])
        assert pages[0].company["asked"] == []
        await ann.post("/api/me/friends/remove", {"name": "Bob"})
        await told(pages[1], "friends", [])
        await ann.post("/api/me/friends", {"name": "Bob"})
        await told(pages[1], "asks", ["Ann"])
        await bob.post("/api/me/friends/remove", {"name": "Ann"})  # declined
        await told(pages[0], "asked", [])


async def test_no_answer_tells_whether_a_name_exists_or_has_blocked_one(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, eve = await members(server, "Ann", "Bob", "Eve")
        await bob.post("/api/me/blocks", {"name": "Eve"})
        table = await eve.table()
        for path in ("/api/me/friends", f"/api/tables/{table}/invitations", "/api/me/blocks"):
            answers = []
            for name in ("Ann", "Bob", "Nobody"):
                answer = await eve.post(path, {"name": name})
                answers.append(str(answer).replace(name, "?"))
                await eve.post("/api/me/friends/remove", {"name": name})
                await eve.post("/api/me/blocks/remove", {"name": name})
            assert len(set(answers)) == 1
        exported = await eve.get("/api/me/export")
        assert all("other_id" not in each for each in exported["blocks"])
        assert (await ann.get("/api/me/company"))["invitations"]
        assert not (await bob.get("/api/me/company"))["invitations"]


async def test_an_invitation_waits_for_somebody_who_is_offline(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **MANY) as server:
        ann, bob = await members(server, "Ann", "Bob")
        table = await ann.table()
        await ann.post(f"/api/tables/{table}/invitations", {"name": "Bob"})
        await ann.post(f"/api/tables/{table}/invitations", {"name": "Bob"})  # twice is once
        guest = Device(server)
        await guest.post("/api/me")
        own = await guest.table()
        assert (await guest.call("POST", f"/api/tables/{own}/invitations", {"name": "Bob"}))[1][
            "code"
        ] == "person.guest"
        status, refused = await bob.call("POST", f"/api/tables/{table}/invitations", {"name": "Ann"})
        assert (status, refused["code"]) == (401, "token.missing")
    async with in_process(path, **MANY) as server:
        ann.server = bob.server = server
        page = await listen(bob)
        shown = (await page.until("company"))["company"]["invitations"]
        assert [(each["by"], each["table"], each["game"]) for each in shown] == [("Ann", table, "ur")]
        await bob.post(f"/api/me/invitations/{shown[0]['id']}/remove")
        await told(page, "invitations", [])
        await ann.post(f"/api/tables/{table}/invitations", {"name": "Bob"})
        while not page.company["invitations"]:
            await page.hear()
        await bob.post(f"/api/tables/{table}/join", {"name": "x"})
        await ann.post(f"/api/tables/{table}/start")
        assert (await bob.get("/api/me/company"))["invitations"] == []  # it has begun


async def test_blocking_hides_tables_chat_requests_and_pairing_both_ways(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, cem = await members(server, "Ann", "Bob", "Cem")
        await ann.post("/api/me/friends", {"name": "Bob"})
        await bob.post("/api/me/friends", {"name": "Ann"})
        table = await ann.table("ave-caesar", "me open open", public=True)
        for device in (bob, cem):
            await device.post(f"/api/tables/{table}/join", {"name": "x"})
        clients = {name: await each.connect(table) for name, each in (("Ann", ann), ("Bob", bob), ("Cem", cem))}
        for client in clients.values():
            await client.until("welcome")
        watched = {"Ann": await ann.table(public=True), "Bob": await bob.table(public=True)}
        pages = {"Ann": await listen(ann), "Bob": await listen(bob)}
        for page in pages.values():
            for each in watched.values():
                await until(page, each)
        await ann.post("/api/me/blocks", {"table": table, "seat": 1})
        for name, page in pages.items():
            other = watched["Bob" if name == "Ann" else "Ann"]
            while other in page.tables:
                await page.hear()
            assert watched[name] in page.tables
            await told(page, "friends", [])
        assert {each["id"] for each in (await bob.get("/api/tables"))["tables"]} == {watched["Bob"]}
        assert pages["Ann"].company["blocks"] == ["Bob"]
        assert pages["Bob"].company["blocks"] == []
        for name, client in clients.items():
            await client.say(type="chat", text=f"from {name}")
            while (await client.until("chat"))["chat"]["text"] != f"from {name}":
                pass
        heard = {}
        for name, client in clients.items():
            await client.say(type="ping", ref="end")
            await client.until("pong")
            heard[name] = sorted(each for each in ("Ann", "Bob", "Cem") if f"from {each}" in "".join(client.heard))
        assert heard == {"Ann": ["Ann", "Cem"], "Bob": ["Bob", "Cem"], "Cem": ["Ann", "Bob", "Cem"]}
        again = (await (await bob.connect(table)).until("welcome"))["chat"]
        assert [each["text"] for each in again] == ["from Bob", "from Cem"]
        await bob.post("/api/me/friends", {"name": "Ann"})
        await bob.post(f"/api/tables/{watched['Bob']}/invitations", {"name": "Ann"})
        shown = await ann.get("/api/me/company")
        assert (shown["asks"], shown["invitations"]) == ([], [])
        for page in pages.values():
            await page.say(type="quick", game="ur", seats=2, name="x")
            await page.until("quick", state="waiting")
        await queued(server, 2)
        third = await listen(cem)
        await third.say(type="quick", game="ur", seats=2, name="x")
        found = (await third.until("quick", state="paired"))["table"]
        assert (await pages["Ann"].until("quick", state="paired"))["table"] == found  # who has waited longest
        await ann.post("/api/me/blocks/remove", {"name": "Bob"})
        await until(pages["Bob"], watched["Ann"])


async def test_a_page_is_told_nothing_more_once_its_device_is_signed_out(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob = await members(server, "Ann", "Bob")
        phone = Device(server)
        await phone.post("/api/me")
        await phone.post("/api/link", {"code": (await ann.post("/api/me/link"))["code"]})
        pages = [await listen(phone), await listen(ann)]
        (lost,) = (each["id"] for each in (await phone.get("/api/me/devices"))["devices"] if each["current"])
        await ann.post(f"/api/me/devices/{lost}/remove")
        with pytest.raises(ConnectionClosed):
            await listen_on(pages[0])
        await ann.post("/api/me/name", {"name": "Anna"})
        await bob.post("/api/me/friends", {"name": "Anna"})
        await told(pages[1], "asks", ["Bob"])
        await ann.post("/api/me/delete", {"name": "Anna"})
        with pytest.raises(ConnectionClosed):
            await listen_on(pages[1])


async def test_two_guests_of_one_name_are_both_blocked(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        (ann,) = await members(server, "Ann")
        guests = [Device(server), Device(server)]
        tables = []
        for guest in guests:
            await guest.post("/api/me")
            tables.append(await guest.table(name="Eve", public=True))
            await ann.post("/api/me/blocks", {"table": tables[-1], "seat": 0})
        own = await ann.table(public=True)
        assert (await ann.get("/api/me/company"))["blocks"] == ["Eve"]
        for guest, table in zip(guests, tables, strict=True):
            shown = {each["id"] for each in (await guest.get("/api/tables"))["tables"]}
            assert (own in shown, table in shown) == (False, True)
        await ann.post("/api/me/blocks/remove", {"name": "eve"})
        assert {each["id"] for each in (await ann.get("/api/tables"))["tables"]} == {own, *tables}


async def test_there_is_an_end_to_friends_and_blocks(tmp_path: Path, monkeypatch: Any):
    monkeypatch.setattr(company, "MOST", 2)
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        (ann,) = await members(server, "Ann")
        for path in ("/api/me/friends", "/api/me/blocks"):
            for n in range(2):
                await ann.post(path, {"name": f"P{n}"})
            assert (await ann.call("POST", path, {"name": "P2"}))[1]["code"] == "person.many"
        assert (await ann.call("POST", "/api/me/blocks", {"name": "Ann"}))[1]["code"] == "person.self"


async def test_friends_and_blocks_follow_a_merge_and_end_with_the_account(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, eve = await members(server, "Ann", "Bob", "Eve")
        annie = Device(server)
        await annie.member("Annie")
        for one, two in ((annie, "Bob"), (bob, "Annie")):
            await one.post("/api/me/friends", {"name": two})
        await annie.post("/api/me/blocks", {"name": "Eve"})
        code = (await ann.post("/api/me/link"))["code"]
        await annie.post("/api/link", {"code": code, "merge": True})
        shown = await ann.get("/api/me/company")
        assert (shown["friends"], shown["blocks"]) == (["Bob"], ["Eve"])
        assert (await bob.get("/api/me/company"))["friends"] == ["Ann"]
        await ann.post("/api/me/delete", {"name": "Ann"})
        assert (await bob.get("/api/me/company"))["friends"] == []
        assert (await eve.get("/api/me/company"))["asks"] == []
