"""Show the progress of long work on standard error: as a bar if that is a terminal, else in a sentence."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from quadriga.engine.kernels.compile_notice import CompileNotice
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.text.catalogues import Words

_SHOWN_AFTER_S = 0.5
_SAID_AFTER_S = 1.0  # where standard error is no terminal


class WorkBar:
    """The progress of one command: first of compiling, if that is needed, then of its work.

    A total of 0 is not known yet; without a total (None) only compiling is shown. Work that takes longer than a
    second says so, also before it has anything to count.
    """

    def __init__(self, say: Words, total: int | None = None) -> None:
        self._say = say
        self._console = Console(stderr=True, highlight=False)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[left]}"),
            console=self._console,
            transient=True,
            expand=False,
            disable=not self._console.is_terminal,
        )
        self._notice = CompileNotice(lambda sentence: self._console.print(sentence, style="dim"), say)
        self._total = total
        self._task: TaskID | None = None
        self._compiling: TaskID | None = None
        self._estimate = Estimate()
        self._is_checked = False  # whether compiled code can be kept
        self._started: TaskID | None = None
        self._sentence = threading.Timer(_SAID_AFTER_S, self._say_started)
        self._sentence.daemon = True

    def __enter__(self) -> Self:
        self._bar.start()
        if self._total is not None and self._console.is_terminal:
            self._started = self._bar.add_task(self._say("cli.starting"), total=None, count="", left="")
        elif self._total is not None:
            self._sentence.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sentence.cancel()
        self._bar.stop()

    def _say_started(self) -> None:
        total = self._say("cli.of", total=self._say.decimal(self._total)) if self._total else ""
        self._console.print(self._say("cli.started", what=self._say("cli.progress"), total=total), style="dim")

    def progress(self, done: int, known: int) -> None:
        """Show that so many of the games are done."""
        total = self._total or known
        if self._task is None:
            self._hide_compiling()
            if self._started is not None:
                self._bar.remove_task(self._started)
            self._estimate = Estimate()
            self._task = self._bar.add_task(self._say("cli.progress"), total=total, count="", left="")
        self._estimate.take(done, total, self._bar.tasks[-1].elapsed or 0.0)
        self._bar.update(
            self._task, completed=done, total=total, count=f"{done}/{total}", left=self._left(self._estimate.left)
        )

    def report(self, done: int, total: int, seconds: float) -> None:
        """Show that so many parts are compiled."""
        if not self._is_checked:
            self._is_checked = True
            folder = DiskCache().folder
            if not DiskCache().is_writable():
                self._console.print(self._say("cli.unkept", folder=str(folder)), style="dim", soft_wrap=True)
        if not self._console.is_terminal:
            self._notice(done, total, seconds)
        elif seconds > _SHOWN_AFTER_S:
            if self._compiling is None:
                self._estimate = Estimate()
                self._compiling = self._bar.add_task(self._say("cli.compiling"), total=None, count="", left="")
            shown = self._estimate.take(done, total, seconds)
            self._bar.update(
                self._compiling,
                completed=shown,
                total=total if done else None,
                count=f"{shown / total:.0%}" if done else "",
                left=self._left(self._estimate.left),
            )
            if done == total:
                self._hide_compiling()

    def _hide_compiling(self) -> None:
        if self._compiling is not None:
            self._bar.remove_task(self._compiling)
            self._compiling = None

    def _left(self, seconds: float) -> str:
        if not seconds:
            return ""
        minutes, rest = divmod(round(seconds), 60)
        return (
            self._say("cli.left.minutes", minutes=minutes + (rest > 30))
            if seconds > 90
            else self._say("cli.left.seconds", seconds=max(round(seconds), 1))
        )


class Estimate:
    """How far work is between two reports, and how long it still takes, if it goes on as fast as so far."""

    def __init__(self) -> None:
        self.left = 0.0  # seconds; 0 is not known
        self._first = 0, 0.0  # parts and seconds at the first report that had any
        self._done = 0
        self._since = 0.0  # the seconds at which the last part was done

    def take(self, done: int, total: int, seconds: float) -> float:
        """Take a report; return about how many parts are done by now."""
        if done and not self._first[0]:
            self._first = done, seconds
        if done > self._done:
            self._done, self._since = done, seconds
        if self._done == self._first[0] or self._since <= self._first[1]:
            return float(done)
        rate = (self._done - self._first[0]) / (self._since - self._first[1])
        shown = min(done + rate * (seconds - self._since), done + 0.9 * (total - done))
        self.left = (total - shown) / rate
        return shown
