"""Servers as processes of their own, forked from one that has imported everything: to start one takes no second."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
_NURSE = """
import json, os, sys
from pathlib import Path
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.server.run import run
from quadriga.server.settings import Settings
import alembic.command, alembic.script, httptools, uvloop
import uvicorn.protocols.websockets.websockets_sansio_impl

for game in ("ur", "ave-caesar", "ben-hvrt"):
    find(game)
def bury():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass

for line in sys.stdin:
    bury()
    port, store, own, output, environment = json.loads(line)
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(output, os.O_WRONLY), 1)
    settings = Settings(port=port, store=Path(store), **own)
    run(settings, catalogues.of("en", "quadriga.server"), exact=True, browser=False)
    os._exit(0)
bury()
"""


@cache
def _nurse() -> subprocess.Popen[str]:
    """The process that has imported everything; it ends with this one."""
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-W", "error", "-c", _NURSE]
    own = {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"}  # who forks had better be one thread
    nurse = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=own)

    def goodbye() -> None:
        for pipe in (nurse.stdin, nurse.stdout):
            assert pipe is not None
            pipe.close()
        nurse.wait()

    atexit.register(goodbye)
    return nurse


def command(*arguments: str, user: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own to its end, as another user if that is said."""
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    own = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    asked = [sys.executable, "-m", "quadriga", *arguments]
    return subprocess.run(asked, capture_output=True, text=True, env=own, user=user, timeout=120)


class Spawned:
    """One server's process; what it says can be read."""

    def __init__(self, port: int, store: str, settings: dict[str, Any]) -> None:
        nurse = _nurse()
        assert nurse.stdin is not None
        assert nurse.stdout is not None
        paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        with tempfile.TemporaryDirectory() as folder:
            pipe = f"{folder}/output"
            os.mkfifo(pipe)
            environment = {**os.environ, "PYTHONPATH": paths}
            print(json.dumps([port, store, settings, pipe, environment]), file=nurse.stdin, flush=True)
            self.pid = int(nurse.stdout.readline())
            self.output = Path(pipe).open()  # noqa: SIM115 - until the process has ended

    def end(self, how: int) -> None:
        """Send a signal, and wait until the process is gone; who is gone already is let rest."""
        if self.output.closed:
            return
        os.kill(self.pid, how)
        self.output.read()  # to its end, which comes when nobody is left to write
        self.output.close()
