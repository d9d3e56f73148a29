"""People choose when they are asked in reaction windows, and react when they want to; nobody else learns of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from quadriga.engine.game import NOBODY
from quadriga.server.rooms.submission import Submission
from server.rooms.test_window_timer import BEAT, HELD, IDLE, OPPONENT, SUBJECT, World, card, in_beat, plain, settled
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, copy_room, start_table

PLAIN = {seat: [idle] for seat, idle in enumerate(IDLE)}


async def choose(client: Client, when: str) -> None:
    await client.say(type="asks", when=when)
    await client.until("stops", asks=when)


def texts(client: Client) -> list[str] | None:
    return None if client.legal is None else [each["text"] for each in client.legal]


async def quiet_pair(server: InProcessServer, kind: str) -> list[World]:
    """Play the same race with and without a card for a window, for a person who is asked where it concerns them."""
    worlds = []
    for holds in (True, False):
        hands, subject = {seat: [idle] for seat, idle in enumerate(IDLE)}, SUBJECT[kind]
        if holds:
            hands[subject] = [card(HELD[kind])]
        if kind == "RE":
            hands[0].append(card("set"))
        world = await World.opened(server, hands)
        await choose(world.clients[subject], "concerns")
        world.told = {"opponent": [], "watcher": []}
        for client in (world.clients[OPPONENT], world.watcher):
            await settled(client)
        plays = {"RO": f"play {card('set')}"} if kind == "RE" else {}
        await world.run([(2, "stop"), (0, "step 1.8"), (0, "stop")], plays, subject, 1.2 if holds else 0.1)
        worlds.append(world)
    return worlds


@pytest.mark.parametrize("kind", HELD)
async def test_bh_7_4_nobody_can_tell_whether_a_window_concerns_somebody(tmp_path: Path, kind: str):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        holds, lacks = await quiet_pair(server, kind)
        for name in ("opponent", "watcher"):
            assert len(holds.told[name]) > 5
            assert [moment for moment, _ in holds.told[name]] == [moment for moment, _ in lacks.told[name]]
            assert plain(holds.told[name]) == plain(lacks.told[name])


async def in_rivals_roll(server: InProcessServer, when: str) -> tuple[World, Client]:
    """Return a table in the window after the roll of a rival who threatens nobody, and the client of seat 1."""
    world = await World.opened(server, PLAIN | {1: [card("add")]}, {"bribes": False})
    await choose(world.clients[1], when)
    async with world.room.exclusive():
        await world.room.submit(Submission("roll", NOBODY, by="bot"))
    await world.quiet()
    assert (world.room.session.open_window, world.room.session.mover) == ("RO", 2)
    await settled(world.clients[1])
    return world, world.clients[1]


@pytest.mark.parametrize(("when", "asks"), [("concerns", False), ("could", True), ("always", True)])
async def test_a_rivals_roll_is_a_question_only_for_a_person_who_wants_it(tmp_path: Path, when: str, asks: bool):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        _, client = await in_rivals_roll(server, when)
        assert (texts(client) == ["pass", f"play {card('add')}"]) is asks
        assert client.news["answer_ms"] is not None


async def test_who_is_always_asked_is_asked_without_a_card(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, client = await in_beat(server, "RO", bribes=False)
        assert texts(client) is None
        await choose(client, "always")  # at once, in the open window
        await settled(client)
        assert texts(client) == ["pass"]
        assert world.room.session.open_window == "RO"


async def test_reacting_within_the_beat_shows_the_cards_and_holds_the_window(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        world, client = await in_rivals_roll(server, "concerns")
        known = {
            name: len(each.heard) for name, each in (("opponent", world.clients[2]), ("watcher", world.watcher))
        }
        await client.say(type="react", ref="now")
        assert (await client.until("held"))["ref"] == "now"
        await settled(client)
        assert texts(client) == ["pass", f"play {card('add')}"]
        for name, each in (("opponent", world.clients[2]), ("watcher", world.watcher)):
            await settled(each)
            assert all('"pong"' in text for text in each.heard[known[name] :])
        await client.act(f"play {card('add')}")
        world.hours.advance()
        await world.quiet()
        assert f"play {card('add')}" in [entry.text for entry in world.room.session.match.entries]


async def test_alone_one_reacts_in_the_next_window_that_allows_something(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(
            server,
            "ben-hvrt",
            "me bot",
            options={"series": [1], "bribes": False},
            dice={"kind": "seeded", "seed": 3},
        )
        (client,) = await connect_all(server, table, tokens)
        room = server.registry.rooms[table]
        await client.say(type="stops", windows=[])  # no window asks by itself
        await client.until("stops", stops=[])
        await client.say(type="react")
        await client.until("stops", react=True)
        assert (await copy_room(server.registry, table)).state.seats[0].wants_to_react  # it outlives a restart
        windows = 0
        while not client.over:
            if not client.legal:
                await client.hear()
            elif found := texts(client):
                windows += client.view["window"] is not None
                assert client.view["window"] is None or found != ["pass"]
                client.legal = None
                await client.act(next(text for text in found if not text.endswith("*")))
        assert windows == 1
        assert not room.state.seats[0].wants_to_react


async def test_a_shared_device_is_asked_by_public_facts_only(tmp_path: Path):
    """Whoever has to hand a device over shows that they are asked: the hand must not decide it."""
    asked = []
    for holds in (True, False):
        async with in_process(tmp_path / f"{holds}.sqlite", window_beat=BEAT) as server:
            table, tokens = await start_table(
                server, "ben-hvrt", "me me open", options={"series": [2]}, dice={"kind": "seeded", "seed": 5}
            )
            clients = await connect_all(server, table, tokens)
            for seat in (0, 1):
                await clients[0].say(type="asks", when="concerns", seat=seat)
            await settled(clients[0])
            room = server.registry.rooms[table]
            world = await World.opened(
                server, PLAIN | ({1: [card("add"), card("cancel")]} if holds else {1: IDLE[:2]})
            )
            room.session.match.s.assign(world.room.session.match.s.tobytes())
            room.session._update_actor()
            found = []
            async with room.exclusive():
                await room.submit(Submission("roll", NOBODY, by="bot"))
            for _ in range(40):
                await settled(clients[0])
                session = room.session
                if session.actor not in (0, 1) or session.open_window is None:
                    break
                found.append((session.open_window, session.actor))
                async with room.exclusive():
                    await room.submit(Submission("act", session.actor, "pass"))
            asked.append(found)
    assert asked[0] == asked[1]


async def test_a_seat_that_has_chosen_nothing_is_asked_as_before(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=BEAT) as server:
        table, tokens = await start_table(server, "ben-hvrt", "me bot", options={"series": [1]})
        client = await server.connect(table, tokens[0])
        welcome = await client.until("welcome")
        assert (welcome["asks"], welcome["react"]) == (None, False)


async def test_a_game_without_windows_has_nothing_to_choose(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(server, "ur", "me bot")
        client = await server.connect(table, tokens[0])
        for said in ({"type": "asks", "when": "could"}, {"type": "react"}):
            await client.say(**said)
            assert (await client.until("refused"))["code"] == "stops.none"
