"""Files that version 0.1.0 has written: this version opens them, or refuses them with one clear sentence."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.support.harness import Server
from server.support.processes import run_command
from support import VERSION_0_1_0

OLD = VERSION_0_1_0
ROOMS: list[dict[str, Any]] = json.loads((OLD / "rooms.json").read_text())

# What becomes of the files of a game: "opens", or the refusal begins with this. Rooms that cannot be played on are
# closed. A version of a game that changes its rules changes a line here.
RECORDS = {"ur": "opens", "ave-caesar": "line 95: the legal actions", "ben-hvrt": "line 5: 'deal Parade Pace'"}
SAVES = {"ur": "opens", "ave-caesar": "opens", "ben-hvrt": "line 6: 'deal Hoof Stone'"}
CLOSED_ROOMS = ("ave-caesar running", "ben-hvrt finished", "ben-hvrt running")


def kept(store: Path, room: str) -> tuple[int, str]:
    """How many events a room has on disk, and its status there."""
    chosen = "SELECT (SELECT count(*) FROM log WHERE table_id = id), status FROM tables WHERE id = ?"
    with closing(sqlite3.connect(store)) as disk:
        count, status = disk.execute(chosen, (room,)).fetchone()
    return count, status


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = tmp_path_factory.mktemp("old") / "tables.sqlite"
    shutil.copy(OLD / "tables.sqlite", store)
    server = Server(store).start()
    yield server
    server.kill()


@pytest.mark.parametrize("room", ROOMS, ids=[room["name"] for room in ROOMS])
async def test_every_room_of_the_store_is_there(old: Server, room: dict[str, Any]):
    status, said = old.call("GET", f"/api/tables/{room['id']}")
    is_closed = room["name"] in CLOSED_ROOMS
    assert (status, said["status"]) == (200, "closed" if is_closed else room["status"])
    assert kept(old.store, room["id"]) == (room["lines"], room["stored_status"])
    client = await old.connect(room["id"], room["token"])
    welcome = await client.until("welcome")
    assert welcome["seats"]
    if is_closed:
        return
    if room["status"] == "over":
        assert old.get(f"/api/tables/{room['id']}/replay?count=1")["total"] > 1
    if room["status"] != "playing":
        return
    shown = await client.until("view")
    assert shown["number"] == room["number"]
    if "view" in room:
        assert shown["view"] == room["view"]
    if "vote" in room["name"]:
        assert welcome["table"]["votes"]
    if "legal" in room:
        legal = shown["legal"]
        assert (legal and [each["text"] for each in legal]) == room["legal"]
        if legal:  # and it goes on
            await client.act(next(each["text"] for each in legal if not each.get("family")), ref="on")
            await client.until("done", ref="on")


@pytest.mark.parametrize("game", RECORDS)
def test_a_record_verifies_or_is_refused(game: str):
    ended = run_command("verify", str(OLD / f"record-{game}.jsonl"), "--lang", "en")
    judge(RECORDS[game], ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize("game", SAVES)
def test_a_save_goes_on_or_is_refused(game: str, tmp_path: Path):
    save = tmp_path / "save.jsonl"
    shutil.copy(OLD / f"save-{game}.jsonl", save)
    ended = run_command("play", "--resume", str(save), "--lang", "en", folder=tmp_path)  # a save goes there
    judge(SAVES[game], ended.returncode, ended.stdout, ended.stderr)


def judge(outcome: str, code: int, out: str, err: str) -> None:
    if outcome == "opens":
        assert code == 0, err
        assert out
    else:
        assert code == 2
        assert err.startswith(f"quadriga: {outcome}")
        assert err.count("\n") == 1
