"""A server that is started from the command line; its standard error goes to a file."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from server.support.harness import Server
from support import here


class CommandLineServer(Server):
    """`quadriga serve` with these arguments, on a free port."""

    first_words = "The table is at"

    def __init__(self, folder: Path, *arguments: str) -> None:
        super().__init__(folder / "tables.sqlite")
        self.log = folder / "stderr"
        self._arguments = arguments

    def command(self) -> list[str]:
        """Return the command that starts it."""
        options = ["--port", "0", "--no-browser", "--store", str(self.store), *self._arguments]
        return [sys.executable, "-m", "quadriga", "serve", *options]

    def start(self) -> Self:
        with self.log.open("ab") as errors:
            self.running = subprocess.Popen(
                self.command(),
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=here(),
            )
        assert self.running.stdout is not None
        line = self.running.stdout.readline()
        while not self.is_ready(line):
            line = self.running.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1])
        return self

    def is_ready(self, line: str) -> bool:
        """Return whether a line says where the server is."""
        assert line, self.log.read_text()
        return line.startswith(self.first_words)

    def kill(self, how: int = signal.SIGTERM) -> None:
        self.running.send_signal(how)
        self.running.communicate()

    def lines(self) -> list[str]:
        """Return the lines of its log."""
        return self.log.read_text("utf-8", "replace").splitlines()
