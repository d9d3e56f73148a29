"""Uploads are read by worker processes with limits, and other clients do not wait for them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine import nesting
from quadriga.engine.match import trace
from server.support.harness import Server
from support import ROOT, here, played

ATTACK = "a." * 12_000 + "a=1"
DECK = "/api/games/ben-hvrt/files/deck"
HEADER = '{"quadriga": 1, "game": "ur", "options": {}, "seats": 2}\n'


def deck() -> str:
    return files("quadriga.games.benhvrt").joinpath("data", "deck.toml").read_text("utf-8")


def deep(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for _ in range(levels):
        made = {"a": made}
    return made


def workers_of(server: Server) -> list[int]:
    """Return the running worker processes of a server."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if (
                parent == server.process.pid
                and b"quadriga.server.workers.worker" in (path / "cmdline").read_bytes()
            ):
                found.append(int(path.name))
        except (OSError, IndexError):
            continue
    return found


@pytest.fixture
def stopped() -> Iterator[list[int]]:
    """Collect the processes that a test has stopped, and continue them afterwards."""
    found: list[int] = []
    yield found
    for pid in found:
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            continue


async def stop_workers(server: Server, count: int, stopped: list[int]) -> None:
    """Wait until a server has this many workers, and stop them."""
    while len(found := workers_of(server)) < count:
        await asyncio.sleep(0.01)
    for pid in found:
        os.kill(pid, signal.SIGSTOP)
        stopped.append(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
async def test_six_attacks_at_once_are_refused_and_others_play_meanwhile(tmp_path: Path, stopped: list[int]):
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(16))  # more than all that wait below
    server = Server(tmp_path / "tables.sqlite", upload_each=9).start()
    try:
        client = await server.connect(*server.create("ur", "me bot"))
        await client.until("view")
        attack, record = {"name": "deck.toml", "text": ATTACK}, {"record": HEADER + "[" * 200_000}
        sent = [asyncio.create_task(asyncio.to_thread(server.call, "POST", DECK, attack)) for _ in range(6)]
        await stop_workers(server, 2, stopped)
        sent.append(asyncio.create_task(asyncio.to_thread(server.call, "POST", "/api/records", record)))
        await stop_workers(server, 3, stopped)
        done = len(client.done)
        await client.play(random.Random(2), moves=10)
        while len(client.done) < done + 10 and not client.over:  # acknowledged: on disk, and broadcast
            await client.hear()
        assert (await asyncio.to_thread(server.call, "GET", "/api/health"))[0] == 200
        assert server.create("ur", "me bot")
        assert [each.done() for each in sent].count(False) >= 4  # a worker may have been stopped after its answer
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        answers = [await each for each in sent]
        assert [(status, said["code"]) for status, said in answers[:6]] == [(400, "file.nested")] * 6
        assert (answers[6][0], answers[6][1]["code"]) == (400, "trace.nested")
    finally:
        server.kill()


@pytest.mark.parametrize("option", ["deck", "track"])
@pytest.mark.parametrize("name", ["mine.toml", "mine.json"])
@pytest.mark.parametrize("text", [ATTACK, "[" * 24_000, "{" * 100], ids=["keys", "arrays", "tables"])
def test_a_small_file_that_nests_deeply_is_refused(server: Server, option: str, name: str, text: str):
    expected = "file.json" if name.endswith("json") and text is ATTACK else "file.nested"
    status, said = server.call("POST", f"/api/games/ben-hvrt/files/{option}", {"name": name, "text": text})
    assert (status, said["code"]) == (400, expected)
    assert said["with"]["line"] == 1


def test_course_files_are_limited_too(server: Server):
    path = "/api/games/ave-caesar/files/course"
    status, said = server.call("POST", path, {"name": "c.toml", "text": ATTACK})
    assert (status, said["code"]) == (400, "file.nested")
    text = files("quadriga.games.avecaesar").joinpath("data", "courses.json").read_text("utf-8")
    many = json.loads(text)
    many["courses"] = {f"c{number}": many["courses"]["white"] for number in range(9)}
    status, said = server.call("POST", path, {"name": "c.json", "text": json.dumps(many)})
    assert (status, said["with"]["reason"]["code"]) == (400, "course.many")
    setup = {"game": "ave-caesar", "name": "Ann", "options": {"course": many}, "seats": [{"kind": "me"}] * 3}
    status, said = server.call("POST", "/api/tables", setup)
    assert (status, said["code"]) == (422, "course.many")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("option", ["deck", "track"])
