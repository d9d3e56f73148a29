"""Tournaments on a server, from the first entry to the winner."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quadriga.lab.tournament import published
from quadriga.lab.tournament.log import Pair
from quadriga.server.moderation import acts
from quadriga.server.people.person import MODERATOR
from quadriga.server.scores.tournaments import tables
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process

MUCH = {"accounts": 1e6, "account_burst": 1e6}
SHORT = {"game": "ur", "options": {"markers": 1}, "seats": 2}


@pytest.fixture(autouse=True)
def bots_move_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_PACE_MS", 0)


def plan(**more: Any) -> dict[str, Any]:
    starts = int(time.time() * 1000) + 600_000
    return {"title": "Cup", "name": "Ann", "kind": "knockout", "starts": starts, **SHORT, **more}


async def people(server: InProcessServer, count: int) -> list[Device]:
    devices = [Device(server) for _ in range(count)]
    for each in devices:
        await each.post("/api/me", {"label": "test"})
    return devices


async def organise(organiser: Device, players: list[Device], **more: Any) -> str:
    made = await organiser.post("/api/tournaments", plan(**more))
    tournament = str(made["tournament"]["summary"]["id"])
    for number, each in enumerate(players):
        await each.post(f"/api/tournaments/{tournament}/enter", {"name": f"Guest {number}"})
    return tournament


async def until(device: Device, tournament: str, is_met: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask again until an answer is as wanted."""
    while True:
        found: dict[str, Any] = await device.get(f"/api/tournaments/{tournament}")
        if is_met(found):
            return found
        await asyncio.sleep(0.02)


def ended(found: dict[str, Any]) -> bool:
    return found["tournament"]["summary"]["status"] in ("over", "aborted")


async def play(device: Device, tournament: str, seed: int = 1) -> dict[str, Any]:
    """Play every game of a person until the tournament is over."""
    chance = random.Random(seed)
    while True:
        found = await until(device, tournament, lambda each: each["table"] is not None or ended(each))
        if ended(found):
            return found
        client = await device.connect(found["table"])
        await client.until("view")
        await client.play(chance)
        await client.close()
        assert (await device.get(f"/api/tournaments/{tournament}"))["table"] != found["table"]


async def log_of(device: Device, tournament: str) -> published.PublishedLog:
    _, content, _ = await asyncio.to_thread(device.raw, "GET", f"/api/tournaments/{tournament}/log.json")
    return published.read(content)


