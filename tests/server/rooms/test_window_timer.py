"""BH-7.4 over sockets: opponents and watchers are told the same, at the same moments, whoever holds what.

Two tables differ only in what one seat holds. In one it has a card for a window and thinks before it passes; in the
other it has none. The sockets, the server and its store are real; only the time of the room is the test's own.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from games.benhvrt.positions import GAME, race
from quadriga.engine.game import NOBODY
from quadriga.games.benhvrt.deck import Card
from quadriga.games.benhvrt.deck.operations import CODES, WINDOWS
from quadriga.games.benhvrt.state import ALL_WINDOWS, MOST_WINDOWS
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import Submission
from quadriga.server.state.events import AskedWindows, Start
from server.present.test_hidden_frames import opened
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.manual_clock import ManualClock
from server.support.tables import connect_all, start_table

BEAT = 1.5
CARDS: tuple[Card, ...] = GAME.new(*GAME.resolve_options({}, 3))[0].cards


def card(operation: str) -> str:
    """Return the name of the first card with an operation."""
    return next(each.name for each in CARDS if any(code == CODES[operation] for code, *_ in each.does))


IDLE = [card("supply"), card("free-lane"), card("start-speed")]  # by seat: nothing to play in a race
HELD = {"PR": "hasten", "RO": "add", "PB": "slow-to", "PA": "halt", "BM": "next-roll", "RE": "cancel"}
SUBJECT = {"PR": 0, "RO": 1, "PB": 0, "PA": 1, "BM": 1, "RE": 1}  # seat 0 moves and passes seat 1; seat 2 looks
MOVER, OPPONENT = 0, 2


class World:
    """A table of three people and a watcher in the middle of a race; seat 2 has its die to roll, then seat 0."""

    def __init__(self, room: Room, clients: list[Client], watcher: Client) -> None:
        self.room, self.clients, self.watcher = room, clients, watcher
        self.hours = room.time_source = ManualClock()
        room.last_public_event_at = 0.0
        self.told: dict[str, list[tuple[float, str]]] = {"opponent": [], "watcher": []}
        self.windows: list[tuple[str, int, bool]] = []  # that asked: the window, the seat, whether it could play

    @classmethod
    async def opened(cls, server: InProcessServer, hands: dict[int, list[str]], **more: object) -> World:
        options = {"series": [2]}
        table, tokens = await start_table(
            server, "ben-hvrt", "me open open", options=options, dice={"kind": "seeded", "seed": 5}, **more
        )
        clients = await connect_all(server, table, tokens)
        watcher = await server.connect(table)
        await watcher.until("view")
        room = server.registry.rooms[table]
        chariots = ("1.7", 1, 3), ("2.10", 1, 3), ("3.14", 1, 3)
        position = race(*chariots, laps=2, moved=(1,), hands=hands)
        room.session.match.s.assign(position.s.tobytes())
        room.session._update_actor()
        while room.has_timer("table") or room._tasks or room.lock.locked():
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
        async with self.room.exclusive():
            await self.room.submit(Submission("roll", NOBODY, by="bot"))
        while True:
            await self.quiet()
            play = self.room.session
            if play.open_window is None and not script:
                return
            if play.open_window is None:
                seat, text = script.pop(0)
                assert play.actor == seat
                await self.act(seat, text)
                continue
            asked, window = play.actor, play.open_window
            self.windows.append((window, asked, play.match.legal() != ["pass"]))
            if asked == MOVER and window in plays:
                await self.act(asked, plays.pop(window))
                continue
            if asked == subject or not self.hours.waiting:
                self.hours.time += thinks if asked == subject else 0.0
                await self.act(asked, "pass")
            if self.hours.waiting:
                self.hours.advance()


async def settled(client: Client) -> None:
    """Hear all that was sent so far."""
    await client.say(type="ping", ref="settled")
    await client.until("pong", ref="settled")


async def pair(server: InProcessServer, kind: str, **more: object) -> tuple[World, World]:
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
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
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
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        for kind in ("PR", "PB", "PA"):
            world, _ = await pair(server, kind)
            frames = [json.loads(text) for told in world.told.values() for _, text in told]
            views = [frame["view"] for frame in frames if frame["type"] == "news" and frame["legal"] is None]
            seen = {(view["window"], view["target"]) for view in views}
            assert seen <= {(None, None), ("RO", None), ("BM", None)}


def test_every_window_of_the_game_is_here():
    assert set(HELD) == set(GAME.hidden_windows) == set(WINDOWS) - {"-", "AU"}


async def in_beat(
    server: InProcessServer, window: str, hands: dict[int, list[str]] | None = None
) -> tuple[World, Client]:
    """A table that asks somebody in a window, and who that is."""
    world = await World.opened(server, hands or {seat: [idle] for seat, idle in enumerate(IDLE)})
    async with world.room.exclusive():
        await world.room.submit(Submission("roll", NOBODY, by="bot"))
    await world.quiet()
    while world.room.session.open_window != window:
        if world.room.session.open_window is None:
            await world.act(world.room.session.actor, "stop")
        else:
            world.hours.advance()
        await world.quiet()
    client = world.clients[world.room.session.actor]
    await settled(client)
    return world, client


async def test_a_pass_counts_when_the_beat_is_over_and_is_acknowledged_then(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, client = await in_beat(server, "RO")
        assert client.news["answer_ms"] == 1500
        entries, seat = len(world.room.session.match.entries), world.room.session.actor
        await client.act("pass", ref="mine")
        await settled(client)
        assert (client.done, len(world.room.session.match.entries)) == ([], entries)
        await client.act("pass", ref="mine")  # sent again: not refused, and not a second pass
        world.hours.advance()
        await world.quiet()
        await settled(client)
        assert set(client.done) == {"mine"}
        assert world.room.session.match.entries[entries].text == "pass"
        assert world.room.session.origins[entries] == "person"
        assert world.room.session.actor != seat


async def test_what_was_meant_for_a_window_that_is_closed_is_not_taken_for_the_next(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, client = await in_beat(server, "PR")
        seat, late = world.room.session.actor, client.number
        world.hours.advance()
        await world.quiet()
        await settled(client)
        assert (world.room.session.open_window, world.room.session.actor) == ("RO", seat)
        await client.say(type="act", number=late, action="pass")
        await settled(client)
        assert client.refused[-1]["code"] == "act.late"
        beat = world.room.window_timer.current()
        assert beat is not None
        assert not beat.has_passed


async def test_a_card_counts_at_once_and_no_more_after_a_pass(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        hands = {0: [card("add")], 1: [card("set")], 2: [card("again")]}
        world, client = await in_beat(server, "RO", hands)
        chosen = next(each["text"] for each in client.legal or [] if each["text"] != "pass")
        entries = len(world.room.session.match.entries)
        await client.act(chosen)
        await settled(client)
        assert world.room.session.match.entries[entries].text == chosen
        await world.quiet()
        other = world.clients[world.room.session.actor]
        await settled(other)
        await other.act("pass")
        await other.act("play " + card("cancel"))
        await settled(other)
        assert other.refused[-1]["code"] == "act.not-asked"


async def test_turning_a_stop_off_passes_at_the_end_of_the_beat(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, client = await in_beat(server, "RO")
        entries = len(world.room.session.match.entries)
        await client.say(type="stops", windows=[])
        await settled(client)
        assert len(world.room.session.match.entries) == entries
        world.hours.advance()
        await world.quiet()
        assert world.room.session.match.entries[entries].text == "pass"


async def test_a_pause_stops_the_beat_and_the_next_begins_anew(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO")
        entries = len(world.room.session.match.entries)
        for kind in ("pause", "resume"):
            for each in world.clients:
                await each.say(type="vote", kind=kind)
                await settled(each)
            world.hours.time += 1.0
        await world.quiet()
        assert world.room.state.status == "playing"
        world.hours.advance()  # the end of the beat that was stopped
        await world.quiet()
        assert len(world.room.session.match.entries) == entries
        world.hours.advance()
        await world.quiet()
        assert len(world.room.session.match.entries) > entries


@pytest.mark.parametrize(("chairs", "people"), [("me bot bot", 1), ("me me open", 2)])
async def test_there_is_no_beat_alone_or_on_a_shared_device(tmp_path: Path, chairs: str, people: int):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        table, _ = await start_table(server, "ben-hvrt", chairs, options={"series": [1]})
        timer = server.registry.rooms[table].window_timer
        assert [timer.length_s(seat) for seat in range(people)] == [None] * people
        if "open" in chairs:
            assert timer.length_s(people) == BEAT


async def test_somebody_alone_with_bots_is_asked_only_where_there_is_something_to_play(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        table, tokens = await start_table(
            server, "ben-hvrt", "me bot", options={"series": [1]}, dice={"kind": "seeded", "seed": 3}
        )
        client = await server.connect(table, tokens[0])
        asked = windows = 0
        while not client.over:
            await client.hear()
            if client.legal:
                texts = [each["text"] for each in client.legal if not each.get("family")]
                client.legal = None
                if client.view["window"] is not None:
                    windows += 1
                    assert texts != ["pass"]
                asked += 1
                await client.act(texts[asked % len(texts)])
        assert asked > 10
        assert windows > 0


def test_a_game_begun_by_version_0_1_is_played_on_as_it_was_logged():
    for start, wanted in ((Start(["", ""]), {"PR", "PB"}), (Start(["", ""], all_windows=True), set())):
        state = opened("ben-hvrt", {"series": [1]}, 2, 1)
        state.apply(start)
        state.apply(AskedWindows(0, []))
        assert state.session is not None
        assert state.seats[0].asked_windows == wanted
        assert state.session.match.t.ask_all == (MOST_WINDOWS if wanted else ALL_WINDOWS)
