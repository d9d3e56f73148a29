"""A damaged store: a room that differs from what was written is refused, others go on, a backup restores it."""

from __future__ import annotations

import json
import random
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from quadriga.cli.main import main
from quadriga.engine.errors import FileError
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.state import verify
from quadriga.server.storage import backup, journal
from quadriga.server.storage.base import StoredEvent, StoredRoom
from quadriga.server.storage.sqlite.store import SqliteStore
from server.support.harness import Client, Server, close_all
from server.support.processes import run_command
from soak import only_in_soak
from support import VERSION_0_1_0

PAGE = 4096  # bytes, as SQLite writes them


class Played:
    """A store with rooms, of which the test damages some while the server is stopped."""

    def __init__(self, server: Server, ids: list[str], tokens: list[str], numbers: list[int]) -> None:
        self.server, self.ids, self.tokens, self.numbers = server, ids, tokens, numbers
        self.store = server.store

    def change(self, statement: str, *values: object) -> None:
        with closing(sqlite3.connect(self.store)) as disk:
            disk.execute("PRAGMA writable_schema=ON")
            disk.execute(statement, values)
            disk.commit()

    def refused(self, damaged: int) -> list[str]:
        """Start the server; assert that the first rooms are refused and the others load. Return the messages."""
        self.server.start()
        found = []
        for id in self.ids[:damaged]:
            status, said = self.server.call("GET", f"/api/tables/{id}")
            assert (status, said["code"]) == (503, "table.damaged"), said
            assert said["text"]["en"].startswith("This table is damaged: ")
            assert said["text"]["fr"].startswith("Cette table est endommagée : ")
            found.append(said["text"]["en"])
        for id in self.ids[damaged:]:
            assert self.server.call("GET", f"/api/tables/{id}")[0] == 200
        return found

    async def refused_by_socket(self, place: int) -> None:
        address = f"ws://127.0.0.1:{self.server.port}/api/tables/{self.ids[place]}/socket"
        client = Client(await websockets.connect(address, compression=None))  # refused before any hello
        assert (await client.hear())["code"] == "table.damaged"
        with pytest.raises(ConnectionClosed):
            await client.hear()
        assert client.socket.close_code == 4503


async def played(server: Server, rooms: int = 3) -> Played:
    made = [server.create("ur", "me bot") for _ in range(rooms)]
    numbers = []
    for table, token in made:
        client = await server.connect(table, token)
        await client.play(random.Random(1), moves=5)
        numbers.append(client.number)
        await client.close()
    return Played(server, [id for id, _ in made], [token for _, token in made], numbers)


async def stopped(server: Server, how: int = signal.SIGTERM, rooms: int = 3) -> Played:
    found = await played(server, rooms)
    server.kill(how)
    return found


CHANGES = {
    "a byte of an event's body": (
        "UPDATE log SET body = replace(body, ':', ';') WHERE table_id = ? AND number = 4",
        "event 4 is not what was written",
    ),
    "the kind of an event": (
        "UPDATE log SET kind = 'undo' WHERE table_id = ? AND number = 4",
        "event 4 is not what was written",
    ),
    "the moment of an event": (
        "UPDATE log SET at = at + 1 WHERE table_id = ? AND number = 5",
        "event 5 is not what was written",
    ),
    "a hash": ("UPDATE log SET hash = zeroblob(16) WHERE table_id = ? AND number = 2", "event 2 is not what"),
    "an event in the middle": ("DELETE FROM log WHERE table_id = ? AND number = 3", "event 3 is missing"),
    "the last events": ("DELETE FROM log WHERE table_id = ? AND number > 5", "events were written, 5 are there"),
    "all events": ("DELETE FROM log WHERE table_id = ?", "events were written, 0 are there"),
    "the set-up": (
        "UPDATE tables SET setup = replace(setup, '\"pace\":0', '\"pace\":1') WHERE id = ?",
        "its set-up or its first event is not what was written",
    ),
    "the status": (
        "UPDATE tables SET status = 'over' WHERE id = ?",
        "its status is over, but its events say playing",
    ),
    "the room's row": ("DELETE FROM tables WHERE id = ?", "its set-up is missing"),
    "the room's head": ("DELETE FROM heads WHERE table_id = ?", "the number of its events is missing"),
    "a head that is behind": (
        "UPDATE heads SET number = number - 1 WHERE table_id = ?",
        "events were written",
    ),
    "a text that is no UTF-8": (
        "UPDATE tables SET status = CAST(x'ff706c' AS TEXT) WHERE id = ?",
        "a field cannot be read",
    ),
    "a number that is a text": (
        "UPDATE log SET at = 'x' WHERE table_id = ? AND number = 2",
        "a field cannot be read",
    ),
}


async def test_rooms_that_were_changed_are_refused_and_the_others_go_on(own_server: Server):
    store = await stopped(own_server, rooms=len(CHANGES) + 2)
    for id, (statement, _) in zip(store.ids, CHANGES.values(), strict=False):
        store.change(statement, id)
    told = store.refused(len(CHANGES))
    for place, (what, (_, reason)) in enumerate(CHANGES.items()):
        assert reason in told[place], what
        await store.refused_by_socket(place)


