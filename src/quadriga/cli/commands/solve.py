"""Solving Ur from the command line: what it will take, how far it is, what came of it."""

from __future__ import annotations

import time
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.output import print_json
from quadriga.cli.progress import notice
from quadriga.engine.errors import FileError
from quadriga.engine.text.catalogues import Words
from quadriga.games.ur.board import RULE_SETS
from quadriga.lab.solver import solve as solver
from quadriga.players.exact import tables

_MINUTE = 60.0  # between two lines on the way, where there is no terminal to draw a bar on


def run(rules: str, markers: int, workers: int, folder: str, verify: bool, as_json: bool, say: Words) -> None:
    """Tell what it will take, solve, and show the result; or verify what is there."""
    count = markers or (RULE_SETS[rules].markers if rules in RULE_SETS else 1)
    where = Path(folder) if folder else tables.folder()
    if verify:
        residual = solver.verify(rules, count, workers=workers, where=where)
        if residual > solver.ACCEPTED:
            raise FileError("table.residual", path=str(where), residual=f"{residual:.1e}")
        if as_json:
            print_json({"rules": rules, "markers": count, "residual": residual})
        else:
            print(say("cli.solve.verified", residual=f"{residual:.2e}"))
        return
    console = Console(stderr=True, highlight=False)
    ahead = solver.forecast(rules, count, workers or solver.available_cores(), where, notice(say))
    told = say(
        "cli.solve.forecast",
        positions=f"{ahead.positions:,}",
        left=f"{ahead.to_solve:,}",
        memory=_large(ahead.memory),
        disk=_large(ahead.disk),
        time=_long(ahead.seconds),
        folder=str(where),
    )
    console.print(told, style="dim", markup=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("", total=ahead.positions)

            spoken = time.monotonic()

            def show(done: int, total: int, change: float) -> None:
                nonlocal spoken
                told = say("cli.solve.sweep", change=f"{change:.1e}")
                bar.update(task, completed=done, description=told)
                if not console.is_terminal and time.monotonic() - spoken > _MINUTE:
                    spoken = time.monotonic()
                    console.print(f"{done / total:.1%}  {told}", style="dim", markup=False)

            result = solver.solve(rules, count, workers=workers, where=where, progress=show, report=notice(say))
    except KeyboardInterrupt:
        console.print(say("cli.solve.interrupted"), style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_json(result)
        return
    print(
        say(
            "cli.solve.solved",
            positions=f"{result.positions:,}",
            value=f"{result.value:.6%}",
            residual=f"{result.residual:.1e}",
            time=_long(result.seconds),
        )
    )


def _large(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def _long(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
