"""Server processes, forked from one process that has imported everything, so that each starts in under a second."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import forked
from support import here

_TESTS = Path(__file__).parents[2]
_FORK_SERVER = """
import gc, json, os, signal, sys
sys.path.append(sys.argv[1])
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.server.run import run
from quadriga.server.settings import Settings, store_address
from quadriga.server.storage import base
from server.support.shared_clock import SharedClock
import aiosqlite, alembic.command, alembic.config, alembic.script, httptools, psycopg, redis.asyncio, uvloop
import quadriga.lab.study.store, quadriga.players.compiled_match
import quadriga.server.storage.postgres.store, quadriga.server.storage.sqlite.store
import uvicorn.lifespan.on, uvicorn.loops.uvloop, uvicorn.protocols.websockets.websockets_sansio_impl

for game in ("ur", "ave-caesar", "ben-hvrt"):
    find(game)

def reap_children():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass

def print_objects(*_):
    gc.collect()
    print(gc.get_freeze_count() + len(gc.get_objects()), flush=True)

gc.collect()
gc.freeze()  # else every server collects, and so copies, all that it shares with this process
for line in sys.stdin:
    reap_children()
    port, store, own, output, environment, clock = json.loads(line)
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(output, os.O_WRONLY), 1)
    signal.signal(signal.SIGUSR1, print_objects)
    if clock:
        base.time = SharedClock(clock)
    settings = Settings(port=port, store=store_address(store), **own)
    run(settings, catalogues.of("en", "quadriga.server"), exact=True, browser=False)
    os._exit(0)
reap_children()
"""


@cache
def _fork_server() -> subprocess.Popen[str]:
    """Start the process that forks servers. It ends with this process."""
    command = [sys.executable, "-W", "error", "-c", _FORK_SERVER, str(_TESTS)]
    own = here(OPENBLAS_NUM_THREADS="1")  # a process that forks should have one thread
    forking = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=own)

    def end() -> None:
        for pipe in (forking.stdin, forking.stdout):
            assert pipe is not None
            pipe.close()
        forking.wait()

    atexit.register(end)
    return forking


def run_command(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in its own process, and in this working folder, to its end."""
    return forked.run(*arguments, folder=folder)


class ServerProcess:
    """The process of one server, and its standard output."""

    def __init__(self, port: int, store: str, settings: dict[str, Any], clock: str = "") -> None:
        forking = _fork_server()
        assert forking.stdin is not None
        assert forking.stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            pipe = f"{folder}/output"
            os.mkfifo(pipe)
            print(json.dumps([port, store, settings, pipe, here(), clock]), file=forking.stdin, flush=True)
            self.pid = int(forking.stdout.readline())
            self.output = Path(pipe).open()  # noqa: SIM115 - until the process has ended

    def objects(self) -> int:
        """Return the number of objects that the garbage collector knows in the process."""
        os.kill(self.pid, signal.SIGUSR1)
        return int(next(line for line in self.output if line.strip().isdigit()))

    def end(self, how: int) -> None:
        """Send a signal and wait for the end of the process. Do nothing if it has ended."""
        if self.output.closed:
            return
        os.kill(self.pid, how)
        self.output.read()  # the end of the output comes when no process can write to it
        self.output.close()