async def test_a_snapshot_does_not_hide_damaged_events(tmp_path: Path):
    """The events that a snapshot replaces are verified too."""
    server = Server(tmp_path / "tables.sqlite").start()
    try:
        table, token = server.create("ur", "me me", options={"rules": "ben"})
        client = await server.connect(table, token)
        rng = random.Random(1)
        await client.until("view")
        for _ in range(1200):
            if client.over:
                break
            if client.legal:
                await client.act(rng.choice(client.legal)["text"])
                client.legal = None
            said = await client.hear(loose=True)
            if said["type"] == "wanted" and said["seats"]:
                await client.say(type="look", seat=said["seats"][0])
        await close_all()
        server.kill(signal.SIGTERM)
        with closing(sqlite3.connect(server.store)) as disk:
            assert disk.execute("SELECT count(*) FROM snapshots").fetchone()[0] > 0
            disk.execute("UPDATE log SET body = replace(body, 'person', 'persom') WHERE number = 9")
            disk.commit()
        server.start()
        assert server.call("GET", f"/api/tables/{table}")[1]["code"] == "table.damaged"
    finally:
        server.kill()


async def test_bytes_that_are_flipped_in_the_file_are_noticed(own_server: Server):
    """Whichever page is hit, each room has its events or is refused."""
    store = await stopped(own_server)
    whole, rng = store.store.read_bytes(), random.Random(5)
    with closing(sqlite3.connect(store.store)) as disk:
        before = disk.execute("SELECT table_id, number, body FROM log ORDER BY 1, 2").fetchall()
    ids = [id.encode() for id in store.ids]
    pages = [n for n in range(PAGE, len(whole), PAGE) if any(id in whole[n : n + PAGE] for id in ids)]
    refused = 0
    for _ in range(25):
        raw = bytearray(whole)
        start = rng.choice(pages) + rng.randrange(PAGE - 64)  # the other pages hold nothing of a room
        raw[start : start + 64] = rng.randbytes(64)
        store.store.write_bytes(raw)
        try:
            found = await SqliteStore.opened(store.store)
        except FileError:
            continue  # the store as a whole is refused
        for id in store.ids:
            try:
                stored = await found.load(id)
            except RoomError as error:
                assert error.code == "table.damaged"
                refused += 1
                continue
            assert stored is not None
            assert [(id, line.number, line.body) for line in stored.events] == [
                row for row in before if row[0] == id
            ]
        await found.close()
        for side in ("-wal", "-shm"):
            store.store.with_name(store.store.name + side).unlink(missing_ok=True)
    assert refused > 3


@pytest.mark.parametrize("share", [only_in_soak(0.0), 0.6, only_in_soak(0.9)])
async def test_a_write_ahead_log_that_was_cut_is_noticed(own_server: Server, share: float):
    """SQLite silently drops what was cut: events, their heads and whole rooms."""
    store = await stopped(own_server, signal.SIGKILL)
    log = store.store.with_name("tables.sqlite-wal")
    raw = log.read_bytes()
    assert raw
    log.write_bytes(raw[: int(len(raw) * share)])
    own_server.start()
    answers = [own_server.call("GET", f"/api/tables/{id}") for id in store.ids]
    assert {status for status, _ in answers} <= {200, 503}
    assert answers[-1][1]["code"] == "table.damaged"
    for id, number, (status, _) in zip(store.ids, store.numbers, answers, strict=True):
        if status == 200:
            client = await own_server.connect(id, store.tokens[store.ids.index(id)])
            await client.until("view")
            assert client.number >= number
    fresh, _ = own_server.create("ur", "me bot")  # others can play
    own_server.kill()
    own_server.start()
    assert own_server.call("GET", f"/api/tables/{fresh}")[0] == 200
    assert own_server.call("GET", f"/api/tables/{store.ids[-1]}")[1]["code"] == "table.damaged"  # still


async def test_a_damaged_room_comes_back_from_a_backup_while_the_server_runs(own_server: Server, tmp_path: Path):
    store = await played(own_server)
    copy = tmp_path / "copy.sqlite"
    assert backup.backup(store.store, copy) == 3
    own_server.kill(signal.SIGKILL)
    store.store.with_name("tables.sqlite-wal").write_bytes(b"")
    own_server.start()
    for id, token, number in zip(store.ids, store.tokens, store.numbers, strict=True):
        assert own_server.call("GET", f"/api/tables/{id}")[1]["code"] == "table.damaged"
        assert backup.restore_room(copy, store.store, id) > 0
        client = await own_server.connect(id, token)
        assert (await client.until("view"))["number"] >= number
        await client.play(random.Random(2), moves=2)
    own_server.kill()
    assert verify.check(store.store).whole
    own_server.start()
    for id in store.ids:
        assert own_server.call("GET", f"/api/tables/{id}")[0] == 200


