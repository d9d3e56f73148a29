"""BH-7.4 over websockets: what opponents and watchers receive, and when, does not depend on hands.

Two tables differ only in what one seat holds. In one it has a card for a window and thinks before it passes; in the
other it has none. The sockets, the server and its store are real; only the time of the room is the test's own.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from games.benhvrt.positions import GAME, Match, race
from quadriga.engine.game import NOBODY
from quadriga.games.benhvrt.deck import Card
from quadriga.games.benhvrt.deck.operations import CODES, WINDOWS
from quadriga.games.benhvrt.state import ALL_WINDOWS, MOST_WINDOWS
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import Submission
from quadriga.server.state.events import AskedWindows, Start
from server.messages.test_hidden_messages import opened
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.manual_clock import ManualClock
from server.support.tables import connect_all, start_table
from soak import crossed

BEAT = 1.5
CARDS: tuple[Card, ...] = Match(GAME, {}, 3).t.cards


def card(operation: str) -> str:
    """Return the name of the first card with an operation."""
    return next(each.name for each in CARDS if any(code == CODES[operation] for code, *_ in each.does))


IDLE = [card("supply"), card("free-lane"), card("start-speed")]  # by seat: nothing to play in a race
HELD = {"PR": "hasten", "RO": "add", "PB": "slow-to", "PA": "halt", "BM": "next-roll", "RE": "cancel"}
SUBJECT = {"PR": 0, "RO": 1, "PB": 0, "PA": 1, "BM": 1, "RE": 1}  # seat 0 moves and passes seat 1; seat 2 looks
MOVER, OPPONENT = 0, 2
TABLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "clock": {"clock": {"kind": "move", "seconds": 3600}},
    "no bribes": {"options": {"bribes": False}},
}


class World:
    """A table of three people and a watcher in a race. Seat 2 is to roll, then seat 0."""

    def __init__(self, room: Room, clients: list[Client], watcher: Client) -> None:
        self.room, self.clients, self.watcher = room, clients, watcher
        self.hours = room.time_source = ManualClock()
        room.broadcaster.last_public_event_at = 0.0
        self.told: dict[str, list[tuple[float, str]]] = {"opponent": [], "watcher": []}
        self.windows: list[tuple[str, int, bool]] = []  # that asked: the window, the seat, whether it could play

    @classmethod
    async def opened(
        cls, server: InProcessServer, hands: dict[int, list[str]], options: dict[str, object] | None = None, **more
    ) -> World:
        options = {"series": [2], **(options or {})}
        table, tokens = await start_table(
            server, "ben-hvrt", "me open open", options=options, dice={"kind": "seeded", "seed": 5}, **more
        )
        clients = await connect_all(server, table, tokens)
        watcher = await server.connect(table)
        await watcher.until("view")
        room = server.registry.rooms[table]
        while not room.is_leader:  # beside other processes, from the next pulse on
            await asyncio.sleep(0.01)
        chariots = ("1.7", 1, 3), ("2.10", 1, 3), ("3.14", 1, 3)
        position = race(*chariots, laps=2, moved=(1,), hands=hands)
        room.session.match.s.assign(position.s.tobytes())
        room.session._update_actor()
        while "table" in room.tasks.timers or room.tasks.running or room.lock.locked():
            await asyncio.sleep(0)
        world = cls(room, clients, watcher)
        for client in [*clients, watcher]:
            await settled(client)
        return world

    async def hear(self) -> None:
        """Note what the opponent and the watcher have received so far, and at what time."""
        for name, client in (("opponent", self.clients[OPPONENT]), ("watcher", self.watcher)):
            known = len(client.heard)
            await settled(client)
            self.told[name] += [(self.hours.time, text) for text in client.heard[known:] if '"pong"' not in text]

    async def quiet(self) -> None:
        """Wait until the room waits for an answer or for a point in time."""
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
        """Play the public actions, and pass in windows; the subject passes after thinking."""
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
            window, beat = play.open_window, self.room.window_timer.current(self.hours.now())
            assert beat is not None
            for seat, asked in beat.asked.items():
                own = GAME.window_of(asked.match.t, asked.match.s)
                assert own is not None
                self.windows.append((own, seat, asked.match.legal() != ["pass"]))
            if play.actor == MOVER and window in plays:
                await self.act(MOVER, plays.pop(window))
                continue
            if subject in beat.asked:
                self.hours.time += thinks
                await self.act(subject, "pass")
            self.hours.advance()


async def settled(client: Client) -> None:
    """Receive everything that was sent so far."""
    await client.say(type="ping", ref="settled")
    await client.until("pong", ref="settled")


async def pair(server: InProcessServer, kind: str, **more: Any) -> tuple[World, World]:
    """Play the same race with and without a card for a window; return both."""
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


@pytest.mark.parametrize(("kind", "setup"), crossed(HELD, TABLES))
async def test_opponents_and_watchers_cannot_tell_who_holds_a_card_for_a_window(
    tmp_path: Path, kind: str, setup: str
):
    more = TABLES[setup]
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        holds, lacks = await pair(server, kind, **more)
        assert (kind, SUBJECT[kind], True) in holds.windows
        assert (kind, SUBJECT[kind], True) not in lacks.windows
        for name in ("opponent", "watcher"):
            assert len(holds.told[name]) > 5
            assert [moment for moment, _ in holds.told[name]] == [moment for moment, _ in lacks.told[name]]
            for one, other in zip(plain(holds.told[name]), plain(lacks.told[name]), strict=True):
                assert one == other


def plain(told: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return what was received, without the time that the machine itself has used up."""
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


