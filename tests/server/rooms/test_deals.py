"""Deals among people (BH-7.5, BH-7.9): bribes are on where a person sits, and nobody is asked more often."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.benhvrt.positions import race
from quadriga.engine.game import NOBODY
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import Submission
from quadriga.server.state.events import Deal
from server.rooms.test_window_timer import BEAT, IDLE, THREE, World, card, in_beat, plain, settled
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, copy_room, start_table

RACE = {"series": [1]}
IDLE_HANDS = {seat: [idle] for seat, idle in enumerate(IDLE)}


# --- when bribes are on ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "options", "bribes"),
    [
        ("me bot", {}, True),
        ("me open open", {}, True),
        ("me bot", {"bribes": False}, False),
        ("bot bot", {}, False),
        ("bot bot", {"bribes": True}, True),
    ],
)
async def test_bh_7_5_bribes_are_on_where_a_person_sits_unless_the_host_turns_them_off(
    tmp_path: Path, seats: str, options: dict[str, object], bribes: bool
):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, _ = await start_table(server, "ben-hvrt", seats, options={**RACE, **options})
        state = server.registry.rooms[table].state
        assert state.session is not None
        assert state.session.match.options["bribes"] is bribes
        _, shown = await server.fetch("GET", f"/api/tables/{table}")
        assert shown["options"]["bribes"] is bribes


async def test_bh_7_5_the_option_is_fixed_when_the_game_starts(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        body = {"game": "ben-hvrt", "name": "Ann", "seats": [{"kind": "open"}, {"kind": "bot"}], "options": RACE}
        _, created = await server.fetch("POST", "/api/tables", body)
        table, token = created["table"]["id"], created["token"]
        assert created["table"]["options"]["bribes"] is False  # nobody sits there yet
        _, joined = await server.fetch("POST", f"/api/tables/{table}/join", {"name": "Bob"})
        _, waiting = await server.fetch("GET", f"/api/tables/{table}")
        assert waiting["options"]["bribes"] is True
        await server.fetch("POST", f"/api/tables/{table}/start", {}, token)
        room = server.registry.rooms[table]
        assert room.session.match.options["bribes"] is True
        client = await server.connect(table, joined["token"])
        await client.say(type="leave")  # a bot plays on, and the option stays
        await settled(client)
        copied = await copy_room(server.registry, table)
        assert copied.session.match.options["bribes"] is True


async def test_a_trace_says_whether_bribes_were_allowed(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, _ = await start_table(server, "ben-hvrt", "me bot", options=RACE)
        room = server.registry.rooms[table]
        again = await copy_room(server.registry, table)  # from the log
        assert again.state.options == room.state.options
        assert room.session.match_by_the_rules().options["bribes"] is True


# --- within the beat ------------------------------------------------------------------------------------


def texts(client: Client) -> list[str] | None:
    return None if client.legal is None else [each["text"] for each in client.legal]


async def test_bh_7_9_who_could_only_bribe_is_not_shown_the_window_until_they_hold_it(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, first = await in_beat(server, "RO")
        assert (texts(first), first.news["answer_ms"]) == (None, 1500)
        await first.say(type="hold")
        await first.until("held")
        await settled(first)
        assert texts(first) == ["bribe *", "pass"]
        seat = world.room.session.actor
        await first.act(f"bribe {(seat + 1) % 3} {card('add')} 5")
        await settled(first)
        await world.quiet()
        bribe = first.view["players"][seat]["bribe"]
        assert (bribe["card"], bribe["money"]) == (card("add"), 5)
        other = world.clients[(seat + 2) % 3]
        await settled(other)
        assert other.view["players"][seat]["bribe"] == bribe  # everybody sees it


async def test_bh_7_9_a_later_seat_bribes_when_the_window_ends(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, _ = await in_beat(server, "RO")
        entries, later = len(world.room.session.match.entries), world.clients[1]
        await later.say(type="hold")
        await later.until("held")
        await settled(later)
        assert texts(later) == ["bribe *", "pass"]
        await later.act(f"bribe 0 {card('add')} 3")
        await settled(later)
        assert len(world.room.session.match.entries) == entries
        while world.room.session.match.entries[entries:] == []:
            world.hours.advance()
            await world.quiet()
        made = [entry.text for entry in world.room.session.match.entries[entries:]]
        assert made[-1].startswith("bribe 0") or made[-2].startswith("bribe 0")


@pytest.mark.parametrize("observer", [0, 2])
async def test_bh_7_9_nobody_can_tell_who_wanted_to_bribe_and_did_not(tmp_path: Path, observer: int):
    """In each world a seat presses Bribe and passes: one with a card, another one without, the first without."""
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        told = []
        holders = [seat for seat in range(3) if seat != observer]
        for holder, hand in ((holders[0], "card"), (holders[1], "idle"), (holders[0], "idle")):
            hands = {**IDLE_HANDS, holder: THREE[holder] if hand == "card" else IDLE_HANDS[holder]}
            world, _ = await in_beat(server, "RO", hands)
            watched = world.clients[observer]
            await settled(watched)
            known = len(watched.heard)
            world.told = {"opponent": [], "watcher": []}
            await world.clients[holder].say(type="hold")
            await world.clients[holder].until("held")
            await settled(world.clients[holder])
            assert "bribe *" in (texts(world.clients[holder]) or [])
            world.hours.advance()
            await world.quiet()
            await world.clients[holder].act("pass")
            await world.clients[holder].until("done")
            await world.hear()
            await settled(watched)
            seen = [(0.0, text) for text in watched.heard[known:] if '"pong"' not in text]
            told.append((world.hours.time, plain(world.told["watcher"]), plain(seen)))
        assert told[0] == told[1] == told[2]
        assert told[0][2]


async def test_bh_7_9_an_announced_bribe_is_shown_in_a_timed_window_too_and_only_once(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world = await World.opened(server, IDLE_HANDS)
        client = world.clients[1]
        world.room.broadcast()  # the position that the test has set up
        for each in (*world.clients, world.watcher):
            await settled(each)
        known = [len(each.heard) for each in (*world.clients, world.watcher)]
        await client.say(type="deal", on=True)
        assert (await client.until("stops"))["deal"] is True
        for number, each in enumerate((*world.clients, world.watcher)):
            await settled(each)
            heard = [text for text in each.heard[known[number] :] if '"pong"' not in text]
            assert (heard != []) == (number == 1)  # nobody else is told
        async with world.room.exclusive():
            await world.room.submit(Submission("roll", NOBODY, by="bot"))
        await world.quiet()
        await settled(client)
        assert (world.room.session.open_window, texts(client)) == ("RO", ["bribe *", "pass"])
        assert texts(world.clients[0]) is None
        await client.act("pass")
        assert (await client.until("stops"))["deal"] is False


# --- without a beat -------------------------------------------------------------------------------------


class Alone:
    """A person against a bot, with no beat. The person passes, and drives straight on."""

    def __init__(self, room: Room, client: Client) -> None:
        self.room, self.client = room, client
        self.asked: list[tuple[str | None, list[str]]] = []  # windows, and what could be done there

    @classmethod
    async def opened(cls, server: InProcessServer, **options: object) -> Alone:
        table, tokens = await start_table(
            server, "ben-hvrt", "me bot", options={**RACE, **options}, dice={"kind": "seeded", "seed": 3}
        )
        (client,) = await connect_all(server, table, tokens)
        return cls(server.registry.rooms[table], client)

    async def decide(self) -> None:
        """Wait for a decision and take the first action that is no deal."""
        while not self.client.legal and not self.client.over:
            await self.client.hear()
        if self.client.over:
            return
        found = texts(self.client) or []
        self.asked.append((self.client.view["window"], found))
        plain = [text for text in found if not text.endswith("*")]
        self.client.legal = None
        await self.client.act(plain[0])


async def test_bh_7_9_alone_who_could_only_bribe_is_not_asked(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        alone = await Alone.opened(server)
        while not alone.client.over:
            await alone.decide()
        windows = [found for window, found in alone.asked if window is not None]
        assert all(set(found) - {"pass", "bribe *"} for found in windows)
        bribable = [
            entry for entry in alone.room.session.match_by_the_rules().entries if "bribe *" in (entry.legal or ())
        ]
        assert any(
            entry.seat == 0 and entry.text == "pass" for entry in bribable
        )  # they passed without being asked


async def test_bh_7_9_alone_who_announces_a_bribe_is_asked_in_the_next_window_that_allows_it(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        alone = await Alone.opened(server)
        client = alone.client
        while client.view["phase"] != "race":
            await alone.decide()
        await client.say(type="deal", on=True)
        assert (await client.until("stops"))["deal"] is True
        while True:
            while not client.legal:
                await client.hear()
            if "bribe *" in (texts(client) or []):
                break
            await alone.decide()
        assert client.view["window"] in ("RO", "BM")
        await client.act(
            f"bribe 1 {card('add' if client.view['window'] == 'RO' else 'next-roll')}"
            f"{' 0' if client.view['window'] == 'BM' else ''} 4"
        )
        assert (await client.until("stops"))["deal"] is False  # once
        await settled(client)
        spoken = [entry for entry in alone.room.session.match.entries if entry.text.startswith("bribe")]
        assert [entry.seat for entry in spoken][-1] == 0


async def test_bh_7_9_a_bribe_can_be_announced_only_where_there_are_any(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        alone = await Alone.opened(server, bribes=False)
        await alone.client.say(type="deal", on=True)
        assert (await alone.client.until("refused"))["code"] == "deal.none"


async def test_bh_7_9_an_announcement_outlives_the_server(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        alone = await Alone.opened(server)
        async with alone.room.exclusive():
            await alone.room.change(Deal(0, True), announce=False)
        again = await copy_room(server.registry, alone.room.state.id)
        assert again.state.seats[0].announces_deal
        assert not again.state.seats[1].announces_deal


async def test_bh_7_9_on_a_shared_device_who_could_only_bribe_is_not_asked(tmp_path: Path):
    """All have empty hands, which everybody sees: without bribes no window would ask them."""
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        table, tokens = await start_table(
            server,
            "ben-hvrt",
            "me me me",
            options={"series": [2], "chariots": 1},
            dice={"kind": "seeded", "seed": 3},
        )
        room = server.registry.rooms[table]
        await connect_all(server, table, tokens)
        position = race(("1.7", 1, 3), ("2.10", 1, 3), ("3.14", 1, 3), laps=2, moved=(1,), chariots=1, series=[2])
        for announces in (False, True):
            async with room.exclusive():
                await room.change(Deal(0, announces), announce=False)
                room.session.match.s.assign(position.s.tobytes())
                room.session._update_actor()
                await room.submit(Submission("roll", NOBODY, by="bot"))
            assert (room.session.open_window, room.session.actor) == (("RO", 0) if announces else (None, 2))
