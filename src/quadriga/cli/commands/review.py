"""`quadriga review`: judge every decision of a recorded game."""

from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from quadriga.cli import output
from quadriga.cli.arguments import parse_whole, trace_lines
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.engine import files
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

if TYPE_CHECKING:
    from rich.table import Table

    from quadriga.engine.match.match import Match
    from quadriga.lab.review.review import Review


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("review")
    def review(
        record: Annotated[str, cli.argument("file")],
        playouts: Annotated[str, cli.option("playouts", "N")] = "200",
        seed: Annotated[str, cli.option("seed", "N")] = "1",
        chart: Annotated[str, cli.option("chart", "FILE")] = "",
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        count = parse_whole("--playouts", playouts, most=100_000)
        _review(record, count, parse_whole("--seed", seed, least=0), chart, json, cli.say)


def _review(path: str, playouts: int, seed: int, chart: str, as_json: bool, say: Words) -> None:
    """Review every game of a file; draw the chart of the first. An interrupt prints what was judged by then."""
    from quadriga.cli.progress import WorkBar
    from quadriga.engine.match import trace_reader
    from quadriga.lab.review.chart import chart_file, chart_suffix
    from quadriga.lab.review.review import review

    if chart:
        chart_suffix(chart)  # refuses an unknown ending before the work
    for number, reading in enumerate(trace_reader.read(trace_lines(path), find)):
        match = reading.match
        with WorkBar(say, len(match.entries)) as bar:
            found = review(match, playouts=playouts, seed=seed, progress=bar.progress, report=bar.report)
        own = catalogues.of(say.language, "quadriga.cli", match.game.package)
        names = [own.text(match.game.display.name_of(match.t, seat)) for seat in range(match.seats)]
        if chart and number == 0:
            files.write_bytes(chart, chart_file(found, names, own("cli.review.title", game=match.game.id), chart))
        if as_json:
            output.print_json(found)
        else:
            _print_review(found, match, names, own)
        if found.interrupted:
            raise Exit(INTERRUPTED)


def _print_review(found: "Review", match: "Match", names: list[str], say: Words) -> None:
    console = output.console()
    console.print(_move_table(found, match, names, say))
    for side in found.sides:
        sentence = say(
            "cli.review.side",
            name=names[side.seat],
            start=say.percent(side.start, 1),
            lost=say.percent(side.lost, 1),
            average=say.percent(side.average, 2),
            n=side.slips,
            luck=say.percent(side.luck, 1, "+"),
            result=say.percent(side.result, 1),
        )
        console.print(sentence, markup=False)
    rest = len(found.moves) - found.exact
    how = say("cli.review.how", exact=found.exact, rest=rest, playouts=found.playouts)
    console.print(how, style="dim")
    if rest:
        console.print(say("cli.review.error", error=say.percent(found.error, 1)), style="dim")
    trades = sum(move.unjudged for move in found.moves)
    if trades:
        console.print(say("cli.review.trades", n=trades), style="dim")
    if found.interrupted:
        console.print(say("cli.review.interrupted"), style="dim")
    if match.seats > 2:
        console.print(say("cli.review.others"), style="dim")


def _move_table(found: "Review", match: "Match", names: list[str], say: Words) -> "Table":
    from rich.table import Table

    from quadriga.lab.review.review import SLIP

    table = Table(title=say("cli.review.title", game=match.game.id))
    for heading in ("#", say("cli.review.who"), say("cli.review.move")):
        table.add_column(heading)
    for heading in (say("cli.review.before"), say("cli.review.after")):
        table.add_column(heading, justify="right")
    table.add_column(say("cli.review.better"))
    for move in found.moves:
        better = (
            f"{move.best} (+{say.percent(move.lost, 1)}{_sure(move.lost_error, say)})" if move.lost >= SLIP else ""
        )
        chances = (say.percent(move.before, 1), say.percent(move.after, 1) + _sure(move.error, say))
        table.add_row(str(move.number), names[move.seat], move.text, *chances, better)
    return table


def _sure(error: float, say: Words) -> str:
    """Return how sure an estimate is; nothing for an exact one."""
    return f" ±{say.percent(error, 0)}" if error else ""
