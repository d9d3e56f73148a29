"""Failures while a move is submitted: a failing store, a closed connection, hostile frames, a stopping server."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.frames import Frame, Opcode

from quadriga.server.http.uvicorn_private import Transport
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms import submission
from quadriga.server.rooms.room import Room
from quadriga.server.state import replaying
from quadriga.server.storage.sqlite.writer import SqliteWriter
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table

UVICORN_ONLY = "websockets-sansio"  # uvicorn's own protocol: no direct output


class PendingWrites:
    """Replaces a store's `append`: writes wait until the test lets them succeed or fail."""

    def __init__(self, store: Any, patched: pytest.MonkeyPatch) -> None:
        self._append = store.append
        self._pending: list[Any] = []
        patched.setattr(store, "append", self.append)

    def append(self, *lines: Any) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((lines, done))
        return done

    async def started(self) -> None:
        while not self._pending:
            await asyncio.sleep(0.001)

    async def write(self) -> None:
        lines, done = self._pending.pop(0)
        await self._append(*lines)
        done.set_result(None)

    def fail(self) -> None:
        self._pending.pop(0)[1].set_exception(OSError("disk full"))


async def _both(server: InProcessServer, **more: Any) -> tuple[str, Any, Client, Client, dict[str, Any]]:
    """Start a table of two; return its id, the room, the client to decide, the other client, and an action."""
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


# Messages that are no actions.


async def test_an_action_without_a_message_type_is_refused(tmp_path: Path):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, _, act = await _both(server)
        before = room.session.match.here
        del act["type"]
        await asked.say(**act)
        assert (await asked.until("refused"))["code"] == "wire.type"
        assert room.session.match.here == before


def _framed(head: bytes, text: bytes) -> bytes:
    return head + bytes(4) + text  # masked, by nothing


async def test_bytes_of_an_earlier_frame_are_not_read_as_a_frame(tmp_path: Path):
    """The head of a long frame comes with the hello. The bytes that follow belong to it."""
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


# Moves that are not written yet.


async def test_a_refusal_shows_nothing_of_an_unwritten_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, other, act = await _both(server)
        numbers = list(room.session.numbers)
        writes = PendingWrites(server.registry.store, monkeypatch)
        await asked.say(**act)
        await writes.started()
        assert room.session.numbers != numbers
        await other.socket.send("{")
        while not room.lock._waiters:  # the refusal waits for the room
            await asyncio.sleep(0.001)
        writes.fail()
        refused = await other.until("refused")
        assert refused["code"] == "wire.json"
        assert refused["number"] in numbers