async def test_options_of_a_new_table_and_of_a_board_are_read_by_a_worker(
    own_server: Server, option: str, stopped: list[int]
):
    setup = {"game": "ben-hvrt", "name": "Ann", "seats": [{"kind": "me"}] * 3}
    for value in (deep(500), {"card": [deep(30)] * 1000}, {"card": "x" * 100_000}):
        status, said = own_server.call("POST", "/api/tables", {**setup, "options": {option: value}})
        assert status in (400, 422)
        assert said["text"]["fr"]
    board = f"/api/games/ben-hvrt/geometry?options={json.dumps({option: {}}).replace(' ', '')}"
    assert own_server.call("GET", board)[0] == 422
    await stop_workers(own_server, 1, stopped)  # one has read all of that; without it both requests have to wait
    requests = ("POST", "/api/tables", {**setup, "options": {option: {}}}), ("GET", board)
    waiting = [asyncio.create_task(asyncio.to_thread(own_server.call, *each)) for each in requests]
    while len(workers_of(own_server)) < 2:  # the second request gets a worker of its own
        await asyncio.sleep(0.01)
    assert (await asyncio.to_thread(own_server.call, "GET", "/api/health"))[0] == 200
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert [each.done() for each in waiting].count(False) == 1
    os.kill(stopped.pop(), signal.SIGCONT)
    assert [(await each)[0] for each in waiting] == [422, 422]


def test_a_good_deck_is_read_played_and_drawn(server: Server):
    status, read = server.call("POST", DECK, {"name": "deck.toml", "text": deck()})
    assert status == 200
    setup = {
        "game": "ben-hvrt",
        "name": "Ann",
        "options": {"deck": read["document"]},
        "seats": [{"kind": "me"}] * 3,
    }
    status, made = server.call("POST", "/api/tables", setup)
    assert status == 201
    assert server.get(f"/api/tables/{made['table']['id']}/geometry")["cards"]


def test_a_file_that_takes_too_much_memory_is_refused_and_the_next_is_read(tmp_path: Path):
    poor = Server(tmp_path / "tables.sqlite", upload_memory=1, record_memory=1).start()
    try:
        wide = "x = [" + "[1],\n" * 40_000 + "]"
        status, said = poor.call("POST", DECK, {"name": "deck.toml", "text": wide})
        assert (status, said["code"]) == (413, "upload.heavy")
        status, said = poor.call("POST", DECK, {"name": "deck.toml", "text": "x"})
        assert (status, said["code"]) == (400, "file.toml")
        record = trace.dumps(played(("ur", {}, 2)))
        assert poor.call("POST", "/api/records", {"record": record * 90})[1]["code"] == "upload.heavy"
    finally:
        poor.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
async def test_a_file_that_takes_too_long_is_refused_and_its_worker_ended(tmp_path: Path, stopped: list[int]):
    hasty = Server(tmp_path / "tables.sqlite", upload_seconds=1.0, upload_workers=1).start()
    try:
        big = "".join(f"[k{number}.{'.'.join('a' * 29)}]\n" for number in range(3_000))
        sent = asyncio.create_task(asyncio.to_thread(hasty.call, "POST", DECK, {"name": "a.toml", "text": big}))
        await stop_workers(hasty, 1, stopped)
        status, said = await sent
        assert (status, said["code"]) == (413, "upload.heavy")
        assert workers_of(hasty) == []
    finally:
        hasty.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
