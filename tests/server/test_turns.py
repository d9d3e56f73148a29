"""Addresses get reviews, records, files and hints in turn, however much one of them asks for."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
from collections.abc import Callable, Sized
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import websockets

from quadriga.engine.match import trace
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.lab.traces import random_match
from quadriga.server.messages.hint import hint
from quadriga.server.protocol.errors import RoomError
from quadriga.server.review import jobs
from quadriga.server.turns import Turns
from quadriga.server.workers import pool
from quadriga.server.ws import handlers
from server.support.harness import PATIENT, Client, Server
from server.support.in_process import InProcessServer, in_process
from server.support.tables import start_table

GREEDY, MODEST = "127.0.0.2", "127.0.0.3"


class Crowd:
    """Tasks of some addresses that want a turn each, and end it when they are told."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.begun: list[str] = []  # names, in the order of their turns
        self.refused: list[tuple[str, str]] = []  # names and codes
        self._ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, *names: str) -> None:
        """Let tasks ask for their turns, one after the other; the first letter of a name is the address."""
        for name in names:
            self._ends[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._use(name))
            await asyncio.sleep(0)
        await asyncio.sleep(0)  # those that had to give way know it now

    async def _use(self, name: str) -> None:
        try:
            with self.turns.place(name[0]) as place:
                await place.turn()
                self.begun.append(name)
                await self._ends[name].wait()
        except RoomError as fault:
            self.refused.append((name, fault.code))

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await self.tasks[name]
        await asyncio.sleep(0)

    async def end_all(self) -> list[str]:
        """End every turn as soon as it is there; return the order of all."""
        ended = 0
        while ended < len(self.begun):
            await self.end(self.begun[ended])
            ended += 1
        return self.begun


async def test_addresses_get_turns_one_after_the_other():
    crowd = Crowd(Turns("hint", count=1, waiting=9, each=9))
    await crowd.ask("a1", "a2", "a3", "a4", "b1", "b2", "c1")
    assert await crowd.end_all() == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


async def test_an_address_that_comes_again_and_again_is_not_taken_for_a_new_one():
    crowd = Crowd(Turns("hint", count=1, waiting=9, each=9))
    await crowd.ask("b1", "c1", "a1", "a2")
    for name in ("b1", "c1"):
        await crowd.end(name)
        await crowd.ask(f"{name[0]}2")
    assert await crowd.end_all() == ["b1", "c1", "a1", "b2", "c2", "a2"]


async def test_a_free_turn_goes_to_the_address_with_fewest_under_way():
    crowd = Crowd(Turns("hint", count=3, waiting=9, each=9))
    await crowd.ask("b1", "a1", "a2", "a3", "b2")  # the last turn of b was longest ago, but it goes on
    await crowd.ask("c1")
    await crowd.end("a1")
    await crowd.end("a2")
    assert crowd.begun == ["b1", "a1", "a2", "c1", "a3"]


async def test_an_address_has_a_limited_number_of_places():
    turns = Turns("upload", count=1, waiting=9, each=2)
    receiving = turns.place("a")
    crowd = Crowd(turns)
    await crowd.ask("a1", "a2", "b1")
    assert crowd.begun == ["a1"]
    assert crowd.refused == [("a2", "upload.yours")]
    receiving.leave()
    await crowd.ask("a3")
    assert await crowd.end_all() == ["a1", "b1", "a3"]


async def test_a_place_that_still_receives_keeps_nobody_waiting():
    turns = Turns("upload", count=1, waiting=1, each=3)
    receiving = [turns.place(address) for address in "aaabbb"]
    crowd = Crowd(turns)
    await crowd.ask("c1", "d1")
    assert await crowd.end_all() == ["c1", "d1"]
    for each in receiving:
        each.leave()


async def test_in_a_full_queue_the_newest_of_the_address_with_most_gives_way_to_another():
    crowd = Crowd(Turns("hint", count=1, waiting=3, each=9))
    await crowd.ask("a1", "a2", "a3", "a4", "a5")
    assert crowd.refused == [("a5", "hint.busy")]
    await crowd.ask("b1", "c1")
    assert crowd.refused[1:] == [("a4", "hint.busy"), ("a3", "hint.busy")]
    await crowd.ask("d1", "b2")  # everybody waits with one
    assert crowd.refused[3:] == [("d1", "hint.busy"), ("b2", "hint.busy")]
    assert await crowd.end_all() == ["a1", "b1", "c1", "a2"]


