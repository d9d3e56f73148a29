"""What must hold whatever happens while a move is submitted."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.frames import Frame, Opcode

from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.lock import RoomLock
from quadriga.server.state import loading
from quadriga.server.storage.writer import Writer
from quadriga.server.ws.transport import Transport
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table

UVICORN_ONLY = "websockets-sansio"  # uvicorn's own protocol: no direct output


class Desk:
    """In place of a store's `append`: what is to be written lies there until somebody says what becomes of it."""

    def __init__(self, store: Any, patched: pytest.MonkeyPatch) -> None:
        self._append, self._lying = store.append, []
        patched.setattr(store, "append", self.append)

    def append(self, *lines: Any) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lying.append((lines, done))
        return done

    async def filled(self) -> None:
        while not self._lying:
            await asyncio.sleep(0.001)

    async def write(self) -> None:
        lines, done = self._lying.pop(0)
        await self._append(*lines)
        done.set_result(None)

    def burn(self) -> None:
        self._lying.pop(0)[1].set_exception(OSError("no more paper"))


async def _both(server: InProcessServer, **more: Any) -> tuple[str, Any, Client, Client, dict[str, Any]]:
    """A table of two: who is to decide, the other, and an act."""
    table, tokens = await start_table(server, **more)
    clients = await connect_all(server, table, tokens)
    room = await server.registry.room(table)
    asked, other = clients[room.session.actor], clients[1 - room.session.actor]
    while not asked.legal:
        await asked.hear()
    return table, room, asked, other, _act(asked)


def _act(client: Client) -> dict[str, Any]:
    assert client.legal
    return {"type": "act", "number": client.number, "action": client.legal[0]["text"], "ref": "r"}


async def test_a_lock_that_is_not_held_cannot_be_released():
    lock = RoomLock()
    await lock.acquire()
    lock.release()
    with pytest.raises(AssertionError):
        lock.release()


# What is not an act.


async def test_an_act_that_does_not_say_that_it_is_one_is_refused(tmp_path: Path):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, _, act = await _both(server)
        before = room.session.match.here
        del act["type"]
        await asked.say(**act)
        assert (await asked.until("refused"))["code"] == "wire.type"
        assert room.session.match.here == before


def _framed(head: bytes, text: bytes) -> bytes:
    return head + bytes(4) + text  # masked, by nothing


async def test_what_belongs_to_an_earlier_frame_is_no_frame(tmp_path: Path):
    """The head of a long frame comes with the hello; what follows is in it, whatever it looks like."""
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)
        before = room.session.match.here
        act["seat"] = room.session.actor
        inner = Frame(Opcode.TEXT, json.dumps(act).encode()).serialize(mask=True)
        outer = b"\x82\xfe" + len(inner).to_bytes(2, "big") + bytes(4)
        token = json.loads(asked.heard[0])["token"]
        greeting = json.dumps({"type": "hello", "token": token}).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        writer.write(Frame(Opcode.TEXT, greeting).serialize(mask=True) + outer)
        await reader.readuntil(b'"type":"view"')
        writer.write(inner)
        await reader.readuntil(b'"type":"refused"')  # it is bytes, and no message
        assert room.session.match.here == before
        writer.close()
        await writer.wait_closed()


# What is not written yet.


async def test_a_refusal_does_not_tell_of_an_act_that_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, other, act = await _both(server)
        numbers = list(room.session.numbers)
        desk = Desk(server.registry.store, monkeypatch)
        await asked.say(**act)
        await desk.filled()
        assert room.session.numbers != numbers
        await other.socket.send("{")
        while not room.lock._waiting:  # the refusal waits for the room
            await asyncio.sleep(0.001)
        desk.burn()
        refused = await other.until("refused")
        assert refused["code"] == "wire.json"
        assert refused["number"] in numbers


