"""Codes by e-mail, through a real mail server: give an address, sign in by it, and attacks on both."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from quadriga.server.storage.mail_schema import MAIL_ADDRESSES, MAIL_CODES
from server.people.test_attacks import work_of
from server.people.test_identity import MANY_PROOFS, change
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.mailbox import Mailbox, mailbox

MANY: dict[str, Any] = {**MANY_PROOFS, "mail_burst": 10_000.0, "mails_in_all": 10_000.0}


@asynccontextmanager
async def site(tmp_path: Path, **settings: Any) -> AsyncIterator[tuple[InProcessServer, Mailbox]]:
    with mailbox() as box:
        async with in_process(tmp_path / "store.sqlite", mail=box.url, **{**MANY, **settings}) as server:
            yield server, box


async def code_to(box: Mailbox, address: str) -> str:
    """Return the code of the next message, which goes to this address."""
    to, message = await asyncio.to_thread(box.next)
    assert to == address
    (code,) = set(re.findall(r"\b\d{6}\b", message["Subject"] + message.get_content()))
    return str(code)


async def gives(device: Device, box: Mailbox, address: str) -> None:
    """Give a member's address, and prove it."""
    await device.post("/api/me/mail", {"address": address})
    proof = {"address": address, "code": await code_to(box, address.lower())}
    assert (await device.post("/api/me/mail/confirm", proof))["mail"] == address.lower()


async def test_a_member_gives_an_address_and_signs_in_by_it(tmp_path: Path):
    async with site(tmp_path) as (server, box):
        ann, phone, thief = Device(server), Device(server), Device(server)
        assert (await ann.get("/api/me"))["mail"] is True
        await ann.post("/api/me")
        assert (await ann.call("POST", "/api/me/mail", {"address": "a@b.example"}))[1]["code"] == "person.guest"
        await ann.member("Ann")
        await gives(ann, box, "Ann@Example.org")
        await phone.post("/api/mail", {"address": " ann@example.org", "language": "fr"})
        _, message = await asyncio.to_thread(box.next)
        assert "est votre code" in message["Subject"]
        code = message["Subject"].split()[0]
        proof = {"address": "ANN@example.org", "code": f"{code[:3]} {code[3:]}", "label": "phone"}
        assert (await phone.post("/api/mail/sign-in", proof))["me"]["name"] == "Ann"
        assert (await thief.call("POST", "/api/mail/sign-in", proof))[1]["code"] == "code.wrong"  # it was used
        exported = json.loads((await asyncio.to_thread(phone.raw, "GET", "/api/me/export"))[1])
        assert [each["address"] for each in exported["mail"]] == ["ann@example.org"]
        assert (await phone.post("/api/me/mail/remove"))["mail"] is None
        assert await server.registry.store.read(sa.select(MAIL_ADDRESSES)) == []
        assert box.is_empty


async def test_an_address_is_stored_when_it_is_proved_and_belongs_to_one(tmp_path: Path):
    async with site(tmp_path) as (server, box):
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Bob")
        await ann.post("/api/me/mail", {"address": "us@example.org"})
        code = await code_to(box, "us@example.org")
        assert (await ann.get("/api/me/devices"))["mail"] is None
        # The code proves one address for one person, and signs nobody in.
        for device, path, address in [
            (bob, "me/mail/confirm", "us@example.org"),
            (ann, "me/mail/confirm", "other@example.org"),
            (bob, "mail/sign-in", "us@example.org"),
        ]:
            refused = await device.call("POST", f"/api/{path}", {"address": address, "code": code})
            assert (refused[0], refused[1]["code"]) == (403, "code.wrong")
        await ann.post("/api/me/mail/confirm", {"address": "us@example.org", "code": code})
        await bob.post("/api/me/mail", {"address": "us@example.org"})
        proof = {"address": "us@example.org", "code": await code_to(box, "us@example.org")}
        assert (await bob.call("POST", "/api/me/mail/confirm", proof))[1]["code"] == "mail.taken"
        await bob.post("/api/mail", {"address": "us@example.org"})
        proof = {"address": "us@example.org", "code": await code_to(box, "us@example.org")}
        assert (await bob.call("POST", "/api/mail/sign-in", proof))[1]["code"] == "person.merge"
        assert (await bob.post("/api/mail/sign-in", {**proof, "merge": True}))["me"]["name"] == "Ann"
        await ann.post("/api/me/delete", {"name": "Ann"})
        assert await server.registry.store.read(sa.select(MAIL_ADDRESSES)) == []


