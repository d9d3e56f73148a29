"""Commands in processes forked from one that has imported the command line, so that each starts at once.

`tests/cli/test_cli.py` and others start commands as people do.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from support import here

_FORK_SERVER = """
import fcntl, gc, json, os, random, signal, socket, sys, termios

import aiosqlite, alembic.command, alembic.config, alembic.script, psycopg, rich.console, rich.live, rich.progress
import quadriga.cli.app, quadriga.cli.progress, quadriga.learn.first_race, quadriga.learn.lesson
import quadriga.players.compiled_match, quadriga.server.run, quadriga.server.storage.sqlite.store
from quadriga.cli import main
from quadriga.games import find

quadriga.cli.progress._SAID_AFTER_S = 3600.0  # a busy machine adds no sentence to the errors

for game in ("ur", "ave-caesar", "ben-hvrt"):
    find(game)

def reap_children():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass

def serve(asked):
    '''Return in a new process what it has to run. The process between them tells its id and its exit code.'''
    while True:
        text, given, _, _ = socket.recv_fds(asked, 1 << 20, 4)
        if not text:
            os._exit(0)
        *standard, status = given
        reap_children()
        if os.fork():
            for each in given:
                os.close(each)
            continue
        child = os.fork()
        if child:
            for each in standard:
                os.close(each)
            os.write(status, b"%d\\n" % child)
            os.write(status, b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            os._exit(0)
        asked.close()
        os.close(status)
        return standard, json.loads(text)

gc.collect()
gc.freeze()
standard, (arguments, folder, environment, is_terminal) = serve(socket.socket(fileno=int(sys.argv[1])))
for number, each in enumerate(standard):
    os.dup2(each, number)
    os.close(each)
if is_terminal:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.chdir(folder)
os.environ.clear()
os.environ.update(environment)
random.seed()
sys.stdin, sys.stdout, sys.stderr = (
    open(0, encoding="utf-8", closefd=False),
    open(1, "w", encoding="utf-8", closefd=False),
    open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False),
)
sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
sys.argv = ["quadriga", *arguments]
main()
"""
_READ_AT_START = ("PYTHON", "NUMBA", "OPENBLAS", "LC_", "LANG")  # variables that Python and libraries read at once


class Forked:
    """A command that runs, with what of `subprocess.Popen` the tests use."""

    def __init__(
        self,
        arguments: tuple[str, ...],
        files: tuple[int, int, int],
        folder: Path,
        environment: Mapping[str, str],
        is_terminal: bool,
    ) -> None:
        reading, writing = os.pipe()
        self.returncode: int | None = None
        self._status: IO[bytes] = os.fdopen(reading, "rb", buffering=0)
        asked = json.dumps([arguments, str(folder), dict(environment), is_terminal]).encode()
        socket.send_fds(_fork_server(), [asked], [*files, writing])
        os.close(writing)
        self.pid = int(self._status.readline())

    def poll(self) -> int | None:
        """Return the exit code, if the process has ended."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, and return the exit code."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("quadriga", timeout or 0)
        return code

    def _ended(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], seconds)[0]:
            self.returncode = int(self._status.readline())
            self._status.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def can_fork(environment: Mapping[str, str]) -> bool:
    """Return whether a command in this environment may come from a process with that of the tests."""
    usual = here()
    names = {*environment, *usual}
    return all(environment.get(name) == usual.get(name) for name in names if name.startswith(_READ_AT_START))


def run(
    *arguments: str, typed: str = "", folder: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end with these lines as its input, and return what it has printed."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as errors:
        given.write(typed.encode())
        given.seek(0)
        files = (given.fileno(), out.fileno(), errors.fileno())
        running = Forked(arguments, files, folder or Path.cwd(), here(**environment), is_terminal=False)
        try:
            code = running.wait(120)
        finally:
            running.kill()
        out.seek(0)
        errors.seek(0)
        said = out.read().decode(), errors.read().decode()
    return subprocess.CompletedProcess(["quadriga", *arguments], code, *said)


@cache
def _fork_server() -> socket.socket:
    """Start the process that forks commands. It ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-c", _FORK_SERVER, str(theirs.fileno())]
    own = here(OPENBLAS_NUM_THREADS="1")  # a process that forks should have one thread
    forking = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=own)
    theirs.close()

    def end() -> None:
        ours.close()
        forking.wait()

    atexit.register(end)
    return ours
