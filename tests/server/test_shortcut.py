"""The short way of an act is the long one, only quicker; and in haste compiled kernels play the same game."""

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
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from quadriga.engine.kernels import compiler
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.server import metrics
from quadriga.server.bots import kernel_warmup
from quadriga.server.protocol.errors import StaleError
from quadriga.server.rooms.broadcast import Broadcaster
from quadriga.server.rooms.lock import RoomLock
from quadriga.server.rooms.played_game import HIDDEN, OPENLY, GameEvent, GameSession
from quadriga.server.seats.tokens import new_id
from quadriga.server.settings import Settings
from quadriga.server.ws import fast_path
from quadriga.server.ws.transport import Transport, _ends, _text
from server.harness import Client
from server.inside import Inside, inside
from server.people import everybody, made

LONG = "websockets-sansio"


# The turnstile.


async def test_one_at_a_time_in_the_order_of_coming():
    stile, order = RoomLock(), []

    async def go(name: str) -> None:
        await stile.acquire()
        order.append(name)
        await asyncio.sleep(0)
        stile.release()

    assert stile.acquire_now()
    tasks = [asyncio.create_task(go(name)) for name in "abc"]
    await asyncio.sleep(0)
    assert not stile.acquire_now()
    assert order == []
    stile.release()
    assert not stile.acquire_now()  # it is a's turn, though a does not know yet
    await asyncio.gather(*tasks)
    assert order == ["a", "b", "c"]
    assert stile.acquire_now()


@pytest.mark.parametrize("let_in", [False, True])
async def test_who_gives_up_makes_room_for_the_next(let_in: bool):
    stile = RoomLock()
    assert stile.acquire_now()
    first, second = (asyncio.create_task(stile.acquire()) for _ in range(2))
    await asyncio.sleep(0)
    if let_in:
        stile.release()
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    if not let_in:
        stile.release()
    await second
    assert stile.locked()
    stile.release()
    assert not stile.locked()


# The frames.

FRAMES = st.builds(
    Frame,
    st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.CONT]),
    st.binary(max_size=300),
    st.booleans(),
) | st.builds(Frame, st.sampled_from([Opcode.PING, Opcode.PONG]), st.binary(max_size=125))


@given(FRAMES, st.integers(min_value=0, max_value=8))
def test_a_text_is_taken_whole_or_not_at_all(frame: Frame, cut: int):
    data = frame.serialize(mask=True)
    whole = frame.opcode is Opcode.TEXT and frame.fin
    assert _text(data) == (frame.data if whole else None)
    if cut:
        assert _text(data[:-cut]) is None
    assert _text(data + b"\x81") is None


@given(st.lists(FRAMES, min_size=1, max_size=4), st.integers(min_value=0, max_value=8))
def test_whether_a_message_ends_here(frames: list[Frame], cut: int):
    data = b"".join(frame.serialize(mask=True) for frame in frames)
    whole = all(frame.fin and frame.opcode is not Opcode.CONT for frame in frames)
    assert _ends(data) == whole
    if 0 < cut < min(len(frame.serialize(mask=True)) for frame in frames):
        assert not _ends(data[:-cut])


# The two ways.


async def _played(store: Path, ws: Any, game: str, options: dict[str, Any], seats: int, moves: int) -> list[Any]:
    """What everybody was told in a game with seeded dice and chosen actions, and what the log has."""
    rng = random.Random(4)
    async with inside(store, ws=ws) as server:
        more: dict[str, Any] = {"options": options, "dice": {"kind": "seeded", "seed": 5}}
        table, tokens = await made(server, game, "me " + "open " * (seats - 1), **more)
        clients = await everybody(server, table, tokens)
        for client in clients:
            client.heard.clear()
        room = await server.registry.room(table)
        for number in range(moves):
            if room.state.over:
                break
            asked = clients[room.play.actor]
            while not asked.legal:
                await asked.hear()
            texts = [each["text"] for each in asked.legal if not each.get("family")]
            asked.legal = None
            await asked.act(rng.choice(texts), ref=str(number))
            await asked.until("done", ref=str(number))
        for seat, client in enumerate(clients):
            while client.number < room.play.numbers[seat + 1]:
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
async def test_both_ways_lead_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, Any], seats: int
):
    taken: list[bool] = []
    hear = fast_path.FastPath.hear

    def counted(self: fast_path.FastPath, raw: bytes) -> bool:
        taken.append(hear(self, raw))
        return taken[-1]

    monkeypatch.setattr(fast_path.FastPath, "hear", counted)
    short = await _played(tmp_path / "short.sqlite", Transport, game, options, seats, 120)
    assert sum(taken) > 30
    taken.clear()
    long = await _played(tmp_path / "long.sqlite", LONG, game, options, seats, 120)
    assert taken == []
    assert short == long


