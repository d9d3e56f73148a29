"""Every request and message gives equal bytes in two worlds that a viewpoint cannot tell apart.

At some steps of a whole game the table is copied twice, log and all, and in one copy all that a viewpoint cannot
know is dealt anew. Then everything that can be asked or said there is, by the viewpoint and by somebody else at the
table, and all that the viewpoint hears of it in both worlds must be the same.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.kernels.rng import Rng, start
from quadriga.server.bots import choice
from quadriga.server.rooms import creation
from quadriga.server.rooms.room import Room
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import copy_room
from soak import count

SETUPS = [
    ("ave-caesar", {"courses": ["white cw"]}, 3, 61, count(12, 6)),
    ("ben-hvrt", {"series": [1], "bribes": True}, 3, 421, count(70, 35)),
]
PATHS = [
    "",
    "/geometry",
    "/record",
    "/fairness",
    "/replay",
    "/replay?seat=0",
    "/replay?seat=1&first=3&count=2",
    "/chart",
    "/orders",
]
SEED = "5eed" * 16
CLOSED = ("/record", "/fairness", "/replay", "/chart", "/orders")  # as long as the game is on
SAID: list[dict[str, Any]] = [
    {"type": "look", "after": None},
    {"type": "look", "after": 1},
    {"type": "hello"},
    {"type": "act", "number": 0, "action": "nonsense"},
    {"type": "act", "number": 10**9, "action": "pass"},
    {"type": "act", "number": 0, "action": "offer 1 give nothing for 5000"},
    {"type": "act", "number": 0, "action": "play Veto", "seat": 2},
    {"type": "roll", "number": 0},
    {"type": "undo", "number": 10**9},
    {"type": "hint", "number": 0},
    {"type": "why"},
    {"type": "coach"},  # refused: nobody has agreed to it yet
    {"type": "stops", "windows": ["RO", "PA", "BM", "RE"]},
    {"type": "stops", "windows": ["XX"]},
    {"type": "vote", "kind": "end"},
    {"type": "vote", "kind": "end", "on": False},
    {"type": "vote", "kind": "remove"},  # who is not here: it takes two
    {"type": "vote", "kind": "remove", "on": False},
    {"type": "chat", "text": "salvete"},
    {"type": "mute", "name": "Guest 1"},
    {"type": "mute", "name": "Guest 1", "on": False},
    {"type": "word", "word": "late"},
    {"type": "back"},
    {"type": "who knows"},
    {"kind": "act"},
]
AGREED: list[dict[str, Any]] = [  # these two say it together
    {"type": "chat", "text": "hic sumus"},
    {"type": "vote", "kind": "coach"},
    {"type": "coach"},
    {"type": "vote", "kind": "coach", "on": False},
    {"type": "vote", "kind": "pause"},
    {"type": "act", "number": 0, "action": "pass"},
    {"type": "hint", "number": 0},
    {"type": "vote", "kind": "resume"},
]
_TIMED = re.compile(r'"(at|away)":\d+')


class World:
    """A copy of the table, with a client for the viewpoint and one for another seat.

    The other seat may be at another process that has the same room (`elsewhere`).
    """

    def __init__(
        self, server: InProcessServer, room: Room, seat: int, other: int, elsewhere: InProcessServer | None = None
    ) -> None:
        self.server, self.room, self.seat, self.other = server, room, seat, other
        self.elsewhere = elsewhere or server
        self.absent = next(each for each in range(room.state.seat_count) if each not in (seat, other))
        self.path = f"/api/tables/{room.state.id}"
        chairs = room.state.seats
        self.mine = None if seat < 0 else server.registry.tokens.issue(room.state.id, chairs[seat].holder)
        self.others = server.registry.tokens.issue(room.state.id, chairs[other].holder)
        self.found: list[str] = []
        self.tables: list[str] = []

    def note(self, text: str) -> None:
        """Keep what was received, without the table's id and times; pushed tables go into their own list."""
        text = _TIMED.sub(r'"\1":0', text.replace(self.room.state.id, "ID"))
        kind = text[9:].partition('"')[0] if text.startswith('{"type":"') else ""
        if kind != "table":
            self.found.append(text)
        if kind not in ("table", "welcome"):
            return
        told = json.loads(text)["table"]
        for chair in told["seats"]:  # presence is announced after a short time without changes
            chair["here"] = chair["away"] = chair["host"] = None
        for vote in told["votes"]:
            del vote["need"], vote["of"]
        del told["watching"]
        if (kept := json.dumps(told)) not in self.tables[-1:]:
            self.tables.append(kept)

    async def ask(self) -> None:
        """Send every request."""
        for path in (
            *(self.path + each for each in PATHS),
            "/api/tables",
            "/api/games",
            "/api/home",
            "/api/health",
        ):
            status, found = await self.server.fetch("GET", path, token=self.mine)
            if path.removeprefix(self.path).startswith(CLOSED):
                assert (status, found["code"]) == (409, "table.not-over")
            if path == "/api/tables":
                found = [each for each in found["tables"] if each["id"] == self.room.state.id]
            self.note(json.dumps([status, found], separators=(",", ":")))
        for path, body in (
            ("join", {"name": "Eve"}),
            ("join", {"name": "Eve", "invite": "guessed"}),
            ("start", {}),
            ("rematch", {}),
            ("seats/1", {"kind": "bot"}),
            ("seats/1/ask", {}),
            ("seats/1/allow", {}),
            ("seats/1/invite", {}),
        ):
            token = self.mine if path != "join" else None
            answer = await self.server.fetch("POST", f"{self.path}/{path}", body, token)
            assert answer[0] >= 400
            self.note(str(answer))

    async def say(self, client: Client, said: list[dict[str, Any]]) -> None:
        """Send a message, and receive everything that follows."""
        for message in said:
            if message.get("type") == "look":
                message = {**message, "seat": max(self.seat, 0)}
            elif message.get("kind") == "remove":
                message = {**message, "seat": self.absent}
            await client.say(**message)
        await settled(client)

    async def agreed(self) -> None:
        """Wait until all processes know the same. Here there is one."""

    async def talk(self) -> None:
        """Send every message, from both clients, with and without explanations."""
        other = await self.elsewhere.connect(self.room.state.id, self.others)
        await other.until("view")
        await self.agreed()
        client = await self.server.connect(self.room.state.id, self.mine)
        await self.say(client, SAID)
        bare = await self.server.connect(self.room.state.id, self.mine, explain=False, after=1)
        await self.say(bare, SAID[:6])
        await bare.close()
        for message in AGREED:
            for each in (client, other):
                await self.say(each, [message])
            await settled(client)
            for path in CLOSED:
                assert (await self.server.fetch("GET", self.path + path, token=self.mine))[0] == 409
        for each, seat in ((client, self.seat), (other, self.other)):
            if seat != self.room.session.match.actor:  # else a bot would play on
                await self.say(each, [{"type": "leave"}, {"type": "back"}])
                await settled(client)
        if client.news.get("undo"):
            await self.say(client, [{"type": "undo", "number": client.number}])
        for text in (*client.heard, *bare.heard):
            self.note(text)
        await client.close()
        await other.close()

    async def counted(self) -> dict[str, float]:
        """Return the metrics, without times and without the number of write groups."""
        text = (await self.server.fetch("GET", "/metrics"))[1]
        rows = [row.rsplit(" ", 1) for row in text.splitlines() if row.startswith("quadriga_")]
        timed = ("_seconds_sum", "_seconds_bucket", "_created", "commit", "quadriga_sockets")
        return {name: float(value) for name, value in rows if not any(part in name for part in timed)}

    async def all(self) -> tuple[list[str], list[str], dict[str, float]]:
        """Return everything that the viewpoint receives from the server, and the metrics."""
        before = await self.counted()
        await self.ask()
        await self.talk()
        after = await self.counted()
        self.server.registry.rooms.pop(self.room.state.id).close()
        await self.server.registry.store.append(self.room.state.id, [], "ended")  # it is listed no more
        return self.found, self.tables, {name: after[name] - before.get(name, 0.0) for name in after}