async def test_a_whole_backup_takes_the_place_of_a_damaged_store(own_server: Server, tmp_path: Path):
    store = await played(own_server)
    copy = tmp_path / "copy.sqlite"
    backup.backup(store.store, copy)
    client = await own_server.connect(store.ids[0], store.tokens[0])
    await client.play(random.Random(2), moves=2)  # after the backup
    own_server.kill()
    for side in ("", "-wal", "-shm"):
        store.store.with_name("tables.sqlite" + side).unlink(missing_ok=True)
    ended = run_command("table", "--store", str(store.store), "--no-browser", "--lang", "en")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "is gone or empty" in ended.stderr
    assert backup.restore(copy, store.store) == 3
    own_server.start()
    for id in store.ids:
        assert own_server.call("GET", f"/api/tables/{id}")[0] == 200


async def test_an_event_that_is_not_the_next_is_stale(tmp_path: Path):
    store = await SqliteStore.opened(tmp_path / "tables.sqlite")
    await store.create(StoredRoom("a", 0, False, "waiting", b"{}"), [StoredEvent(1, 0, "sit", b"", b"1")])
    for number in (1, 3):
        with pytest.raises(StaleError):
            await store.append("a", [StoredEvent(number, 0, "sit", b"", b"2")])
    await store.append("a", [StoredEvent(2, 0, "sit", b"", b"2")])
    await store.close()


def test_a_line_of_the_journal_that_is_torn_or_changed_does_not_count(tmp_path: Path):
    store = tmp_path / "tables.sqlite"
    kept = journal.Journal(store)
    kept.add({"a": 5, "b": 1})
    kept.add({"a": 6})
    kept.close()
    path = journal.path_of(store)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"b 1", b"b 9") + b"a 7 12")
    assert journal.read(store) == {"a": 6}
    again = journal.Journal(store)
    again.add({"c": 1})
    again.restart({"b": 2})
    again.add({"d": 3})
    again.close()
    assert journal.read(store) == {"b": 2, "d": 3}


async def test_the_journal_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("quadriga.server.storage.sqlite.writer.MAX_BYTES", 2000)
    path = tmp_path / "tables.sqlite"
    store = await SqliteStore.opened(path)
    await store.create(StoredRoom("a", 0, False, "waiting", b"{}"), [])
    for number in range(1, 301):
        await store.append("a", [StoredEvent(number, 0, "sit", b"", b"h")])
    assert journal.path_of(path).stat().st_size < 4000
    assert journal.read(path) == {"a": 300}
    await store.close()


# The command.


def quadriga(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int | str | None, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--lang", "en"] if "--lang" not in arguments else list(arguments))
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


async def test_check_finds_a_whole_store_also_while_the_server_runs(
    own_server: Server, capsys: pytest.CaptureFixture[str]
):
    store = await played(own_server)
    code, out, err = quadriga(capsys, "check", str(store.store))
    assert (code, err) == (0, "")
    assert "is whole: 3 rooms, " in out
    code, out, _ = quadriga(capsys, "check", str(store.store), "--lang", "fr")
    assert "est intact : 3 salles" in out
    found = json.loads(quadriga(capsys, "check", str(store.store), "--json")[1])
    assert (found["whole"], found["rooms"], found["damaged"]) == (True, 3, {})


async def test_check_reports_all_damage(own_server: Server, capsys: pytest.CaptureFixture[str]):
    store = await stopped(own_server)
    store.change("UPDATE log SET at = 1 WHERE table_id = ? AND number = 3", store.ids[0])
    store.change("DELETE FROM log WHERE table_id = ? AND number > 2", store.ids[1])
    store.change("UPDATE keys SET secret = x'00'")
    code, out, err = quadriga(capsys, "check", str(store.store))
    lines = err.splitlines()
    assert (code, out) == (2, "")
    assert f"quadriga: Room {store.ids[0]}: event 3 is not what was written." in lines
    assert any(line.startswith(f"quadriga: Room {store.ids[1]}: ") and "2 are there" in line for line in lines)
    assert any("a field cannot be read" in line for line in lines)
    assert lines[-1].startswith("quadriga: 2 of 3 rooms in ")
    code, out, _ = quadriga(capsys, "check", str(store.store), "--json")
    found = json.loads(out)
    assert (code, found["whole"], set(found["damaged"])) == (2, False, set(store.ids[:2]))


async def test_check_notices_a_snapshot_and_pages_that_are_damaged(tmp_path: Path):
    """Snapshots are compared with the log that they replace."""
    path = tmp_path / "tables.sqlite"
    shutil.copy(VERSION_0_1_0 / "tables.sqlite", path)
    await (await SqliteStore.opened(path)).close()
    assert verify.check(path).snapshots > 0
    with closing(sqlite3.connect(path)) as disk:
        disk.execute("UPDATE snapshots SET body = substr(body, 1, 20)")
        disk.commit()
    found = verify.check(path)
    assert found.damaged
    assert {fault.code for fault in found.damaged.values()} == {"damage.snapshot"}
    raw = bytearray(path.read_bytes())
    raw[20 * 4096 : 21 * 4096] = bytes(4096)
    path.write_bytes(raw)
    assert not verify.check(path).whole
