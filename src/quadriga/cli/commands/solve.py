"""`quadriga solve`: solve Ur exactly, or verify the tables of the solution."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from quadriga.cli.arguments import parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.output import print_json
from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

if TYPE_CHECKING:
    from rich.console import Console

    from quadriga.lab.solver.solve import Forecast, Solution

_REPORT_EVERY_S = 60.0  # between two lines of progress, where no terminal shows a bar


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("solve")
    def solve(
        game: Annotated[str, cli.argument("solved-game")],
        rules: Annotated[str, cli.option("rules", "NAME")] = "ben",
        markers: Annotated[str, cli.option("markers", "N")] = "",
        workers: Annotated[str, cli.option("workers", "N")] = "",
        folder: Annotated[str, cli.option("folder", "DIR")] = "",
        verify: Annotated[bool, cli.option("verify")] = False,
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        from quadriga.games.ur.board import RULE_SETS
        from quadriga.players.exact import tables

        if not find(game).is_solvable:
            raise OptionError("solve.game", game=game)
        cores = parse_whole("--workers", workers, most=256) if workers else 0
        given = parse_whole("--markers", markers, most=7) if markers else 0
        count = given or (RULE_SETS[rules].markers if rules in RULE_SETS else 1)
        where = Path(folder) if folder else tables.folder()
        if verify:
            _verify(rules, count, cores, where, json, cli.say)
        else:
            _solve(rules, count, cores, where, json, cli.say)


def _verify(rules: str, markers: int, workers: int, where: Path, as_json: bool, say: Words) -> None:
    """Check the tables, and print the largest residual. Raises FileError if it is too large."""
    from quadriga.lab.solver import solve as solver

    residual = solver.verify(rules, markers, workers=workers, where=where)
    if residual > solver.ACCEPTED:
        raise FileError("table.residual", path=str(where), residual=f"{residual:.1e}")
    if as_json:
        print_json({"rules": rules, "markers": markers, "residual": residual})
    else:
        print(say("cli.solve.verified", residual=f"{residual:.2e}"))


def _solve(rules: str, markers: int, workers: int, where: Path, as_json: bool, say: Words) -> None:
    """Print what the solution takes, solve, and print the result."""
    from rich.console import Console

    from quadriga.cli.progress import WorkBar
    from quadriga.lab.solver import solve as solver

    console = Console(stderr=True, highlight=False)
    with files.file_errors(where, "file.write"):  # refused before anything is compiled
        where.mkdir(parents=True, exist_ok=True)
    with WorkBar(say) as bar:
        forecast = solver.forecast(rules, markers, workers or solver.available_cores(), where, bar.report)
    _print_forecast(forecast, where, console, say)
    try:
        result = _solve_with_progress(rules, markers, workers, where, forecast.positions, console, say)
    except KeyboardInterrupt:
        console.print(say("cli.solve.interrupted"), style="yellow")
        raise Exit(INTERRUPTED) from None
    if as_json:
        print_json(result)
        return
    print(
        say(
            "cli.solve.solved",
            positions=say.decimal(result.positions),
            value=say.percent(result.value, 6),
            residual=f"{result.residual:.1e}",
            time=_duration(result.seconds, say),
        )
    )


def _print_forecast(forecast: "Forecast", where: Path, console: "Console", say: Words) -> None:
    sentence = say(
        "cli.solve.forecast",
        positions=say.decimal(forecast.positions),
        left=say.decimal(forecast.to_solve),
        memory=_size(forecast.memory, say),
        disk=_size(forecast.disk, say),
        time=_duration(forecast.seconds, say),
        folder=str(where),
    )
    console.print(sentence, style="dim", markup=False, soft_wrap=True)


def _solve_with_progress(
    rules: str, markers: int, workers: int, where: Path, positions: int, console: "Console", say: Words
) -> "Solution":
    """Solve with a progress bar on a terminal, or with a line a minute elsewhere."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from quadriga.lab.solver import solve as solver

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=positions)
        last_line = time.monotonic()

        def show(done: int, total: int, change: float) -> None:
            nonlocal last_line
            sentence = say("cli.solve.sweep", change=f"{change:.1e}")
            bar.update(task, completed=done, description=sentence)
            if not console.is_terminal and time.monotonic() - last_line > _REPORT_EVERY_S:
                last_line = time.monotonic()
                console.print(f"{say.percent(done / total, 1)}  {sentence}", style="dim", markup=False)

        return solver.solve(rules, markers, workers=workers, where=where, progress=show)


def _size(bytes: int, say: Words) -> str:
    unit, scale = ("GB", 1e9) if bytes >= 1e8 else ("MB", 1e6)
    return say(f"cli.solve.{unit}", n=say.decimal(bytes / scale, 1))


def _duration(seconds: float, say: Words) -> str:
    if seconds < 100:
        return f"{say.decimal(seconds)} s"
    return f"{say.decimal(seconds / 60)} min" if seconds < 6000 else f"{say.decimal(seconds / 3600, 1)} h"