async def test_the_table_does_not_tell_of_an_end_that_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The seed would be known, and the game would go on."""
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, other, act = await _both(server, options={"rules": "blitz"})
        watching = await server.connect(table)
        await watching.until("view")
        desk = Desk(server.registry.store, monkeypatch)
        end_batch = room.state.end_batch

        def ended(*what: Any) -> Any:
            room.state.status = "over"
            return end_batch(*what)

        monkeypatch.setattr(room.state, "end_batch", ended)
        await asked.say(**act)
        await desk.filled()
        other.heard.clear()
        parts = ("fairness", "chart", "replay", "record")
        asked_for = [asyncio.create_task(server.fetch("GET", f"/api/tables/{table}/{part}")) for part in parts]
        await watching.close()
        await asyncio.sleep(0.2)
        desk.burn()
        await other.until("view")
        await other.until("table")
        assert all(json.loads(each)["table"]["dice"]["seed"] is None for each in other.heard if '"table":' in each)
        assert [(await each)[0] for each in asked_for] == [409] * len(parts)


async def test_where_the_log_cannot_be_read_either_nothing_is_played_on_what_was_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)
        store = server.registry.store

        async def unread(_: str) -> None:
            raise OSError("no light")

        with monkeypatch.context() as patched:
            desk = Desk(store, patched)
            patched.setattr(store, "load", unread)
            await asked.say(**act)
            await desk.filled()
            desk.burn()
            refused = await asked.until("refused")
        assert refused["code"] == "wire.fault"
        assert refused["legal"] is None
        await asked.say(**{**act, "ref": "s"})
        await asked.until("view")
        await asked.until("done", ref="s")
        again = await loading.load(store, table)
        assert again is not None
        assert again.next == room.state.next
        assert again.session is not None
        assert again.session.match.here == room.session.match.here


async def test_what_is_refused_when_it_is_half_done_never_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)

        def refusing() -> None:
            raise RoomError("act.not-asked")

        with monkeypatch.context() as patched:
            patched.setattr(room, "_follow", refusing)
            await asked.say(**act)
            refused = await asked.until("refused")
        assert refused["legal"] is None
        await asked.say(**{**act, "ref": "s"})
        await asked.until("done", ref="s")
        again = await loading.load(server.registry.store, table)
        assert again is not None
        assert again.session is not None
        assert again.session.match.here == room.session.match.here


# Who goes away.


async def test_an_act_stands_though_who_made_it_has_hung_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, other, act = await _both(server)
        number = other.number
        desk = Desk(server.registry.store, monkeypatch)
        await asked.say(**act)
        await desk.filled()
        await asked.close()
        await desk.write()
        await other.until("news")
        assert other.number > number
        while len(room.presence.viewers) > 1:
            await asyncio.sleep(0.01)
        assert not room.lock.locked()


@pytest.mark.parametrize("yielding", [0, 1, 2])
async def test_a_room_that_is_closed_while_it_is_mended_is_not_left_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, yielding: int
):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, _, act = await _both(server)
        desk = Desk(server.registry.store, monkeypatch)
        await asked.say(**act)
        await desk.filled()
        desk.burn()
        for _ in range(yielding):
            await asyncio.sleep(0)
        room.cancel_tasks()
        for _ in range(20):
            await asyncio.sleep(0.01)
        assert not room.lock.locked()


async def test_a_room_that_is_swept_away_before_the_greeting_is_not_entered(tmp_path: Path):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        late = Client(await websockets.connect(address, compression=None))
        await asyncio.sleep(0.05)
        server.registry.rooms.pop(table).close()
        await late.say(type="hello", token=tokens[0])
        await late.until("view")
        room = await server.registry.room(table)
        assert len(room.presence.viewers) == 1


# Who is hostile.


def _hostile(act: bytes) -> dict[str, list[bytes]]:
    """Things that a client should not send, in the pieces that it sends; in most of them there is an act."""
    whole = Frame(Opcode.TEXT, act).serialize(mask=True)
    close = Frame(Opcode.CLOSE, (1000).to_bytes(2, "big")).serialize(mask=True)
    size = bytes([0x80 | len(act)])
    return {
        "not masked": [Frame(Opcode.TEXT, act).serialize(mask=False)],
        "compressed": [b"\xc1" + whole[1:]],
        "a kind that there is not": [b"\x83" + whole[1:]],
        "no text": [_framed(b"\x81" + size, act[:-2] + b"\xff}")],
        "after the end": [close, whole],
        "at the end": [close + whole],
        "inside another": [Frame(Opcode.TEXT, b"{", fin=False).serialize(mask=True), whole],
        "of another": [Frame(Opcode.CONT, act).serialize(mask=True)],
        "too long": [b"\x81\xff" + b"\xff" * 8 + bytes(4) + act],
        "long control": [_framed(b"\x89\xfe\x01\x00", act.ljust(256))],
        "a control in pieces": [_framed(b"\x09" + size, act)],
    }


@pytest.mark.parametrize("how", list(_hostile(b"{}")))
async def test_what_is_no_frame_is_no_act_and_the_game_goes_on(tmp_path: Path, how: str):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)
        before = room.session.match.here
        token = json.loads(asked.heard[0])["token"]
        bad = await server.connect(table, token)
        await bad.until("view")
        text = json.dumps({"type": "act", "number": 0, "action": act["action"]}).encode()
        for piece in _hostile(text)[how]:
            bad.socket.transport.write(piece)
            await asyncio.sleep(0)
        with pytest.raises(websockets.ConnectionClosed):
            await bad.until("done")
        assert room.session.match.here == before
        await asked.say(**act)
        await asked.until("done", ref="r")


# One device, two seats.


async def _shared(store: Path, ws: Any) -> list[str]:
    """What one device with both seats and a second socket of it are told; dice by hand, undone now and then."""
    async with in_process(store, ws=ws) as server:
        more: dict[str, Any] = {"dice": {"kind": "seeded", "seed": 5}, "rolls": "hand"}
        table, tokens = await start_table(server, seats="me me", options={"rules": "finkel"}, **more)
        first, second = await connect_all(server, table, tokens * 2)
        room = await server.registry.room(table)
        for client in (first, second):
            client.heard.clear()
        for number in range(60):
            play, ref = room.session, str(number)
            if play.actor >= 0:
                texts = list(play.match.actions())
                said = {"type": "act", "action": texts[number % len(texts)], "seat": play.actor}
            else:
                said = {"type": "roll", "seat": play.roller}
            if number % 7 == 3 and play.undoer >= 0:
                said = {"type": "undo", "seat": play.undoer}
            client = (first, second)[number % 3 == 0]
            await client.say(**said, number=play.numbers[said["seat"] + 1], ref=ref)
            await client.until("done", ref=ref)
            if number % 5 == 0:
                await client.say(type="look", seat=number % 2, ref=ref)
                await client.until("stops")
        for client in (first, second):
            await client.say(type="ping", ref="last")
            await client.until("pong", ref="last")
        return [each for client in (first, second) for each in client.heard if '"type":"table"' not in each]


async def test_direct_output_tells_a_shared_device_the_same_as_the_queue(tmp_path: Path):
    direct = await _shared(tmp_path / "direct.sqlite", Transport)
    queued = await _shared(tmp_path / "queued.sqlite", UVICORN_ONLY)
    assert direct == queued
    assert any('"wanted"' in each for each in direct)


# The server goes down.


async def test_an_act_that_is_being_written_when_the_server_stops_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    begun, goes_on = threading.Event(), threading.Event()
    transaction = Writer._execute

    def slow(self: Writer, group: Any) -> None:
        begun.set()
        goes_on.wait(60)
        transaction(self, group)

    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)
        monkeypatch.setattr(Writer, "_execute", slow)
        await asked.say(**act)
        await asyncio.to_thread(begun.wait, 60)
        asyncio.get_running_loop().call_later(0.3, goes_on.set)
    after = room.session.match.here
    assert not room.lock.locked()
    async with in_process(tmp_path / "t.sqlite") as server:
        assert (await server.registry.room(table)).session.match.here == after
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
