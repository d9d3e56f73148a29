"""Who may play: a house that is open, for members, or by invitation; networks; terms; words and links."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from quadriga.server.moderation import invite_codes
from quadriga.server.moderation.filters import WordFilter, has_link
from quadriga.server.storage import backup_times
from server.moderation.test_flow import RATES, end_of, staff
from server.people.test_history import play_out
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process

TABLE = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
RULES = {"access": "open", "inviters": "members", "words": [], "links": "known", "new_hours": 24}


async def guest_of(server: InProcessServer) -> Device:
    guest = Device(server)
    await guest.post("/api/me", {})
    return guest


async def tried(device: Device, table: str) -> tuple[int, int, int]:
    """Return the statuses of looking at a table, of joining it, and of creating one."""
    looked = await device.call("GET", f"/api/tables/{table}")
    joined = await device.call("POST", f"/api/tables/{table}/join", {"name": "Gus"})
    created = await device.call("POST", "/api/tables", TABLE)
    return looked[0], joined[0], created[0]


async def socket_of(device: Device, table: str) -> str:
    """Return the type of the first message on a socket, or the code of its refusal."""
    client = await device.connect(table)
    first = await client.hear(loose=True)
    return str(first.get("code") or first["type"])


@pytest.mark.parametrize(
    ("access", "guest", "member"),
    [
        ("open", ((200, 200, 201), "welcome"), ((200, 200, 201), "welcome")),
        ("members", ((200, 403, 403), "welcome"), ((200, 200, 201), "welcome")),
        ("invitation", ((403, 403, 403), "house.members"), ((200, 200, 201), "welcome")),
    ],
)
async def test_a_house_lets_in_whom_its_host_wants(tmp_path: Path, access: str, guest: Any, member: Any):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        host, member_device = await staff(server)
        await host.post("/api/host/rules", {**RULES, "access": access})
        assert (await guest_of(server)).secret
        for wanted, who in ((guest, await guest_of(server)), (guest, Device(server)), (member, member_device)):
            table = (await host.post("/api/tables", TABLE))["table"]["id"]
            assert await socket_of(who, table) == wanted[1]
            if who.secret or access != "open":
                assert await tried(who, table) == wanted[0]


async def test_who_plays_when_the_house_closes_plays_on_and_who_watches_leaves(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        host, _ = await staff(server)
        guest, watcher = await guest_of(server), await guest_of(server)
        table = await guest.table(seats="me bot")
        his, theirs = await guest.connect(table), await watcher.connect(table)
        await host.post("/api/host/rules", {**RULES, "access": "invitation"})
        assert await end_of(theirs) == 4403
        await his.say(type="chat", text="still here")
        assert (await his.until("chat"))["chat"]["text"] == "still here"
        assert (await guest.get(f"/api/tables/{table}"))["status"] == "playing"


@pytest.mark.parametrize("access", ["members", "invitation"])
async def test_who_has_only_the_token_of_a_seat_uses_the_table_and_begins_no_new_game(tmp_path: Path, access: str):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        host, _ = await staff(server)
        table, token = await asyncio.to_thread(server.create, "ur", "me open", options={"rules": "blitz"})
        await host.post("/api/host/rules", {**RULES, "access": access})
        path = f"/api/tables/{table}"

        async def tried(method: str, path: str, body: object = None, token: str = token) -> tuple[int, str]:
            status, said = await server.fetch(method, path, body, token)
            return status, said.get("code", "")

        members_only = (403, "house.members")
        assert await tried("POST", f"{path}/start", {}, token="x.y") == members_only
        assert await tried("POST", f"{path}/seats/1", {"kind": "bot"}) == (200, "")
        assert await tried("GET", path) == (200, "")
        assert await tried("POST", f"{path}/start", {}) == (200, "")
        assert await tried("POST", "/api/tables", TABLE) == members_only
        for each in ("rematch", "continue"):
            assert await tried("POST", f"{path}/{each}", {}) == members_only


async def test_a_rematch_with_members_is_for_members(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        host, member = await staff(server)
        guest = await guest_of(server)
        table = await play_out([member, guest], options={"rules": "blitz"})
        await host.post("/api/host/rules", {**RULES, "access": "members"})
        refused = await guest.call("POST", f"/api/tables/{table}/rematch", {})
        assert (refused[0], refused[1]["code"]) == (403, "house.members")
        again = (await member.post(f"/api/tables/{table}/rematch"))["table"]["id"]
        assert (await guest.call("POST", f"/api/tables/{again}/join", {"name": "Gus"}))[1][
            "code"
        ] == "house.members"


async def test_an_invitation_makes_one_member(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", access="invitation", **RATES) as server:
        first = Device(server)
        await first.post("/api/me", {})
        status, refused = await first.call("POST", "/api/me/keep", {"name": "Ann"})
        assert (status, refused["code"]) == (403, "house.invitation")
        registry = server.registry
        made = await registry.store.transact(lambda connection: invite_codes.create(connection, None))
        wrong = await first.call("POST", "/api/me/keep", {"name": "Ann", "invitation": "ABCD-EFGH-JKMN"})
        assert wrong[1]["code"] == "house.code"
        await first.post("/api/me/keep", {"name": "Ann", "invitation": made.code.lower()})
        second = await guest_of(server)
        used = await second.call("POST", "/api/me/keep", {"name": "Bea", "invitation": made.code})
        assert used[1]["code"] == "house.code"
        code = (await first.post("/api/me/invite-codes"))["code"]
        await second.post("/api/me/keep", {"name": "Bea", "invitation": code})
        assert (await second.get("/api/me"))["me"]["role"] == "member"


async def test_the_option_counts_more_than_the_page(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", access="members", **RATES) as server:
        host, _ = await staff(server)
        status, refused = await host.call("POST", "/api/host/rules", RULES)
        assert (status, refused["code"]) == (409, "house.fixed")
        found = await host.get("/api/host")
        assert (found["fixed"], found["rules"]["access"]) == (True, "members")
        assert {"version", "load", "store-size", "refusals", "last-restore-test"} <= {
            fact["key"] for fact in found["facts"]
        }


async def test_the_host_sees_when_the_last_backup_was_made_and_tried(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **RATES) as server:
        host, _ = await staff(server)

        async def shown() -> tuple[str, str]:
            found = {fact["key"]: fact["value"] for fact in (await host.get("/api/host"))["facts"]}
            return found["last-backup"], found["last-restore-test"]

        assert await shown() == ("–", "–")
        await asyncio.to_thread(backup_times.note, path, backup_times.MADE)
        backup, test = await shown()
        assert (backup[:2], backup[-4:], test) == ("20", " UTC", "–")
        await asyncio.to_thread(backup_times.note, path, backup_times.RESTORED)
        assert "–" not in await shown()


async def test_a_banned_network_is_closed_to_guests_and_open_to_members(tmp_path: Path):
    async with in_process(
        tmp_path / "store.sqlite", proxies=("127.0.0.1",), hosts=("127.0.0.1",), **RATES
    ) as server:
        host, moderator = await staff(server)
        away = {"x-forwarded-for": "198.51.100.7"}
        guest, member = Device(server, **away), Device(server, **away)
        await guest.post("/api/me", {})
        await member.member("Eve")
        order = {"kind": "range", "range": "198.51.100.0/24", "hours": 1, "reason": "Floods."}
        assert (await moderator.call("POST", "/api/moderation/acts", order))[0] == 403
        for wrong in ("198.51.0.0/8", "here", "127.0.0.0/24"):
            assert (await host.call("POST", "/api/moderation/acts", {**order, "range": wrong}))[0] == 422
        await host.post("/api/moderation/acts", order)
        assert (await guest.call("POST", "/api/tables", TABLE))[1]["code"] == "house.range"
        assert (await Device(server, **away).call("POST", "/api/me", {}))[1]["code"] == "house.range"
        assert (await member.call("POST", "/api/tables", TABLE))[0] == 201
        assert (await (await guest_of(server)).call("POST", "/api/tables", TABLE))[0] == 201


async def test_new_members_agree_to_the_terms_and_are_asked_again_when_these_change(tmp_path: Path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "terms.md").write_text("# Be kind", "utf-8")
    (folder / "terms.fr.md").write_text("# Soyez gentils", "utf-8")
    (folder / "imprint.txt").write_text("Hera, Olympus", "utf-8")
    async with in_process(tmp_path / "store.sqlite", pages=str(folder), **RATES) as server:
        ann = await guest_of(server)
        house = await ann.get("/api/house")
        assert house["pages"] == ["terms", "imprint"]
        assert (await ann.get("/api/house/pages/terms?language=fr")) == {
            "text": "# Soyez gentils",
            "markdown": True,
        }
        assert (await ann.get("/api/house/pages/imprint?language=fr"))["text"] == "Hera, Olympus"
        assert (await ann.call("GET", "/api/house/pages/privacy"))[0] == 404
        assert (await ann.call("POST", "/api/me/keep", {"name": "Ann"}))[1]["code"] == "house.terms"
        await ann.post("/api/me/keep", {"name": "Ann", "terms": house["terms"]})
        assert (await ann.get("/api/me/standing"))["terms"] == ""
        (folder / "terms.md").write_text("# Be kinder", "utf-8")
        version = (await ann.get("/api/me/standing"))["terms"]
        assert version not in ("", house["terms"])
        assert (await ann.post("/api/me/terms", {"version": version}))["terms"] == ""


async def test_words_and_links_are_refused_with_a_reason_and_members_may_write_links(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **RATES) as server:
        host, member = await staff(server)
        await host.post("/api/host/rules", {**RULES, "words": ["donkey*"]})
        guest = await guest_of(server)
        table = await guest.table(seats="me bot")
        his = await guest.connect(table)
        for text, code in (("what D0nkeys!", "chat.words"), ("see example.com/x", "chat.new-links")):
            await his.say(type="chat", text=text)
            assert (await his.until("refused"))["code"] == code
        for path, body in (
            ("/api/me/keep", {"name": "Donkey"}),
            ("/api/tables", {**TABLE, "name": "d o n k e y"}),
        ):
            assert (await guest.call("POST", path, body))[1]["code"] == "name.words"
        hers = await member.connect(await member.table(seats="me bot"))
        await hers.say(type="chat", text="see example.com/x")
        assert (await hers.until("chat"))["chat"]["text"] == "see example.com/x"


async def test_new_guests_chat_more_slowly_than_members(tmp_path: Path):
    rates = {**RATES, "new_chats": 0.0, "new_chat_burst": 2.0}
    async with in_process(tmp_path / "store.sqlite", **rates) as server:
        guest = await guest_of(server)
        his = await guest.connect(await guest.table(seats="me bot"))
        for _ in range(3):
            await his.say(type="chat", text="hello")
        assert (await his.until("refused"))["code"] == "wire.rate"
        await guest.post("/api/me/keep", {"name": "Gus"})
        again = await guest.connect(await guest.table(seats="me bot"))
        for number in range(4):
            await again.say(type="chat", text=f"hello {number}")
            assert (await again.until("chat"))["chat"]["text"] == f"hello {number}"


@pytest.mark.parametrize("text", ["bad", "BÀD!", "so b4d", "b a d", "ba\u0500", "xx bad_", "ｂａｄ"])
def test_a_word_is_found_however_it_is_written(text: str):
    assert WordFilter(["bad"]).finds(text.replace("\u0500", "d"))


@pytest.mark.parametrize("text", ["badge", "a bed", "b and d", ""])
def test_a_word_is_not_found_in_other_words(text: str):
    assert not WordFilter(["bad", "*"]).finds(text)


@pytest.mark.parametrize(
    ("text", "is_link"),
    [
        ("http://x", True),
        ("www.example", True),
        ("go to Example.ORG now", True),
        ("192.0.2.7", True),
        ("I moved e4.then d5", False),
        ("3.5 coins. Go", False),
        ("well...ok", False),
    ],
)
def test_links_are_told_from_other_text(text: str, is_link: bool):
    assert has_link(text) == is_link