async def _asked(server: Inside, table: str, clients: list[Client]) -> tuple[Client, dict[str, Any]]:
    """Who is to decide, and an act of his."""
    room = await server.registry.room(table)
    client = clients[room.play.actor]
    while not client.legal:
        await client.hear()
    act = {"type": "act", "number": client.number, "action": client.legal[0]["text"], "ref": new_id()}
    client.legal = None
    return client, act


def _pieces(text: bytes) -> list[list[bytes]]:
    """An act as it may come: in one piece, cut anywhere, in fragments, or with something before it."""
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
async def test_an_act_comes_through_however_it_is_cut(tmp_path: Path, how: int):
    async with inside(tmp_path / "t.sqlite") as server:
        table, tokens = await made(server)
        clients = await everybody(server, table, tokens)
        for turn in range(6):  # first so, and then whole: the line must not have lost its place
            client, act = await _asked(server, table, clients)
            act["ref"] = str(turn)
            for piece in _pieces(json.dumps(act).encode())[how if turn == 0 else 0]:
                client.socket.transport.write(piece)
                await asyncio.sleep(0.02)
            await client.until("done", ref=str(turn))


async def test_what_comes_after_an_act_is_answered_after_it(tmp_path: Path):
    async with inside(tmp_path / "t.sqlite") as server:
        table, tokens = await made(server)
        clients = await everybody(server, table, tokens)
        for _ in range(5):
            client, act = await _asked(server, table, clients)
            await client.say(**act)
            await client.say(type="ping", ref="p")
            kinds = []
            while kinds.count("pong") + kinds.count("refused") < 1:
                kinds.append((await client.hear())["type"])
            assert "done" in kinds


async def test_the_same_act_twice_is_done_once(tmp_path: Path):
    async with inside(tmp_path / "t.sqlite") as server:
        table, tokens = await made(server)
        clients = await everybody(server, table, tokens)
        client, act = await _asked(server, table, clients)
        await client.say(**act)
        await client.say(**act)
        await client.until("done")
        await client.until("done")
        lines = [line for line in await server.registry.store.events(table) if act["ref"].encode() in line.body]
        assert len(lines) == 1


# What goes wrong.


def _broken(kind: str) -> Callable[..., Any]:
    def append(*_: Any) -> asyncio.Future[None]:
        if kind == "at once":
            raise OSError("no more paper")
        failing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        failing.set_exception(StaleError() if kind == "stale" else OSError("no more paper"))
        return failing

    return append


@pytest.mark.parametrize(
    ("kind", "code"), [("at once", "wire.fault"), ("later", "wire.fault"), ("stale", "table.again")]
)
async def test_what_could_not_be_written_never_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, code: str
):
    async with inside(tmp_path / "t.sqlite") as server:
        table, tokens = await made(server)
        clients = await everybody(server, table, tokens)
        room = await server.registry.room(table)
        client, act = await _asked(server, table, clients)
        before = room.play.match.s.tobytes()
        with monkeypatch.context() as patched:
            patched.setattr(server.registry.store, "append", _broken(kind))
            await client.say(**act)
            refused = await client.until("refused")
        assert refused["code"] == code
        assert refused["ref"] == act["ref"]
        assert room.play.match.s.tobytes() == before
        assert not room.lock.locked()
        client, act = await _asked(server, table, clients)
        await client.say(**act)
        await client.until("done", ref=act["ref"])


