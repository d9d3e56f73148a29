"""Uploaded records: shown like a game of this server, or refused with line and reason; and long games."""

from __future__ import annotations

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.match import trace
from quadriga.engine.match.dice import FairDice, SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.traces import random_match
from quadriga.server.messages import finished, uploaded_records
from quadriga.server.messages.replay import ReplayedGame
from quadriga.server.protocol import fields
from server.support.harness import Server
from server.support.in_process import in_process
from support import ROOT

GOLDEN = ROOT / "tests" / "golden"
SETUPS: dict[str, tuple[dict[str, object], int]] = {
    "ur": ({"rules": "blitz", "markers": 2}, 2),
    "ave-caesar": ({"courses": ["white cw"]}, 3),
    "ben-hvrt": ({"series": [1]}, 3),
}


def played(id: str, number: int = 0, fair: bool = True) -> Match:
    game = find(id)
    settled, seats = game.resolve_options(*SETUPS[id])
    words = ["", "été", *[""] * (seats - 2)]
    return random_match(game, settled, seats, 7, number, FairDice(words, b"7" * 32) if fair else SeededDice(7))


@pytest.fixture(scope="module")
def matches() -> dict[str, Match]:
    return {id: played(id) for id in SETUPS}


@pytest.mark.parametrize("id", SETUPS)
def test_a_record_is_summed_up_and_shown_from_every_seat(server: Server, matches: dict[str, Match], id: str):
    match = matches[id]
    record = trace.dumps(match)
    status, found = server.call("POST", "/api/records", {"record": record})
    assert status == 200
    assert (found["game"], found["over"], found["fair"]) == (id, True, True)
    assert found["total"] == len(match.entries) + 1
    assert len(found["seats"]) == match.seats
    assert found["options"] == trace.header(match)["options"]
    assert found["games"] == [[1, record.count("\n")]]
    assert found["geometry"]["game"] == id
    positions = list(enumerate(match.positions()))
    middle = len(positions) // 2
    for seat in range(-1, match.seats):
        part = {"record": record, "seat": seat, "first": middle, "count": 5}
        status, told = server.call("POST", "/api/records/replay", part)
        assert status == 200
        assert (told["first"], told["total"], len(told["steps"])) == (middle, found["total"], 5)
        assert [step["event"]["number"] for step in told["steps"]] == list(range(middle, middle + 5))
        assert all(step["view"]["seat"] == seat for step in told["steps"])
    _, last = server.call("POST", "/api/records/replay", {"record": record, "first": found["total"] - 1})
    assert last["steps"][-1]["scores"] == match.scores