@pytest.mark.parametrize("seed", range(20))
async def test_no_turn_is_lost_or_given_twice_whatever_the_tasks_do(seed: int):
    """Tasks end, are cancelled while they wait or work, and are refused: afterwards all turns are free."""
    rng = random.Random(seed)
    turns = Turns("hint", count=2, waiting=4, each=3)
    crowd = Crowd(turns)
    working: list[str] = []
    for number in range(200):
        await crowd.ask(f"{rng.choice('abcd')}{number}")
        working = [name for name in crowd.begun if not crowd.tasks[name].done()]
        assert len(working) <= 2
        match rng.choice(("end", "cancel", "both", "nothing")):
            case "end" if working:
                await crowd.end(rng.choice(working))
            case "cancel":
                rng.choice(list(crowd.tasks.values())).cancel()
            case "both" if working:  # the task that gets the turn may be cancelled before it knows
                name = rng.choice(working)
                crowd.tasks[name].cancel()
                for task in crowd.tasks.values():
                    if rng.random() < 0.3:
                        task.cancel()
        await asyncio.sleep(0)
    for task in crowd.tasks.values():
        task.cancel()
    await asyncio.gather(*crowd.tasks.values(), return_exceptions=True)
    after = Crowd(turns)
    await after.ask("a1", "a2", "a3")
    assert after.begun == ["a1", "a2"]
    assert await after.end_all() == ["a1", "a2", "a3"]


# With the real workers.


def record_of(number: int) -> str:
    game = find("ur")
    settled, seats = game.resolve_options({"rules": "blitz", "markers": 2}, None)
    return trace.dumps(random_match(game, settled, seats, 5, number, SeededDice(5, number)))


def post(server: Server, source: str, path: str, body: object) -> tuple[int, Any]:
    """Send a request from an address."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, source_address=(source, 0))
    line.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    with line.getresponse() as answer:
        found = answer.status, json.loads(answer.read())
    line.close()
    return found


class Gate:
    """Lets real work begin only when it is opened, and notes the order in which it begins."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self._open = asyncio.Event()

    def before(self, work: Any, named: Callable[..., str]) -> Any:
        """Return a function that does the same work behind the gate."""

        async def gated(*arguments: Any) -> Any:
            self.order.append(named(*arguments))
            await self._open.wait()
            return await work(*arguments)

        return gated

    def open(self) -> None:
        self._open.set()


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def _has(things: Sized, number: int) -> bool:
    return len(things) == number


async def test_records_of_addresses_are_read_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One address sends four records and another one; the second has its turn after the first of the four."""
    records = {name: record_of(number) for number, name in enumerate(("a1", "a2", "a3", "a4", "b1"))}
    names = {len(json.dumps(record)): name for name, record in records.items()}
    assert len(names) == 5
    gate, came = Gate(), list[str]()
    one = pool.Workers.one

    def counted(*arguments: Any) -> Any:
        came.append("")
        return one(*arguments)

    monkeypatch.setattr(pool.Workers, "one", counted)
    monkeypatch.setattr(pool.Worker, "ask", gate.before(pool.Worker.ask, lambda _, task, sent: names[len(sent)]))
    async with in_process(tmp_path / "tables.sqlite") as server:
        sent = []
        for number, (name, record) in enumerate(records.items(), 1):
            asked = server, GREEDY if name[0] == "a" else MODEST, "/api/records", {"record": record}
            sent.append(asyncio.create_task(asyncio.to_thread(post, *asked)))
            await until(partial(_has, came, number))
        gate.open()
        assert [(await each)[0] for each in sent] == [200] * 5
    assert gate.order == ["a1", "b1", "a2", "a3", "a4"]


async def test_reviews_of_addresses_are_done_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An address cannot begin more than its limit, and another one is second."""
    monkeypatch.setattr(jobs, "PLAYOUTS", 1)
    gate = Gate()
    monkeypatch.setattr(jobs.Reviews, "_review", gate.before(jobs.Reviews._review, lambda _, job: job.id))
    async with in_process(tmp_path / "tables.sqlite", review_each=3) as server:
        asked = [
            await asyncio.to_thread(post, server, source, "/api/reviews", {"record": record_of(number)})
            for number, source in enumerate((GREEDY, GREEDY, GREEDY, GREEDY, MODEST))
        ]
        assert [status for status, _ in asked] == [202, 202, 202, 429, 202]
        assert (asked[3][1]["code"], asked[3][1]["with"]) == ("review.yours", {"most": 3})
        gate.open()
        first, other = asked[0][1]["review"], asked[4][1]["review"]
        reviews: jobs.Reviews = server.app.state.reviews
        await until(lambda: reviews.find(first).state == "done" and reviews.find(other).state != "waiting")
        assert gate.order[:2] == [first, other]


