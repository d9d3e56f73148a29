"""What becomes of a notice: tried again, given up, forgotten, postponed, gathered; and how it is stopped."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.notices import duty, lanes, outbox
from quadriga.server.notices.channels import Channels
from quadriga.server.notices.notices import STOP
from quadriga.server.notices.sender import Sender
from quadriga.server.storage import telling
from quadriga.server.storage.base import now
from quadriga.server.storage.notices_schema import CHANNELS, NOTICE_CHOICES, OUTBOX
from server.notices.games import move, notices, rows, serving, started, to_move, two_people, webhook
from server.support.devices import Device
from server.support.in_process import InProcessServer
from server.support.receivers import PushBrowser, receiving

DAY = 86_400_000


async def tell(server: InProcessServer, device: Device, table: str = "t", key: int = 1, at: int = 0) -> None:
    """Put a notice into the outbox."""
    person = (await device.get("/api/me"))["me"]["id"]
    await server.registry.store.transact(lambda c: telling.put(c, person, "over", table, key, at))


async def change(server: InProcessServer, **values: Any) -> None:
    """Change all rows of the outbox."""
    await server.registry.store.transact(lambda c: c.execute(sa.update(OUTBOX).values(**values)).rowcount)


async def states(server: InProcessServer) -> list[tuple[str, int, bool]]:
    """Return the state of all rows of the outbox, how often each was tried, and whether it is due again."""
    columns = OUTBOX.c.state, OUTBOX.c.tries, OUTBOX.c.due.is_not(None)
    found = await server.registry.store.read(sa.select(*columns))
    return [(state, tries, bool(due)) for state, tries, due in found]


async def chosen(device: Device, **choices: Any) -> None:
    await device.post("/api/me/notices", {"kinds": ["turn", "over"], **choices})


async def test_a_notice_that_was_not_taken_is_tried_again_for_a_day(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, _ = await two_people(server)
        await webhook(ann, hook.address)
        await chosen(ann)
        await tell(server, ann)
        sender = notices(server).sender
        hook.answers = [503, 429, 500]
        for tries in (1, 2, 3):
            assert await sender.sweep() == 0
            assert await states(server) == [("waiting", tries, True)]
            (due,) = (await server.registry.store.read(sa.select(OUTBOX.c.due)))[0]
            assert due - now() > 25_000 << (tries - 1)
            await change(server, due=0)
        assert await sender.sweep() == 1
        assert await states(server) == [("sent", 4, False)]
        await tell(server, ann)  # the same once more
        assert await sender.sweep() == 0
        await tell(server, ann, key=2)
        await change(server, since=now() - DAY)
        hook.answers = [503]
        await sender.sweep()
        assert sorted(await states(server)) == [("failed", 1, False), ("sent", 4, False)]


@pytest.mark.parametrize(("status", "state"), [(400, "failed"), (0, "failed"), (504, "failed")])
async def test_what_may_have_arrived_or_will_never_is_not_sent_again(tmp_path: Path, status: int, state: str):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, _ = await two_people(server)
        await webhook(ann, hook.address)
        await chosen(ann)
        await tell(server, ann)
        hook.answers = [status]
        await notices(server).sender.sweep()
        assert await states(server) == [(state, 1, False)]


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_has_unsubscribed_is_forgotten(tmp_path: Path, status: int):
    async with serving(tmp_path) as server, receiving() as service:
        ann, _ = await two_people(server)
        await ann.post("/api/me/notices/push", PushBrowser().subscription(service.address))
        await chosen(ann)
        await tell(server, ann)
        service.answers = [status]
        await notices(server).sender.sweep()
        assert (await ann.get("/api/me/notices"))["channels"] == []
        assert await rows(server) == []


async def test_quiet_hours_and_a_digest_gather_what_is_due_into_one_notice(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, _ = await two_people(server)
        await webhook(ann, hook.address)
        await chosen(ann, quiet_from=0, quiet_until=23, zone="UTC", digest=None)
        for table in ("a", "b", "c"):
            await tell(server, ann, table)
        await chosen(ann, digest=3)
        assert await notices(server).sender.sweep() == 0
        assert await states(server) == [("waiting", 0, True)] * 3
        await change(server, due=0, since=now() - DAY)
        assert await notices(server).sender.sweep() == 3
        assert [got.body for got in hook.got] == [b"3 games wait for you."]
        assert hook.got[0].headers["click"] == f"{server.address}/games"


async def test_a_notice_that_was_not_taken_waits_for_the_end_of_quiet_hours(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, _ = await two_people(server)
        await webhook(ann, hook.address)
        await chosen(ann)
        await tell(server, ann)
        hook.answers = [503]
        assert await notices(server).sender.sweep() == 0
        hour = datetime.now(UTC).hour
        await chosen(ann, quiet_from=hour, quiet_until=(hour + 2) % 24)
        await change(server, due=0)
        assert await notices(server).sender.sweep() == 0
        assert await states(server) == [("waiting", 1, True)]
        assert len(hook.got) == 1


async def test_two_processes_that_look_at_once_send_each_notice_once(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, _ = await two_people(server)
        for number in range(8):  # more than are sent to one host at once
            await webhook(ann, f"{hook.address}/{number}")
        await chosen(ann)
        await tell(server, ann)
        first = notices(server).sender
        other = Sender(server.registry, notices(server).delivery)
        assert sum(await asyncio.gather(first.sweep(), other.sweep())) == 8
        assert sorted(got.path for got in hook.got) == [f"/{number}" for number in range(8)]
        await other.close()


async def test_a_place_that_is_told_too_much_waits(tmp_path: Path):
    async with serving(tmp_path, notice_rate=0.0, notice_burst=2.0) as server, receiving() as hook:
        ann, _ = await two_people(server)
        await webhook(ann, hook.address)
        await chosen(ann)
        for key in range(3):
            await tell(server, ann, "a", key)
            await notices(server).sender.sweep()
        assert len(hook.got) == 2
        assert sorted(state for state, _, _ in await states(server)) == ["sent", "sent", "waiting"]


async def test_a_receiver_that_does_not_answer_delays_nobody_else(tmp_path: Path):
    async with serving(tmp_path, notice_every=0.05) as server, receiving() as slow, receiving() as quick:
        slow.may_answer.clear()
        ann, bob = await two_people(server)
        for number in range(9):
            await webhook(ann, f"{slow.address}/{number}")
        await webhook(bob, quick.address)
        await chosen(ann)
        await chosen(bob)
        for key in range(5):
            await tell(server, ann, key=key)
            await tell(server, bob, key=key, at=1)  # later than those of the slow one
            await quick.until(key + 1)
        assert len(slow.got) <= lanes.AT_ONCE
        slow.may_answer.set()
        await slow.until(9)


def test_a_slow_host_shares_a_lane_until_it_answers_quickly(monkeypatch: pytest.MonkeyPatch):
    clock = [0.0]
    monkeypatch.setattr("quadriga.server.notices.lanes.time.monotonic", lambda: clock[0])
    found = lanes.Lanes()
    first = [found.enter("slow") for _ in range(5)]
    assert [each is not None for each in first] == [True] * 4 + [False]
    clock[0] += lanes.SLOW_S + 1
    quick = [found.enter(f"quick {number}") for number in range(7)]
    assert [each is not None for each in quick] == [True] * 6 + [False]
    assert found.is_slow("slow")
    for each in first[:4]:
        assert each is not None
        found.leave(each)
    again = found.enter("slow")
    assert again is not None
    assert found.enter("slow") is not None
    assert found.enter("slow") is None
    found.leave(again)
    assert not found.is_slow("slow")


@pytest.mark.parametrize("shape", ["discord", "slack", "matrix", "ntfy"])
async def test_a_webhook_is_tried_in_the_shape_that_its_receiver_understands(tmp_path: Path, shape: str):
    async with serving(tmp_path, notice_trial_burst=1.0) as server, receiving() as hook:
        ann, _ = await two_people(server)
        id = await webhook(ann, f"{hook.address}/secret", shape)
        assert await ann.post(f"/api/me/notices/{id}/trial") == {"result": "sent"}
        (got,) = hook.got
        text = b"This is how Quadriga will tell you that a game waits."
        link = f"{server.address}/".encode()
        bodies = {
            "discord": b'{"content":"%s %s","allowed_mentions":{"parse":[]}}' % (text, link),
            "slack": b'{"text":"%s %s"}' % (text, link),
            "matrix": b'{"text":"%s %s"}' % (text, link),
            "ntfy": text,
        }
        assert got.body == bodies[shape]
        (channel,) = (await ann.get("/api/me/notices"))["channels"]
        assert channel["place"] == hook.address.partition("://")[2]
        assert (await ann.call("POST", f"/api/me/notices/{id}/trial", {}))[0] == 429


async def test_what_cannot_be_told_is_refused_with_a_reason(tmp_path: Path):
    async with serving(tmp_path, notice_private=0) as server:
        ann, guest = Device(server), Device(server)
        await ann.member("Ann")
        await guest.post("/api/me")
        hook = {"address": "https://192.168.1.5/x", "shape": "ntfy"}
        refused = [
            (ann, "webhook", hook, 422, "notice.private"),
            (ann, "webhook", {**hook, "address": "http://example.org/"}, 422, "notice.address"),
            (guest, "webhook", {**hook, "address": "https://example.org/"}, 403, "person.guest"),
            (ann, "push", {"endpoint": "https://push.example/x", "p256dh": "AA", "auth": "AA"}, 422, "notice.keys"),
            (ann, "push", {"endpoint": "https://push.example/x", "p256dh": "?", "auth": "AA"}, 422, "notice.keys"),
            (ann, "", {"kinds": ["turn"], "zone": "Mars"}, 422, "notice.zone"),
            (ann, "x/remove", {}, 404, "notice.unknown"),
            (Device(server), "", {"kinds": []}, 401, "person.stranger"),
        ]
        for device, path, body, status, code in refused:
            found = await device.call("POST", f"/api/me/notices/{path}".rstrip("/"), body)
            assert (found[0], found[1]["code"]) == (status, code)
        for number in range(10):
            await webhook(ann, f"https://example.org/{number}")
        found = await ann.call("POST", "/api/me/notices/webhook", {**hook, "address": "https://example.org/x"})
        assert found[1]["code"] == "notice.many"


async def test_a_link_stops_one_channel_without_signing_in(tmp_path: Path):
    async with serving(tmp_path) as server:
        ann, bob = await two_people(server)
        own = [await webhook(device, "https://example.org/") for device in (ann, bob)]
        token = server.registry.tokens.issue(STOP, own[0])
        stranger = Device(server)
        assert await stranger.post(f"/api/notices/stop?token={token}") == {"kind": "webhook"}
        assert (await stranger.call("POST", f"/api/notices/stop?token={token}"))[1]["code"] == "notice.stop"
        assert (await stranger.call("POST", "/api/notices/stop?token=x"))[1]["code"] == "token.bad"
        assert (await stranger.call("POST", "/api/notices/stop"))[1]["code"] == "token.missing"
        shown = [len((await each.get("/api/me/notices"))["channels"]) for each in (ann, bob)]
        assert shown == [0, 1]


async def test_signing_out_merging_and_deleting_take_the_channels_along(tmp_path: Path):
    async with serving(tmp_path) as server:
        ann, bob = await two_people(server)
        phone = Device(server)
        await phone.post("/api/me")
        await phone.post("/api/me/notices/push", PushBrowser().subscription("https://push.example/phone"))
        await phone.post("/api/me/notices", {"kinds": ["over"]})
        await phone.post("/api/link", {"code": (await ann.post("/api/me/link"))["code"]})
        found = await phone.get("/api/me/notices")
        assert [each["here"] for each in found["channels"]] == [True]
        assert found["choices"]["kinds"] == ["over"]
        assert [each["here"] for each in (await ann.get("/api/me/notices"))["channels"]] == [False]
        shown = (await ann.get("/api/me/export"))["channels"]
        assert [(each["address"], "keys" in each) for each in shown] == [("https://push.example/phone", False)]
        devices = (await phone.get("/api/me/devices"))["devices"]
        (own,) = (each["id"] for each in devices if each["current"])
        await ann.post(f"/api/me/devices/{own}/remove")
        assert (await ann.get("/api/me/notices"))["channels"] == []
        await webhook(bob, "https://example.org/")
        await chosen(bob)
        await tell(server, bob)
        await bob.post("/api/me/delete", {"name": "Bob"})
        await ann.post("/api/me/delete", {"name": "Ann"})
        for table in (CHANNELS, NOTICE_CHOICES, OUTBOX):
            assert await server.registry.store.read(sa.select(table)) == []


async def test_another_person_in_the_same_browser_takes_its_pushes_over(tmp_path: Path):
    async with serving(tmp_path) as server:
        ann, bob = await two_people(server)
        own = PushBrowser().subscription("https://push.example/x")
        for device in (ann, bob):
            await device.post("/api/me/notices/push", own)
        shown = [len((await each.get("/api/me/notices"))["channels"]) for each in (ann, bob)]
        assert shown == [0, 1]


async def test_one_process_at_a_time_has_a_duty(tmp_path: Path):
    async with serving(tmp_path) as server:
        store = server.registry.store
        assert await duty.take(store, "x", "a", 100, 200)
        assert not await duty.take(store, "x", "b", 150, 250)
        assert await duty.take(store, "x", "a", 190, 290)
        assert not await duty.take(store, "x", "b", 290, 390)
        assert await duty.take(store, "x", "b", 291, 391)
        assert await duty.take(store, "y", "a", 291, 391)


async def test_old_notices_are_deleted_and_waiting_ones_counted(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        await webhook(ann, hook.address)
        await chosen(ann)
        await tell(server, ann)
        await notices(server).sender.sweep()
        await change(server, since=now() - outbox.KEPT_MS - 1)
        await server.registry.store.transact(lambda c: outbox.clear(c, now()))
        assert await rows(server) == []
        table = await started(ann, bob)
        person = (await (ann if await to_move(ann, table) else bob).get("/api/me"))["me"]["id"]
        assert await Channels(server.registry.store).waiting(person) == 1
        await move(ann if await to_move(ann, table) else bob, table)
        assert await Channels(server.registry.store).waiting(person) == 0
