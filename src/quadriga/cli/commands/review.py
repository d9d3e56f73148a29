"""Looking at a game again, from the command line."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table

from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.input import trace_lines
from quadriga.cli.output import print_json
from quadriga.cli.progress import bar, notice
from quadriga.engine import files
from quadriga.engine.match import trace_reader
from quadriga.engine.match.match import Match
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games import find
from quadriga.lab.review.chart import chart_file, chart_suffix
from quadriga.lab.review.review import Review, review

_SLIP = 0.005  # what is lost from which on a better move is named


def run(path: str, playouts: int, seed: int, chart: str, as_json: bool, say: Words) -> None:
    """Review every game of a file; the chart is of the first. An interrupt shows what was judged by then."""
    if chart:
        chart_suffix(chart)
    for number, reading in enumerate(trace_reader.read(trace_lines(path), find)):
        match = reading.match
        with bar(say, len(match.entries)) as progress:
            found = review(match, playouts=playouts, seed=seed, progress=progress, report=notice(say))
        own = catalogues.of(say.language, "quadriga.cli", match.game.package)
        names = [own.said(match.game.name(match.t, seat)) for seat in range(match.seats)]
        if chart and number == 0:
            files.write_bytes(chart, chart_file(found, names, own("cli.review.title", game=match.game.id), chart))
        if as_json:
            print_json(found)
        else:
            _show(found, match, names, own)
        if found.interrupted:
            raise typer.Exit(INTERRUPTED)


def _show(found: Review, match: Match, names: list[str], say: Words) -> None:
    console = Console(highlight=False)
    table = Table(title=say("cli.review.title", game=match.game.id))
    for key in ("#", say("cli.review.who"), say("cli.review.move")):
        table.add_column(key)
    for key in (say("cli.review.before"), say("cli.review.after")):
        table.add_column(key, justify="right")
    table.add_column(say("cli.review.better"))
    for move in found.moves:
        better = f"{move.best} (+{move.lost:.1%})" if move.lost >= _SLIP else ""
        sure = "" if move.exact else "~"
        chances = (f"{sure}{move.before:.1%}", f"{sure}{move.after:.1%}")
        table.add_row(str(move.number), names[move.seat], move.text, *chances, better)
    console.print(table)
    for side in found.sides:
        told = say(
            "cli.review.side",
            name=names[side.seat],
            start=f"{side.start:.1%}",
            lost=f"{side.lost:.1%}",
            n=side.decisions,
            luck=f"{side.luck:+.1%}",
            result=f"{side.result:.1%}",
        )
        console.print(told, markup=False)
    how = say("cli.review.how", exact=found.exact, rest=len(found.moves) - found.exact, playouts=found.playouts)
    console.print(how, style="dim")
    trades = sum(move.unjudged for move in found.moves)
    if trades:
        console.print(say("cli.review.trades", n=trades), style="dim")
    if found.interrupted:
        console.print(say("cli.review.interrupted"), style="dim")
    if match.seats > 2:
        console.print(say("cli.review.others"), style="dim")
