"""Who somebody is: guests, members, other devices, recovery, names, roles, keys of bots, and attacks on them."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.people import devices
from quadriga.server.people.accounts import DAY_MS
from quadriga.server.storage.people_schema import FORMER_NAMES, ONE_TIME_CODES, SESSIONS
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process

MANY_PROOFS: dict[str, Any] = dict.fromkeys(
    ("proof_burst", "proofs_in_all", "guest_burst", "account_burst"), 10_000.0
)


async def change(server: InProcessServer, statement: sa.Update) -> None:
    """Change rows of the server's store."""
    await server.registry.store.transact(lambda connection: connection.execute(statement))


async def test_a_guest_becomes_a_member_and_stays_the_same_person(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann = Device(server)
        assert await ann.get("/api/me") == {"me": None, "passkeys": "address", "mail": False, "oidc": None}
        guest = (await ann.post("/api/me"))["me"]
        assert (guest["role"], guest["name"], guest["recovery"]) == ("guest", None, False)
        assert (await ann.post("/api/me"))["me"] == guest  # a second time changes nothing
        for path, body in [("link", {}), ("recovery", {}), ("keys", {"label": "x"}), ("profile", {"public": True})]:
            status, refused = await ann.call("POST", f"/api/me/{path}", body)
            assert (status, refused["code"]) == (403, "person.guest"), path
        kept = await ann.post("/api/me/keep", {"name": "Ann"})
        assert kept["me"] == {**guest, "role": "member", "name": "Ann", "recovery": True}
        assert (await ann.call("POST", "/api/me/keep", {"name": "Anna"}))[0] == 409
        assert (await Device(server).call("POST", "/api/me/keep", {"name": "Bob"}))[1]["code"] == "person.stranger"


async def test_the_cookie_is_safe_and_nothing_secret_is_stored(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **MANY_PROOFS) as server:
        ann = Device(server)
        _, _, headers = await asyncio.to_thread(ann.raw, "POST", "/api/me", {})
        sent = headers["set-cookie"].lower()
        assert "httponly" in sent
        assert "samesite=strict" in sent
        assert "secure" not in sent  # this is plain HTTP
        recovery = await ann.member("Ann")
        link = (await ann.post("/api/me/link"))["code"]
        key = (await ann.post("/api/me/keys", {"label": "robot"}))["key"]
        secrets = [ann.secret, recovery, recovery.replace("-", ""), link, link.replace("-", ""), key]
    with closing(sqlite3.connect(path)) as disk:
        dump = "\n".join(disk.iterdump())
    stored = path.read_bytes()
    for secret in secrets:
        assert len(secret) >= 8
        assert secret not in dump
        assert secret.encode() not in stored
        assert secret.encode().hex().upper() not in dump.upper()


async def test_a_code_signs_another_device_in_once(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        phone, laptop, stranger = Device(server), Device(server), Device(server)
        await phone.member("Ann")
        code = (await phone.post("/api/me/link"))["code"]
        assert len(code) == 9
        found = await laptop.post("/api/link", {"code": code.lower().replace("-", " "), "label": "laptop"})
        assert found["me"]["name"] == "Ann"
        status, refused = await stranger.call("POST", "/api/link", {"code": code})
        assert (status, refused["code"]) == (403, "code.wrong")
        shown = (await laptop.get("/api/me/devices"))["devices"]
        assert [(each["label"], each["current"]) for each in shown] == [("laptop", True), ("test", False)]
        # A code that was not used expires, and a new one replaces it.
        old = (await phone.post("/api/me/link"))["code"]
        new = (await phone.post("/api/me/link"))["code"]
        assert (await stranger.call("POST", "/api/link", {"code": old}))[0] == 403
        await change(server, sa.update(ONE_TIME_CODES).values(expires=1))
        assert (await stranger.call("POST", "/api/link", {"code": new}))[0] == 403


async def test_a_recovery_code_brings_everything_back_and_a_new_one_voids_it(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        lost, found = Device(server), Device(server)
        code = await lost.member("Ann")
        table = await lost.table()
        assert (await found.post("/api/recover", {"code": code}))["me"]["name"] == "Ann"
        assert [each["table"] for each in (await found.get("/api/me/games"))["games"]] == [table]
        new = (await found.post("/api/me/recovery"))["recovery"]
        other = Device(server)
        assert (await other.call("POST", "/api/recover", {"code": code}))[1]["code"] == "code.wrong"
        wrong = new[:-1] + ("0" if new[-1] != "0" else "1")
        assert (await other.call("POST", "/api/recover", {"code": wrong}))[1]["code"] == "code.wrong"
        assert (await other.post("/api/recover", {"code": new}))["me"]["name"] == "Ann"


async def test_codes_are_tried_five_times_from_an_address_and_for_a_person(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", guest_burst=100.0, proxies=("127.0.0.1",)) as server:
        ann = Device(server)
        code = await ann.member("Ann")
        wrong = code[:-4] + "0000"
        tries = [
            await Device(server, **{"x-forwarded-for": f"10.0.0.{n}"}).call("POST", "/api/recover", {"code": wrong})
            for n in range(7)
        ]  # every try comes from another address, for the same person
        assert [status for status, _ in tries] == [403] * 5 + [429] * 2
        guesses = [await ann.call("POST", "/api/link", {"code": f"AAAA{n:04}"}) for n in range(7)]
        assert [status for status, _ in guesses] == [403] * 5 + [429] * 2


async def test_a_device_that_is_signed_out_is_out_at_once(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann, thief = Device(server), Device(server)
        await ann.member("Ann")
        table = await ann.table(seats="me bot")
        await thief.post("/api/link", {"code": (await ann.post("/api/me/link"))["code"], "label": "thief"})
        shown = (await ann.get("/api/me/devices"))["devices"]
        stolen = next(each["id"] for each in shown if each["label"] == "thief")
        other = Device(server)
        await other.member("Bob")
        assert (await other.call("POST", f"/api/me/devices/{stolen}/remove", {}))[1]["code"] == "person.no-device"
        await ann.post(f"/api/me/devices/{stolen}/remove")
        assert (await thief.get("/api/me"))["me"] is None
        assert (await (await thief.connect(table)).until("welcome"))["seats"] == []
        assert (await (await ann.connect(table)).until("welcome"))["seats"] == [0]


async def test_secrets_are_renewed_and_an_old_one_signs_the_device_out(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann = Device(server)
        await ann.member("Ann")
        first = ann.secret
        await change(server, sa.update(SESSIONS).values(renewed=SESSIONS.c.renewed - devices.RENEWED_AFTER - 1))
        assert (await ann.get("/api/me"))["me"]["name"] == "Ann"
        second = ann.secret
        assert second != first
        thief = Device(server)
        bearer = {"authorization": f"Bearer {first}"}
        assert (await thief.call("GET", "/api/me", None, **bearer))[1]["me"]["name"] == "Ann"  # on its way
        await change(server, sa.update(SESSIONS).values(renewed=SESSIONS.c.renewed - devices.FORMER_MS - 1))
        assert (await thief.call("GET", "/api/me", None, **bearer))[1]["me"] is None
        assert (await ann.get("/api/me"))["me"] is None  # nobody knows which of the two is the owner


@pytest.mark.parametrize("other", ["ann", "ANN", "Аnn", "A n n", "Ａnn", "An\u200bn"])
async def test_names_are_unique_however_they_are_written(tmp_path: Path, other: str):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        await Device(server).member("Ann")
        imitator = Device(server)
        await imitator.post("/api/me")
        status, refused = await imitator.call("POST", "/api/me/keep", {"name": other})
        assert (status, refused["code"]) == (409, "person.taken")


async def test_a_former_name_is_kept_from_others_for_a_month(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Bob")
        assert (await ann.post("/api/me/name", {"name": "Anna"}))["me"]["name"] == "Anna"
        assert (await bob.call("POST", "/api/me/name", {"name": "ann"}))[1]["code"] == "person.taken"
        assert (await ann.post("/api/me/name", {"name": "Ann"}))["me"]["name"] == "Ann"  # it is still hers
        await ann.post("/api/me/name", {"name": "Anna"})
        await change(server, sa.update(FORMER_NAMES).values(until=FORMER_NAMES.c.until - 31 * DAY_MS))
        assert (await bob.post("/api/me/name", {"name": "Ann"}))["me"]["name"] == "Ann"


async def test_two_who_want_one_name_at_once(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        people = [Device(server) for _ in range(8)]
        for each in people:
            await each.post("/api/me")
        tried = await asyncio.gather(*(each.call("POST", "/api/me/keep", {"name": "Ann"}) for each in people))
        assert sorted(status for status, _ in tried) == [200] + [409] * 7


async def test_a_guests_games_go_along_and_two_members_are_merged_only_when_asked(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        home, work, third = Device(server), Device(server), Device(server)
        await home.member("Ann")
        at_home = await home.table()
        await work.post("/api/me")
        at_work = await work.table()
        await work.post("/api/link", {"code": (await home.post("/api/me/link"))["code"]})
        shown = (await home.get("/api/me/games"))["games"]
        assert {each["table"] for each in shown} == {at_home, at_work}
        await third.member("Annie")
        elsewhere = await third.table()
        code = (await home.post("/api/me/link"))["code"]
        status, refused = await third.call("POST", "/api/link", {"code": code})
        assert (status, refused["code"]) == (409, "person.merge")
        found = await third.post("/api/link", {"code": code, "merge": True})  # the refusal has not used the code up
        assert found["me"]["name"] == "Ann"
        shown = (await third.get("/api/me/games"))["games"]
        assert {each["table"] for each in shown} == {at_home, at_work, elsewhere}
        assert (await Device(server).call("GET", "/api/people/Annie"))[0] == 404


async def test_old_tokens_are_handed_over(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        table, token = await asyncio.to_thread(server.create, "ur")  # as an old page has done it
        ann, other = Device(server), Device(server)
        await ann.post("/api/me")
        tokens = {table: token, "gone": token, "f" * 20: "nonsense"}
        assert await ann.post("/api/me/handover", {"tokens": tokens}) == {"tables": 1}
        assert await ann.post("/api/me/handover", {"tokens": tokens}) == {"tables": 0}
        assert [each["table"] for each in (await ann.get("/api/me/games"))["games"]] == [table]
        assert (await (await ann.connect(table)).until("welcome"))["seats"] == [0]
        await other.post("/api/me")
        assert await other.post("/api/me/handover", {"tokens": tokens}) == {"tables": 0}  # it is Ann's
        assert (await (await other.connect(table)).until("welcome"))["seats"] == []
        assert (await (await other.connect(table, token=token)).until("welcome"))["seats"] == [0]  # as before


async def test_the_key_of_a_bot_plays_and_changes_nothing_else(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann = Device(server)
        await ann.member("Ann")
        made = await ann.post("/api/me/keys", {"label": "robot"})
        key = made["key"]
        status, created = await server.fetch(
            "POST", "/api/tables", {"game": "ur", "name": "x", "seats": [{"kind": "me"}, {"kind": "open"}]}, key
        )
        assert status == 201
        assert created["table"]["seats"][0]["name"] == "Ann"
        client = await server.connect(created["table"]["id"], key)
        assert (await client.until("welcome"))["seats"] == [0]
        for path, body in [("keys", {"label": "x"}), ("link", {}), ("name", {"name": "x"}), ("delete", {})]:
            status, refused = await server.fetch("POST", f"/api/me/{path}", body, key)
            assert (status, refused["code"]) == (403, "person.bot")
        await ann.post(f"/api/me/devices/{made['device']['id']}/remove")
        assert (await server.fetch("GET", "/api/me/games", None, key))[0] == 401


async def test_the_first_host_knows_the_code_that_the_server_prints(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Bob")
        code = await server.registry.people.accounts.host_code()
        assert (await bob.call("POST", "/api/me/host", {"code": "WRONG123"}))[1]["code"] == "code.wrong"
        assert (await ann.post("/api/me/host", {"code": code}))["me"]["role"] == "host"
        assert (await bob.call("POST", "/api/me/host", {"code": code}))[1]["code"] == "code.wrong"
        assert await server.registry.people.accounts.host_code() is None


async def test_a_foreign_page_cannot_act_for_somebody(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann = Device(server)
        await ann.member("Ann")
        status, refused = await ann.call("POST", "/api/me/name", {"name": "x"}, origin="https://evil.example")
        assert (status, refused["code"]) == (403, "wire.origin")


async def test_profiles_are_private_until_shown_and_tell_nothing_of_those_that_are_not(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        nobody = await bob.call("GET", "/api/people/Nobody")
        assert await bob.call("GET", "/api/people/Ann") == nobody
        assert nobody[0] == 404
        await ann.post("/api/me/profile", {"public": True})
        shown = await bob.get("/api/people/ann")
        assert (shown["name"], shown["role"], shown["results"], shown["ratings"]) == ("Ann", "member", [], [])
        assert set(shown) == {"name", "role", "since", "results", "ratings"}


async def test_too_many_guests_of_one_address_are_refused(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", guest_burst=3.0) as server:
        statuses = [(await Device(server).call("POST", "/api/me", {}))[0] for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
