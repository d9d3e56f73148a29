"""Submitted moves: in order, once, written before they are broadcast, and the same however they are sent."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from quadriga.server import metrics
from quadriga.server.http.uvicorn_private import Transport
from quadriga.server.protocol.errors import StaleError
from quadriga.server.rooms.broadcast import Broadcaster
from quadriga.server.rooms.skips import Skips
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.tokens import new_id
from quadriga.server.state.game_event import HIDDEN, OPENLY, GameEvent
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table

UVICORN_ONLY = "websockets-sansio"  # uvicorn's own protocol: no direct output


# Exclusive access.


async def test_a_room_is_held_in_the_order_of_arrival(tmp_path: Path):
    order = []
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, _ = await start_table(server)
        room = await server.registry.room(table)

        async def hold(name: str) -> None:
            async with room.exclusive():
                order.append(name)
                await asyncio.sleep(0)

        async with room.exclusive():
            tasks = [asyncio.create_task(hold(name)) for name in "abc"]
            await asyncio.sleep(0)
            assert order == []
        tasks.append(asyncio.create_task(hold("d")))  # a has been woken and does not run yet
        await asyncio.gather(*tasks)
    assert order == ["a", "b", "c", "d"]


@pytest.mark.parametrize("is_woken", [False, True])
async def test_a_cancelled_wait_leaves_the_room_to_the_next(tmp_path: Path, is_woken: bool):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, _ = await start_table(server)
        room = await server.registry.room(table)

        async def hold() -> None:
            async with room.exclusive():
                pass

        async with room.exclusive():
            first, second = (asyncio.create_task(hold()) for _ in range(2))
            await asyncio.sleep(0)
            if not is_woken:
                first.cancel()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await second
        assert not room.lock.locked()


# Direct output and the queue.


async def _played(store: Path, ws: Any, game: str, options: dict[str, Any], seats: int, moves: int) -> list[Any]:
    """Play a game with seeded dice and chosen actions; return all received messages and the log."""
    rng = random.Random(4)
    async with in_process(store, ws=ws) as server:
        more: dict[str, Any] = {"options": options, "dice": {"kind": "seeded", "seed": 5}}
        table, tokens = await start_table(server, game, "me " + "open " * (seats - 1), **more)
        clients = await connect_all(server, table, tokens)
        for client in clients:
            client.heard.clear()
        room = await server.registry.room(table)
        for number in range(moves):
            if room.state.over:
                break
            asked = clients[room.session.actor]
            while not asked.legal:
                await asked.hear()
            texts = [each["text"] for each in asked.legal if not each.get("family")]
            asked.legal = None
            await asked.act(rng.choice(texts), ref=str(number))
            await asked.until("done", ref=str(number))
        for seat, client in enumerate(clients):
            while client.number < room.session.numbers[seat + 1]:
                await client.hear()
        heard = [[each for each in client.heard if '"type":"table"' not in each] for client in clients]
        lines = [
            (line.kind, line.body) for line in await server.registry.store.events(table) if line.kind == "moves"
        ]
    return [heard, lines]


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [("ur", {"rules": "blitz"}, 2), ("ave-caesar", {}, 3), ("ben-hvrt", {"series": [3]}, 3)],
)
async def test_direct_output_and_the_queue_send_the_same(
    tmp_path: Path, game: str, options: dict[str, Any], seats: int
):
    direct = await _played(tmp_path / "direct.sqlite", Transport, game, options, seats, 120)
    queued = await _played(tmp_path / "queued.sqlite", UVICORN_ONLY, game, options, seats, 120)
    assert direct == queued


async def _asked(server: InProcessServer, table: str, clients: list[Client]) -> tuple[Client, dict[str, Any]]:
    """Return the client that is to decide, and an action message of theirs."""
    room = await server.registry.room(table)
    client = clients[room.session.actor]
    while not client.legal:
        await client.hear()
    act = {"type": "act", "number": client.number, "action": client.legal[0]["text"], "ref": new_id()}
    client.legal = None
    return client, act


def _pieces(text: bytes) -> list[list[bytes]]:
    """Return an action as pieces of bytes: whole, cut anywhere, in fragments, or after another message."""
    whole = Frame(Opcode.TEXT, text).serialize(mask=True)
    ping = Frame(Opcode.PING, b"").serialize(mask=True)
    first = Frame(Opcode.TEXT, text[:9], fin=False).serialize(mask=True)
    rest = Frame(Opcode.CONT, text[9:]).serialize(mask=True)
    return [
        [whole],
        [ping + whole],
        [whole[:1], whole[1:]],
        [whole[:20], whole[20:]],
        [first + rest],
        [first, rest],
    ]


@pytest.mark.parametrize("how", range(6))
async def test_an_action_is_received_however_its_bytes_are_cut(tmp_path: Path, how: int):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        clients = await connect_all(server, table, tokens)
        for turn in range(6):  # first so, and then whole: the line must not have lost its place
            client, act = await _asked(server, table, clients)
            act["ref"] = str(turn)
            for piece in _pieces(json.dumps(act).encode())[how if turn == 0 else 0]:
                client.socket.transport.write(piece)
                await asyncio.sleep(0.02)
            await client.until("done", ref=str(turn))


async def test_a_message_after_an_action_is_answered_after_it(tmp_path: Path):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        clients = await connect_all(server, table, tokens)
        for _ in range(5):
            client, act = await _asked(server, table, clients)
            await client.say(**act)
            await client.say(type="ping", ref="p")
            kinds: list[str] = []
            while kinds.count("pong") + kinds.count("refused") < 1:
                kinds.append((await client.hear())["type"])
            assert "done" in kinds


async def test_the_same_action_twice_is_played_once(tmp_path: Path):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        clients = await connect_all(server, table, tokens)
        client, act = await _asked(server, table, clients)
        await client.say(**act)
        await client.say(**act)
        await client.until("done")
        await client.until("done")
        lines = [line for line in await server.registry.store.events(table) if act["ref"].encode() in line.body]
        assert len(lines) == 1


# Failures.


def _broken(kind: str) -> Callable[..., Any]:
    def append(*_: Any) -> asyncio.Future[None]:
        if kind == "at once":
            raise OSError("disk full")
        failing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        failing.set_exception(StaleError() if kind == "stale" else OSError("disk full"))
        return failing

    return append


@pytest.mark.parametrize(
    ("kind", "code"), [("at once", "wire.fault"), ("later", "wire.fault"), ("stale", "table.again")]
)
async def test_a_move_that_could_not_be_written_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, code: str
):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        clients = await connect_all(server, table, tokens)
        room = await server.registry.room(table)
        client, act = await _asked(server, table, clients)
        before = room.session.match.s.tobytes()
        with monkeypatch.context() as patched:
            patched.setattr(server.registry.store, "append", _broken(kind))
            await client.say(**act)
            refused = await client.until("refused")
        assert refused["code"] == code
        assert refused["ref"] == act["ref"]
        assert room.session.match.s.tobytes() == before
        assert not room.lock.locked()
        again = {
            **act,
            "number": client.number,
            "ref": new_id(),
        }  # nothing has happened, so the move is still legal
        await client.say(**again)
        await client.until("done", ref=again["ref"])


async def test_a_failed_broadcast_is_repeated_with_the_full_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The move is in the log: every client gets the full view again."""
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        clients = await connect_all(server, table, tokens)
        room = await server.registry.room(table)
        client, act = await _asked(server, table, clients)
        before = room.session.match.s.tobytes()
        with monkeypatch.context() as patched:
            patched.setattr(room.broadcaster, "broadcast", lambda *arguments: 1 / 0)
            await client.say(**act)
            await client.until("view")
        assert room.session.match.s.tobytes() != before
        client, act = await _asked(server, table, clients)
        await client.say(**act)
        await client.until("done", ref=act["ref"])


