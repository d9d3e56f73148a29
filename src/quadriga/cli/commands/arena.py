"""`quadriga arena`: let bots play each other, and print standings with 99 % intervals."""

from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from quadriga.cli import output
from quadriga.cli.arguments import game_options, parse_whole, seed_or_random
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.parameters import NO_OPTIONS, Course, GameName, GameOptions, Seats, Seed
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

if TYPE_CHECKING:
    from quadriga.lab.arena.arena import Arena
    from quadriga.lab.arena.ratings import Share


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("arena")
    def arena(
        game: GameName,
        players: Annotated[str, cli.option("players", "A,B,C")],
        option: GameOptions = NO_OPTIONS,
        seats: Seats = "",
        course: Course = "",
        seed: Seed = "",
        games: Annotated[str, cli.option("games", "N")] = "1000",
        workers: Annotated[str, cli.option("workers", "N")] = "",
        keep: Annotated[str, cli.option("keep", "FILE")] = "",
        cluster: Annotated[str, cli.option("cluster", "ADDRESS")] = "",
        all: Annotated[bool, cli.option("all")] = False,
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        from quadriga.cli.cluster import connected, report_failures
        from quadriga.cli.progress import WorkBar
        from quadriga.lab.arena.arena import compete, saved_seed

        rules = find(game)
        names = [name.strip() for name in players.split(",") if name.strip()]
        fitting = min(max(len(names), rules.min_seats), rules.max_seats)
        wanted = parse_whole("--seats", seats) if seats else fitting
        options, count = rules.resolve_options(game_options(rules, option, course=course), wanted)
        total = parse_whole("--games", games)
        stored_seed = None if seed else saved_seed(keep)
        with connected(cluster, cli.say, workers=bool(workers)) as executor, WorkBar(cli.say, total) as bar:
            result = compete(
                rules,
                options,
                count,
                names,
                games=total,
                seed=seed_or_random(seed) if stored_seed is None else stored_seed,
                workers=parse_whole("--workers", workers, most=256) if workers else 0,
                path=keep,
                early=not all,
                executor=executor,
                progress=bar.progress,
                report=bar.report,
            )
        if json:
            output.print_json(result)
        else:
            _print_standings(result, cli.say)
        if result.interrupted:
            raise Exit(INTERRUPTED)
        report_failures(result.failed, "cli.cluster.rounds", cli.say, as_json=json)


def _print_standings(result: "Arena", say: Words) -> None:
    """Print the standings, then each pair of bots."""
    from rich.table import Table

    from quadriga.lab.arena.ratings import Z99

    console = output.console()
    table = Table(title=say("cli.arena.title", game=result.plan.game, n=result.games, seed=result.plan.seed))
    table.add_column(say("cli.arena.player"))
    table.add_column(say("cli.arena.wins"), justify="right")
    table.add_column(say("cli.arena.interval"), justify="right")
    table.add_column(say("cli.arena.score"), justify="right")
    table.add_column(say("cli.arena.rating"), justify="right")
    for each in result.standings:
        rating = f"{say.decimal(each.rating.mean, 0)} ± {say.decimal(each.rating.margin(Z99), 0)}"
        wins = say.percent(each.wins.share, 1)
        table.add_row(each.player, wins, _interval(each.wins, say), say.decimal(each.score, 2), rating)
    console.print(table)
    for pair in result.pairs:
        key = "cli.arena.ahead" if pair.settled else "cli.arena.open"
        sentence = say(
            key,
            one=pair.one,
            other=pair.other,
            share=say.percent(pair.ahead.share, 1),
            range=_interval(pair.ahead, say),
        )
        console.print(sentence, markup=False)
    if result.settled:
        console.print(say("cli.arena.settled", n=result.games), style="green")
    if result.interrupted:
        console.print(say("cli.arena.interrupted", n=result.games), style="yellow")


def _interval(share: "Share", say: Words) -> str:
    return f"{say.percent(share.low, 1)} – {say.percent(share.high, 1)}"
