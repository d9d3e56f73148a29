"""Verify a whole store: the database, every room with its log and snapshots, the chat and the keys."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.server.protocol.errors import RoomError, standing
from quadriga.server.state.loading import replay
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.state.snapshot import unpack
from quadriga.server.storage import journal, loading
from quadriga.server.storage.backup import check as check_file
from quadriga.server.storage.base import Stored
from quadriga.server.storage.opening import refused
from quadriga.server.storage.schema import HEAD

Progress = Callable[[int, int], None]


class Report(msgspec.Struct):
    """What a verification has found."""

    rooms: int = 0
    events: int = 0
    snapshots: int = 0
    talk: int = 0
    keys: int = 0
    store: list[QuadrigaError] = []  # faults of the store as a whole
    damaged: dict[str, QuadrigaError] = {}  # faults by room
    rules: dict[str, QuadrigaError] = {}  # rooms that are intact, but were played under other rules

    @property
    def whole(self) -> bool:
        """Whether nothing is damaged."""
        return not self.store and not self.damaged


def check(path: Path, progress: Progress = lambda done, total: None) -> Report:
    """Verify a store, even while the server runs; raise FileError if it cannot be opened."""
    found = check_file(path)
    if found != HEAD:
        raise refused("older", path, found=found)
    report = Report()
    with loading.connected(path) as connection:
        _whole(connection, "PRAGMA integrity_check", report)
        numbers = journal.read(path)
        rooms = _rooms(connection, report) | set(numbers)
        report.rooms = len(rooms)
        for done, room in enumerate(sorted(rooms)):
            progress(done, len(rooms))
            _check_room(connection, room, numbers.get(room), report)
        report.talk = _rows(connection, "SELECT name, text FROM chat", report, _talk)
        report.keys = _rows(connection, "SELECT created, secret FROM keys", report, _key)
        progress(len(rooms), len(rooms))
    return report


def _whole(connection: sqlite3.Connection, pragma: str, report: Report) -> None:
    try:
        said = [row[0].decode("utf-8", "replace") for row in connection.execute(pragma)]
    except sqlite3.Error as fault:
        said = [str(fault)]
    report.store += [RoomError("damage.pages", reason=each) for each in said if each != "ok"]


def _rooms(connection: sqlite3.Connection, report: Report) -> set[str]:
    """Return the ids of all rooms that any part of the store contains."""
    found: set[str] = set()
    chosen = ("id FROM tables NOT INDEXED", "table_id FROM heads", "DISTINCT table_id FROM log")
    for each in chosen:
        try:
            found |= {row[0].decode("ascii", "replace") for row in connection.execute(f"SELECT {each}")}
        except sqlite3.Error as fault:
            report.store.append(RoomError("damage.pages", reason=fault))
    return found


def _check_room(connection: sqlite3.Connection, room: str, written: int | None, report: Report) -> None:
    """Verify the chain, replay the whole log, and compare every snapshot with the result."""
    try:
        stored = loading.load(connection, room, written)
        if stored is None:  # the room is in the journal only
            raise RoomError("damage.room")
        report.events += len(stored.lines)
        report.snapshots += len(stored.snapshots)
        whole = replay(stored._replace(snapshots=[]))
        _check_snapshots(stored, whole)
        if whole.status == CLOSED:
            report.rules[room] = standing(CLOSED)
    except QuadrigaError as fault:
        reason = fault.parameters.get("reason") if fault.code == "table.damaged" else None
        report.damaged[room] = reason if isinstance(reason, QuadrigaError) else fault


def _check_snapshots(stored: Stored, whole: RoomState) -> None:
    """Raise RoomError if a snapshot cannot be read, or leads to another position than the whole log does."""
    for snapshot in stored.snapshots:
        if unpack(snapshot.body) is None:
            raise RoomError("damage.snapshot", number=snapshot.number)
        if whole.status == CLOSED:  # its moves are not played, with or without a snapshot
            continue
        short = RoomState.read(stored.kept.id, stored.kept.setup, stored.lines, [snapshot])
        if short.resumed and _position(short) != _position(whole):
            raise RoomError("damage.snapshot", number=snapshot.number)


def _position(state: RoomState) -> Any:
    session = state.session
    return None if session is None else (session.match.s.tobytes(), session.numbers, state.status)


def _rows(connection: sqlite3.Connection, chosen: str, report: Report, good: Callable[..., bool]) -> int:
    """Read all rows of a table, report the first bad one, and return the number of rows."""
    count = 0
    try:
        for row in connection.execute(chosen):
            count += 1
            if not good(*row):
                report.store.append(RoomError("damage.field", reason=f"{chosen}, {count}"))
                break
    except sqlite3.Error as fault:
        report.store.append(RoomError("damage.pages", reason=fault))
    return count


def _talk(name: object, text: object) -> bool:
    try:
        return isinstance(name, bytes) and isinstance(text, bytes) and (name + text).decode() is not None
    except UnicodeDecodeError:
        return False


def _key(created: object, secret: object) -> bool:
    return isinstance(created, int) and isinstance(secret, bytes) and len(secret) == 32
