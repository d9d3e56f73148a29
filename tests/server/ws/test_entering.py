"""People who enter a room, while others play there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quadriga.server.rooms.blocks import read_blocks
from quadriga.server.rooms.room import Room
from quadriga.server.ws import connection
from server.support.in_process import in_process
from server.support.tables import start_table


async def test_players_do_not_wait_for_what_is_read_of_somebody_who_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In a storm of arrivals the store is slow, and each of them stopped the game for that time."""
    is_reading, may_go_on = asyncio.Event(), asyncio.Event()

    async def slowly(room: Room) -> None:
        is_reading.set()
        await may_go_on.wait()
        await read_blocks(room)

    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await start_table(server, "ur", "me bot")
        player = await server.connect(table, tokens[0])
        await player.until("view")
        monkeypatch.setattr(connection, "read_blocks", slowly)
        window = await server.connect(table, tokens[0])
        await is_reading.wait()
        while not player.legal:
            await player.hear()
        await player.act(player.legal[0]["text"])
        await player.until("done")
        may_go_on.set()
        assert (await window.until("view"))["number"] >= player.number
