"""The socket of a page outside of a table: open tables, games to watch, people, and whose turn it is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import websockets

from quadriga.server.lobby import lobby
from server.support.devices import Device
from server.support.harness import PATIENT
from server.support.in_process import in_process
from server.support.live import Live, listen

MANY: dict[str, Any] = dict.fromkeys(("guest_burst", "account_burst", "proof_burst", "proofs_in_all"), 10_000.0)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for the next message to everybody."""
    monkeypatch.setattr(lobby, "_PAUSE_S", 0.01)


async def until(page: Live, table: str, **fields: Any) -> dict[str, Any]:
    """Receive until a table is listed with these fields; return it."""
    while not ((shown := page.tables.get(table)) and all(shown[name] == each for name, each in fields.items())):
        await page.hear()
    return shown


async def close_code(page: Live) -> int | None:
    """Receive until the server closes the socket; return its code."""
    try:
        while True:
            await page.hear()
    except websockets.ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


async def test_an_open_table_appears_changes_and_goes_without_asking(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob = Device(server), Device(server)
        await asyncio.gather(ann.post("/api/me"), bob.post("/api/me"))
        page = await listen(bob)
        assert (await page.hear())["tables"] == []
        hidden = await ann.table()  # by link only
        table = await ann.table(public=True, options={"markers": 2}, clock={"kind": "move", "seconds": 60})
        shown = await until(page, table)
        assert (shown["game"], shown["status"], shown["options"]) == (
            "ur",
            "waiting",
            {"rules": "ben", "markers": 2},
        )
        assert shown["clock"] == {"kind": "move", "seconds": 60, "increment": 0}
        assert shown["days"] is None
        assert [(each["kind"], each["name"]) for each in shown["seats"]] == [("person", "Ann"), ("open", "")]
        await bob.post(f"/api/tables/{table}/join", {"name": "Bob"})
        while page.tables[table]["seats"][1]["name"] != "Bob":
            await page.hear()
        await ann.post(f"/api/tables/{table}/start")
        await until(page, table, status="playing")
        for device, on in ((ann, True), (bob, True)):
            client = await device.connect(table)
            await client.until("welcome")
            await client.say(type="vote", kind="end", on=on)
        while table in page.tables:
            await page.hear()
        assert hidden not in "".join(page.heard)


async def test_a_new_page_gets_what_an_old_one_has_received(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann = Device(server)
        first = await listen(Device(server))
        await first.hear()
        tables = [await ann.table(public=True) for _ in range(3)]
        for each in tables:
            await until(first, each)
        second = await listen(Device(server))
        assert {each["id"] for each in (await second.hear())["tables"]} == set(tables) == set(first.tables)


async def test_people_who_are_here_are_counted_once(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann = Device(server)
        await ann.post("/api/me")
        pages = [await listen(ann), await listen(ann), await listen(Device(server))]
        for page in pages:
            while page.present != 2:
                await page.hear()
        await pages[2].close()
        while pages[0].present != 1:
            await pages[0].hear()


async def test_the_page_is_told_when_it_is_somebodys_turn(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        people = [Device(server), Device(server)]
        for device, name in zip(people, ("Ann", "Bob"), strict=True):
            await device.member(name)
        pages = [await listen(each) for each in people]
        stranger = await listen(Device(server))
        table = await people[0].table(dice={"kind": "seeded", "seed": 3})
        await people[1].post(f"/api/tables/{table}/join", {"name": "x"})
        await people[0].post(f"/api/tables/{table}/start")
        clients = [await each.connect(table) for each in people]
        for client in clients:
            await client.until("view")
        for _ in range(6):
            while (turn := next((seat for seat, client in enumerate(clients) if client.legal), None)) is None:
                await asyncio.gather(*(client.hear() for client in clients))
            for seat, page in enumerate(pages):
                while [each["mine"] for each in page.games or []] != [seat == turn]:
                    await page.hear()
            number, action = clients[turn].number, clients[turn].legal[0]["text"]  # type: ignore[index]
            await clients[turn].act(action)
            for client in clients:
                while client.number <= number:
                    await client.hear()
        await stranger.settle()
        assert stranger.games is None
        assert table not in "".join(stranger.heard)


async def test_a_stranger_sees_no_hidden_table_and_garbage_is_refused(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", burst=5.0, rate=0.0, **MANY) as server:
        page = await listen(Device(server))
        for raw, code in (("{", "wire.json"), ('{"type": "act"}', "wire.field"), ("x" * 9000, "wire.size")):
            await page.socket.send(raw)
            assert (await page.until("refused"))["code"] == code
        for _ in range(300):
            await page.socket.send(json.dumps({"type": "ping"}))
        assert await close_code(page) == 1008
        assert page.refused[-1]["code"] == "wire.rate"


@pytest.mark.parametrize("limit", [{"listeners": 2}, {"listeners_each": 2}])
async def test_pages_are_limited(tmp_path: Path, limit: dict[str, int]):
    async with in_process(tmp_path / "store.sqlite", **MANY, **limit) as server:
        pages = [await listen(Device(server)) for _ in range(2)]
        for page in pages:
            await page.until("lobby")
        third = await listen(Device(server))
        with pytest.raises(websockets.ConnectionClosed):
            await third.hear()
        await pages[0].close()
        while True:  # until the server has noticed
            another = await listen(Device(server))
            try:
                await another.until("lobby")
                break
            except websockets.ConnectionClosed:
                continue


async def test_a_foreign_page_cannot_listen(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        url = f"ws://127.0.0.1:{server.port}/api/live"
        socket = await websockets.connect(url, origin="https://evil.example", **PATIENT)  # type: ignore[arg-type]
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4409


async def test_pages_are_told_to_come_back_when_the_server_stops(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        page = await listen(Device(server))
        await page.until("lobby")
        await server.registry.drain()
        assert await close_code(page) == 1012
