"""A restarted server loads many rooms at once, and no decoder is built while it serves."""

from __future__ import annotations

import ast
import json
import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import quadriga
from quadriga.server.storage.sqlite.store import SqliteStore
from server.support.harness import Server
from soak import count
from support import VERSION_0_1_0, here

ROOMS = 24
RESTARTS = count(1, 100)
RACES = count(15, 400)
CODE = Path(quadriga.__file__).parent
SERVED = ("engine", "games", "server", "players")  # packages whose code runs in the server's threads


def test_a_restarted_server_loads_many_cold_rooms_at_once(tmp_path: Path):
    server = Server(tmp_path / "tables.sqlite").start()
    options = {"ave-caesar": {"courses": ["blue cw"]}, "ben-hvrt": {"series": [1]}, "ur": {}}
    games = sorted(options)
    try:
        made = [games[number % 3] for number in range(ROOMS)]
        ids = [
            server.create(game, "me bot bot" if game[0] == "a" else "me bot", options=options[game])[0]
            for game in made
        ]
        for _ in range(RESTARTS):
            server.kill()
            server.start()
            with ThreadPoolExecutor(ROOMS) as many:
                answers = list(many.map(lambda room: server.call("GET", f"/api/tables/{room}"), ids))
            assert [(status, table["game"]) for status, table in answers] == [(200, game) for game in made]
    finally:
        server.kill()


# In each of many new processes, several threads load the rooms of a store; no Struct type was decoded before.
_RACE = """
import os, pickle, sys, threading
from quadriga.games import find
from quadriga.server.state import replaying

processes, threads = int(sys.argv[1]), int(sys.argv[2])
rooms = pickle.load(sys.stdin.buffer)
for game in ("ur", "ave-caesar", "ben-hvrt"):
    find(game)

def load(room, ready):
    ready.wait()
    replaying.replay(room)

def race():
    sys.setswitchinterval(1e-5)
    ready = threading.Barrier(threads)
    racing = [threading.Thread(target=load, args=(rooms[n % len(rooms)], ready)) for n in range(threads)]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join()

ended = []
for _ in range(processes):
    child = os.fork()
    if not child:
        race()
        os._exit(0)
    ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(ended)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks processes")
async def test_threads_that_load_rooms_at_once_do_not_crash_a_process(tmp_path: Path):
    """When threads built the decoder of one type at the same time, 3 to 8 of 40 processes crashed."""
    path = tmp_path / "tables.sqlite"
    shutil.copy(VERSION_0_1_0 / "tables.sqlite", path)
    store = await SqliteStore.opened(path)
    with closing(sqlite3.connect(path)) as disk:
        few = "SELECT table_id FROM log GROUP BY table_id HAVING count(*) < 50"  # so that threads take little time
        ids = [id for (id,) in disk.execute(few)]
    rooms = [await store.load(id) for id in ids]
    await store.close()
    command = [sys.executable, "-c", _RACE, str(RACES), "6"]
    race = subprocess.run(
        command, input=pickle.dumps(rooms), capture_output=True, env={**here(), "OPENBLAS_NUM_THREADS": "1"}
    )
    assert (json.loads(race.stdout), race.stderr) == ([0] * RACES, b"")


def _builds_decoder(call: ast.Call) -> bool:
    """Return whether a call builds a decoder for a type, as `msgspec.json.decode(raw, type=Kind)` does."""
    name = ast.unparse(call.func)
    typed = any(keyword.arg == "type" for keyword in call.keywords)
    return name == "msgspec.convert" or (name in ("msgspec.json.decode", "msgspec.msgpack.decode") and typed)


@pytest.mark.parametrize("package", SERVED)
def test_decoders_are_built_at_import(package: str):
    """Two threads that build the decoder of one Struct type at the same time can crash the process."""
    assert (CODE / package).is_dir()
    found = [
        f"{path.relative_to(CODE)}:{node.lineno}"
        for path in sorted((CODE / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and _builds_decoder(node)
    ]
    assert found == []
