"""A live game goes on by days, and one by days live, when people agree."""

from __future__ import annotations

import asyncio
from pathlib import Path

from quadriga.server.state.day_events import Deadline, SetDays
from server.rooms.days.support import log_of, stored
from server.support.harness import Client
from server.support.in_process import in_process
from server.support.tables import connect_all, start_table


async def until_days(client: Client, is_by_days: bool) -> None:
    """Receive until the table is by days, or live."""
    while (client.table["days"] is not None) != is_by_days:
        await client.hear()


async def test_all_agree_to_play_by_days_and_live_again(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        clock = {"kind": "move", "seconds": 3600}
        table, tokens = await start_table(server, "ur", "me open", clock=clock)
        ann, bob = await connect_all(server, table, tokens)
        await ann.say(type="vote", kind="live")
        assert (await ann.until("refused"))["code"] == "vote.now"
        await ann.say(type="vote", kind="days")
        await ann.until("table")
        assert ann.table["days"] is None
        await bob.say(type="vote", kind="days")
        await until_days(bob, True)
        assert bob.table["days"] == {"days": 3, "late": "bot"}
        assert bob.table["deadline"] is not None
        assert len(await stored(server.registry.store)) == 1
        await bob.say(type="vote", kind="days")
        assert (await bob.until("refused"))["code"] == "vote.now"
        await bob.close()
        await ann.say(type="vote", kind="live")
        while not ann.table["votes"]:
            await ann.hear()
        room = server.registry.rooms[table]
        while room.presence.is_here(room.state.seats[1].holder):
            await asyncio.sleep(0.01)
        await ann.say(type="vote", kind="remove", seat=1)
        assert (await ann.until("refused"))["code"] == "vote.alone-days"
        bob = await server.connect(table, tokens[1])
        await bob.until("view")
        await bob.say(type="vote", kind="live")
        await until_days(ann, False)
        assert await stored(server.registry.store) == []
        events = [
            each for each in await log_of(server.registry.store, table) if isinstance(each, SetDays | Deadline)
        ]
        assert [type(each) for each in events] == [SetDays, Deadline, SetDays]


async def test_somebody_asks_for_days_and_leaves_and_gets_the_seat_back(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", grace=0.05) as server:
        table, tokens = await start_table(server, "ur", "me open", rolls="hand")
        ann, bob = await connect_all(server, table, tokens)
        await ann.say(type="vote", kind="days")
        await ann.until("table")
        await ann.close()
        while not bob.table["seats"][0]["covered"]:  # a bot plays for the absent Ann
            await bob.hear()
        await bob.say(type="vote", kind="days")
        await until_days(bob, True)
        while bob.table["seats"][0]["covered"]:
            await bob.hear()
        ann = await server.connect(table, tokens[0])
        await ann.until("view")
        assert ann.table["days"] == {"days": 3, "late": "bot"}


async def test_an_open_window_passes_when_the_game_goes_on_by_days(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", window_beat=0.0) as server:
        options = {"series": [1]}
        dice = {"kind": "seeded", "seed": 5}
        table, tokens = await start_table(server, "ben-hvrt", "me open open", options=options, dice=dice)
        clients = await connect_all(server, table, tokens)
        room = server.registry.rooms[table]
        while room.session.window is None:
            client = clients[room.session.match.actor]
            while not client.legal:
                await client.hear()
            action = next(each["text"] for each in client.legal if not each.get("family"))
            client.legal = None
            await client.act(action)
            await client.until("done")
        for client in clients:
            await client.say(type="vote", kind="days")
        while room.session.window is not None or room.state.deadline is None:
            await asyncio.sleep(0.01)
        assert room.session.origins[-1] in ("table", "dice")
