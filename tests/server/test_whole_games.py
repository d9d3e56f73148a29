"""Whole games of all three over real websockets: people, bots, watchers; their records verify."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest

from quadriga.engine.match import trace_reader
from quadriga.games import find
from quadriga.players.levels import LEVELS
from server.support.harness import Client, Server
from soak import count, rows
from support import ROOT, SHORT_RACE

SMALL = {
    "ur": ({}, 2),
    "ave-caesar": ({"courses": ["white cw"]}, 3),
    "ben-hvrt": ({"series": [1], "bribes": True, **SHORT_RACE}, 3),
}
GAMES = pytest.mark.parametrize("game", SMALL)


async def seated(server: Server, game: str, explain: bool = True, **more: object) -> tuple[str, list[Client]]:
    """Start a table of people only, each with a socket."""
    options, seats = SMALL[game]
    table, host = server.create(game, " ".join(["me"] + ["open"] * (seats - 1)), options=options, **more)
    tokens = [host] + [server.join(table, f"Guest {seat}") for seat in range(1, seats)]
    clients = [await server.connect(table, token, explain=explain) for token in tokens]
    for client in clients:
        await client.until("welcome")
    assert server.call("POST", f"/api/tables/{table}/start", {}, host)[0] == 200
    return table, clients


@GAMES
async def test_people_play_a_whole_game_and_its_record_verifies(server: Server, game: str):
    table, clients = await seated(server, game)
    watcher = await server.connect(table)
    await asyncio.gather(*(client.play(random.Random(n)) for n, client in enumerate([*clients, watcher])))
    scores = clients[0].table["scores"]
    assert all(client.table["scores"] == scores for client in [*clients, watcher])
    assert not any(client.refused for client in clients)
    status, record = server.call("GET", f"/api/tables/{table}/record")
    assert status == 200
    (reading,) = trace_reader.read(record.encode().splitlines(), find)
    assert trace_reader.verify(reading) > 0
    assert reading.match.scores == scores


@pytest.mark.parametrize("beat", rows([0.02, 0.3, 1.5], lambda beat: beat == 0.02))
async def test_people_who_only_listen_play_ben_hvrt_with_timed_windows_to_its_end(tmp_path: Path, beat: float):
    """They act on what they are sent and never look again. One of them never answers in a window."""
    server = Server(tmp_path / "tables.sqlite", window_beat=beat).start()
    try:
        tables = [await listening(server) for _ in range(count(1, 6))]
        await asyncio.gather(
            *(
                client.play(random.Random(n), answers=n != 2)
                for clients in tables
                for n, client in enumerate(clients)
            )
        )
        for clients in tables:
            assert {client.table["status"] for client in clients} == {"over"}
            assert all(client.table["scores"] == clients[0].table["scores"] for client in clients)
    finally:
        server.kill()


async def listening(server: Server) -> list[Client]:
    """Start a series of two races among four people; return their clients, and that of a watcher."""
    options = {"series": [1, 1], **SHORT_RACE}
    table, host = server.create("ben-hvrt", "me open open open", options=options)
    tokens = [host, *(server.join(table, f"Guest {seat}") for seat in range(1, 4))]
    clients = [await server.connect(table, token, explain=False) for token in [*tokens, None]]
    for client in clients:
        await client.until("welcome")
    assert server.call("POST", f"/api/tables/{table}/start", {}, host)[0] == 200
    return clients


@GAMES
async def test_a_person_plays_against_bots(server: Server, game: str):
    options, seats = SMALL[game]
    table, token = server.create(game, " ".join(["me"] + ["bot"] * (seats - 1)), options=options)
    client = await server.connect(table, token)
    await client.play(random.Random(5))
    assert client.table["status"] == "over"
    assert len(client.table["scores"]) == seats


async def example_bot(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        str(ROOT / "examples" / "bot.py"),
        *arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@GAMES
async def test_the_example_bot_plays_to_the_end(server: Server, game: str):
    options, seats = SMALL[game]
    table, token = server.create(game, " ".join(["me", *["open"] * (seats - 1)]), options=options)
    bots = [await example_bot(server.address, table) for _ in range(seats - 1)]
    client = await server.connect(table, token)
    while not (client.table and all(seat["here"] for seat in client.table["seats"])):
        await client.hear()
    assert server.call("POST", f"/api/tables/{table}/start", {}, token)[0] == 200
    await client.play(random.Random(1))
    for bot in bots:
        out, _ = await bot.communicate()
        assert bot.returncode == 0
        assert out.decode().strip() == str(client.table["scores"])


async def test_the_example_bot_waits_where_the_server_takes_no_more_and_comes_back_after_a_restart(tmp_path: Path):
    server = Server(tmp_path / "store.db", rate=50.0, burst=20.0).start()
    try:
        table, token = server.create("ur", "open open", options={"markers": 1}, rolls="hand")
        bots = [await example_bot(server.address, table) for _ in range(2)]
        while not all(seat["here"] for seat in server.get(f"/api/tables/{table}")["seats"]):
            await asyncio.sleep(0.05)
        assert server.call("POST", f"/api/tables/{table}/start", {}, token)[0] == 200
        server.kill()
        server.start()
        outs = [await bot.communicate() for bot in bots]
        scores = server.get(f"/api/tables/{table}")["scores"]
        assert [out.decode().strip() for out, _ in outs] == [str(scores)] * 2
        assert all(b"is made again" in err for _, err in outs)
    finally:
        server.kill()


async def test_the_example_bot_explains_itself(server: Server):
    for arguments, code, said in (
        ((), 2, b"python examples/bot.py http://127.0.0.1:8000 TABLE-ID"),
        ((server.address, "nonsense"), 1, b"The server refuses: This table does not exist."),
        (("nonsense", "nonsense"), 1, b"There is no server at nonsense"),
    ):
        bot = await example_bot(*arguments)
        out, err = await bot.communicate()
        assert (bot.returncode, said in out + err, b"Traceback" in err) == (code, True, False)


@pytest.mark.parametrize("level", LEVELS)
async def test_bots_can_be_chosen_by_level(server: Server, level: str):
    chairs = [{"kind": "me"}, {"kind": "bot", "bot": level}]
    body = {"game": "ur", "name": "Ann", "seats": chairs, "pace": 0, "start": True, "options": {"markers": 1}}
    status, made = server.call("POST", "/api/tables", body)
    assert status == 201
    assert made["table"]["seats"][1]["bot"] == level
    client = await server.connect(made["table"]["id"], made["token"])
    await client.play(random.Random(2))
    assert client.table["status"] == "over"


def test_an_unknown_level_is_refused(server: Server):
    chairs = [{"kind": "me"}, {"kind": "bot", "bot": "emperor"}]
    status, fault = server.call("POST", "/api/tables", {"game": "ur", "name": "Ann", "seats": chairs})
    assert (status, fault["code"]) == (422, "player.unknown")


def test_bh_2_1_the_page_gets_the_usual_number_of_chariots_and_too_many_are_refused(server: Server):
    (game,) = [each for each in server.get("/api/games")["games"] if each["id"] == "ben-hvrt"]
    (option,) = [each for each in game["options"] if each["name"] == "chariots"]
    assert (option["type"], option["low"], option["high"]) == ("whole", 1, 2)
    assert option["defaults"] == [2, 2] + [1] * 9
    body = {"game": "ben-hvrt", "name": "Ann", "seats": [{"kind": "me"}] + [{"kind": "bot"}] * 6}
    status, fault = server.call("POST", "/api/tables", body | {"options": {"chariots": 2}})
    assert (status, fault["code"]) == (422, "chariots.many")
    assert "choose chariots=1, or at most 6 players" in fault["text"]["en"]
    assert "choisissez chariots=1, ou 6 joueurs au plus" in fault["text"]["fr"]


def test_the_page_gets_the_upkeep_of_every_card_that_has_one(server: Server):
    table, token = server.create("ben-hvrt", "me bot bot bot", options={"chariots": 1})
    geometry = server.get(f"/api/tables/{table}/geometry", token)
    assert (geometry["seats"], geometry["chariots"]) == (4, 4)
    cards = {card["name"]: card for card in geometry["cards"]}
    assert cards["The Numidian"]["upkeep"] == {"en": "upkeep 2 D a lap", "fr": "maintenance 2 D par tour"}
    assert {card["type"] for card in cards.values() if card["upkeep"] is None} == {"Move", "Event"}
    assert {card["type"] for card in cards.values() if card["upkeep"]} == {"Improvement", "Driver"}
    assert cards["Orangutan"]["flavours"] == {"en": "Owl at Noon.", "fr": "Hibou à midi."}