async def test_a_table_s_record_gives_the_table_s_replay_and_dice(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", tick=0.0) as server:
        seats = [{"kind": "bot", "bot": "greedy"}] * 3
        body = {
            "game": "ben-hvrt",
            "options": {"series": [1]},
            "name": "Ann",
            "seats": seats,
            "pace": 0,
            "start": True,
        }
        _, made = await server.fetch("POST", "/api/tables", body)
        client = await server.connect(made["table"]["id"])
        while not client.over:
            await client.hear()
        path = f"/api/tables/{made['table']['id']}"
        _, record = await server.fetch("GET", f"{path}/record")
        _, theirs = await server.fetch("GET", f"{path}/replay?seat=1&first=77&count=200")
        part = {"record": record, "seat": 1, "first": 77, "count": 200}
        assert (await server.fetch("POST", "/api/records/replay", part))[1] == theirs
        _, facts = await server.fetch("GET", f"{path}/fairness")
        assert (await server.fetch("POST", "/api/records/fairness", {"record": record}))[1] == facts
        _, chart = await server.fetch("GET", f"{path}/chart")
        assert chart["total"] == theirs["total"]
        assert [chart["points"][0]["number"], chart["points"][-1]["number"]] == [0, theirs["total"] - 1]
        assert chart["points"][-1]["scores"] == server.registry.rooms[made["table"]["id"]].session.match.scores
        dice = Counter(
            e["text"] for e in facts["events"] if e["seat"] is not None and re.match(r"die|roll", e["text"])
        )
        counted: Counter[str] = Counter()
        for each in chart["outcomes"]:
            counted.update({text: n for text, n in each.items() if re.match(r"die|roll", text)})
        assert counted == dice != Counter()
        assert not any(text.startswith(("deal", "draw")) for each in chart["outcomes"] for text in each)


def test_the_dice_of_a_record_are_there_where_they_were_fair(server: Server, matches: dict[str, Match]):
    match = matches["ur"]
    record = trace.dumps(match)
    status, facts = server.call("POST", "/api/records/fairness", {"record": record})
    assert (status, facts["seed"], facts["words"]) == (200, (b"7" * 32).hex(), ["", "été"])
    assert len(facts["events"]) == match.chances
    plain = trace.dumps(played("ur", fair=False))
    assert server.call("POST", "/api/records", {"record": plain})[1]["fair"] is False
    status, refused = server.call("POST", "/api/records/fairness", {"record": plain})
    assert (status, refused["code"]) == (400, "fair.not-a-record")
    unsealed = "".join(record.splitlines(keepends=True)[:-1])
    status, refused = server.call("POST", "/api/records/fairness", {"record": unsealed})
    assert (status, refused["code"]) == (400, "fair.no-seed")


def test_an_unfinished_record_is_shown_as_far_as_it_goes(server: Server, matches: dict[str, Match]):
    lines = trace.dumps(matches["ave-caesar"]).splitlines(keepends=True)
    cut = "".join(lines[:20])
    status, found = server.call("POST", "/api/records", {"record": cut})
    assert (status, found["over"], found["fair"]) == (200, False, False)
    assert 1 < found["total"] < 20
    status, refused = server.call("POST", "/api/records", {"record": cut + lines[20][:9]})
    assert (status, refused["code"], refused["with"]["line"]) == (400, "trace.json", 21)


HEADER = '{"quadriga": 1, "game": "ur", "options": {}, "seats": 2}\n'
BAD = [
    ("what is this", "trace.json", 1),
    ("\n \n", "trace.empty", None),
    ('{"chance": "roll 2", "seat": 0}', "trace.no-header", 1),
    ('{"quadriga": 9}', "trace.version", 1),
    ('{"quadriga": 1, "game": "chess", "options": {}, "seats": 2}', "trace.refused", 1),
    ('{"quadriga": 1, "game": "\\ud800", "options": {}, "seats": 2}', "trace.refused", 1),
    (HEADER + '{"\\ud800": 1}', "trace.line", 2),
    ('{"quadriga": "' + "x" * 200_000 + '"}', "trace.version", 1),
    (HEADER + "[" * 100_000, "trace.nested", 2),
    (HEADER * (uploaded_records.MOST_GAMES + 1), "record.games", uploaded_records.MOST_GAMES + 1),
    (
        HEADER + '{"save": 1, "players": ["human", "greedy"], "bots": 1, "dice": {"seeded": 1}}\n\n',
        "record.save",
        2,
    ),
]


@pytest.mark.parametrize(("record", "code", "line"), BAD)
def test_an_invalid_record_is_refused_with_its_line(server: Server, record: str, code: str, line: int | None):
    for path in ("/api/records", "/api/records/replay", "/api/records/fairness"):
        status, refused = server.call("POST", path, {"record": record})
        assert (status, refused["code"], refused["with"].get("line")) == (400, code, line)
        assert all(0 < len(text) <= 4000 for text in refused["text"].values())


@pytest.mark.parametrize("id", SETUPS)
def test_a_wrong_line_is_refused_with_what_would_be_right(server: Server, matches: dict[str, Match], id: str):
    lines = [json.loads(line) for line in trace.dumps(matches[id]).splitlines()]
    number = next(i for i, line in enumerate(lines) if "play" in line and len(line["legal"]) > 1 and i > 10)
    right = lines[number]["legal"]

    def refusal(changed: dict[str, Any]) -> dict[str, Any]:
        altered = [*lines[:number], {**lines[number], **changed}, *lines[number + 1 :]]
        record = "\n".join(json.dumps(line) for line in altered)
        status, refused = server.call("POST", "/api/records", {"record": record})
        assert (status, refused["with"]["line"]) == (400, number + 1)
        assert f"line {number + 1}" in refused["text"]["en"]
        assert f"ligne {number + 1}" in refused["text"]["fr"]
        return refused

    refused = refusal({"play": "fly away"})
    assert all(text in refused["text"]["en"] for text in right)
    assert refusal({"legal": right[1:]})["with"]["right"] == right
    refused = refusal({"seat": 11})
    assert (refused["code"], refused["with"]["right"]) == ("trace.seat", lines[number]["seat"])


def test_a_wrong_body_is_refused(server: Server, matches: dict[str, Match]):
    record = trace.dumps(matches["ur"])
    for body in ({}, {"record": ""}, {"record": 7}, {"record": record, "more": 1}):
        assert server.call("POST", "/api/records", body)[0] == 422
    for part in ({"seat": 12}, {"seat": -2}, {"first": -1}, {"count": 0}, {"count": fields.STEPS + 1}):
        assert server.call("POST", "/api/records/replay", {"record": record, **part})[0] == 422
    status, refused = server.call("POST", "/api/records/replay", {"record": record, "seat": 2})
    assert (status, refused["code"]) == (404, "table.no-seat")
    beyond = server.call("POST", "/api/records/replay", {"record": record, "first": 10**6})
    assert (beyond[0], beyond[1]["steps"]) == (200, [])


def test_records_may_be_large_up_to_a_limit(server: Server):
    padded = trace.dumps(played("ur", 3)) + "\n" * (2 * fields.BODY_BYTES)
    assert server.call("POST", "/api/records", {"record": padded})[0] == 200
    status, job = server.call("POST", "/api/reviews", {"record": padded})
    assert (status, job["fault"]) == (202, None)
    for path in ("/api/records", "/api/records/replay", "/api/records/fairness", "/api/reviews"):
        asked = {"content-length": str(fields.RECORD_BYTES + 1), "content-type": "application/json"}
        assert _announced(server, path, asked) == (413, "wire.size", fields.RECORD_BYTES)
    asked = {"content-length": str(fields.BODY_BYTES + 1), "content-type": "application/json"}
    assert _announced(server, "/api/tables", asked) == (413, "wire.size", fields.BODY_BYTES)
    page = (ROOT / "web" / "src" / "lib" / "replay" / "record.ts").read_text("utf-8")
    assert "const MOST = 16 * 2 ** 20;" in page  # the page refuses a larger file without sending it
    assert fields.RECORD_BYTES == 16 * 2**20


def _announced(server: Server, path: str, headers: dict[str, str]) -> tuple[int, str, int]:
    """Send the head of a request with a size and no body; return the answer."""
    import http.client

    line = http.client.HTTPConnection("127.0.0.1", server.port)
    line.putrequest("POST", path)
    for name, value in headers.items():
        line.putheader(name, value)
    line.endheaders()
    with line.getresponse() as answer:
        told = json.loads(answer.read())
        line.close()
        return answer.status, told["code"], told["with"]["most"]


def test_a_record_is_read_once_remembered_for_a_while_and_rationed(tmp_path: Path):
    """Reading a record costs its address a little more than 1; a remembered record costs nothing."""
    several = [trace.dumps(played("ur", number)) for number in range(6)]
    server = Server(tmp_path / "tables.sqlite", records=0.0, record_burst=7.9).start()
    try:
        with ThreadPoolExecutor(4) as pool:
            parts = [{"record": several[0], "first": n} for n in range(4)]
            asked = pool.map(lambda part: server.call("POST", "/api/records/replay", part)[0], parts)
            statuses = set(asked)
        assert statuses == {200}
        for record in several:
            assert server.call("POST", "/api/records", {"record": record})[0] == 200  # six are read so far
        for record in several[2:]:
            assert server.call("POST", "/api/records", {"record": record})[0] == 200  # four are remembered
        assert server.call("POST", "/api/records", {"record": several[0]})[0] == 200  # forgotten: read again
        status, refused = server.call("POST", "/api/records", {"record": several[1]})
        assert (status, refused["code"]) == (429, "wire.rate")
        assert server.call("POST", "/api/records", {"record": several[0]})[0] == 200
    finally:
        server.kill()


async def test_the_replay_of_an_ended_game_is_built_once(tmp_path: Path, monkeypatch):
    made: list[Match] = []

    def noted(match: Match) -> ReplayedGame:
        made.append(match)
        return ReplayedGame(match)

    monkeypatch.setattr(finished, "ReplayedGame", noted)
    async with in_process(tmp_path / "tables.sqlite") as server:
        body = {
            "game": "ur",
            "options": {"rules": "blitz"},
            "name": "Ann",
            "seats": [{"kind": "me"}] * 2,
            "start": True,
        }
        _, table = await server.fetch("POST", "/api/tables", body)
        client = await server.connect(table["table"]["id"], table["token"])
        await client.until("view")
        await client.say(type="vote", kind="end")
        while client.table["status"] != "ended":
            await client.hear()
        path = f"/api/tables/{table['table']['id']}"
        for question in ("replay", "replay?first=1&seat=1", "chart", "fairness"):
            assert (await server.fetch("GET", f"{path}/{question}"))[0] == 200
        assert len(made) == 1


def test_parts_of_a_long_replay_are_its_steps_one_by_one():
    game = find("ben-hvrt")
    settled, seats = game.resolve_options({"series": [1, 1]}, 3)
    match = random_match(game, settled, seats, 3, 0, SeededDice(3))
    replayed = ReplayedGame(match)
    assert replayed.total > 500
    for number, position in enumerate(match.positions()):
        if number % 37 == 0 or number == replayed.total - 1:
            (step,) = replayed.part(1, number, 1).steps
            assert step.view == position.view(1)
            assert step.scores == position.scores
    whole = [step for first in range(0, replayed.total, 100) for step in replayed.part(0, first, 100).steps]
    assert len(whole) == replayed.total
    events = [step.event for step in whole if step.event is not None]
    assert [event.number for event in events] == list(range(1, replayed.total))
    assert [event.section["race"] for event in events if event.section] == [1, 2]


def test_several_games_in_a_file_are_told_apart(server: Server, matches: dict[str, Match]):
    one, two = trace.dumps(matches["ur"]), trace.dumps(matches["ave-caesar"])
    status, found = server.call("POST", "/api/records", {"record": one + two})
    assert (status, found["game"], len(found["games"])) == (200, "ur", 2)
    first, last = found["games"][1]
    piece = "\n".join((one + two).splitlines()[first - 1 : last])
    assert server.call("POST", "/api/records", {"record": piece})[1]["game"] == "ave-caesar"


def test_all_golden_games_can_be_uploaded(server: Server):
    for path in sorted(GOLDEN.glob("*.jsonl"))[::6]:
        status, found = server.call("POST", "/api/records", {"record": path.read_text("utf-8")})
        assert status == 200, (path.name, found)
        assert path.name.startswith(found["game"])