async def test_a_knockout_is_played_from_the_first_entry_to_the_winner(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        devices = await people(server, 3)
        tournament = await organise(devices[0], devices)
        await devices[0].post(f"/api/tournaments/{tournament}/begin")
        found = await asyncio.gather(*(play(each, tournament, seed) for seed, each in enumerate(devices)))
        standings = found[0]["tournament"]["standings"]
        assert next(each["place"] for each in standings) == 1
        assert standings[0]["survived"] == 2
        assert {each["name"] for each in standings} == {"Guest 0", "Guest 1", "Guest 2"}
        log = await log_of(devices[0], tournament)
        assert log.pairings == 2
        assert log.first_wrong() is None
        assert log.commitment == found[0]["tournament"]["commitment"]
        listed = (await devices[0].get("/api/tournaments"))["tournaments"]
        assert [(each["id"], each["status"]) for each in listed] == [(tournament, "over")]
        _, rows, _ = await asyncio.to_thread(devices[0].raw, "GET", f"/api/tournaments/{tournament}/standings.csv")
        assert rows.decode().splitlines()[1].startswith("1,")


async def test_bots_fill_the_last_table_and_their_games_end_without_viewers(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        (ann,) = await people(server, 1)
        more = {"game": "ave-caesar", "options": {}, "seats": 3, "kind": "swiss", "rounds": 1}
        tournament = await organise(ann, [ann], fill=True, fill_with="random", **more)
        await ann.post(f"/api/tournaments/{tournament}/begin")
        found = await play(ann, tournament)
        kinds = sorted(each["kind"] for each in found["tournament"]["standings"])
        assert kinds == ["bot", "bot", "person"]
        assert sum(each["points"] for each in found["tournament"]["standings"]) == pytest.approx(1.5, abs=0.01)


async def test_who_does_not_appear_loses_and_is_paired_no_more_until_they_come_back(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob = await people(server, 2)
        tournament = await organise(ann, [ann, bob], kind="swiss", rounds=2)
        await ann.post(f"/api/tournaments/{tournament}/begin")
        found = await until(ann, tournament, lambda each: each["table"] is not None)
        client = await ann.connect(found["table"])
        await client.until("view")
        await let_time_pass(server, tournament, 6)
        await until(ann, tournament, ended)
        names = {
            each["name"]: each
            for each in (await ann.get(f"/api/tournaments/{tournament}"))["tournament"]["standings"]
        }
        assert names["Guest 0"]["points"] == 1
        assert names["Guest 1"]["left"] == "absent"
        assert (await log_of(ann, tournament)).first_wrong() is None


async def let_time_pass(server: InProcessServer, tournament: str, minutes: int) -> None:
    """Move the times of a running tournament into the past, and look again."""
    known = await server.app.state.tournaments.store.find(tournament)
    for number, each in enumerate(known.state.pairings):
        known.state.pairings[number] = Pair(
            each.link, each.tables, each.byes, each.slots, each.ids, each.at - minutes * 60_000
        )
    await server.app.state.tournaments.results_stored()


async def test_bots_with_keys_enter_where_the_organiser_allows_them(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob = await people(server, 2)
        await bob.member("Bob")
        key = (await bob.post("/api/me/keys", {"label": "Bobot"}))["key"]
        bearer = {"authorization": f"Bearer {key}"}
        closed = await organise(ann, [ann])
        entered = f"/api/tournaments/{closed}/enter"
        status, refused = await Device(server).call("POST", entered, {"name": "x"}, **bearer)
        assert (status, refused["code"]) == (403, "tournament.bots")
        opened = await organise(ann, [ann], bots=True)
        found = await Device(server).post(f"/api/tournaments/{opened}/enter", {"name": "x"}, **bearer)
        shown = [(each["name"], each["kind"]) for each in found["tournament"]["standings"]]
        assert ("Bobot", "key") in shown


async def test_entries_and_rights_are_checked(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob, cat = await people(server, 3)
        tournament = await organise(ann, [ann, bob], most=2)
        path = f"/api/tournaments/{tournament}"

        async def refused(device: Device, what: str, body: object = None) -> str:
            _, found = await device.call("POST", what, body or {})
            return str(found["code"])

        assert await refused(cat, f"{path}/enter", {"name": "Cat"}) == "tournament.full"
        assert await refused(bob, f"{path}/begin") == "tournament.organiser"
        assert await refused(bob, f"{path}/abort") == "tournament.organiser"
        assert await refused(cat, f"{path}/withdraw") == "tournament.absent"
        assert await refused(cat, "/api/tournaments/none/enter", {"name": "Cat"}) == "tournament.unknown"
        assert await refused(ann, "/api/tournaments", plan(seats=4)) == "tournament.two"
        assert await refused(ann, "/api/tournaments", plan(starts=5)) == "tournament.when"
        assert await refused(ann, "/api/tournaments", plan(days={"days": 1}, kind="arena")) == "tournament.days"
        await bob.post(f"{path}/withdraw")
        await bob.post(f"{path}/enter", {"name": "Bob"})  # they are the same player again
        assert len((await ann.get(path))["tournament"]["standings"]) == 2
        await ann.post(f"{path}/abort")
        assert await refused(bob, f"{path}/enter", {"name": "Bob"}) == "tournament.over"


async def test_a_tournament_goes_on_after_the_server_was_stopped_between_a_pairing_and_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def stopped(*arguments: object) -> None:
        raise asyncio.CancelledError

    async with in_process(tmp_path / "t", **MUCH) as server:
        devices = await people(server, 2)
        tournament = await organise(devices[0], devices)
        with monkeypatch.context() as patched:
            patched.setattr(tables.Tables, "make", stopped)
            await devices[0].post(f"/api/tournaments/{tournament}/begin")
            task = server.app.state.tournaments.task.task
            await asyncio.wait([task])
    async with in_process(tmp_path / "t", **MUCH) as server:
        for each in devices:
            each.server = server
        found = await asyncio.gather(*(play(each, tournament, seed) for seed, each in enumerate(devices)))
        assert found[0]["tournament"]["standings"][0]["survived"] == 1
        log = await log_of(devices[0], tournament)
        assert (log.pairings, log.first_wrong()) == (1, None)
        assert len(await server.registry.store.room_ids()) == 1


async def test_an_arena_pairs_again_as_soon_as_a_game_ends_and_ends_in_time(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob = await people(server, 2)
        tournament = await organise(ann, [ann, bob], kind="arena", minutes=1)
        await ann.post(f"/api/tournaments/{tournament}/begin")
        players = [asyncio.create_task(play(each, tournament, seed)) for seed, each in enumerate((ann, bob))]
        await until(ann, tournament, lambda each: each["tournament"]["summary"]["round"] >= 2)
        known = await server.app.state.tournaments.store.find(tournament)
        known.state.began -= 60_000
        await server.app.state.tournaments.results_stored()
        (found, _) = await asyncio.gather(*players)
        assert found["tournament"]["summary"]["status"] == "over"
        assert sum(each["points"] for each in found["tournament"]["standings"]) == len(
            list((await server.app.state.tournaments.store.find(tournament)).state.tables)
        )


async def test_a_walkover_counts_although_the_server_stops_before_it_ends_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def stopped(self: object, table_ids: list[str]) -> None:
        if table_ids:
            raise asyncio.CancelledError

    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob = await people(server, 2)
        tournament = await organise(ann, [ann, bob], kind="swiss", rounds=1)
        await ann.post(f"/api/tournaments/{tournament}/begin")
        table = (await until(ann, tournament, lambda each: each["table"] is not None))["table"]
        client = await ann.connect(table)
        await client.until("view")
        with monkeypatch.context() as patched:
            patched.setattr(tables.Tables, "end", stopped)
            await let_time_pass(server, tournament, 6)
            await asyncio.wait([server.app.state.tournaments.task.task])
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann.server = server
        found = await until(ann, tournament, ended)
        assert {each["name"]: each["points"] for each in found["tournament"]["standings"]} == {
            "Guest 0": 1,
            "Guest 1": 0,
        }
        while (await ann.get(f"/api/tables/{table}"))["status"] != "ended":
            await asyncio.sleep(0.02)


async def test_a_look_that_was_asked_for_meanwhile_is_not_postponed(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob = await people(server, 2)
        tournament = await organise(ann, [ann, bob])
        await ann.post(f"/api/tournaments/{tournament}/begin")
        await until(ann, tournament, lambda each: each["table"] is not None)
        await server.app.state.tournaments.close()
        store = server.app.state.tournaments.store
        known = await store.find(tournament)
        await store.wake(7)  # a result is stored
        await store.append(known, [], 10**15)
        assert await store.due(7) == ([tournament], None)


async def test_names_that_the_house_does_not_want_are_refused(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob = await people(server, 2)
        tournament = await organise(ann, [ann])
        for device, path, body in (
            (ann, "/api/tournaments", plan(title="win at www.example.com")),
            (ann, "/api/tournaments", plan(name="www.example.com")),
            (bob, f"/api/tournaments/{tournament}/enter", {"name": "www.example.com"}),
        ):
            status, refused = await device.call("POST", path, body)
            assert (status, refused["code"]) == (422, "name.words")


async def test_bots_of_the_server_play_no_rounds_alone(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        (ann,) = await people(server, 1)
        more = {"game": "ave-caesar", "options": {}, "seats": 3, "kind": "swiss", "rounds": 30}
        tournament = await organise(ann, [ann], fill=True, fill_with="random", **more)
        await ann.post(f"/api/tournaments/{tournament}/begin")
        await until(ann, tournament, lambda each: each["tournament"]["summary"]["status"] == "running")
        await ann.post(f"/api/tournaments/{tournament}/withdraw")
        found = await play(ann, tournament)
        assert found["tournament"]["summary"]["round"] == 1


async def test_who_is_banned_cannot_enter_and_is_paired_no_more(tmp_path: Path):
    async with in_process(tmp_path / "t", **MUCH) as server:
        ann, bob, cat = await people(server, 3)
        await cat.member("Cat")
        tournament = await organise(ann, [ann, bob, cat], kind="swiss", rounds=1)
        path = f"/api/tournaments/{tournament}"
        known = await server.app.state.tournaments.store.find(tournament)
        moderator = await server.registry.people.accounts.find(known.person_id)
        assert moderator is not None
        order = acts.Order("ban", known.players[2].person_id, "Cat", "Enough.")
        await server.registry.house.do(order, moderator._replace(role=MODERATOR))
        status, refused = await cat.call("POST", f"{path}/enter", {"name": "Cat"})
        assert (status, refused["code"]) == (403, "house.banned")
        await ann.post(f"{path}/begin")
        found = await until(ann, tournament, lambda each: each["table"] is not None)
        assert {each["name"]: each["left"] for each in found["tournament"]["standings"]}["Cat"] == "absent"
        assert sorted(found["tournament"]["now"][0]["tables"][0]["players"]) == [0, 1]


async def test_an_address_organises_so_many_tournaments_and_all_together_so_many(tmp_path: Path):
    proxied = {"proxies": ("127.0.0.1",), "hosts": ("127.0.0.1",), "tournaments_each": 2, "tournaments": 3}
    async with in_process(tmp_path / "store.sqlite", **MUCH, **proxied) as server:
        ann, bob, eve = (
            Device(server, **{"x-forwarded-for": address})
            for address in ("198.51.100.1", "198.51.100.1", "198.51.100.2")
        )
        for each in (ann, bob, eve):
            await each.post("/api/me", {})
        first = await organise(ann, [])
        await organise(bob, [])

        async def tried(device: Device) -> tuple[int, str]:
            status, found = await device.call("POST", "/api/tournaments", plan())
            return status, found.get("code", "")

        assert await tried(ann) == await tried(bob) == (429, "tournament.yours")
        assert await tried(eve) == (200, "")
        assert await tried(eve) == (503, "tournament.crowded")
        await ann.post(f"/api/tournaments/{first}/abort")
        await organise(bob, [])
