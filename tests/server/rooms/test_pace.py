"""The pace of bots can be changed in the game, and the rest of a race among bots is played without waiting."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from games.benhvrt.positions import race
from server.support.in_process import in_process
from server.support.manual_clock import ManualClock
from server.support.tables import connect_all, copy_room, start_table


async def test_a_person_alone_with_bots_changes_their_pace(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(server, "ur", "me bot", pace=700)
        (client,) = await connect_all(server, table, tokens)
        await client.say(type="pace", pace=0)
        assert (await client.until("table"))["table"]["pace"] == 0
        assert (await copy_room(server.registry, table)).state.pace == 0  # it outlives a restart


async def test_among_people_only_the_host_changes_the_pace(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(server, "ave-caesar", "me open bot", pace=700)
        clients = await connect_all(server, table, tokens)
        watcher = await server.connect(table)
        for client in (clients[1], watcher):
            await client.say(type="pace", pace=0)
            assert (await client.until("refused"))["code"] == "pace.not-yours"
        await clients[0].say(type="pace", pace=250)
        while clients[0].table["pace"] != 250:
            await clients[0].hear()


@pytest.mark.parametrize("bot", ["greedy", "expert"])
async def test_a_race_without_people_is_played_without_waiting(tmp_path: Path, bot: str):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(
            server, "ben-hvrt", f"me bot={bot} bot={bot} bot={bot}", options={"series": [1]}, pace=5000
        )
        (client,) = await connect_all(server, table, tokens)
        room = server.registry.rooms[table]
        await client.say(type="rush")
        assert (await client.until("refused"))["code"] == "rush.people"
        room.time_source = ManualClock()  # it stands still: whoever waits for it waits for ever
        room.broadcaster.last_public_event_at = 0.0
        position = race(None, ("1.9", 1, 3), ("2.12", 1, 3), ("3.14", 1, 3), finished=(0,))
        async with room.exclusive():
            room.session.match.s.assign(position.s.tobytes())
            room.session._update_actor()
            room.schedule()
        assert room.state.race_of_bots == 0
        await client.say(type="rush")
        while not client.over:
            await asyncio.wait_for(client.hear(), 120)


async def test_a_rush_ends_with_the_race(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(server, "ben-hvrt", "me bot bot", options={"series": [1, 1]}, pace=0)
        (client,) = await connect_all(server, table, tokens)
        room = server.registry.rooms[table]
        position = race(None, ("1.9", 1, 3), ("2.12", 1, 3), finished=(0,), series=[1, 1])
        async with room.exclusive():
            room.session.match.s.assign(position.s.tobytes())
            room.session._update_actor()
            room.schedule()
        await client.say(type="rush")
        while client.view.get("race") != 2:
            await client.hear()
        assert room.state.rushed_race == 0
        assert not room.state.is_rushed
