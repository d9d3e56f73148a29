"""Notices by e-mail: a code confirms the address, a link and a header stop them; a real mail server takes them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from server.notices.games import notices, rows, serving, started, to_move, two_people
from server.support.devices import Device
from server.support.mailbox import Mailbox, mailbox


async def confirmed(device: Device, box: Mailbox, address: str) -> None:
    """Be told at an address, which is confirmed by its code."""
    await device.post("/api/me/notices/mail", {"address": address})
    to, message = await asyncio.to_thread(box.next)
    assert to == address
    code = str(message["Subject"]).split()[0]
    wrong = {"address": address, "code": f"{(int(code) + 1) % 10**6:06}"}
    assert (await device.call("POST", "/api/me/notices/mail/confirm", wrong))[1]["code"] == "code.wrong"
    other = {"address": "other@example.org", "code": code}
    assert (await device.call("POST", "/api/me/notices/mail/confirm", other))[1]["code"] == "code.wrong"
    answer = await device.post(
        "/api/me/notices/mail/confirm", {"address": address, "code": f"{code[:3]} {code[3:]}"}
    )
    assert [(each["kind"], each["place"]) for each in answer["channels"]] == [("mail", address)]


async def test_a_confirmed_address_gets_notices_and_stops_them_with_one_tap(tmp_path: Path):
    with mailbox() as box:
        async with serving(tmp_path, mail=box.url) as server:
            ann, bob = await two_people(server)
            for device, name in ((ann, "ann"), (bob, "bob")):
                await confirmed(device, box, f"{name}@example.org")
            table = await started(ann, bob)
            assert await notices(server).sender.sweep() == 1
            to, message = await asyncio.to_thread(box.next)
            waited = ann if await to_move(ann, table) else bob
            assert to == f"{'ann' if waited is ann else 'bob'}@example.org"
            text = message.get_content()
            assert f"{server.address}/t/{table}" in text
            assert str(message["Subject"]) == "A game waits for you."
            link = re.fullmatch(r"<(.*)>", str(message["List-Unsubscribe"]).replace(" ", ""))
            assert link is not None
            path = link[1].removeprefix(server.address)
            assert f"/stop{path[path.index('?') :]}" in text
            assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            stopped = await asyncio.to_thread(Device(server).raw, "POST", path)
            assert (stopped[0], stopped[1]) == (200, b'{"kind":"mail"}')
            assert (await waited.get("/api/me/notices"))["channels"] == []


async def test_without_a_mail_server_there_is_no_e_mail_and_a_failing_one_is_tried_again(tmp_path: Path):
    async with serving(tmp_path / "a") as server:
        ann, _ = await two_people(server)
        assert not (await ann.get("/api/me/notices"))["mail"]
        refused = await ann.call("POST", "/api/me/notices/mail", {"address": "ann@example.org"})
        assert (refused[0], refused[1]["code"]) == (503, "mail.none")
    with mailbox() as box:
        async with serving(tmp_path / "b", mail=box.url) as server:
            ann, bob = await two_people(server)
            for device, name in ((ann, "ann"), (bob, "bob")):
                await confirmed(device, box, f"{name}@example.org")
            await started(ann, bob)
        url = box.url
    async with serving(tmp_path / "b", mail=url) as server:  # nobody listens there any more
        assert await notices(server).sender.sweep() == 0
        assert [state for *_, state in await rows(server)] == ["waiting"]