async def test_a_hidden_pass_is_not_counted():
    broadcaster, before = Broadcaster(Presence(1.0), Skips(), 0.0), counts()
    received_at = time.perf_counter()
    moment: Any = SimpleNamespace(state=SimpleNamespace(setup=SimpleNamespace(game="ur")), now=0.0)
    broadcaster.count_public(
        moment, [GameEvent("play", None, "person", None, [HIDDEN, OPENLY, HIDDEN])], received_at
    )
    assert counts() == before
    broadcaster.count_public(moment, [GameEvent("play", None, "person", None, [OPENLY] * 3)], received_at)
    assert counts() == [number + 1 for number in before]


async def test_a_refused_action_is_not_counted(tmp_path: Path):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        clients = await connect_all(server, table, tokens)
        client, act = await _asked(server, table, clients)
        before = counts()
        await client.say(**{**act, "action": "0-99"})
        await client.until("refused")
        assert counts() == before
        await client.say(**act)
        await client.until("done")
        assert counts()[1] == before[1] + 1


def counts() -> list[float]:
    """Return the metrics: moves of Ur by people, and broadcast actions."""
    text = metrics.text().decode()
    names = 'quadriga_moves_total{by="person",game="ur"} ', "quadriga_told_seconds_count "
    return [sum(float(each) for each in re.findall(re.escape(name) + r"(\S+)", text)) for name in names]
