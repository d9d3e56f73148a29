"""BH-7.4 over sockets: opponents and watchers are told the same, at the same moments, whoever holds what.

Two tables differ only in what one seat holds. In one it has a card for a window and thinks before it passes; in the
other it has none. The sockets, the server and its store are real; only the time of the room is the test's own.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from benhvrt_support import GAME, race
from quadriga.engine.game import NOBODY
from quadriga.games.benhvrt.deck import WINDOWS, Card
from quadriga.table.room import Room
from table.hours import Hours
from table.inside import Inside, inside
from table.people import everybody, made
from table.server import Client

BEAT = 1.5
CARDS: tuple[Card, ...] = GAME.new(*GAME.settle({}, 3))[0].cards


def card(operation: str) -> str:
    """The name of a card that does something."""
    return next(each.name for each in CARDS if each.has(operation))


IDLE = [card("supply"), card("free-lane"), card("start-speed")]  # by seat: nothing to play in a race
HELD = {"PR": "hasten", "RO": "add", "PB": "slow-to", "PA": "halt", "BM": "next-roll", "RE": "cancel"}
SUBJECT = {"PR": 0, "RO": 1, "PB": 0, "PA": 1, "BM": 1, "RE": 1}  # seat 0 moves and passes seat 1; seat 2 looks
MOVER, OPPONENT = 0, 2


class World:
    """A table of three people and a watcher in the middle of a race; seat 2 has its die to roll, then seat 0."""

    def __init__(self, room: Room, clients: list[Client], watcher: Client) -> None:
        self.room, self.clients, self.watcher = room, clients, watcher
        self.hours = room.moments = Hours()
        room._stirred = 0.0
        self.told: dict[str, list[tuple[float, str]]] = {"opponent": [], "watcher": []}
        self.windows: list[tuple[str, int, bool]] = []  # that asked: the window, the seat, whether it could play

    @classmethod
    async def opened(cls, server: Inside, hands: dict[int, list[str]], **more: object) -> World:
        options = {"series": [2]}
        table, tokens = await made(
            server, "ben-hvrt", "me open open", options=options, dice={"kind": "seeded", "seed": 5}, **more
        )
        clients = await everybody(server, table, tokens)
        watcher = await server.connect(table)
        await watcher.until("view")
        room = server.house.rooms[table]
        chariots = ("1.7", 1, 3), ("2.10", 1, 3), ("3.14", 1, 3)
        position = race(*chariots, laps=2, moved=(1,), hands=hands)
        room.play.match.s.assign(position.s.tobytes())
        room.play._look()
        while room.awaits("table") or room._tasks or room.lock.locked():
            await asyncio.sleep(0)
        world = cls(room, clients, watcher)
        for client in [*clients, watcher]:
            await settled(client)
        return world

    async def hear(self) -> None:
        """Note what the opponent and the watcher have been sent by now, and at what time."""
        for name, client in (("opponent", self.clients[OPPONENT]), ("watcher", self.watcher)):
            known = len(client.heard)
            await settled(client)
            self.told[name] += [(self.hours.time, text) for text in client.heard[known:] if '"pong"' not in text]

    async def quiet(self) -> None:
        """Until the room waits: for an answer, or for a moment to come."""
        still = 0
        while still < 50:
            await asyncio.sleep(0)
            still = 0 if self.room.lock.locked() else still + 1
        await self.hear()

    async def act(self, seat: int, text: str) -> None:
        client = self.clients[seat]
        await settled(client)
        await client.act(text)
        await settled(client)

    async def run(self, script: list[tuple[int, str]], plays: dict[str, str], subject: int, thinks: float) -> None:
        """Let the people do what all can see, and pass in windows; the subject says so after some thought."""
        async with self.room.turn():
            await self.room._settle([self.room.play.chance()], NOBODY, None)
        while True:
            await self.quiet()
            play = self.room.play
            if play._inside is None and not script:
                return
            if play._inside is None:
                seat, text = script.pop(0)
                assert play.actor == seat
                await self.act(seat, text)
                continue
            asked, window = play.actor, play._inside
            self.windows.append((window, asked, play.match.legal() != ["pass"]))
            if asked == MOVER and window in plays:
                await self.act(asked, plays.pop(window))
                continue
            if asked == subject or not self.hours.waiting:
                self.hours.time += thinks if asked == subject else 0.0
                await self.act(asked, "pass")
            if self.hours.waiting:
                self.hours.strike()


async def settled(client: Client) -> None:
    """Hear all that was sent so far."""
    await client.say(type="ping", ref="settled")
    await client.until("pong", ref="settled")


async def pair(server: Inside, kind: str, **more: object) -> tuple[World, World]:
    """The same race with and without a card for a window."""
    worlds = []
    for holds, thinks in ((True, 1.2), (False, 0.1)):
        subject = SUBJECT[kind]
        hands = {seat: [idle] for seat, idle in enumerate(IDLE)}
        if holds:
            hands[subject] = [card(HELD[kind])]
        if kind == "RE":
            hands[MOVER].append(card("set"))
        plays = {"RO": f"play {card('set')}"} if kind == "RE" else {}
        world = await World.opened(server, hands, **more)
        await world.run([(2, "stop"), (0, "step 1.8"), (0, "stop")], plays, subject, thinks)
        worlds.append(world)
    return worlds[0], worlds[1]


@pytest.mark.parametrize("kind", HELD)
@pytest.mark.parametrize("clock", [None, {"kind": "move", "seconds": 3600}], ids=["no clock", "clock"])
async def test_opponents_and_watchers_cannot_tell_who_holds_a_card_for_a_window(tmp_path: Path, kind: str, clock):
    async with inside(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        holds, lacks = await pair(server, kind, clock=clock)
        assert (kind, SUBJECT[kind], True) in holds.windows
        assert (kind, SUBJECT[kind], True) not in lacks.windows
        for name in ("opponent", "watcher"):
            assert len(holds.told[name]) > 5
            assert [moment for moment, _ in holds.told[name]] == [moment for moment, _ in lacks.told[name]]
            for one, other in zip(plain(holds.told[name]), plain(lacks.told[name]), strict=True):
                assert one == other


def plain(told: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """What was told, less how much of an hour's clock the machine itself has used up."""
    found = []
    for moment, text in told:
        said = json.loads(text)
        if said.get("clock"):
            assert said["clock"]["runs"] is None or said["clock"]["left"][said["clock"]["runs"]] > 0
            said["clock"]["left"] = None
            if said["answer_ms"] is None:
                said["clock"]["mine"] = said["clock"]["mine"] is not None
            text = json.dumps(said)
        found.append((moment, text))
    return found


async def test_a_window_that_asks_one_player_is_in_nobody_elses_view(tmp_path: Path):
    async with inside(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        for kind in ("PR", "PB", "PA"):
            world, _ = await pair(server, kind)
            frames = [json.loads(text) for told in world.told.values() for _, text in told]
            views = [frame["view"] for frame in frames if frame["type"] == "news" and frame["legal"] is None]
            seen = {(view["window"], view["target"]) for view in views}
            assert seen <= {(None, None), ("RO", None), ("BM", None)}


def test_every_window_of_the_game_is_here():
    assert set(HELD) == set(GAME.hidden_windows) == set(WINDOWS) - {"-", "AU"}
