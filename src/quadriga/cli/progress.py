"""Long work shows how far it is, where there is a terminal to show it on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from quadriga.engine.kernels.compiler import CompileNotice
from quadriga.engine.text.catalogues import Words
from quadriga.lab.simulate import Progress as Told


@contextmanager
def bar(say: Words, total: int) -> Iterator[Told]:
    """A progress bar on standard error, gone when the work is done."""
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


def notice(say: Words) -> CompileNotice:
    """Says on standard error that code is being compiled, when that takes more than a second."""
    console = Console(stderr=True, highlight=False)
    return CompileNotice(lambda sentence: console.print(sentence, style="dim"), say)
