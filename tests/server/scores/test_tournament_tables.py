"""Tables of tournaments: no help and no agreements there, blocks, and results that nobody has told of."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from quadriga.server.protocol.errors import RoomError
from quadriga.server.scores import scores
from quadriga.server.scores.tournaments import tables
from quadriga.server.state.day_events import TimeLost
from quadriga.server.state.events import Sit
from server.scores.test_tournaments import MUCH, ended, let_time_pass, organise, people, play, until
from server.support.devices import Device
from server.support.harness import Client
from server.support.in_process import in_process

VOTES = ("pause", "end", "coach", "days", "remove")
SWISS = {"kind": "swiss", "rounds": 1}


@pytest.fixture(autouse=True)
def bots_move_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_PACE_MS", 0)


async def begun(devices: list[Device], **more: Any) -> tuple[str, str]:
    """Begin a tournament whose first round is one table; return both."""
    tournament = await organise(devices[0], devices, **(SWISS | more))
    await devices[0].post(f"/api/tournaments/{tournament}/begin")
    found = await until(devices[0], tournament, lambda each: each["table"] is not None)
    return tournament, found["table"]


async def seated(device: Device, table: str) -> Client:
    client = await device.connect(table)
    await client.until("view")
    return client


async def test_people_get_no_help_and_agree_on_nothing(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        devices = await people(server, 3)
        _, table = await begun(devices, game="ave-caesar", options={}, seats=3)
        clients = [await seated(each, table) for each in devices]
        for client in clients:
            for kind in VOTES:
                await client.say(type="vote", kind=kind, **({"seat": 0} if kind == "remove" else {}))
                assert (await client.until("refused"))["code"] == "table.tournament"
            await client.say(type="hint", number=client.number)
            assert (await client.until("refused"))["code"] == "table.tournament"
            await client.say(type="coach")
            assert (await client.until("refused"))["code"] == "table.tournament"
        shown = await devices[0].get(f"/api/tables/{table}")
        assert (shown["votes"], shown["coach"], shown["undo"]) == ([], False, False)
        assert [each["kind"] for each in shown["seats"]] == ["person"] * 3


async def test_who_plays_bots_alone_has_no_coach_either(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        (ann,) = await people(server, 1)
        _, table = await begun([ann], fill=True, fill_with="random")
        client = await seated(ann, table)
        assert client.table["coach"] is False
        await client.say(type="coach")
        assert (await client.until("refused"))["code"] == "table.tournament"


async def test_a_rematch_and_a_game_that_is_played_on_are_no_part_of_it(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        devices = await people(server, 2)
        tournament, table = await begun(devices)
        await asyncio.gather(*(play(each, tournament, seed) for seed, each in enumerate(devices)))
        again = await devices[0].post(f"/api/tables/{table}/rematch")
        asked = {"name": "Ann", "step": 0, "seat": 0}
        played_on = await devices[0].post(f"/api/tables/{table}/continue", asked)
        assert (await devices[0].get(f"/api/tables/{table}"))["tournament"] == tournament
        assert [each["table"]["tournament"] for each in (again, played_on)] == [None, None]
        client = await seated(devices[0], played_on["table"]["id"])
        while not client.legal:  # the bot may begin
            await client.hear()
        await client.say(type="hint", number=client.number)
        assert (await client.until("hint"))["text"]


async def test_who_has_lost_by_time_has_lost_when_the_organiser_ends_the_game(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        devices = await people(server, 2)
        tournament, table = await begun(devices, limit=60)
        clients = [await seated(each, table) for each in devices]
        room = await server.registry.room(table)
        async with room.exclusive():
            await room.change(TimeLost(0), Sit(0, "bot", "random", "", "random"))
        status, refused = await devices[0].call("POST", f"/api/tables/{table}/seats/0/ask", {})
        assert (status, refused["code"]) == (403, "table.tournament")
        await let_time_pass(server, tournament, 61)
        found = await until(devices[0], tournament, ended)
        log = await server.app.state.tournaments.store.find(tournament)
        assert log.state.tables[table].places == [2, 1]
        assert sorted(each["points"] for each in found["tournament"]["standings"]) == [0, 1]
        for client in clients:
            await client.close()


async def test_people_who_have_blocked_each_other_play_and_see_no_chat_of_the_other(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        devices = await people(server, 2)
        for device, name in zip(devices, ("Ann", "Bob"), strict=True):
            await device.member(name)
        await devices[0].post("/api/me/blocks", {"name": "Bob"})
        tournament, table = await begun(devices)
        ann, bob = [await seated(each, table) for each in devices]
        await ann.say(type="chat", text="from Ann")
        await ann.until("chat")
        await bob.say(type="chat", text="from Bob")
        await bob.until("chat")
        await ann.say(type="ping")
        await ann.until("pong")
        assert "from Bob" not in "".join(ann.heard)
        assert "from Ann" not in "".join(bob.heard)
        await asyncio.gather(ann.play(random.Random(1)), bob.play(random.Random(2)))
        assert (await until(devices[1], tournament, ended))["tournament"]["standings"][0]["points"] == 1


async def test_the_end_of_a_game_that_no_process_has_noted_counts(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        devices = await people(server, 2)
        tournament, table = await begun(devices)
        await server.app.state.scores.close()  # as if it had been killed just then
        clients = [await seated(each, table) for each in devices]
        await asyncio.gather(*(each.play(random.Random(1)) for each in clients))
        await server.app.state.tournaments.results_stored()
        found = await until(devices[0], tournament, ended)
        assert sorted(each["points"] for each in found["tournament"]["standings"]) == [0, 1]


async def test_a_tournament_goes_on_while_all_ratings_are_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    begun_to_rate = asyncio.Event()

    async def rate() -> int:
        begun_to_rate.set()
        await asyncio.Event().wait()
        return 0

    async with in_process(tmp_path / "t", **MUCH) as server:
        monkeypatch.setattr(server.app.state.scores.ratings, "update", rate)
        devices = await people(server, 3)
        tournament = await organise(devices[0], devices)
        await devices[0].post(f"/api/tournaments/{tournament}/begin")
        found = await asyncio.gather(*(play(each, tournament, seed) for seed, each in enumerate(devices)))
        assert begun_to_rate.is_set()
        assert found[0]["tournament"]["summary"]["status"] == "over"


async def test_a_result_that_could_not_be_stored_is_stored_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scores, "_LOOK_S", 1e6)
    monkeypatch.setattr(scores, "_AGAIN_S", 0.01)
    async with in_process(tmp_path / "t", **MUCH) as server:
        results = server.app.state.scores.results
        settle, faults = results.settle_noted, [RoomError("store.failing", 503, reason="test")] * 2

        async def settle_noted() -> int:
            if faults:
                raise faults.pop()
            return int(await settle())

        devices = await people(server, 2)
        table = await devices[0].table("ur", options={"markers": 1})
        await devices[1].post(f"/api/tables/{table}/join", {"name": "Bob"})
        await devices[0].post(f"/api/tables/{table}/start")
        monkeypatch.setattr(results, "settle_noted", settle_noted)
        clients = [await seated(each, table) for each in devices]
        await asyncio.gather(*(each.play(random.Random(1)) for each in clients))
        while not await results.of([table]):
            await asyncio.sleep(0.01)
        assert not faults


async def key_of(device: Device, name: str) -> str:
    """Make somebody a member with a bot; return its key."""
    await device.member(name)
    return str((await device.post("/api/me/keys", {"label": f"{name}bot"}))["key"])


async def test_a_bot_plays_only_where_it_has_entered_and_its_games_are_its_own(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob = await people(server, 2)
        keys = [await key_of(device, name) for device, name in ((ann, "Ann"), (bob, "Bob"))]
        tournament = await organise(ann, [ann], bots=True, **SWISS)
        path = f"/api/tournaments/{tournament}"
        await Device(server).post(f"{path}/enter", {"name": "x"}, authorization=f"Bearer {keys[1]}")
        await ann.post(f"{path}/begin")
        table = (await until(ann, tournament, lambda each: each["table"] is not None))["table"]
        stranger = await Device(server).connect(table, token=keys[0])
        assert (await stranger.until("refused"))["code"] == "tournament.key"
        clients = [await ann.connect(table), await Device(server).connect(table, token=keys[1])]
        for client in clients:
            await client.until("view")
        await asyncio.gather(*(client.play(random.Random(1)) for client in clients))
        found = await until(ann, tournament, ended)
        assert {each["name"]: each["kind"] for each in found["tournament"]["standings"]} == {
            "Ann": "person",
            "Bobbot": "key",
        }
        await server.app.state.scores.update()
        assert [each["bot"] for each in (await bob.get("/api/me/ratings"))["ratings"]] == ["Bobbot"]
