"""Kernel warm-up: compiled kernels play the same game, and are loaded or compiled when that pays."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.kernels import compiler
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.server.bots import kernel_warmup
from quadriga.server.seats.tokens import new_id
from quadriga.server.state.game_session import GameSession
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table


async def _asked(server: InProcessServer, table: str, clients: list[Client]) -> tuple[Client, dict[str, Any]]:
    """Who is to decide, and an act of his."""
    room = await server.registry.room(table)
    client = clients[room.session.actor]
    while not client.legal:
        await client.hear()
    act = {"type": "act", "number": client.number, "action": client.legal[0]["text"], "ref": new_id()}
    client.legal = None
    return client, act


@pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
@pytest.mark.parametrize(("game", "seats"), [("ur", 2), ("ave-caesar", 4), ("ben-hvrt", 4)])
def test_a_hastened_match_is_the_same_match(game: str, seats: int):
    rules, rng = find(game), random.Random(2)
    plain = Match(rules, seats=seats, dice=SeededDice(3))
    hasty = Match(rules, seats=seats, dice=SeededDice(3))
    hasty.use_machine(Machine(rules))
    for _ in range(300):
        assert hasty.actor == plain.actor
        assert hasty.actions() == plain.actions()
        if plain.over:
            break
        text = rng.choice([each for each in plain.legal() if not each.endswith(" *")])
        plain.play(text)
        hasty.play(text)
        assert hasty.s.tobytes() == plain.s.tobytes()
    assert hasty == plain
    if hasty.may_undo(hasty.entries[-1].seat or 0):
        assert hasty.undo() == plain.undo()
        assert hasty.actions() == plain.actions()


@pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
async def test_a_busy_server_takes_compiled_kernels_and_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    kernel_warmup.load("ur")  # it lies on the disk from here on
    kernel_warmup.of.cache_clear()
    monkeypatch.setattr(kernel_warmup, "LOAD_AFTER", 5)
    async with in_process(tmp_path / "t.sqlite") as server:
        table, tokens = await start_table(server, options={"rules": "finkel"})
        clients = await connect_all(server, table, tokens)
        room = await server.registry.room(table)
        while not room.state.over and not room.session.is_compiled:
            client, act = await _asked(server, table, clients)
            await client.say(**act)
            await client.until("done")
        assert room.session.is_compiled
        for _ in range(20):
            client, act = await _asked(server, table, clients)
            await client.say(**act)
            await client.until("done")
        again = Match(room.state.game, room.state.options, 2)
        for entry in room.session.match.entries:
            again.happen(entry.text) if entry.chance else again.play(entry.text)
        assert again.s.tobytes() == room.session.match.s.tobytes()
    kernel_warmup.of.cache_clear()


@pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
async def test_what_does_not_lie_ready_is_compiled_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler, "_entries", {})
    monkeypatch.setattr(kernel_warmup, "LOAD_AFTER", 1)
    monkeypatch.setattr(kernel_warmup, "COMPILE_AFTER", 2)
    busy, played = kernel_warmup.KernelWarmup(find("ur")), GameSession(find("ur"), {}, 2, SeededDice(1))
    busy.count_move(played)
    assert busy.work is not None
    await busy.work
    assert busy.machine is None  # there is nothing to load, and it does not pay yet
    busy.count_move(played)
    assert busy.work is not None
    await busy.work
    assert busy.machine is not None
    assert any(tmp_path.iterdir())
    assert not played.is_compiled
    busy.count_move(played)
    assert played.is_compiled


async def test_without_a_compiler_plain_kernels_play_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel_warmup, "is_available", lambda: False)
    monkeypatch.setattr(kernel_warmup, "LOAD_AFTER", 1)
    busy = kernel_warmup.KernelWarmup(find("ur"))
    busy.count_move(None)  # type: ignore[arg-type]
    await asyncio.sleep(0)
    assert busy.work is None
    assert busy.machine is None
