"""BH-7.4: other seats do not notice who is asked in a reaction window, nor who passes."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest

from quadriga.server import metrics
from quadriga.server.rooms.room import Room
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table

STOPS = ["BM", "PA", "RE", "RO"]


async def in_window(
    server: InProcessServer, stops: dict[int, list[str]], **more: object
) -> tuple[Room, list[Client], Client]:
    """Return a race of three people in a hidden window, their clients, and a watcher."""
    table, tokens = await start_table(
        server, "ben-hvrt", "me open open", options={"series": [1]}, dice={"kind": "seeded", "seed": 5}, **more
    )
    clients = await connect_all(server, table, tokens)
    watcher = await server.connect(table)
    await watcher.until("view")
    for seat, windows in stops.items():
        await clients[seat].say(type="stops", windows=windows)
        await clients[seat].until("stops")
    room, rng = server.registry.rooms[table], random.Random(1)
    while room.session.window is None:
        await decide(room, clients, rng)
    while (
        "table" in room.tasks.timers or room.tasks.running
    ):  # presence is announced a little later, on a busy machine much later
        await asyncio.sleep(0.01)
    for client in [*clients, watcher]:
        await settle(client)
    return room, clients, watcher


async def settle(client: Client) -> None:
    """Receive everything that was sent so far."""
    await client.say(type="ping", ref="settled")
    await client.until("pong", ref="settled")


async def decide(room: Room, clients: list[Client], rng: random.Random, text: str | None = None) -> int:
    """Play an action for the asked seat."""
    actor = room.session.match.actor
    client = clients[actor]
    await settle(client)
    legal = [each["text"] for each in client.legal or [] if not each.get("family")]
    await client.act(text or rng.choice(legal))
    await client.until("done")
    return actor


async def test_other_seats_notice_nothing_of_a_pass(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        room, clients, watcher = await in_window(server, {})
        passes = 0
        for _ in range(400):
            if room.state.over:
                break
            if room.session.window is None:
                await decide(room, clients, random.Random(2))
                continue
            for client in [*clients, watcher]:
                await settle(client)
            told = [len(client.heard) for client in [*clients, watcher]]
            public = room.session.match.view(-1)
            asked = await decide(room, clients, random.Random(3), "pass")
            now = room.session.match.actor
            if room.session.match.view(-1) != public:
                continue  # the window has closed, which all may see
            passes += 1
            for seat, client in enumerate([*clients, watcher]):
                await settle(client)
                if seat not in (asked, now):
                    heard = client.heard[told[seat] :]
                    assert all('"pong"' in text for text in heard), heard
        assert passes > 10


async def test_a_seat_with_a_stop_is_asked_whatever_its_hand(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        room, clients, _ = await in_window(server, {})
        lone = 0
        for _ in range(300):
            if room.state.over:
                break
            client = clients[room.session.match.actor]
            await settle(client)
            lone += room.session.window is not None and [each["text"] for each in client.legal or []] == ["pass"]
            await decide(room, clients, random.Random(4))
        assert lone > 20


async def test_a_seat_without_a_stop_is_never_asked(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        room, clients, _ = await in_window(server, {0: [], 1: ["RO"]})
        for _ in range(300):
            if room.state.over:
                break
            window, actor = room.session.window, room.session.match.actor
            assert window is None or actor == 2 or (actor == 1 and window == "RO")
            await decide(room, clients, random.Random(5))


async def test_turning_a_stop_off_while_asked_passes(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        room, clients, _ = await in_window(server, {})
        actor, entries = room.session.match.actor, len(room.session.match.entries)
        await clients[actor].say(type="stops", windows=[])
        await clients[actor].until("stops")
        await settle(clients[actor])
        assert room.session.match.entries[entries].text == "pass"
        assert (room.session.match.actor, room.session.window) != (actor, "BM")


async def test_hidden_passes_are_not_counted(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        room, clients, _ = await in_window(server, {})
        before = metrics.moves.labels("ben-hvrt", "person")._value.get()
        await decide(room, clients, random.Random(1), "pass")
        assert metrics.moves.labels("ben-hvrt", "person")._value.get() == before


@pytest.mark.parametrize("said", [{"type": "stops", "windows": []}, {"type": "mute", "name": "Bob", "on": True}])
async def test_setting_stops_does_not_interrupt_a_bot_that_thinks(tmp_path: Path, said: dict[str, object]):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(
            server,
            "ben-hvrt",
            "bot bot me",
            options={"series": [1]},
            pace=400,
            dice={"kind": "seeded", "seed": 1},
        )
        client = await server.connect(table, tokens[0])
        await client.until("view")
        room = server.registry.rooms[table]
        assert room.state.seats[room.session.match.actor].played_by_bot  # it takes its time: this comes in between
        await client.say(**said)
        await asyncio.wait_for(client.until("news"), 30)


@pytest.mark.parametrize("kind", ["move", "player"])
async def test_only_the_asked_seat_sees_a_clock_run_in_a_window(tmp_path: Path, kind: str):
    async with in_process(tmp_path / "tables.sqlite") as server:
        room, clients, watcher = await in_window(server, {}, clock={"kind": kind, "seconds": 3600})
        for _ in range(12):
            await decide(room, clients, random.Random(6))
        everybody_told = [json.loads(text) for client in (*clients, watcher) for text in client.heard]
        told = [each for each in everybody_told if each["type"] in ("news", "view")]
        inside_windows = [each for each in told if each["view"]["window"] in STOPS]
        assert len(inside_windows) > 5
        for each in inside_windows:
            assert each["clock"]["runs"] is None
            assert (each["clock"]["mine"] is not None) == (each["legal"] is not None)
        assert any(each["clock"]["runs"] is not None for each in told)