async def test_a_code_is_tried_five_times_within_ten_minutes(tmp_path: Path):
    async with site(tmp_path) as (server, box):
        ann, thief = Device(server), Device(server)
        await ann.member("Ann")
        await gives(ann, box, "ann@example.org")

        async def tried(code: str) -> int:
            body = {"address": "ann@example.org", "code": code}
            return (await thief.call("POST", "/api/mail/sign-in", body))[0]

        async def asked() -> str:
            await thief.post("/api/mail", {"address": "ann@example.org"})
            return await code_to(box, "ann@example.org")

        right = await asked()
        wrong = [f"{n:06}" for n in range(6) if f"{n:06}" != right][:5]
        assert [await tried(each) for each in wrong] == [403] * 5
        assert await tried(right) == 403  # too late
        old, new = await asked(), await asked()
        assert old == new or await tried(old) == 403  # a new one replaces it
        await change(server, sa.update(MAIL_CODES).values(expires=1))
        assert await tried(new) == 403
        raced = await asked()
        assert sorted(await asyncio.gather(*(tried(raced) for _ in range(4)))) == [200, 403, 403, 403]


async def test_known_and_unknown_addresses_get_the_same_answer_for_the_same_work(tmp_path: Path, monkeypatch):
    async with site(tmp_path) as (server, box):
        ann, stranger = Device(server), Device(server)
        await ann.member("Ann")
        await gives(ann, box, "ann@example.org")

        async def work(path: str, **body: str) -> Any:
            (status, answer), work = await work_of(
                server, monkeypatch, lambda: stranger.call("POST", f"/api/{path}", body)
            )
            return status, sorted(answer), answer.get("code"), work

        known, unknown = [await work("mail", address=f"{name}@example.org") for name in ("ann", "nobody")]
        assert known == unknown
        assert known[0] == 200
        known, unknown = [
            await work("mail/sign-in", address=f"{name}@example.org", code="x") for name in ("ann", "nobody")
        ]
        assert known == unknown
        assert known[:1] + known[2:3] == (403, "code.wrong")
        await code_to(box, "ann@example.org")
        assert box.is_empty


async def test_limits_hold_for_an_address_an_account_and_an_e_mail_address(tmp_path: Path):
    defaults = {"mail_burst": 5.0, "mails_in_all": 1000.0, "proxies": ("127.0.0.1",), "proof_burst": 5.0}
    async with site(tmp_path, **defaults) as (server, _):

        def at(number: int) -> Device:
            return Device(server, **{"x-forwarded-for": f"10.0.{number}.1"})

        async def status(device: Device, path: str, **body: str) -> int:
            return (await device.call("POST", f"/api/{path}", body))[0]

        one = at(0)
        assert [await status(one, "mail", address=f"a{n}@b.example") for n in range(6)] == [200] * 5 + [429]
        assert [await status(at(n), "mail", address="c@b.example") for n in range(1, 7)] == [200] * 5 + [429]
        proofs = [await status(at(n), "mail/sign-in", address="c@b.example", code="1") for n in range(11, 17)]
        assert proofs == [403] * 5 + [429]
        ann = at(30)
        await ann.member("Ann")
        sent = []
        for n in range(6):
            ann.headers = {"x-forwarded-for": f"10.0.{40 + n}.1"}
            sent.append(await status(ann, "me/mail", address=f"d{n}@b.example"))
        assert sent == [200] * 5 + [429]
        ann.headers = {"x-forwarded-for": "10.0.60.1"}
        assert await status(ann, "me/notices/mail", address="e@b.example") == 429  # all codes count


async def test_without_a_mail_server_there_are_no_codes_by_mail(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", mail="", **MANY) as server:
        ann = Device(server)
        assert (await ann.get("/api/me"))["mail"] is False
        refused = await ann.call("POST", "/api/mail", {"address": "a@b.example"})
        assert (refused[0], refused[1]["code"]) == (404, "mail.none")
        bad = await ann.call("POST", "/api/mail/sign-in", {"address": "a b", "code": "1"})
        assert (bad[0], bad[1]["code"]) == (422, "mail.address")