async def test_the_table_shows_nothing_of_an_unwritten_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Otherwise the seed would be known while the game goes on."""
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, other, act = await _both(server, options={"rules": "blitz"})
        watching = await server.connect(table)
        await watching.until("view")
        writes = PendingWrites(server.registry.store, monkeypatch)
        end_batch = room.state.end_batch

        def ended(*what: Any) -> Any:
            room.state.status = "over"
            return end_batch(*what)

        monkeypatch.setattr(room.state, "end_batch", ended)
        await asked.say(**act)
        await writes.started()
        other.heard.clear()
        parts = ("fairness", "chart", "replay", "record")
        asked_for = [asyncio.create_task(server.fetch("GET", f"/api/tables/{table}/{part}")) for part in parts]
        await watching.close()
        # Wait until all requests have come.
        while len(room.lock._waiters or ()) < len(parts) or len(room.presence.viewers) > 2:
            await asyncio.sleep(0.001)
        writes.fail()
        await other.until("view")
        await other.until("table")
        assert all(json.loads(each)["table"]["dice"]["seed"] is None for each in other.heard if '"table":' in each)
        assert [(await each)[0] for each in asked_for] == [409] * len(parts)


async def test_if_the_log_cannot_be_read_either_no_unwritten_move_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)
        store = server.registry.store

        async def unread(_: str) -> None:
            raise OSError("disk error")

        with monkeypatch.context() as patched:
            writes = PendingWrites(store, patched)
            patched.setattr(store, "load", unread)
            await asked.say(**act)
            await writes.started()
            writes.fail()
            refused = await asked.until("refused")
        assert refused["code"] == "wire.fault"
        assert refused["legal"] is None
        await asked.say(**{**act, "ref": "s"})
        await asked.until("view")
        await asked.until("done", ref="s")
        again = await replaying.load(store, table)
        assert again is not None
        assert again.next == room.state.next
        assert again.session is not None
        assert again.session.match.here == room.session.match.here


async def test_a_move_that_is_refused_halfway_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)

        def refusing(*arguments: object) -> None:
            raise RoomError("act.not-asked")

        known = asked.legal
        with monkeypatch.context() as patched:
            patched.setattr(submission, "follow", refusing)
            await asked.say(**act)
            refused = await asked.until("refused")
        # Beside other processes the log is read again before a refusal, in case they have written.
        assert refused["legal"] == (None if server.registry.cluster is None else known)
        await asked.say(**{**act, "ref": "s"})
        await asked.until("done", ref="s")
        again = await replaying.load(server.registry.store, table)
        assert again is not None
        assert again.session is not None
        assert again.session.match.here == room.session.match.here


# Clients that hang up.


async def test_an_action_counts_though_its_client_has_hung_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, other, act = await _both(server)
        number = other.number
        writes = PendingWrites(server.registry.store, monkeypatch)
        await asked.say(**act)
        await writes.started()
        await asked.close()
        await writes.write()
        await other.until("news")
        assert other.number > number
        while len(room.presence.viewers) > 1:
            await asyncio.sleep(0.01)
        assert not room.lock.locked()


@pytest.mark.parametrize("yielding", [0, 1, 2])
async def test_a_room_that_is_closed_while_it_recovers_is_not_left_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, yielding: int
):
    async with in_process(tmp_path / "t.sqlite") as server:
        _, room, asked, _, act = await _both(server)
        writes = PendingWrites(server.registry.store, monkeypatch)
        await asked.say(**act)
        await writes.started()
        writes.fail()
        for _ in range(yielding):
            await asyncio.sleep(0)
        room.tasks.cancel()
        async with asyncio.timeout(60):
            while room.lock.locked():
                await asyncio.sleep(0.001)


async def test_a_room_that_is_unloaded_before_the_hello_is_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server)
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        found, find_room = asyncio.Event(), server.registry.room

        async def noted(id: str) -> Room:
            room = await find_room(id)
            found.set()
            return room

        monkeypatch.setattr(server.registry, "room", noted)
        late = Client(await websockets.connect(address, compression=None))
        await found.wait()
        server.registry.rooms.pop(table).close()
        await late.say(type="hello", token=tokens[0])
        await late.until("view")
        room = await server.registry.room(table)
        assert len(room.presence.viewers) == 1


# Hostile clients.


def _hostile(act: bytes) -> dict[str, list[bytes]]:
    """Return invalid input of a client, in pieces. Most of it contains an action."""
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
async def test_invalid_frames_are_no_actions_and_the_game_goes_on(tmp_path: Path, how: str):
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
    """Play on one device with both seats and two sockets, with undo; return all received messages."""
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
                said: dict[str, Any] = {"type": "act", "action": texts[number % len(texts)], "seat": play.actor}
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


async def test_direct_output_sends_a_shared_device_the_same_as_the_queue(tmp_path: Path):
    direct = await _shared(tmp_path / "direct.sqlite", Transport)
    queued = await _shared(tmp_path / "queued.sqlite", UVICORN_ONLY)
    assert direct == queued
    assert any('"wanted"' in each for each in direct)


# The server stops.


async def test_an_action_that_is_being_written_when_the_server_stops_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    begun, goes_on = threading.Event(), threading.Event()
    transaction = SqliteWriter.execute

    def slow(self: SqliteWriter, group: Any) -> None:
        begun.set()
        goes_on.wait(60)
        transaction(self, group)

    async with in_process(tmp_path / "t.sqlite") as server:
        table, room, asked, _, act = await _both(server)
        monkeypatch.setattr(SqliteWriter, "execute", slow)
        await asked.say(**act)
        await asyncio.to_thread(begun.wait, 60)
        asyncio.get_running_loop().call_later(0.3, goes_on.set)
    after = room.session.match.here
    assert not room.lock.locked()
    async with in_process(tmp_path / "t.sqlite") as server:
        assert (await server.registry.room(table)).session.match.here == after
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
