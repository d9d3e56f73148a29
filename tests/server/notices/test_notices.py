"""Notices of turns: each once, to those who asked for them, and to nobody who looks at the table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.notices.games import move, notices, rows, serving, started, to_move, two_people, webhook
from server.rooms.days.support import Calendar, stored
from server.support.receivers import PushBrowser, check_signature, receiving


async def test_a_person_who_is_away_is_told_of_each_turn_once(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        for person in (ann, bob):
            await webhook(person, f"{hook.address}/{'ann' if person is ann else 'bob'}")
        table = await started(ann, bob)
        told = []
        for _ in range(6):
            mover, name = (ann, "ann") if await to_move(ann, table) else (bob, "bob")
            told.append(f"/{name}")
            await notices(server).sender.sweep()
            assert await notices(server).sender.sweep() == 0
            assert [got.path for got in hook.got] == told
            await move(mover, table)
        assert told.count("/ann") == told.count("/bob") == 3
        assert hook.got[-1].headers["click"] == f"{server.address}/t/{table}"
        assert hook.got[-1].body == b"A game waits for you."
        keys = [key for _, _, key, _ in await rows(server)]
        assert len(keys) == len(set(keys)) == 7


async def test_people_without_a_channel_leave_the_outbox_empty(tmp_path: Path):
    async with serving(tmp_path) as server:
        ann, bob = await two_people(server)
        table = await started(ann, bob)
        await move(ann if await to_move(ann, table) else bob, table)
        assert await rows(server) == []


async def test_who_looks_at_the_table_or_has_moved_is_not_told(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        for person in (ann, bob):
            await webhook(person, hook.address)
        table = await started(ann, bob)
        first, second = (ann, bob) if await to_move(ann, table) else (bob, ann)
        await move(first, table)  # before the first notice is sent
        client = await second.connect(table)
        await client.until("view")
        await notices(server).sender.sweep()
        assert hook.got == []
        assert await rows(server) == []


async def test_a_push_names_the_game_if_that_was_asked_for_and_how_many_wait(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as service:
        ann, bob = await two_people(server)
        browsers = {ann: PushBrowser(), bob: PushBrowser()}
        for person, browser in browsers.items():
            own = browser.subscription(f"{service.address}/push")
            await person.post("/api/me/notices/push", {**own, "endpoint": f"{service.address}/{id(person)}"})
            await person.post("/api/me/notices", {"kinds": ["turn"], "detail": True, "language": "fr"})
        table = await started(ann, bob)
        await notices(server).sender.sweep()
        (got,) = service.got
        waited = ann if await to_move(ann, table) else bob
        assert got.path == f"/{id(waited)}"
        shown = browsers[waited].read(got)
        assert shown == {
            "body": "C’est à vous de jouer : Le Jeu royal d'Ur, à la façon de Ben.",
            "path": f"/t/{table}",
            "tag": table,
            "waiting": 1,
        }
        public = (await ann.get("/api/me/notices"))["push_key"]
        check_signature(got, public, service.address)


async def test_a_turn_that_was_paused_is_told_once(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        table = await started(ann, bob)
        waited = ann if await to_move(ann, table) else bob
        await webhook(ann, hook.address)
        await webhook(bob, hook.address)
        await move(waited, table)
        clients = [await each.connect(table) for each in (ann, bob)]
        for status, kind in (("paused", "pause"), ("playing", "resume")):
            for client in clients:
                await client.say(type="vote", kind=kind)
            while clients[0].table.get("status") != status:
                await clients[0].hear()
        assert [kind for kind, *_ in await rows(server)] == ["turn"]


async def test_the_end_of_a_game_is_told_to_those_who_are_away(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        for person in (ann, bob):
            await webhook(person, f"{hook.address}/{'ann' if person is ann else 'bob'}", "discord")
            await person.post("/api/me/notices", {"kinds": ["over"]})
        table = await started(ann, bob, options={"rules": "blitz"})
        while not server.registry.rooms[table].state.over:
            last = ann if await to_move(ann, table) else bob
            await move(last, table)
        client = await ann.connect(table)
        await client.until("view")
        await notices(server).sender.sweep()
        assert [got.path for got in hook.got] == ["/bob"]
        assert "One of your games is over." in hook.got[0].body.decode()


async def test_a_person_whose_time_runs_out_is_warned_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    calendar = Calendar(monkeypatch)
    async with serving(tmp_path, sweep=0.02, notice_after=1e6) as server, receiving() as hook:
        ann, bob = await two_people(server)
        for person in (ann, bob):
            await webhook(person, hook.address)
        await started(ann, bob, days={"days": 1})
        (waiting,) = await stored(server.registry.store)
        calendar.go_to(waiting.due)
        while "warning" not in [kind for kind, *_ in await rows(server)]:
            await asyncio.sleep(0.01)
        ((_, table, key, _),) = [row for row in await rows(server) if row[0] == "warning"]
        assert ("turn", table, key, "waiting") in await rows(server)
