"""Whole games by days, from the creation to the result, among people who connect only now and then."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from quadriga.engine.match import trace_reader
from quadriga.games import find
from server.rooms.days.support import SMALL, play_by_visits, stored
from server.support.in_process import in_process
from server.support.tables import start_table

GAMES = pytest.mark.parametrize("game", SMALL)


@GAMES
async def test_people_who_look_in_only_when_it_is_their_turn_play_a_whole_game(tmp_path: Path, game: str):
    options, seats = SMALL[game]
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(server, game, seats, options=options, days={"days": 3})
        shown = await play_by_visits(server, table, tokens, random.Random(3))
        assert (shown["status"], shown["deadline"]) == ("over", None)
        status, record = await server.fetch("GET", f"/api/tables/{table}/record")
        assert status == 200
        (reading,) = trace_reader.read(record.encode().splitlines(), find)
        assert trace_reader.verify(reading) > 0
        assert reading.match.scores == shown["scores"]
        assert await stored(server.registry.store) == []


@GAMES
async def test_bots_play_a_game_to_its_end_that_everybody_has_left(tmp_path: Path, game: str):
    options, seats = SMALL[game]
    async with in_process(tmp_path / "tables.sqlite", day=0.2, sweep=0.05) as server:
        table, _ = await start_table(server, game, seats, options=options, days={"days": 1})
        while await stored(server.registry.store):
            await asyncio.sleep(0.05)
        _, shown = await server.fetch("GET", f"/api/tables/{table}")
        assert shown["status"] == "over"
        assert [seat["covered"] for seat in shown["seats"] if seat["kind"] == "person"] == [True, True]
