"""Late entries, withdrawal and return in a Swiss."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from quadriga.lab.tournament.log import Enter, Leave, Pair, Return
from server.scores.test_tournaments import MUCH, ended, log_of, organise, people, play, until
from server.support.in_process import in_process


@pytest.mark.parametrize("late", [True, False])
async def test_people_enter_late_where_the_organiser_allows_it_and_miss_what_was_played(tmp_path: Path, late: bool):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob, cat = await people(server, 3)
        tournament = await organise(ann, [ann, bob], kind="swiss", rounds=2, late=late)
        path = f"/api/tournaments/{tournament}"
        await ann.post(f"{path}/begin")
        await until(ann, tournament, lambda each: each["table"] is not None)
        status, answer = await cat.call("POST", f"{path}/enter", {"name": "Guest 2"})
        if not late:
            assert (status, answer["code"]) == (409, "tournament.late")
            return
        found = (
            await asyncio.gather(*(play(each, tournament, seed) for seed, each in enumerate((ann, bob, cat))))
        )[0]
        log = await log_of(ann, tournament)
        first, second = [each for each in log.events if isinstance(each, Pair)]
        assert (first.tables, first.byes) in (([[0, 1]], []), ([[1, 0]], []))
        assert sorted([*second.tables[0], *second.byes]) == [0, 1, 2]
        standings = {each["name"]: each for each in found["tournament"]["standings"]}
        assert standings["Guest 2"]["games"] == (2 in second.tables[0])  # or the bye
        assert sum(each["points"] for each in standings.values()) == 3
        assert log.first_wrong() is None


async def test_who_withdraws_is_paired_no_more_until_they_come_back(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob, cat = await people(server, 3)
        tournament = await organise(ann, [ann, bob, cat], kind="swiss", rounds=3)
        path = f"/api/tournaments/{tournament}"
        await cat.post(f"{path}/withdraw")
        await ann.post(f"{path}/begin")
        found = await until(ann, tournament, lambda each: each["table"] is not None)
        await cat.post(f"{path}/enter", {"name": "x"})
        clients = [await each.connect(found["table"]) for each in (ann, bob)]
        for client in clients:
            await client.until("view")
        await bob.post(f"{path}/withdraw")  # and plays the game to its end
        await asyncio.gather(*(client.play(random.Random(1)) for client in clients))
        found = (await asyncio.gather(*(play(each, tournament, seed) for seed, each in enumerate((ann, cat)))))[0]
        assert ended(found)
        log = await log_of(ann, tournament)
        pairings = [sorted(each.tables[0]) for each in log.events if isinstance(each, Pair)]
        assert pairings == [[0, 1], [0, 2], [0, 2]]
        about = [each for each in log.events if isinstance(each, Leave | Return) and each.player == 2]
        assert [type(each) for each in about] == [Leave, Return]
        assert sum(isinstance(each, Enter) for each in log.events) == 3
        standings = {each["name"]: each for each in found["tournament"]["standings"]}
        assert (standings["Guest 1"]["games"], standings["Guest 1"]["left"]) == (1, "withdrew")