async def test_reviews_that_nobody_asks_for_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gate = Gate()
    monkeypatch.setattr(jobs.Reviews, "_review", gate.before(jobs.Reviews._review, lambda _, job: job.id))
    async with in_process(tmp_path / "tables.sqlite", review_each=2) as server:
        asked = [(await server.fetch("POST", "/api/reviews", {"record": record_of(n)})) for n in range(3)]
        assert [status for status, _ in asked] == [202, 202, 429]
        waiting = server.app.state.reviews.find(asked[1][1]["review"])
        waiting.asked -= 2 * jobs.ABANDONED_AFTER_S
        assert (await server.fetch("POST", "/api/reviews", {"record": record_of(2)}))[0] == 202
        assert (waiting.state, len(waiting.record)) == ("dropped", 0)


async def test_a_review_that_gives_way_to_another_address_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gate = Gate()
    monkeypatch.setattr(jobs.Reviews, "_review", gate.before(jobs.Reviews._review, lambda _, job: job.id))
    async with in_process(tmp_path / "tables.sqlite", review_queue=2) as server:
        asked = [
            await asyncio.to_thread(post, server, source, "/api/reviews", {"record": record_of(number)})
            for number, source in enumerate((GREEDY, GREEDY, GREEDY, MODEST))
        ]
        assert [status for status, _ in asked] == [202] * 4
        found = [(await server.fetch("GET", f"/api/reviews/{said['review']}"))[1] for _, said in asked]
        assert [job["state"] for job in found] == ["waiting", "waiting", "failed", "waiting"]  # one at the gate
        assert found[2]["fault"]["code"] == "review.busy"


async def guest_at(server: InProcessServer, source: str) -> Client:
    """Return a guest of an address at a table of their own, who looks from the seat that is to decide."""
    table, (token,) = await start_table(server, seats="me me")
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
    client = Client(await websockets.connect(url, compression=None, local_addr=(source, 0), **PATIENT))
    await client.say(type="hello", token=token)
    await client.until("view")
    await client.say(type="look", seat=client.view["turn"])
    await client.until("view", seat=client.view["turn"])
    return client


async def test_hints_are_given_to_addresses_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Guests of one address wait for as many hints as they may; a guest of another has the next turn."""
    gate = Gate()
    monkeypatch.setattr(handlers, "hint", gate.before(hint, lambda state, *_: state.id))
    async with in_process(tmp_path / "tables.sqlite", hint_workers=1, hint_each=3) as server:
        guests = [await guest_at(server, source) for source in (GREEDY, GREEDY, GREEDY, GREEDY, MODEST)]
        first, second, third, refused, other = guests
        for number, guest in enumerate((first, second, third, other), 1):
            await guest.say(type="hint", number=guest.number, seat=guest.view["turn"])
            await until(partial(_has, server.registry.limits._hint_guests, number))
        await refused.say(type="hint", number=refused.number, seat=refused.view["turn"])
        assert (await refused.until("refused"))["code"] == "hint.yours"
        gate.open()
        for guest in (first, second, third, other):
            assert (await guest.until("hint"))["text"]
        assert gate.order == [each.table["id"] for each in (first, other, second, third)]
