"""Garbage: connections and rooms that end leave no reference cycles, so their memory waits for no collection.

A full collection holds everybody up, so a busy server makes few (see `gc_tuning`).
"""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.server import ServerProtocol

from quadriga.server import gc_tuning
from quadriga.server.gc_tuning import GC_TUNING
from quadriga.server.http.uvicorn_private import Connection, Transport
from quadriga.server.rooms.room import Room
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.room_state import RoomState
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table

KINDS = (ServerProtocol, Connection, Transport, Viewer, Room, RoomState)
MASKED = bytes(4)  # by nothing


@pytest.fixture(autouse=True, scope="module")
def _frozen() -> Iterator[None]:
    """Leave all that was there before these tests out of their collections, and of what they count."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def _living() -> Counter[str]:
    """Count the objects of connections and rooms."""
    found = (type(each) for each in gc.get_objects())
    return Counter(kind.__name__ for kind in found if issubclass(kind, KINDS))


@asynccontextmanager
async def _uncollected(store: Path) -> AsyncIterator[InProcessServer]:
    """Serve without the garbage collector."""
    gc.collect()
    gc.disable()
    try:
        async with in_process(store) as server:
            yield server
    finally:
        gc.enable()


async def _emptied(server: InProcessServer) -> None:
    """Wait until no connection is open, and unload all rooms."""
    state = server.serving.server_state
    while state.connections or state.tasks:
        await asyncio.sleep(0.01)
    for presence in [room.presence for room in server.registry.rooms.values()]:
        presence.empty_since = float("-inf")
    await server.registry.unload_idle_rooms()
    await asyncio.sleep(0.01)  # cancelled tasks end


async def _opened(server: InProcessServer, table: str) -> asyncio.StreamWriter:
    """Open a websocket, without a client that answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    return writer


def _sending(*frames: bytes) -> Callable[[InProcessServer, str, str], Awaitable[None]]:
    """Return a function that opens a websocket, sends frames and breaks off."""

    async def send(server: InProcessServer, table: str, token: str) -> None:
        writer = await _opened(server, table)
        for frame in frames:
            writer.write(frame)
            await asyncio.sleep(0.02)
        await _break_off(writer)

    return send


async def _break_off(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def _play(server: InProcessServer, table: str, token: str) -> None:
    clients = [await server.connect(table, token, seat=seat) for seat in range(2)]
    for client in clients:
        await client.until("view")
    asked = next(client for client in clients if client.legal)
    assert asked.legal
    await asked.act("nonsense")
    assert (await asked.until("refused"))["code"] == "action.illegal"
    await asked.act(asked.legal[0]["text"])
    await asked.until("done")
    await clients[0].close()
    clients[1].socket.transport.abort()
    await clients[1].close()


def _text(message: object) -> bytes:
    content = json.dumps(message).encode()
    return bytes([0x81, 0x80 | len(content)]) + MASKED + content


HELLO = _text({"type": "hello"})
ENDS = {
    "broken off before a hello": _sending(),
    "broken off": _sending(HELLO),
    "a wrong token": _sending(_text({"type": "hello", "token": "x"})),
    "no JSON": _sending(HELLO, b"\x81\x81" + MASKED + b"{"),
    "not masked": _sending(HELLO, b"\x81\x01a"),
    "too long": _sending(HELLO, b"\x81\xff\x7f" + bytes(7) + MASKED),
    "closed": _sending(HELLO, b"\x88\x80" + MASKED),
    "played": _play,
}


@pytest.mark.parametrize("end", ENDS)
async def test_a_room_and_its_connections_are_freed_without_a_collection(end: str, tmp_path: Path):
    async with _uncollected(tmp_path / "tables.sqlite") as server:
        before = _living()
        table, tokens = await start_table(server, seats="me me")
        await ENDS[end](server, table, tokens[0])
        await _emptied(server)
        assert _living() == before


async def test_a_room_that_is_left_in_a_cycle_is_collected_while_another_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gc_tuning, "_MOST_LINGERING", 0)
    async with _uncollected(tmp_path / "tables.sqlite") as server:
        busy, tokens = await start_table(server, seats="me me")
        await connect_all(server, busy, tokens)
        table, _ = await start_table(server, seats="me me")
        room = server.registry.rooms[table]
        room.show = room.show  # type: ignore[method-assign]  # a method of its own: a cycle
        gone = weakref.ref(room)
        room.presence.empty_since = float("-inf")
        del room
        await server.registry.unload_idle_rooms()
        assert gone() is not None
        for _ in range(2):
            GC_TUNING.collect_lingering()
        assert gone() is None
        assert list(server.registry.rooms) == [busy]
