"""Verify a whole store: the database, every room with its log and snapshots, the chat and the keys."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.state import log_reader
from quadriga.server.state.replaying import replay
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.state.snapshot import unpack
from quadriga.server.storage import backup, journal, room_reader
from quadriga.server.storage.address import check_current, open_store
from quadriga.server.storage.base import LoadedRoom

Progress = Callable[[int, int], None]
_ALL_CHAT = 2**31 - 1


class Report(msgspec.Struct):
    """The numbers of things in a store, and all damage that was found."""

    rooms: int = 0
    verified: int = 0  # of them
    events: int = 0
    snapshots: int = 0
    talk: int = 0
    keys: int = 0
    store: list[QuadrigaError] = []  # damage that belongs to no room
    damaged: dict[str, QuadrigaError] = {}  # damage by room
    rules: dict[str, QuadrigaError] = {}  # intact rooms that were played under other rules

    @property
    def whole(self) -> bool:
        """True if nothing is damaged."""
        return not self.store and not self.damaged


OLD_VERIFIED = 10_000  # rooms that are archived, of a backup that is tried: each is unpacked in milliseconds
REPLAYED = 100  # of all rooms


def try_backup(file: Path) -> Report:
    """Restore a whole backup into a temporary folder beside it, and verify it.

    Every page is read, and all chains of the log. Of archived rooms so many are verified that it takes minutes
    however many there are, and of all rooms some are replayed; each time others, which are chosen at random.
    """
    with TemporaryDirectory(prefix=f".{file.name}", dir=file.parent) as folder:
        restored = Path(folder) / "tables.sqlite"
        backup.restore(file, restored)
        check_current(restored)
        return _check_file(restored, lambda done, total: None, OLD_VERIFIED, REPLAYED)


def check(store: Path | str, progress: Progress = lambda done, total: None) -> Report:
    """Verify a store, also while the server runs. Raises FileError if it cannot be opened at all."""
    check_current(store)
    if isinstance(store, str):
        return asyncio.run(_check_shared(store, progress))
    return _check_file(store, progress)


async def _check_shared(url: str, progress: Progress) -> Report:
    """Verify a database. PostgreSQL itself checks its pages; here the rooms, the chat and the keys are."""
    report, store = Report(), await open_store(url)
    try:
        rooms = await store.room_ids()
        report.rooms = report.verified = len(rooms)
        for done, room_id in enumerate(rooms):
            progress(done, len(rooms))
            try:
                _check_loaded(await store.load(room_id), room_id, report)
            except QuadrigaError as fault:
                _note_damage(room_id, fault, report)
            report.talk += len(await store.chat(room_id, _ALL_CHAT))
        for key in await store.keys():
            report.keys += 1
            if not _is_key(key.created, key.secret):
                report.store.append(RoomError("damage.field", reason=f"keys, {key.id}"))
        progress(len(rooms), len(rooms))
    finally:
        await store.close()
    return report


def _check_file(path: Path, progress: Progress, old: int | None = None, replays: int | None = None) -> Report:
    """Verify a file: every chain of the log, and at most so many archived rooms and replays, chosen at random."""
    report = Report()
    with room_reader.connected(path) as connection:
        _check_database(connection, report)
        numbers = journal.read(path)
        rooms = _room_ids(connection, report) | set(numbers)
        report.rooms = len(rooms)
        if old is not None:
            rooms -= _sampled_out(connection, report, old)
        report.verified = len(rooms)
        chosen = rooms if replays is None else set(random.sample(sorted(rooms), min(replays, len(rooms))))
        for done, room_id in enumerate(sorted(rooms)):
            progress(done, len(rooms))
            _check_room(connection, room_id, numbers.get(room_id), report, room_id in chosen)
        report.talk = _check_rows(connection, "SELECT name, text FROM chat", report, _is_chat)
        report.keys = _check_rows(connection, "SELECT created, secret FROM keys", report, _is_key)
        progress(len(rooms), len(rooms))
    return report


def _check_database(connection: sqlite3.Connection, report: Report) -> None:
    try:
        found = [row[0].decode("utf-8", "replace") for row in connection.execute("PRAGMA integrity_check")]
    except sqlite3.Error as fault:
        found = [str(fault)]
    report.store += [RoomError("damage.pages", reason=each) for each in found if each != "ok"]


def _room_ids(connection: sqlite3.Connection, report: Report) -> set[str]:
    """Return the ids of all rooms that occur in any table of the database."""
    chosen = (
        "id FROM tables NOT INDEXED",
        "table_id FROM heads",
        "DISTINCT table_id FROM log",
        "table_id FROM archive",
    )
    return set().union(*(_ids(connection, columns, report) for columns in chosen))


def _sampled_out(connection: sqlite3.Connection, report: Report, most: int) -> set[str]:
    """Return the ids of all rooms that are wholly archived, but for so many."""
    whole = "table_id FROM archive JOIN heads USING (table_id, number)"
    found = sorted(_ids(connection, whole, report))
    return set(found) - set(random.sample(found, min(most, len(found))))


def _ids(connection: sqlite3.Connection, columns: str, report: Report) -> set[str]:
    try:
        return {row[0].decode("ascii", "replace") for row in connection.execute(f"SELECT {columns}")}
    except sqlite3.Error as fault:
        report.store.append(RoomError("damage.pages", reason=fault))
        return set()


def _check_room(
    connection: sqlite3.Connection, room_id: str, written: int | None, report: Report, is_replayed: bool
) -> None:
    try:
        room = room_reader.load(connection, room_id, written)
        if is_replayed or room is None:
            _check_loaded(room, room_id, report)
    except QuadrigaError as fault:
        _note_damage(room_id, fault, report)


def _check_loaded(room: LoadedRoom | None, room_id: str, report: Report) -> None:
    """Replay the log of a room, whose chain is verified, from its beginning; compare every snapshot with that."""
    if room is None:  # only the log has events of it
        raise RoomError("damage.room")
    report.events += len(room.events)
    report.snapshots += len(room.snapshots)
    state = replay(room._replace(snapshots=[]))
    if state.status == CLOSED:
        report.rules[room_id] = not_playing(CLOSED)
    _check_snapshots(room, state)


def _note_damage(room_id: str, fault: QuadrigaError, report: Report) -> None:
    reason = fault.parameters.get("reason") if fault.code == "table.damaged" else None
    report.damaged[room_id] = reason if isinstance(reason, QuadrigaError) else fault


def _check_snapshots(room: LoadedRoom, state: RoomState) -> None:
    """Raise RoomError `damage.snapshot` for a snapshot that cannot be read or leads to another position.

    A room of other rules cannot be replayed, so there its snapshots are only read.
    """
    for snapshot in room.snapshots:
        is_good = unpack(snapshot.body) is not None
        if is_good and state.status != CLOSED:
            resumed = log_reader.read(room.row.id, room.row.setup, room.events, [snapshot])
            is_good = not resumed.resumed or _position(resumed) == _position(state)
        if not is_good:
            raise RoomError("damage.snapshot", number=snapshot.number)


def _position(state: RoomState) -> Any:
    session = state.session
    return None if session is None else (session.match.s.tobytes(), session.numbers, state.status)


def _check_rows(
    connection: sqlite3.Connection, statement: str, report: Report, is_good: Callable[..., bool]
) -> int:
    """Read all rows of a table, report the first bad one, and return how many were read."""
    count = 0
    try:
        for row in connection.execute(statement):
            count += 1
            if not is_good(*row):
                report.store.append(RoomError("damage.field", reason=f"{statement}, {count}"))
                break
    except sqlite3.Error as fault:
        report.store.append(RoomError("damage.pages", reason=fault))
    return count


def _is_chat(name: object, text: object) -> bool:
    try:
        return isinstance(name, bytes) and isinstance(text, bytes) and (name + text).decode() is not None
    except UnicodeDecodeError:
        return False


def _is_key(created: object, secret: object) -> bool:
    return isinstance(created, int) and isinstance(secret, bytes) and len(secret) == 32
