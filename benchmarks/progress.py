"""Run the processes of sections, and show how far they are."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import Any

from rich.console import Console

LIMIT_S = 600.0  # for a section, or some times what is expected; one that hangs must not stop the others
LIMIT_TIMES = 5
ENDING_S = 10.0  # for a section that is interrupted to stop the servers that it has started
SAID_EVERY_S = 20.0  # where the output is no terminal


class SectionError(Exception):
    """A section that has no figures."""


class Progress:
    """Shows the section that runs, and the time left, by the seconds that are expected of each section."""

    def __init__(self, expected: dict[str, int]) -> None:
        self.expected = expected
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._status = self._console.status("")
        self._done: dict[str, float] = {}  # seconds
        self._name = ""
        self._rows = 0
        self._began = self._said = time.monotonic()

    def __enter__(self) -> Progress:
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def begin(self, name: str) -> None:
        """Show that a section begins."""
        self._name, self._rows = name, 0
        self._began = time.monotonic()
        self._console.print(f"{name} ...", markup=False)
        self.tick()

    def row(self, row: list[str]) -> None:
        """Show a row."""
        self._rows += 1
        self._console.print("    ", "  ".join(row), markup=False)
        self.tick()

    def end(self, how: str) -> None:
        """Show that the section has ended."""
        self._done[self._name] = seconds = time.monotonic() - self._began
        self._console.print(f"{self._name} {how} after {seconds:.0f} s", markup=False)

    def tick(self) -> None:
        """Show the time left."""
        now = time.monotonic()
        text = (
            f"{self._name}: section {len(self._done) + 1} of {len(self.expected)}, {self._rows} rows, "
            f"{now - self._began:.0f} s; about {self.left(now - self._began) / 60:.1f} minutes left"
        )
        self._status.update(text)
        if not self._console.is_terminal and now - self._said > SAID_EVERY_S:
            self._said = now
            self._console.print(text, markup=False)

    def left(self, spent: float) -> float:
        """Return the seconds left when the running section has run for `spent`.

        The machine is as fast as it was in the sections that are done.
        """
        pace = sum(self._done.values()) / (sum(self.expected[name] for name in self._done) or 1) or 1.0
        waiting = [each for name, each in self.expected.items() if name not in self._done and name != self._name]
        return max(pace * self.expected[self._name] - spent, 0.0) + pace * sum(waiting)


def run(command: list[str], name: str, progress: Progress) -> dict[str, Any]:
    """Run the process of a section; return its figures. Raise `SectionError` if it has none."""
    progress.begin(name)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True)
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
    reader.start()
    rows: list[list[str]] = []
    limit = max(LIMIT_S, LIMIT_TIMES * progress.expected[name])
    ends = time.monotonic() + limit
    try:
        while line := _next(lines, progress, ends):
            found = json.loads(line)
            if isinstance(found, dict):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(ENDING_S)
                progress.end("done")
                return {**found, "rows": rows}
            rows.append(found)
            progress.row(found)
    except TimeoutError:
        progress.end("stopped")
        raise SectionError(f"it took more than {limit:.0f} s") from None
    finally:
        _stop(process)
        reader.join()
    progress.end("failed")
    raise SectionError(f"it ended with status {process.returncode} after {len(rows)} rows")


def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            lines.put(line)
    lines.put("")


def _next(lines: queue.Queue[str], progress: Progress, ends: float) -> str:
    """Return the next line, and show the time left while waiting for it."""
    while time.monotonic() < ends:
        with suppress(queue.Empty):
            return lines.get(timeout=1.0)
        progress.tick()
    raise TimeoutError


def _stop(process: subprocess.Popen[str]) -> None:
    """Stop a section and the servers that it has started."""
    for how in (signal.SIGINT, signal.SIGKILL):
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, how)
            process.wait(ENDING_S)