async def settled(client: Client) -> None:
    """Receive everything that was sent so far."""
    await client.say(type="ping")
    while (await client.hear(loose=True))["type"] != "pong":
        pass


async def walk(server: InProcessServer, table: str, clients: list[Client], rng: random.Random) -> None:
    """Make one random decision."""
    room = server.registry.rooms[table]
    actor = room.session.match.actor
    client = clients[actor]
    while client.number < room.session.numbers[actor + 1] or not client.legal:
        await client.hear()
    texts = [each["text"] for each in client.legal if not each.get("family")]
    client.legal = None
    await client.act(rng.choice(texts))
    await client.until("done")


@pytest.mark.parametrize(("game", "options", "seats", "moves", "every"), SETUPS)
async def test_every_request_and_message_keeps_hidden_information(
    tmp_path: Path, monkeypatch, game, options, seats, moves, every
):
    monkeypatch.setattr(creation, "dice_seed", lambda seed: SEED)  # fair dice that fall the same each time
    rng, dealer = random.Random(2), Rng()
    differing = hints = coached = 0
    async with in_process(tmp_path / "tables.sqlite", grace=1e6, idle=1e6, long_gone=0.0) as server:
        chairs = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        body = {"game": game, "options": options, "name": "Ann", "seats": chairs, "public": True, "pace": 0}
        _, made = await server.fetch("POST", "/api/tables", body)
        table, tokens = made["table"]["id"], [made["token"]]
        for guest in range(1, seats):
            _, joined = await server.fetch("POST", f"/api/tables/{table}/join", {"name": f"Guest {guest}"})
            tokens.append(joined["token"])
        clients = [await server.connect(table, token, explain=False) for token in tokens]
        for client in clients:
            await client.until("welcome")
        await server.fetch("POST", f"/api/tables/{table}/start", {}, tokens[0])
        room = server.registry.rooms[table]
        await choice.prepared(game)  # else a hint comes from another bot as soon as the strongest is ready
        for move in range(moves):
            if room.state.over:
                break
            await walk(server, table, clients, rng)
            if move % every or room.state.over:
                continue
            seat = rng.choice([-1, room.session.match.actor, rng.randrange(seats)])
            other = rng.choice([each for each in range(seats) if each != seat])
            start(dealer, rng.getrandbits(40), 0)
            heard = []
            for redealt in (False, True):
                copied = await copy_room(server.registry, table)
                match = copied.session.match
                before = match.s.tobytes()
                if redealt:
                    copied.state.game.rules.deal(match.t, match.s, seat, dealer)
                    differing += match.s.tobytes() != before
                heard.append(await World(server, copied, seat, other).all())
            for one, two in zip(heard[0], heard[1], strict=True):
                assert one == two
            hints += any('"type":"hint"' in text for text in heard[0][0])
            coached += any('"type":"coach"' in text and '"position":[{' in text for text in heard[0][0])
            secrets = (room.state.setup.seed, *tokens[:seat], *tokens[seat + 1 :])
            assert not any(secret in text for text in heard[0][0] for secret in secrets)
    assert differing >= 4
    assert hints >= 2
    assert coached >= 2


async def test_the_seed_is_public_when_the_game_is_over_and_not_before(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        body = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "bot"}], "pace": 0, "start": True}
        _, made = await server.fetch("POST", "/api/tables", body)
        table = made["table"]["id"]
        client = await server.connect(table, made["token"])
        await client.play(random.Random(1))
        seed = server.registry.rooms[table].state.setup.seed
        told = [seed in text for text in client.heard]
        assert told.count(True) >= 1
        first = told.index(True)
        assert json.loads(client.heard[first])["table"]["status"] == "over"
