"""A real terminal for tests: a pseudo-terminal of some size with a command in it."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

from forked import Forked, can_fork
from support import here

CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07|\r")


class Terminal:
    """A command in a terminal: type lines, and wait for what it shows."""

    def __init__(
        self, *arguments: str, folder: Path, columns: int = 80, rows: int = 50, **environment: str
    ) -> None:
        self._screen, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        own = {**_without_size(here()), "TERM": "xterm-256color", **environment}
        self.process: subprocess.Popen[bytes] | Forked
        if can_fork(own):
            self.process = Forked(arguments, (theirs, theirs, theirs), folder, own, is_terminal=True)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "quadriga", *arguments],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                cwd=folder,
                env=own,
                preexec_fn=_own_terminal,
            )
        os.close(theirs)
        self._received = b""
        self._seen = 0  # letters that `until` has passed

    @property
    def shown(self) -> str:
        """Return the output since the last wait."""
        return CONTROL.sub("", self._received.decode("utf-8", "replace"))[self._seen :]

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.hang_up()

    def until(self, text: str, timeout: float = 150.0) -> str:
        """Wait for a text that was not there before; return what was shown up to it."""
        end = time.monotonic() + timeout
        while text not in self.shown:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"{text!r} was not shown, but: {self.shown[-2000:]}")
        before = self.shown.partition(text)[0]
        self._seen += len(before) + len(text)
        return before

    def type(self, line: str) -> None:
        os.write(self._screen, line.encode() + b"\n")

    def press(self, key: bytes) -> None:
        os.write(self._screen, key)

    def end(self, timeout: float = 60.0) -> int:
        """Wait for the end of the command; return its exit code."""
        end = time.monotonic() + timeout
        while self._read(end - time.monotonic()):
            pass
        return self.process.wait(timeout=timeout)

    def hang_up(self) -> None:
        """Close the terminal."""
        if self._screen >= 0:
            os.close(self._screen)
            self._screen = -1

    def _read(self, seconds: float) -> bool:
        if seconds <= 0 or not select.select([self._screen], [], [], seconds)[0]:
            return False
        try:
            part = os.read(self._screen, 65536)
        except OSError:  # how Linux says that the other end is closed
            return False
        self._received += part
        return bool(part)


def _without_size(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without the size of another terminal, which the workers of pytest have in theirs."""
    return {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES")}


def _own_terminal() -> None:
    """In the child: make the terminal its own, so that keys become signals and closing it hangs up."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
