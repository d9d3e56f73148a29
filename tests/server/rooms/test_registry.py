"""Rooms in memory: one for each table, and none that is unloaded while somebody enters it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.support.in_process import InProcessServer, in_process


async def one_table(server: InProcessServer) -> str:
    table, _ = await asyncio.to_thread(server.create, "ur", "me me")
    return table


async def test_a_room_that_somebody_has_found_is_not_unloaded_before_they_enter(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", idle=100.0) as server:
        table, registry = await one_table(server), server.registry
        room = await registry.room(table)
        room.presence.empty_since = float("-inf")
        assert await registry.room(table) is room
        await registry.unload_idle_rooms()
        assert await registry.room(table) is room
        room.presence.empty_since = float("-inf")
        await registry.unload_idle_rooms()
        assert await registry.room(table) is not room


async def test_a_room_is_not_unloaded_before_a_change_that_has_waited_long_for_it(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", idle=100.0) as server:
        table, registry = await one_table(server), server.registry
        room = await registry.room(table)
        held_in_memory = []

        async def hold() -> None:
            async with room.exclusive():
                await asyncio.sleep(0)
                held_in_memory.append(registry.rooms.get(table) is room)

        async with room.exclusive():
            waiting = asyncio.create_task(hold())
            await asyncio.sleep(0)
            room.presence.empty_since = float("-inf")
            await registry.unload_idle_rooms()
        await registry.unload_idle_rooms()  # the change has been woken and has not begun yet
        await waiting
        assert held_in_memory == [True]
        assert table not in registry.rooms


async def test_a_loaded_room_is_the_same_for_all_though_one_who_waited_gave_up(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, registry = await one_table(server), server.registry
        registry.rooms.pop(table).close()
        first = asyncio.create_task(registry.room(table))
        await asyncio.sleep(0)  # it has begun to load the room
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        second = asyncio.create_task(registry.room(table))
        while table not in registry.rooms:
            await asyncio.sleep(0)
        room = registry.rooms[table]
        assert await second is room
        assert registry.rooms[table] is room
