"""Show the progress of long work on standard error, if that is a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from quadriga.engine.kernels.compiler import CompileNotice
from quadriga.engine.text.catalogues import Words
from quadriga.lab.simulate import Progress as ReportProgress


@contextmanager
def progress_bar(say: Words, total: int) -> Iterator[ReportProgress]:
    """Show a progress bar during the block; yield the function that moves it. A total of 0 is not known yet."""
    console = Console(stderr=True)
    with Progress(
        TextColumn(say("cli.progress")),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("", total=total)
        yield lambda done, known: progress.update(task, completed=done, total=total or known)


def compile_notice(say: Words) -> CompileNotice:
    """Return a report that prints one sentence on standard error if compiling takes more than a second."""
    console = Console(stderr=True, highlight=False)
    return CompileNotice(lambda sentence: console.print(sentence, style="dim"), say)
