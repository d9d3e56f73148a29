"""Two worlds through every door: each request and message, from every seat and from none, gives the same bytes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from quadriga.engine.rng import Rng, start
from quadriga.table import robots
from table.inside import Inside, inside
from table.server import Client

SETUPS = [
    ("ave-caesar", {"courses": ["white cw"]}, 3, 61, 10),
    ("ben-hvrt", {"series": [1], "bribes": True}, 3, 421, 60),
]
PATHS = ["", "/geometry", "/record", "/fairness", "/replay", "/replay?seat=0", "/replay?seat=1&first=3&count=2"]
SAID = [
    {"type": "look", "after": None},
    {"type": "look", "after": 1},
    {"type": "act", "number": 0, "action": "nonsense"},
    {"type": "act", "number": 10**9, "action": "pass"},
    {"type": "act", "number": 0, "action": "offer 1 give nothing for 5000"},
    {"type": "act", "number": 0, "action": "play Veto", "seat": 2},
    {"type": "roll", "number": 0},
    {"type": "undo", "number": 10**9},
    {"type": "hint", "number": 0},
    {"type": "why"},
    {"type": "stops", "windows": ["RO", "PA", "BM", "RE"]},
    {"type": "stops", "windows": ["XX"]},
    {"type": "vote", "kind": "pause"},
    {"type": "vote", "kind": "pause", "on": False},
    {"type": "vote", "kind": "remove", "seat": 0},
    {"type": "vote", "kind": "remove", "seat": 0, "on": False},
    {"type": "mute", "name": "Guest 1"},
    {"type": "mute", "name": "Guest 1", "on": False},
    {"type": "word", "word": "late"},
    {"type": "back"},
    {"type": "hello"},
    {"type": "who knows"},
    {"kind": "act"},
]


async def gathered(server: Inside, table: str, seat: int, token: str | None) -> list[str]:
    """Everything that a viewpoint can get out of the server."""
    found = [str(await server.fetch("GET", f"/api/tables/{table}{path}", token=token)) for path in PATHS]
    for path in ("/api/tables", "/api/games", "/api/home"):
        found.append(str(await server.fetch("GET", path)))
    for path, body in (("join", {"name": "Eve"}), ("start", {}), ("rematch", {}), ("seats/1", {"kind": "bot"})):
        answer = await server.fetch("POST", f"/api/tables/{table}/{path}", body, token if path != "join" else None)
        assert answer[0] >= 400
        found.append(str(answer))
    for explain in (True, False):
        client = await server.connect(table, token, explain=explain)
        for number, message in enumerate(SAID):
            if message.get("type") == "look":
                message = {**message, "seat": max(seat, 0)}
            client.number = 0  # some ask for what they know already
            await client.say(**message)
            await client.say(type="ping", ref=str(number))
            await client.until("pong", ref=str(number))
        # Who comes and goes is told after a moment; what a table says was asked for above.
        found += [text for text in client.heard if not text.startswith('{"type":"table"')]
        await client.close()
    return found


async def walk(server: Inside, table: str, clients: list[Client], rng: random.Random) -> None:
    """One random decision."""
    room = server.house.rooms[table]
    actor = room.play.match.actor
    client = clients[actor]
    while client.number < room.play.numbers[actor + 1] or not client.legal:
        await client.hear()
    texts = [each["text"] for each in client.legal if not each.get("family")]
    client.legal = None
    await client.act(rng.choice(texts))
    await client.until("done")


@pytest.mark.parametrize(("game", "options", "seats", "moves", "every"), SETUPS)
async def test_every_door_keeps_the_secret(tmp_path: Path, game, options, seats, moves, every):
    rng, dealer = random.Random(2), Rng()
    differing = 0
    async with inside(tmp_path / "tables.sqlite") as server:
        chairs = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        body = {"game": game, "options": options, "name": "Ann", "seats": chairs, "public": True, "pace": 0}
        _, made = await server.fetch("POST", "/api/tables", body)
        table, tokens = made["table"]["id"], [made["token"]]
        for guest in range(1, seats):
            _, joined = await server.fetch("POST", f"/api/tables/{table}/join", {"name": f"Guest {guest}"})
            tokens.append(joined["token"])
        clients = [await server.connect(table, token) for token in tokens]
        for client in clients:
            await client.until("welcome")
        await server.fetch("POST", f"/api/tables/{table}/start", {}, tokens[0])
        room = server.house.rooms[table]
        await robots.prepared(game)  # else a hint comes from another bot as soon as the strongest is ready
        for move in range(moves):
            if room.ledger.over:
                break
            await walk(server, table, clients, rng)
            if move % every or room.ledger.over:
                continue
            seat = rng.randrange(-1, seats)
            state = room.play.match.s
            true = state.tobytes()
            one = await gathered(server, table, seat, tokens[seat] if seat >= 0 else None)
            start(dealer, rng.getrandbits(40), 0)
            room.ledger.game.redeal(room.play.match.t, state, seat, dealer)
            differing += state.tobytes() != true
            other = await gathered(server, table, seat, tokens[seat] if seat >= 0 else None)
            state.assign(true)
            assert one == other
            assert not any(secret in text for text in one for secret in (room.ledger.setup.seed, tokens[seat - 1]))
    assert differing >= 4


async def test_the_seed_is_told_when_the_game_is_over_and_not_before(tmp_path: Path):
    async with inside(tmp_path / "tables.sqlite") as server:
        body = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "bot"}], "pace": 0, "start": True}
        _, made = await server.fetch("POST", "/api/tables", body)
        table = made["table"]["id"]
        client = await server.connect(table, made["token"])
        await client.play(random.Random(1))
        seed = server.house.rooms[table].ledger.setup.seed
        told = [seed in text for text in client.heard]
        assert told.count(True) >= 1
        first = told.index(True)
        assert json.loads(client.heard[first])["table"]["status"] == "over"
