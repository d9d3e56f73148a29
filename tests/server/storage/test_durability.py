"""Acknowledged moves are on disk: servers are killed at random moments and started again."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from quadriga.engine.kernels.slots import CHANCE
from quadriga.server.state import log_reader
from quadriga.server.state.events import Moves
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import StoredEvent
from server.support.harness import Client, Server
from soak import count
from support import there

KILLS = count(8, 1000, "KILLS")


def state(server: Server, table: str) -> tuple[RoomState, list[str]]:
    """Return the table from the log on disk, and the references of all actions in it."""
    with closing(sqlite3.connect(server.store)) as disk:
        (setup,) = disk.execute("SELECT setup FROM tables WHERE id = ?", (table,)).fetchone()
        found = disk.execute("SELECT number, at, kind, body FROM log WHERE table_id = ? ORDER BY number", (table,))
        lines = [StoredEvent(*row) for row in found]
    moves = [msgspec.json.decode(line.body, type=Moves) for line in lines if line.kind == "moves"]
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    return log_reader.read(table, setup, lines), [each.ref for each in moves if each.ref]


class Player:
    """Plays random actions with references, and keeps those that were acknowledged."""

    def __init__(self, server: Server, table: str, token: str, name: str, rng: random.Random) -> None:
        self.server, self.table, self.token, self.name, self.rng = server, table, token, name, rng
        self.sent = 0
        self.known = 0
        self.acknowledged: list[str] = []
        self.unconfirmed: dict[str, dict[str, Any]] = {}  # acts by reference; sent again, as the page does
        self.client: Client | None = None

    async def session(self) -> None:
        """Play until the connection breaks or the game is over."""
        try:
            after = self.known or None
            self.client = client = await self.server.connect(self.table, self.token, after=after, explain=False)
            client.number = self.known
            while not client.over:
                said = await client.hear()
                self.known = client.number
                if said["type"] == "done":
                    self.acknowledged.append(said["ref"])
                    self.unconfirmed.pop(said["ref"], None)
                elif said["type"] == "refused":  # it was late: another act of this player was played instead
                    assert said["ref"] not in self.acknowledged
                    self.unconfirmed.pop(said["ref"], None)
                elif said["type"] in ("news", "view") and client.legal:
                    self.sent += 1
                    texts = [each["text"] for each in client.legal if not each.get("family")]
                    action, ref = self.rng.choice(texts), f"{self.name}{self.sent}"
                    act = {"type": "act", "number": client.number, "action": action, "ref": ref}
                    self.unconfirmed[ref] = act
                    await client.say(**act)
                elif said["type"] == "welcome":
                    for act in self.unconfirmed.values():
                        await client.say(**act)
                    if said["number"] == after:  # nothing has followed: ask again
                        await client.say(type="look", seat=said["seat"])
        except (ConnectionClosed, InvalidHandshake, OSError):  # killed at any moment, while it greets too
            pass


async def test_every_acknowledged_move_survives_a_kill_at_any_moment(own_server: Server):
    server, rng = own_server, random.Random(7)
    kills = acknowledged = 0
    while kills < KILLS:
        game, options = rng.choice(
            [("ur", {}), ("ave-caesar", {"courses": ["blue cw"]}), ("ben-hvrt", {"series": [1]})]
        )
        seats = 2 if game != "ave-caesar" else 3
        table, host = server.create(game, " ".join(["me"] + ["open"] * (seats - 1)), options=options)
        tokens = [host, *(server.join(table) for _ in range(seats - 1))]
        assert server.call("POST", f"/api/tables/{table}/start", {}, host)[0] == 200
        players = [Player(server, table, token, "abc"[n], rng) for n, token in enumerate(tokens)]
        for _ in range(7):
            sessions = [asyncio.create_task(player.session()) for player in players]
            enough = sum(len(player.acknowledged) for player in players) + rng.randrange(5, 45)
            while sum(len(player.acknowledged) for player in players) < enough:
                done, rest = await asyncio.wait(sessions, timeout=0.001)
                if not rest:
                    break
            done, _rest = await asyncio.wait(sessions, timeout=rng.uniform(0.0, 0.01))  # any moment
            server.kill()
            kills += 1
            await asyncio.gather(*sessions)
            check(server, table, players)
            server.start()
            if len(done) == len(sessions):
                break
        acknowledged += sum(len(player.acknowledged) for player in players)
    assert acknowledged > 10 * KILLS


def check(server: Server, table: str, players: list[Player]) -> None:
    """Assert that the log has all acknowledged actions in order, at most one more per player, and no half-move."""
    kept, refs = state(server, table)
    assert len(refs) == len(set(refs))
    for seat, player in enumerate(players):
        own = [ref for ref in refs if ref.startswith(player.name)]
        assert [ref for ref in own if ref in player.acknowledged] == player.acknowledged
        assert kept.session is not None
        assert kept.session.numbers[seat + 1] >= player.known
    assert kept.session is not None
    assert kept.session.match.actor != CHANCE  # what follows by itself is in the same line


async def test_an_action_is_not_played_twice(server: Server):
    table, token = server.create("ur", "me me")
    client = await server.connect(table, token)
    await client.until("view")
    while client.legal is None:
        await client.say(type="look", seat=1 - client.news["seat"])
        await client.until("view")
    number, action = client.number, there(client.legal)[0]["text"]
    for _ in range(2):
        await client.say(type="act", number=number, action=action, ref="once")
        await client.until("done", ref="once")
    first = client.number
    await client.say(type="look", seat=client.news["seat"])
    await client.until("view")
    assert client.number == first


async def test_a_client_that_was_away_receives_the_missed_events(server: Server):
    table, token = server.create("ur", "me me")
    one = await server.connect(table, token, seat=0)
    await one.until("view")
    told = one.number
    other = await server.connect(table, token, seat=1)
    await other.until("view")
    for _ in range(6):
        mover = one if one.legal else other
        text = there(mover.legal)[0]["text"]
        await mover.act(text)
        for client in (one, other):
            await client.until("news")
    again = await server.connect(table, token, seat=0, after=told)
    again.number = told
    news = await again.until("news")
    assert [event["number"] for event in news["events"]] == list(range(told + 1, one.number + 1))
    assert again.view == one.view
    assert again.events == one.events[-len(again.events) :]
    new = await server.connect(table, token, seat=0)
    assert (await new.until("view"))["events"][-len(one.events) :] == one.events


@pytest.mark.parametrize("after", [10**6, 2**53])
async def test_an_unknown_number_gets_the_full_view(server: Server, after: int):
    table, token = server.create("ur", "me bot")
    client = await server.connect(table, token, after=after)
    shown = await client.until("view")
    assert [event["number"] for event in shown["events"]] == list(range(1, shown["number"] + 1))


async def test_a_client_without_a_view_gets_the_full_view(server: Server):
    """A game without events has number 0. A client that names it has no view yet."""
    table, token = server.create("ur", "me me", options={"rules": "finkel"}, rolls="hand")
    client = await server.connect(table, token, after=0)
    assert (await client.until("welcome"))["number"] == 0
    shown = await client.until("view")
    assert (shown["number"], shown["events"], shown["seat"]) == (0, [], 0)
    for frame in ({"type": "hello", "after": 0}, {"type": "look", "seat": 1, "after": 0}):
        await client.say(**frame)
        assert (await client.until("view"))["seat"] == frame.get("seat", 0)


async def test_two_devices_with_one_token_receive_the_same(server: Server):
    table, host = server.create("ave-caesar", "me open open", options={"courses": ["white cw"]})
    tokens = [host, *(server.join(table) for _ in range(2))]
    server.call("POST", f"/api/tables/{table}/start", {}, host)
    others = [await server.connect(table, token) for token in tokens[1:]]
    phone, desk = [await server.connect(table, host) for _ in range(2)]
    for client in (*others, phone, desk):
        await client.until("view")
    began = phone.number
    rng, mine = random.Random(3), [phone, desk]
    for _ in range(12):
        rng.shuffle(mine)  # either of them may act
        mover = next(each for each in (*mine, *others) if each.legal)
        await mover.act(rng.choice(there(mover.legal))["text"])
        for client in (*others, phone, desk):
            await client.until("news")
    assert phone.number > began
    assert [text for text in phone.heard if '"news"' in text] == [text for text in desk.heard if '"news"' in text]
    await phone.close()
    watcher = await server.connect(table)
    await watcher.until("view")
    assert watcher.table["seats"][0]["here"]  # the desk still is
    await desk.say(type="ping", ref="still")
    await desk.until("pong", ref="still")
