"""What an arena prints."""

from __future__ import annotations

from quadriga.cli.output import print_json
from quadriga.engine.text.catalogues import Words
from quadriga.lab.arena.arena import Arena
from quadriga.lab.arena.ratings import Share


def _interval(share: Share) -> str:
    return f"{share.low:.1%} – {share.high:.1%}"


def arena(result: Arena, as_json: bool, say: Words) -> None:
    """Standings and pairs, with 99 % intervals."""
    if as_json:
        print_json(result)
        return
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(title=say("cli.arena.title", game=result.plan.game, n=result.games, seed=result.plan.seed))
    table.add_column(say("cli.arena.player"))
    table.add_column(say("cli.arena.wins"), justify="right")
    table.add_column(say("cli.arena.interval"), justify="right")
    table.add_column(say("cli.arena.score"), justify="right")
    table.add_column(say("cli.arena.rating"), justify="right")
    for each in result.standings:
        rating = f"{each.rating.mu:.1f} ± {each.rating.high - each.rating.mu:.1f}"
        wins = f"{each.wins.share:.1%}"
        table.add_row(each.player, wins, _interval(each.wins), f"{each.score:.2f}", rating)
    console.print(table)
    for pair in result.pairs:
        key = "cli.arena.ahead" if pair.settled else "cli.arena.open"
        said = say(
            key, one=pair.one, other=pair.other, share=f"{pair.ahead.share:.1%}", range=_interval(pair.ahead)
        )
        console.print(said, markup=False)
    if result.settled:
        console.print(say("cli.arena.settled", n=result.games), style="green")
    if result.interrupted:
        console.print(say("cli.arena.interrupted", n=result.games), style="yellow")
