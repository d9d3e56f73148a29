"""Games with chosen dice, undo, a hint, or an agreed coach, and games that go on from a replay, are not rated."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from server.people.test_history import play_out
from server.people.test_identity import MANY_PROOFS
from server.scores.test_boards import members, show
from server.support.devices import Device
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process

SHORT = {"markers": 1}


async def test_set_dice_and_undo_make_a_game_uncounted(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, _ = await members(server, "Ann", "Bob")
        await show(*devices)
        options: dict[str, Any] = {"options": {"rules": "blitz"}}
        expected = {
            await play_out(devices, **options): "",
            await play_out(devices, **options, dice={"kind": "seeded", "seed": 3}): "dice",
        }
        await server.app.state.scores.update()
        for table, reason in expected.items():
            shown = await devices[0].get(f"/api/tables/{table}/ratings")
            assert (shown["reason"], shown["state"]) == (reason, "unrated" if reason else "rated")
            assert [each["after"] is None for each in shown["seats"]] == [bool(reason)] * 2
        assert (await devices[0].get("/api/me/ratings"))["ratings"][0]["rating"]["games"] == 1
        cases: list[tuple[dict[str, Any], str]] = [
            ({}, ""),
            ({"undo": True}, "undo"),
            ({"dice": {"kind": "seeded", "seed": 1}}, "dice"),
        ]
        for more, reason in cases:
            waiting = await devices[0].table(**more)
            assert (await devices[0].get(f"/api/tables/{waiting}/ratings"))["reason"] == reason


async def rating_of(server: InProcessServer, device: Device, table: str) -> tuple[str, str]:
    await server.app.state.scores.update()
    shown = await device.get(f"/api/tables/{table}/ratings")
    return shown["state"], shown["reason"]


async def take_hint(clients: list[Client]) -> None:
    turn = next(seat for seat, client in enumerate(clients) if client.legal)
    await clients[turn].say(type="hint", number=clients[turn].number, seat=turn)
    await clients[turn].until("hint")


async def agree_to_the_coach(clients: list[Client]) -> None:
    for client in clients:
        await client.say(type="vote", kind="coach")
    for client in clients:
        while not client.table["coach"]:
            await client.until("table")


async def agree_for_a_moment(clients: list[Client]) -> None:
    await agree_to_the_coach(clients)
    await clients[1].say(type="vote", kind="coach", on=False)
    while clients[0].table["coach"]:
        await clients[0].until("table")


HELP = {"hint": take_hint, "coach": agree_to_the_coach, "coach for a moment": agree_for_a_moment}


@pytest.mark.parametrize("help", HELP)
async def test_a_game_with_help_is_not_rated(tmp_path: Path, help: str):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, _ = await members(server, "Ann", "Bob")
        table = await devices[0].table(options=SHORT)
        await devices[1].post(f"/api/tables/{table}/join", {"name": "x"})
        await devices[0].post(f"/api/tables/{table}/start")
        clients = [await each.connect(table) for each in devices]
        for client in clients:
            await client.until("view")
        await HELP[help](clients)
        await asyncio.gather(*(client.play(random.Random(seat)) for seat, client in enumerate(clients)))
        assert await rating_of(server, devices[0], table) == ("unrated", help.split()[0])
        assert (await devices[0].get("/api/me/ratings"))["ratings"] == []


async def test_a_game_that_goes_on_from_a_replay_is_not_rated(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, _ = await members(server, "Ann", "Bob")
        first = await play_out(devices, options=SHORT)
        assert await rating_of(server, devices[0], first) == ("rated", "")
        asked = {"name": "Ann", "step": 2, "seat": 0}
        made = await devices[0].post(f"/api/tables/{first}/continue", asked)
        client = await devices[0].connect(made["table"]["id"])
        await client.play(random.Random(2))
        assert await rating_of(server, devices[0], made["table"]["id"]) == ("unrated", "dice")
        assert (await devices[0].get("/api/me/ratings"))["ratings"][0]["rating"]["games"] == 1


async def test_a_game_with_undo_is_played_to_its_end_and_not_rated(tmp_path: Path):
    """Dice wait for `undo_grace` after every move: by default 3 seconds each, minutes in a whole game."""
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS, undo_grace=0.0) as server:
        devices, _ = await members(server, "Ann", "Bob")
        table = await play_out(devices, options=SHORT, undo=True)
        assert await rating_of(server, devices[0], table) == ("unrated", "undo")