async def test_waiting_files_are_limited(tmp_path: Path, stopped: list[int]):
    busy = Server(tmp_path / "tables.sqlite", upload_workers=1, upload_queue=2, upload_each=9).start()
    few = Server(tmp_path / "others.sqlite", upload_workers=1, upload_queue=9, upload_each=2).start()
    try:
        for server, code in ((busy, "upload.busy"), (few, "upload.yours")):
            body = {"name": "a.toml", "text": "x"}
            waiting = [asyncio.create_task(asyncio.to_thread(server.call, "POST", DECK, body))]
            await stop_workers(server, 1, stopped)
            waiting += [asyncio.create_task(asyncio.to_thread(server.call, "POST", DECK, body)) for _ in range(5)]
            done, under_way = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            refused = [each.result() for each in done]
            while not any(said["code"] == code for _, said in refused):
                done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                refused += [each.result() for each in done]
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
            assert {(await each)[0] for each in under_way} <= {400, 429}
    finally:
        busy.kill()
        few.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
async def test_too_many_waiting_records_are_refused_and_the_server_goes_on(tmp_path: Path, stopped: list[int]):
    server = Server(tmp_path / "tables.sqlite", record_queue=1, record_each=9).start()
    try:
        client = await server.connect(*server.create("ur", "me bot"))
        await client.until("view")
        asked = [asyncio.create_task(post_record(server, 0))]
        await stop_workers(server, 1, stopped)  # it reads the first; the second waits
        asked += [asyncio.create_task(post_record(server, number)) for number in (1, 2)]
        (first,), waiting = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        assert (first.result()[0], first.result()[1]["code"]) == (429, "upload.busy")
        assert len(waiting) == 2
        await client.play(random.Random(2), moves=3)
        deck_of_another = {"name": "deck.toml", "text": deck()}
        assert (await asyncio.to_thread(server.call, "POST", DECK, deck_of_another))[0] == 200
        os.kill(stopped.pop(0), signal.SIGCONT)
        assert {(await each)[0] for each in waiting} == {200}
        assert (await post_record(server, 2))[0] == 200
    finally:
        server.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
async def test_a_record_that_takes_too_long_is_refused_and_the_next_is_read(tmp_path: Path, stopped: list[int]):
    server = Server(
        tmp_path / "tables.sqlite", record_seconds=5.0
    ).start()  # processor time; four times that by the clock
    try:
        asked = asyncio.create_task(post_record(server, 0))
        await stop_workers(server, 1, stopped)
        status, said = await asked
        assert (status, said["code"]) == (413, "upload.heavy")
        assert workers_of(server) == []
        assert (await post_record(server, 0))[0] == 200
    finally:
        server.kill()


async def post_record(server: Server, number: int) -> tuple[int, Any]:
    """Upload a record; each number is another one."""
    record = trace.dumps(played(("ur", {}, 2), number))
    return await asyncio.to_thread(server.call, "POST", "/api/records", {"record": record})


def test_uploads_of_an_address_are_rationed(tmp_path: Path):
    strict = Server(tmp_path / "tables.sqlite", uploads=0.0, upload_burst=2.0).start()
    try:
        asked = [strict.call("POST", DECK, {"name": "a.toml", "text": "x"}) for _ in range(3)]
        assert [status for status, _ in asked] == [400, 400, 429]
    finally:
        strict.kill()


CONFINED = """
import sys
from quadriga.server.workers import confine
confine.limit_memory(64)
confine.limit_time(1.0)
try:
    bytearray(256 * 2**20)
except MemoryError:
    print("no memory", flush=True)
bytearray(2**20)
while True:
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep these limits")
def test_a_confined_process_gets_no_more_memory_and_no_more_time():
    process = subprocess.run([sys.executable, "-c", CONFINED], capture_output=True, text=True, env=here())
    assert process.stdout == "no memory\n"
    assert process.returncode == -signal.SIGXCPU


def test_a_worker_ends_with_its_server(tmp_path: Path):
    server = Server(tmp_path / "tables.sqlite").start()
    assert server.call("POST", DECK, {"name": "a.toml", "text": "x"})[0] == 400
    (worker,) = workers_of(server)
    server.kill()
    with suppress(ProcessLookupError):
        while True:
            os.kill(worker, 0)


def test_the_limits_of_files_are_documented():
    docs = ROOT / "docs"
    limits = f"{nesting.MAX_FILE_BYTES // 1024} KiB", f"{nesting.MAX_DEPTH} levels"
    for name in ("decks.md", "courses.md", "operations.md"):
        assert all(each in (docs / name).read_text("utf-8") for each in limits), name