async def test_what_could_not_be_told_is_told_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It is in the log: everybody gets the whole of it again."""
    async with inside(tmp_path / "t.sqlite") as server:
        table, tokens = await made(server)
        clients = await everybody(server, table, tokens)
        room = await server.registry.room(table)
        client, act = await _asked(server, table, clients)
        before = room.play.match.s.tobytes()
        with monkeypatch.context() as patched:
            patched.setattr(room, "tell", lambda game_events: 1 / 0)
            await client.say(**act)
            await client.until("view")
        assert room.play.match.s.tobytes() != before
        client, act = await _asked(server, table, clients)
        await client.say(**act)
        await client.until("done", ref=act["ref"])


async def test_a_pass_that_nobody_may_notice_is_not_counted():
    teller, before = Broadcaster(Settings()), counts()
    teller.arrived = time.perf_counter()
    teller.noticed([GameEvent("play", None, "person", None, [HIDDEN, OPENLY, HIDDEN])])
    assert counts() == before
    teller.state = SimpleNamespace(setup=SimpleNamespace(game="ur"))  # type: ignore[assignment]
    teller.noticed([GameEvent("play", None, "person", None, [OPENLY] * 3)])
    assert counts() == [number + 1 for number in before]


async def test_a_refused_act_is_not_counted_with_what_comes_after_it(tmp_path: Path):
    async with inside(tmp_path / "t.sqlite") as server:
        table, tokens = await made(server)
        clients = await everybody(server, table, tokens)
        room = await server.registry.room(table)
        client, act = await _asked(server, table, clients)
        await client.say(**{**act, "action": "0-99"})
        await client.until("refused")
        assert room.arrived is None


def counts() -> list[float]:
    """Moves of Ur by people, and acts that were told."""
    text = metrics.text().decode()
    names = 'quadriga_moves_total{by="person",game="ur"} ', "quadriga_told_seconds_count "
    return [sum(float(each) for each in re.findall(re.escape(name) + r"(\S+)", text)) for name in names]


# Haste.


@pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
@pytest.mark.parametrize(("game", "seats"), [("ur", 2), ("ave-caesar", 4), ("ben-hvrt", 4)])
def test_a_hastened_match_is_the_same_match(game: str, seats: int):
    rules, rng = find(game), random.Random(2)
    plain = Match(rules, seats=seats, dice=SeededDice(3))
    hasty = Match(rules, seats=seats, dice=SeededDice(3))
    hasty.use_machine(Machine(rules))
    for _ in range(300):
        assert hasty.actor == plain.actor
        assert hasty.actions() == plain.actions()
        if plain.over:
            break
        text = rng.choice([each for each in plain.legal() if not each.endswith(" *")])
        plain.play(text)
        hasty.play(text)
        assert hasty.s.tobytes() == plain.s.tobytes()
    assert hasty == plain
    if hasty.may_undo(hasty.entries[-1].seat or 0):
        assert hasty.undo() == plain.undo()
        assert hasty.actions() == plain.actions()


@pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
async def test_a_busy_server_takes_compiled_kernels_and_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    kernel_warmup.load("ur")  # it lies on the disk from here on
    kernel_warmup.of.cache_clear()
    monkeypatch.setattr(kernel_warmup, "LOAD_AFTER", 5)
    async with inside(tmp_path / "t.sqlite") as server:
        table, tokens = await made(server, options={"rules": "finkel"})
        clients = await everybody(server, table, tokens)
        room = await server.registry.room(table)
        while not room.state.over and not room.play.is_compiled:
            client, act = await _asked(server, table, clients)
            await client.say(**act)
            await client.until("done")
        assert room.play.is_compiled
        for _ in range(20):
            client, act = await _asked(server, table, clients)
            await client.say(**act)
            await client.until("done")
        again = Match(room.state.game, room.state.options, 2)
        for entry in room.play.match.entries:
            again.happen(entry.text) if entry.chance else again.play(entry.text)
        assert again.s.tobytes() == room.play.match.s.tobytes()
    kernel_warmup.of.cache_clear()


@pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
async def test_what_does_not_lie_ready_is_compiled_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler, "_entries", {})
    monkeypatch.setattr(kernel_warmup, "LOAD_AFTER", 1)
    monkeypatch.setattr(kernel_warmup, "COMPILE_AFTER", 2)
    busy, played = kernel_warmup.KernelWarmup(find("ur")), GameSession(find("ur"), {}, 2, SeededDice(1))
    busy.moved(played)
    assert busy.work is not None
    await busy.work
    assert busy.machine is None  # there is nothing to load, and it does not pay yet
    busy.moved(played)
    assert busy.work is not None
    await busy.work
    assert busy.machine is not None
    assert any(tmp_path.iterdir())
    assert not played.is_compiled
    busy.moved(played)
    assert played.is_compiled


async def test_without_a_compiler_plain_kernels_play_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel_warmup, "is_available", lambda: False)
    monkeypatch.setattr(kernel_warmup, "LOAD_AFTER", 1)
    busy = kernel_warmup.KernelWarmup(find("ur"))
    busy.moved(None)  # type: ignore[arg-type]
    await asyncio.sleep(0)
    assert busy.work is None
    assert busy.machine is None
