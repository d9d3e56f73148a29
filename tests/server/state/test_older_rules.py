"""Rooms begun under older rules, in a store that version 0.1.0 has written: closed with a message, and kept."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quadriga.engine.match import trace
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.lab.traces import random_match
from quadriga.server.messages import finished as finished_games
from quadriga.server.state import log_reader
from quadriga.server.state.events import LoggedMove, Moves, Setup, Start
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import StoredEvent
from server.support.harness import Server
from support import VERSION_0_1_0, there

OLD = VERSION_0_1_0
ROOMS: dict[str, dict[str, Any]] = {room["name"]: room for room in json.loads((OLD / "rooms.json").read_text())}
CHANGED = ["ave-caesar running", "ben-hvrt running"]


@pytest.fixture(scope="module")
def old_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = tmp_path_factory.mktemp("old") / "tables.sqlite"
    shutil.copy(OLD / "tables.sqlite", store)
    started = Server(store).start()
    yield started
    started.kill()


def logged(table: str) -> list[LoggedMove]:
    """Return the moves of a table from its log on disk."""
    with closing(sqlite3.connect(OLD / "tables.sqlite")) as disk:
        rows = disk.execute("SELECT body FROM log WHERE table_id = ? AND kind = 'moves' ORDER BY number", (table,))
        return [done for (body,) in rows for done in msgspec.json.decode(body, type=Moves).done]


@pytest.mark.parametrize("name", CHANGED)
def test_a_running_game_of_older_rules_is_closed_with_a_message(old_server: Server, name: str):
    room = ROOMS[name]
    table = old_server.get(f"/api/tables/{room['id']}")
    assert table["status"] == "closed"
    assert [seat["kind"] for seat in table["seats"]].count("person") == 1
    for part in ("replay", "chart", "fairness"):
        status, fault = old_server.call("GET", f"/api/tables/{room['id']}/{part}")
        assert (status, fault["code"]) == (409, "table.closed")
        assert "older rules" in fault["text"]["en"]
        assert "anciennes règles" in fault["text"]["fr"]
    status, fault = old_server.call("POST", f"/api/tables/{room['id']}/review", {})
    assert (status, fault["code"]) == (409, "table.closed")
    status, fault = old_server.call("POST", f"/api/tables/{room['id']}/join", {"name": "Late"})
    assert (status, fault["code"]) == (409, "table.closed")


@pytest.mark.parametrize("name", CHANGED)
async def test_its_players_get_the_message_over_the_socket_too(old_server: Server, name: str):
    room = ROOMS[name]
    client = await old_server.connect(room["id"], room["token"])
    welcome = await client.hear()
    assert (welcome["type"], welcome["table"]["status"]) == ("welcome", "closed")
    for message in (
        {"type": "act", "number": room["number"], "action": room["legal"][0]},
        {"type": "roll", "number": room["number"]},
        {"type": "undo", "number": room["number"]},
        {"type": "hint", "number": room["number"]},
        {"type": "why"},
    ):
        await client.say(ref="r", **message)
        while (said := await client.hear())["type"] == "table":
            pass
        assert (said["type"], said["code"]) == ("refused", "table.closed"), message
    await client.say(type="chat", text="What a pity", ref="c")
    while (said := await client.hear())["type"] in ("table", "done"):
        pass
    assert said["type"] == "chat"


@pytest.mark.parametrize("name", CHANGED)
def test_its_record_has_the_moves_of_its_log(old_server: Server, name: str):
    room = ROOMS[name]
    status, text = old_server.call("GET", f"/api/tables/{room['id']}/record")
    assert status == 200
    header, *lines = [json.loads(line) for line in text.splitlines()]
    assert (header["quadriga"], header["version"], header["game"]) == (1, 1, name.split()[0])
    assert header["fair"]["commitment"] == old_server.get(f"/api/tables/{room['id']}")["dice"]["commitment"]
    done = [each for each in logged(room["id"]) if not each.is_forced]
    assert [line.get("chance", line.get("play")) for line in lines] == [each.text for each in done]
    assert [line["seat"] for line in lines] == [each.seat for each in done]


def test_a_closed_room_is_not_listed(old_server: Server, tmp_path: Path):
    store = tmp_path / "tables.sqlite"
    shutil.copy(OLD / "tables.sqlite", store)
    with closing(sqlite3.connect(store)) as disk:
        disk.execute("UPDATE tables SET public = 1")
        disk.commit()
    server = Server(store).start()
    try:
        offered = {table["id"] for table in server.get("/api/tables")["tables"]}
    finally:
        server.kill()
    assert ROOMS["ur running"]["id"] in offered
    assert not offered & {ROOMS[name]["id"] for name in CHANGED}


def test_a_closed_room_has_a_rematch_under_the_present_rules(old_server: Server):
    room = ROOMS["ave-caesar running"]
    status, answer = old_server.call("POST", f"/api/tables/{room['id']}/rematch", {}, room["token"])
    assert status in (200, 201)
    assert old_server.get(f"/api/tables/{answer['table']['id']}")["status"] == "playing"


def test_a_game_whose_rules_have_not_changed_goes_on(old_server: Server):
    assert old_server.get(f"/api/tables/{ROOMS['ur running']['id']}")["status"] == "playing"


def test_a_finished_game_whose_moves_still_fit_has_its_result_and_a_present_record(old_server: Server):
    table = ROOMS["ave-caesar finished"]["id"]
    was = [json.loads(line) for line in (OLD / "record-ave-caesar.jsonl").read_text().splitlines()]
    assert old_server.get(f"/api/tables/{table}")["scores"] == was[-2]["result"]["scores"]
    record = old_server.get(f"/api/tables/{table}/record")
    assert json.loads(record.splitlines()[0])["version"] == find("ave-caesar").version
    assert old_server.call("POST", "/api/records", {"record": record})[0] == 200


def test_the_record_of_a_closed_room_is_not_a_present_trace(old_server: Server):
    """It lists the moves without the legal actions, so it cannot be replayed."""
    record = old_server.get(f"/api/tables/{ROOMS['ave-caesar running']['id']}/record")
    status, fault = old_server.call("POST", "/api/records", {"record": record})
    assert status == 400
    assert fault["with"]["line"] > 1


def test_a_finished_game_of_unchanged_rules_has_its_result_and_record(old_server: Server):
    table = ROOMS["ur finished"]["id"]
    assert old_server.get(f"/api/tables/{table}")["scores"] == [1, 0]
    assert (
        old_server.call("POST", "/api/records", {"record": old_server.get(f"/api/tables/{table}/record")})[0] == 200
    )


async def test_a_waiting_room_begins_under_the_present_rules_and_survives_a_restart(tmp_path: Path):
    store = tmp_path / "tables.sqlite"
    shutil.copy(OLD / "tables.sqlite", store)
    server = Server(store).start()
    room = ROOMS["ben-hvrt waiting"]
    table = server.get(f"/api/tables/{room['id']}")
    for seat in table["seats"]:
        if seat["kind"] == "open":
            chair = {"kind": "bot", "bot": "random"}
            assert (
                server.call("POST", f"/api/tables/{room['id']}/seats/{seat['seat']}", chair, room["token"])[0]
                == 200
            )
    status, _ = server.call("POST", f"/api/tables/{room['id']}/start", {}, room["token"])
    assert status == 200
    server.kill()
    server.start()
    assert server.get(f"/api/tables/{room['id']}")["status"] == "playing"
    server.kill()


# Without a server: logs that still fit, and logs that do not.


def setup_of(version: int, options: dict[str, Any]) -> Setup:
    table = {"game": "ave-caesar", "version": version, "options": options, "seats": 3, "public": False}
    rest = {"rolls": "auto", "clock": None, "pace": 0, "dice": "seeded", "seed": "7", "bots": 0, "host": ""}
    return msgspec.convert({**table, **rest}, Setup)


def finished(version: int, tampered: bool = False) -> tuple[RoomState, list[str]]:
    """Return a finished game of Ave Caesar whose log names this version of the rules."""
    game = find("ave-caesar")
    options, seats = game.resolve_options({"courses": ["white cw"]}, 3)
    match = random_match(game, options, seats, 7, 0, SeededDice(7))
    setup = setup_of(version, trace.header(match)["options"])
    done = [LoggedMove(entry.seat, entry.text, (), "dice" if entry.chance else "bot") for entry in match.entries]
    if tampered:
        last = max(number for number, each in enumerate(done) if each.by == "bot")
        done[last] = msgspec.structs.replace(done[last], seat=(there(done[last].seat) + 1) % seats)
    bodies = [("start", msgspec.json.encode(Start([""] * seats))), ("moves", msgspec.json.encode(Moves(done)))]
    lines = [StoredEvent(number, 0, kind, body) for number, (kind, body) in enumerate(bodies, 1)]
    return log_reader.read("here", msgspec.json.encode(setup), lines, (), "over"), [each.text for each in done]


def test_a_finished_game_of_older_rules_that_still_fits_is_like_any_other():
    state, texts = finished(1)
    assert state.status == "over"
    lines = map(json.loads, finished_games.record(state).splitlines())
    assert [line.get("play", line.get("chance")) for line in lines if "seat" in line] == texts


def test_a_log_with_the_moves_of_another_seat_does_not_fit():
    state, texts = finished(1, tampered=True)
    assert state.status == "closed"
    assert state.next == 3
    assert [each.text for each in state.closed_moves] == texts


def test_options_that_the_present_rules_lack_close_a_room():
    setup = setup_of(1, {"laps": 5})
    state = log_reader.read("here", msgspec.json.encode(setup), [])
    assert state.status == "closed"
    assert json.loads(finished_games.record(state))["options"] == {"laps": 5}