async def test_a_window_that_asks_one_player_is_in_no_other_view(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        for kind in ("PR", "PB", "PA"):
            world, _ = await pair(server, kind)
            frames = [json.loads(text) for told in world.told.values() for _, text in told]
            views = [frame["view"] for frame in frames if frame["type"] == "news" and frame["answer_ms"] is None]
            seen = {(view["window"], view["target"]) for view in views}
            assert seen <= {(None, None), ("RO", None), ("BM", None)}


def test_every_window_of_the_game_is_here():
    assert set(HELD) == set(GAME.windows) == set(WINDOWS) - {"-", "AU"}


async def in_beat(
    server: InProcessServer, window: str, hands: dict[int, list[str]] | None = None, **options: object
) -> tuple[World, Client]:
    """Return a table that asks a seat in a window, and that seat's client."""
    world = await World.opened(server, hands or {seat: [idle] for seat, idle in enumerate(IDLE)}, options)
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


async def test_a_pass_counts_and_is_acknowledged_at_the_end_of_the_window(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, client = await in_beat(server, "RO")
        assert client.news["answer_ms"] == 1500
        entries = len(world.room.session.match.entries)
        await client.act("pass", ref="mine")
        await settled(client)
        assert (client.done, len(world.room.session.match.entries)) == ([], entries)
        await client.act("pass", ref="mine")  # sent again: not refused, and not a second pass
        world.hours.advance()
        await world.quiet()
        await settled(client)
        assert set(client.done) == {"mine"}
        assert world.room.session.match.entries[entries].text == "pass"
        assert world.room.session.origins[entries : entries + 3] == ["person", "table", "table"]
        assert world.room.session.open_window is None  # one beat for all three


async def test_an_answer_to_a_closed_window_does_not_count_for_the_next(tmp_path: Path):
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
        asked = world.room.asked(seat)
        assert asked is not None
        assert asked.answer is None


async def test_a_card_counts_at_once_and_no_more_after_a_pass(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        hands = {0: [card("add")], 1: [card("set")], 2: [card("again")]}
        world, client = await in_beat(server, "RO", hands)
        chosen = next(each["text"] for each in client.legal or [] if each["text"].startswith("play"))
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


async def test_turning_a_stop_off_passes_at_the_end_of_the_window(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, client = await in_beat(server, "RO")
        entries = len(world.room.session.match.entries)
        await client.say(type="stops", windows=[])
        await settled(client)
        assert len(world.room.session.match.entries) == entries
        world.hours.advance()
        await world.quiet()
        assert world.room.session.match.entries[entries].text == "pass"


async def test_a_pause_stops_the_window_timer_and_the_next_begins_anew(tmp_path: Path):
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
async def test_there_is_no_window_timer_alone_or_on_a_shared_device(tmp_path: Path, chairs: str, people: int):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        table, _ = await start_table(server, "ben-hvrt", chairs, options={"series": [1]})
        timer = server.registry.rooms[table].window_timer
        assert [timer.length_s(seat) for seat in range(people)] == [None] * people
        if "open" in chairs:
            assert timer.length_s(people) == BEAT


async def test_a_person_alone_with_bots_is_asked_only_when_they_can_play(tmp_path: Path):
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
                    assert texts != ["pass"]  # a bribe alone is no reason to ask (BH-7.9)
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
        assert Match.of(state.session.match).t.ask_all == (MOST_WINDOWS if wanted else ALL_WINDOWS)


THREE = {0: [card("add")], 1: [card("set")], 2: [card("again")]}  # by seat: something to play after a roll


async def test_a_window_asks_everybody_who_could_play_at_once_and_nobody_else(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO", {**THREE, 1: [IDLE[1]]})
        for client in world.clients:
            await settled(client)
        legal = [
            None if client.legal is None else [each["text"] for each in client.legal] for client in world.clients
        ]
        deal = "bribe *"  # which alone is no reason to be asked (BH-7.9)
        assert legal == [[deal, "pass", f"play {card('add')}"], None, [deal, "pass", f"play {card('again')}"]]
        assert [client.news["answer_ms"] for client in world.clients] == [1500] * 3
        await settled(world.watcher)
        assert (world.watcher.news["legal"], world.watcher.news["answer_ms"]) == (None, None)


async def test_cards_count_in_the_order_of_the_rules_whoever_is_quicker(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, first = await in_beat(server, "RO", THREE)
        entries = len(world.room.session.match.entries)
        later = [world.clients[seat] for seat in (0, 1)]
        for client, operation in zip(later, ("add", "set"), strict=True):
            await settled(client)
            await client.act(f"play {card(operation)}", ref=operation)
            await settled(client)
            assert client.done == []
        assert len(world.room.session.match.entries) == entries
        world.hours.advance()  # the first seat has not answered; the second one's card counts
        await world.quiet()
        made = world.room.session.match.entries[entries:]
        assert [entry.text for entry in made] == ["pass", f"play {card('add')}"]
        for client in [*later, first]:
            await settled(client)
        assert later[0].done == ["add"]
        assert (later[1].done, later[1].refused[-1]["ref"]) == ([], "set")  # it is asked again in a new window
        assert later[1].refused[-1]["code"] == "act.late"


async def test_an_answer_that_is_not_legal_is_refused_at_once(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO", THREE)
        client = world.clients[0]
        await settled(client)
        await client.act(f"play {card('cancel')}")
        await settled(client)
        assert client.refused[-1]["code"] == "action.illegal"
        legal = [each["text"] for each in client.refused[-1]["legal"]]
        assert legal == ["bribe *", "pass", f"play {card('add')}"]


async def test_a_hold_gives_a_seat_longer_and_ends_with_its_answer(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO", THREE)
        entries, holder = len(world.room.session.match.entries), world.clients[1]
        world.hours.time += 0.5
        await holder.say(type="hold", ref="longer")
        held = await holder.until("held")
        assert (held["ref"], held["answer_ms"]) == ("longer", 19_500)
        world.hours.advance()
        await world.quiet()
        assert len(world.room.session.match.entries) == entries  # not even the passes of the others show
        await settled(world.clients[0])
        await world.clients[0].act("pass")
        assert (await world.clients[0].until("refused"))["code"] == "act.not-asked"  # its own time is over
        world.hours.time += 5.0
        await settled(holder)
        await holder.act("pass")
        await holder.until("done")
        assert [entry.text for entry in world.room.session.match.entries[entries:]] == ["pass"] * 3
        assert world.room.session.open_window is None
        await settled(holder)
        await holder.say(type="hold")
        assert (await holder.until("refused"))["code"] == "act.not-asked"


async def test_a_hold_without_an_answer_is_a_pass_in_the_end(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT, window_hold=9.0) as server:
        world, first = await in_beat(server, "RO", THREE)
        opened_at = world.hours.time
        await first.say(type="hold")
        await first.until("held")
        await first.say(type="hold")  # a second one gives no more
        assert (await first.until("held"))["answer_ms"] == 9000
        while world.room.session.open_window == "RO":
            world.hours.advance()
            await world.quiet()
        assert world.hours.time == opened_at + 9.0


@pytest.mark.parametrize(("observer", "answer"), crossed([0, 1, 2], ["pass", None]))
async def test_nobody_can_tell_who_holds_a_window_or_whether_they_could_play(
    tmp_path: Path, observer: int, answer: str | None
):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        told = []
        holders = [seat for seat in range(3) if seat != observer]
        for holder, can_play in ((holders[0], True), (holders[1], True), (holders[0], False)):
            hands = {**THREE, holder: THREE[holder] if can_play else [IDLE[holder]]}
            world, _ = await in_beat(server, "RO", hands)
            watched = world.clients[observer]
            await settled(watched)
            known = len(watched.heard)
            await world.hear()
            world.told = {"opponent": [], "watcher": []}
            await world.clients[holder].say(type="hold")
            await world.clients[holder].until("held")
            world.hours.advance()
            await world.quiet()
            if answer is not None:
                world.hours.time += 5.0
                await world.clients[holder].act(answer)
                await world.clients[holder].until("done")
            while world.room.session.open_window == "RO":
                world.hours.advance()
                await world.quiet()
            await world.hear()
            await settled(watched)
            seen = [(0.0, text) for text in watched.heard[known:] if '"pong"' not in text]
            told.append((world.hours.time, plain(world.told["watcher"]), plain(seen)))
        assert len(told[0][1]) > 0
        assert len(told[0][2]) > 0
        assert told[0] == told[1] == told[2]


async def test_a_seat_can_pass_until_its_own_move_and_is_asked_again_then(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO", {**THREE, 0: [card("hasten"), card("add")]})
        client = world.clients[0]
        await settled(client)
        assert client.legal is not None
        await client.say(type="skip", until="move")
        assert (await client.until("stops"))["skip"] == "move"
        asked = []
        while not (world.room.session.open_window == "PR" and world.room.session.actor == 0):
            if world.room.session.open_window is None:
                await world.act(world.room.session.actor, "stop")
            else:
                world.hours.advance()
            await world.quiet()
            await settled(client)
            asked.append(client.legal is not None)
        assert asked == [False] * (len(asked) - 1) + [True]  # at its own move
        assert any(json.loads(text).get("skip", "-") is None for text in client.heard if '"stops"' in text)
        assert world.room.skips.until(0) is None


async def test_a_skip_takes_no_time_from_a_window_and_can_be_taken_back(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO", THREE)
        opened_at, entries = world.hours.time, len(world.room.session.match.entries)
        for client in world.clients:
            await client.say(type="skip", until="race")
            await client.until("stops")
        assert len(world.room.session.match.entries) == entries
        world.hours.advance()
        await world.quiet()
        assert world.hours.time == opened_at + BEAT
        for client in world.clients:
            await client.say(type="skip", until=None)
            assert (await client.until("stops"))["skip"] is None


async def test_a_skip_for_the_race_ends_with_the_race(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO", THREE)
        client = world.clients[0]
        await client.say(type="skip", until="race")
        await client.until("stops")
        session = world.room.session
        world.room.skips.update(session)
        assert world.room.skips.until(0) == "race"
        Match.of(session.match).s.race += 1
        world.room.skips.update(session)
        assert world.room.skips.until(0) is None
        assert world.room.skips.lapsed == {0}


@pytest.mark.parametrize("chairs", ["me bot bot", "me open open"])
async def test_a_table_that_always_asks_waits_for_everybody_whatever_they_hold(tmp_path: Path, chairs: str):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        table, tokens = await start_table(
            server, "ben-hvrt", chairs, options={"series": [1]}, dice={"kind": "seeded", "seed": 3}, beat=0
        )
        clients = await connect_all(server, table, tokens)
        room = server.registry.rooms[table]
        assert clients[0].table["beat"] == 0
        lone = 0
        while lone < 3:
            actor = room.session.actor
            if actor >= len(clients):
                await clients[0].hear()
                continue
            client = clients[actor]
            await settled(client)
            if not client.legal:
                continue
            texts = [each["text"] for each in client.legal if not each.get("family")]
            lone += texts == ["pass"]
            assert client.news["answer_ms"] is None
            await client.act(texts[0])
            await client.until("done")
