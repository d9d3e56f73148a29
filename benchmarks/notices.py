"""What notices cost: the outbox for a move, and the sender for a notice.

    python benchmarks/notices.py [--moves N] [--notices N] [--store postgresql://...]

Prints processor time of the server. Moves are stored with and without the outbox in turns, in one run. The receiver
of notices is a process of its own and is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import tempfile
import time
from contextlib import nullcontext
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from quadriga.server.notices.notices import Notices
from quadriga.server.people.people import People
from quadriga.server.rooms.registry import Registry
from quadriga.server.seats.tokens import Tokens
from quadriga.server.settings import Settings, store_address
from quadriga.server.storage import chain
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import GameSummary, Storage, StoredEvent, StoredRoom, now
from quadriga.server.storage.notices_schema import CHANNELS, OUTBOX
from quadriga.server.storage.people_schema import PEOPLE, PLAYERS
from quadriga.server.storage.store import Store
from quadriga.server.storage.writer import Write

_BLOCK = 200  # moves that are stored one after the other in the same way
_ANSWER = b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def receive(ready: Connection) -> None:
    """Take requests until the process is ended."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_ANSWER)
        await writer.drain()
        writer.close()

    async def run() -> None:
        serving = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1000)
        ready.send(serving.sockets[0].getsockname()[1])
        await serving.serve_forever()

    asyncio.run(run())


def _nothing(*given: object) -> list[Write]:
    return []


class Game:
    """A game of two people, one of whom may be told of turns."""

    def __init__(self, store: Storage, name: str) -> None:
        self.store, self.name = store, name
        self._room = StoredRoom(name, now(), False, "playing", b"{}")
        self._hash, self._number = chain.first_hash(self._room), 0

    async def create(self, has_channel: bool) -> None:
        """Store the game and its people."""
        await self.store.create(self._room, [])
        people = [f"{self.name}-{seat}" for seat in range(2)]

        def work(connection: sa.Connection) -> None:
            for person in people:
                add_person(connection, person)
                row = {"table_id": self.name, "person_id": person, "holder": person, "game": "ur", "seats": 2}
                connection.execute(PLAYERS.insert().values(**row, created=0, ended=0))
                if has_channel:
                    add_channel(connection, person, person, "http://127.0.0.1:9/", "webhook", b"")

        await self.store.transact(work)

    async def move(self) -> None:
        """Store a move that ends a turn."""
        self._number += 1
        number, at = self._number, now()
        self._hash = chain.next_hash(self._hash, number, at, "moves", b"{}")
        turn = number % 2
        waits_for = f"{self.name}-{turn}"
        summary = GameSummary(self.name, "ur", "playing", turn, at, b"[]", number, (), waits_for)
        event = StoredEvent(number, at, "moves", b"{}", self._hash)
        await self.store.append(self.name, [event], summary=summary, told_after_ms=3_600_000)


def add_person(connection: sa.Connection, id: str) -> None:
    """Store a person."""
    connection.execute(PEOPLE.insert().values(id=id, created=0, seen=0, role="member", public=False))


def add_channel(connection: sa.Connection, id: str, person: str, address: str, kind: str, keys: bytes) -> None:
    """Store a channel of a person."""
    row = {"id": id, "person_id": person, "kind": kind, "shape": "ntfy", "address": address, "keys": keys}
    connection.execute(CHANNELS.insert().values(**row, origin="https://games.example", label="", created=0))


async def moves(store: Storage, count: int) -> None:
    """Print what a move costs without the outbox, with it, and with somebody who is told."""
    without, nobody, somebody = (Game(store, name) for name in ("without", "nobody", "somebody"))
    for game in (without, nobody, somebody):
        await game.create(game is somebody)
    used = dict.fromkeys((without, nobody, somebody), 0.0)
    for block in range(count // _BLOCK + 1):
        for game in used:
            if block == 1:  # the first one warms up
                used[game] = 0.0
            with patch.object(Store, "_notices", _nothing) if game is without else nullcontext():
                begin = time.process_time()
                for _ in range(_BLOCK):
                    await game.move()
                used[game] += time.process_time() - begin
    for game, seconds in used.items():
        print(f"a move, {game.name} {'outbox' if game is without else 'is told'}: {seconds / count * 1e6:.0f} us")


async def notices(store: Storage, count: int, port: int) -> None:
    """Print what a notice costs the sender."""
    rates = {"notice_private": 1, "notice_rate": 1e9, "notice_burst": 1e9}
    settings = Settings(store="", **rates)  # type: ignore[arg-type]
    registry = Registry(store, await Tokens.of(store), await People.of(store), settings)
    sender = (await Notices.of(registry)).sender
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    keys = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint) + bytes(16)
    await store.transact(lambda connection: add_person(connection, "told"))
    for kind in ("webhook", "push"):

        def work(connection: sa.Connection, kind: str = kind) -> None:
            for number in range(count):
                name = f"{kind}-{number}"
                add_channel(connection, name, "told", f"http://127.0.0.1:{port}/{name}", kind, keys)
                row = {"channel_id": name, "kind": "night", "table_id": "", "key": 0, "since": now(), "due": 0}
                connection.execute(OUTBOX.insert().values(**row, tries=0, state="waiting"))

        await store.transact(work)
        begin, clock = time.process_time(), time.perf_counter()
        sent = await sender.sweep()
        used, passed = time.process_time() - begin, time.perf_counter() - clock
        assert sent == count, sent
        print(f"a notice by {kind}: {used / count * 1e6:.0f} us, {count / passed:.0f} a second")


async def measure(store_name: str, count: int, told: int, port: int) -> None:
    """Measure in one store."""
    store = await open_store(store_address(store_name))
    try:
        await moves(store, count)
        await notices(store, told, port)
    finally:
        await store.close()


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=4000)
    parser.add_argument("--notices", type=int, default=1000)
    parser.add_argument("--store", default="")
    given = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    receiver = multiprocessing.get_context("spawn").Process(target=receive, args=(theirs,), daemon=True)
    receiver.start()
    with tempfile.TemporaryDirectory() as folder:
        name = given.store or str(Path(folder) / "tables.sqlite")
        asyncio.run(measure(name, given.moves, given.notices, ours.recv()))
    receiver.kill()


if __name__ == "__main__":
    main()
