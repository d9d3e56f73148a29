"""Review jobs: of finished games only, one at a time, and dropped when no client asks for them."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.match import trace
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.lab.traces import random_match
from quadriga.server.review import jobs
from server.support.in_process import InProcessServer, in_process
from support import there


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


async def played(server: InProcessServer, **options: object) -> str:
    body = {
        "game": "ur",
        "options": {"rules": "blitz", "markers": 2, **options},
        "name": "Ann",
        "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}],
        "pace": 0,
        "start": True,
    }
    _, made = await server.fetch("POST", "/api/tables", body)
    client = await server.connect(made["table"]["id"], made["token"])
    await client.play(random.Random(1))
    await client.close()
    return str(made["table"]["id"])


async def finished(server: InProcessServer, job: dict[str, Any]) -> dict[str, Any]:
    while job["state"] in ("waiting", "running"):
        await asyncio.sleep(0.2)
        status, job = await server.fetch("GET", f"/api/reviews/{job['review']}")
        assert status == 200
    return job


def record_of(number: int, markers: int = 1) -> str:
    game = find("ur")
    settled, seats = game.resolve_options({"rules": "blitz", "markers": markers}, None)
    return trace.dumps(random_match(game, settled, seats, 5, number, SeededDice(5, number)))


async def test_a_finished_game_is_reviewed_once_for_everybody(store: Path):
    async with in_process(store) as server:
        table = await played(server)
        status, job = await server.fetch("POST", f"/api/tables/{table}/review", {})
        assert status == 202
        done = await finished(server, job)
        assert done["state"] == "done"
        assert done["done"] == done["total"] > 0
        result = done["result"]
        assert len(result["moves"]) > 5
        assert [side["seat"] for side in result["sides"]] == [0, 1]
        for move in result["moves"]:
            _, replay = await server.fetch("GET", f"/api/tables/{table}/replay?first={move['number']}&count=1")
            event = replay["steps"][0]["event"]
            assert (event["seat"], event["text"]) == (move["seat"], move["text"])
            assert bool(move["better"]) == (move["lost"] >= result["slip"])
        status, again = await server.fetch("POST", f"/api/tables/{table}/review", {})
        assert (again["review"], again["state"]) == (job["review"], "done")


async def test_a_game_that_goes_on_is_not_reviewed(store: Path):
    async with in_process(store) as server:
        body = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "open"}]}
        _, made = await server.fetch("POST", "/api/tables", body)
        path = f"/api/tables/{made['table']['id']}/review"
        status, refused = await server.fetch("POST", path, {})
        assert (status, refused["code"]) == (409, "table.not-over")
        assert (await server.fetch("POST", "/api/tables/nowhere/review", {}))[0] == 404
        status, refused = await server.fetch("GET", "/api/reviews/nowhere")
        assert (status, refused["code"]) == (404, "review.unknown")


async def test_an_uploaded_record_is_reviewed_and_a_bad_one_refused_with_its_line(store: Path):
    async with in_process(store) as server:
        _, job = await server.fetch("POST", "/api/reviews", {"record": record_of(1)})
        assert (await finished(server, job))["state"] == "done"
        _, job = await server.fetch("POST", "/api/reviews", {"record": '{"quadriga": 1}\nx'})
        failed = await finished(server, job)
        assert failed["state"] == "failed"
        assert failed["fault"]["code"].startswith("trace.")
        assert set(failed["fault"]["text"]) == {"en", "fr"}
        assert (await server.fetch("POST", "/api/reviews", {"record": ""}))[0] == 422
        assert (await server.fetch("POST", "/api/reviews", {}))[0] == 422


async def test_a_review_that_no_client_waits_for_is_dropped_and_the_next_begins(store: Path, monkeypatch):
    monkeypatch.setattr(jobs, "PLAYOUTS", 100_000)
    async with in_process(store) as server:
        keeper: jobs.Reviews = server.app.state.reviews
        _, long = await server.fetch("POST", "/api/reviews", {"record": record_of(1, 5)})
        _, other = await server.fetch("POST", "/api/reviews", {"record": record_of(2, 5)})
        while (await server.fetch("GET", f"/api/reviews/{long['review']}"))[1]["state"] == "waiting":
            await asyncio.sleep(0.05)
        assert (await server.fetch("GET", f"/api/reviews/{other['review']}"))[1]["state"] == "waiting"
        assert (await server.fetch("GET", "/api/health"))[0] == 200  # the table is not in its way
        keeper._jobs[long["review"]].asked -= 2 * jobs.ABANDONED_AFTER_S
        while keeper._jobs[long["review"]].state == "running":
            await asyncio.sleep(0.05)
        assert keeper._jobs[long["review"]].state == "dropped"
        while (await server.fetch("GET", f"/api/reviews/{other['review']}"))[1]["state"] == "waiting":
            await asyncio.sleep(0.05)


async def test_a_game_that_was_ended_by_vote_is_reviewed_as_far_as_it_went(store: Path):
    async with in_process(store) as server:
        body = {
            "game": "ur",
            "options": {"rules": "blitz", "markers": 3},
            "name": "Ann",
            "seats": [{"kind": "me"}] * 2,
            "start": True,
        }
        _, made = await server.fetch("POST", "/api/tables", body)
        table = made["table"]["id"]
        client = await server.connect(table, made["token"])
        await client.until("view")
        for _ in range(12):
            actor = server.registry.rooms[table].session.match.actor
            await client.say(type="look", seat=actor)
            await client.until("view", seat=actor)
            await client.act(there(client.legal)[-1]["text"], seat=actor)
            await client.until("done")
        await client.say(type="vote", kind="end")
        while client.table["status"] != "ended":
            await client.hear()
        _, job = await server.fetch("POST", f"/api/tables/{table}/review", {})
        done = await finished(server, job)
        assert done["state"] == "done"
        assert done["result"]["sides"][0]["result"] == done["result"]["moves"][-1]["chances"][0]


async def test_too_many_reviews_are_refused_with_a_time_to_come_again(store: Path):
    async with in_process(store, reviews=0.0, review_burst=1.0) as server:
        assert (await server.fetch("POST", "/api/reviews", {"record": record_of(1)}))[0] == 202
        status, refused = await server.fetch("POST", "/api/reviews", {"record": record_of(2)})
        assert (status, refused["code"]) == (429, "wire.rate")
