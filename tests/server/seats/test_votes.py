"""Votes: pause, removal, end; they stand in the log, and so outlive the server."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from server.support.in_process import in_process
from server.support.tables import connect_all, start_table, until_bot, until_status


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


async def test_a_series_is_paused_by_agreement_and_picked_up_another_evening(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        await one.say(type="vote", kind="pause")
        while not one.table["votes"]:
            await one.hear()
        assert one.table["votes"] == [{"kind": "pause", "seat": None, "by": [0], "of": [0, 1], "need": 2}]
        assert one.table["status"] == "playing"
        await other.say(type="vote", kind="pause")
        await until_status(one, "paused")
        await one.say(type="act", number=one.number, action="0-1")
        refused = await one.until("refused")
        assert refused["code"] == "table.paused"
    async with in_process(store) as server:
        one, other = await connect_all(server, table, tokens)
        assert one.table["status"] == "paused"
        for client in (one, other):
            await client.say(type="vote", kind="resume")
        await asyncio.gather(one.play(random.Random(1)), other.play(random.Random(2)))
        assert one.table["status"] == "over"


async def test_the_others_remove_somebody_by_vote_and_a_stranger_comes_by_invitation(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me open open")
        one, two, three = await connect_all(server, table, tokens)
        await three.say(type="vote", kind="remove", seat=2)
        assert (await three.until("refused"))["code"] == "vote.not-yours"
        await one.say(type="vote", kind="remove", seat=2)
        while not one.table["votes"]:
            await one.hear()
        assert one.table["votes"][0]["need"] == 2
        await two.say(type="vote", kind="remove", seat=2)
        await until_bot(one, 2)
        await three.until("view", seat=-1)
        assert three.view["hand"] == []
        await three.say(type="act", number=0, action="1 A.0.0")
        assert (await three.until("refused"))["code"] == "act.not-yours"
        await one.play(random.Random(1), moves=1) if one.legal else None
        status, joined = await server.fetch("POST", f"/api/tables/{table}/join", {"name": "Stranger"})
        assert (status, joined["code"]) == (403, "seat.invitation")
        _, made_out = await server.fetch("POST", f"/api/tables/{table}/seats/2/invite", {}, tokens[0])
        asked = {"name": "Stranger", "invite": made_out["invite"]}
        status, joined = await server.fetch("POST", f"/api/tables/{table}/join", asked)
        assert (status, joined["seats"]) == (200, [2])
        stranger = await server.connect(table, joined["token"])
        await stranger.until("view")
        assert stranger.view["hand"]


async def test_a_game_ends_early_by_everybodys_vote_and_then_tells_its_seed(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        for client in (one, other):
            await client.say(type="vote", kind="end")
        await until_status(one, "ended")
        assert len(one.table["dice"]["seed"]) == 64
        assert (await server.fetch("GET", f"/api/tables/{table}/fairness"))[0] == 200
        assert (await server.fetch("GET", f"/api/tables/{table}/record"))[0] == 200


async def test_open_votes_outlive_the_server(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me open open")
        one, two, three = await connect_all(server, table, tokens)
        await one.say(type="vote", kind="pause")
        await two.say(type="vote", kind="pause")
        await three.say(type="vote", kind="end")
        await one.say(type="vote", kind="remove", seat=2)
        await two.say(type="vote", kind="end")
        await two.say(type="vote", kind="end", on=False)
        wanted = [
            {"kind": "pause", "seat": None, "by": [0, 1], "of": [0, 1, 2], "need": 3},
            {"kind": "end", "seat": None, "by": [2], "of": [0, 1, 2], "need": 3},
            {"kind": "remove", "seat": 2, "by": [0], "of": [0, 1], "need": 2},
        ]
        while sorted(map(str, one.table["votes"])) != sorted(map(str, wanted)):
            await one.hear()
    async with in_process(store) as server:
        one, two, three = await connect_all(server, table, tokens)
        while sorted(map(str, three.table["votes"])) != sorted(map(str, wanted)):
            await three.hear()
        await two.say(type="vote", kind="remove", seat=2)  # the other half was said to another process
        await until_status(one, "paused")  # all who are left had agreed to that
        assert one.table["seats"][2]["kind"] == "bot"
        assert one.table["votes"] == []


async def test_who_takes_a_chair_has_not_voted_yet(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me open open")
        one, two, three = await connect_all(server, table, tokens)
        await three.say(type="vote", kind="end")
        while not one.table["votes"]:
            await one.hear()
        for client in (one, two):
            await client.say(type="vote", kind="remove", seat=2)
        await until_bot(one, 2)
        assert one.table["votes"] == []
        _, made_out = await server.fetch("POST", f"/api/tables/{table}/seats/2/invite", {}, tokens[0])
        asked = {"name": "Dora", "invite": made_out["invite"]}
        _, joined = await server.fetch("POST", f"/api/tables/{table}/join", asked)
        four = await server.connect(table, joined["token"])
        await four.until("view")
        for client in (one, two):
            await client.say(type="vote", kind="end")
        while not one.table["votes"] or len(one.table["votes"][0]["by"]) < 2:
            await one.hear()
        assert (one.table["status"], one.table["votes"][0]["need"]) == ("playing", 3)


async def test_a_vote_or_a_stop_while_a_bot_thinks_does_not_stop_the_bot(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me open bot", pace=300)
        one, two = await connect_all(server, table, tokens)
        room, rng = server.registry.rooms[table], random.Random(1)
        while room.session.match.actor != 2:
            mover = (one, two)[room.session.match.actor]
            while not mover.legal:
                await mover.hear()
            await mover.act(rng.choice(mover.legal)["text"])
            mover.legal = None
            await mover.until("done")
        await one.say(type="vote", kind="pause")
        await one.say(type="mute", name="Guest 1")
        await one.until("muted")
        while not any(event.get("by") == "bot" for event in two.events):
            await two.hear()
