"""`quadriga sim`: play many random games and print win rates, lengths and counts."""

from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from quadriga.cli import output
from quadriga.cli.arguments import parse_whole, resolve_setup, seed_or_random
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.parameters import NO_OPTIONS, Course, Deck, GameName, GameOptions, Games, Seats, Seed, Track
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words

if TYPE_CHECKING:
    from quadriga.engine.game import Game
    from quadriga.lab.simulate import Simulation
    from quadriga.lab.totals import Spread


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("sim")
    def sim(
        game: GameName,
        option: GameOptions = NO_OPTIONS,
        seats: Seats = "",
        course: Course = "",
        deck: Deck = "",
        track: Track = "",
        seed: Seed = "",
        games: Games = "10000",
        workers: Annotated[str, cli.option("workers", "N")] = "1",
        plain: Annotated[bool, cli.option("plain")] = False,
        out: Annotated[str, cli.option("out", "FILE", "-o", text="sim-out")] = "",
        cluster: Annotated[str, cli.option("cluster", "ADDRESS")] = "",
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        from quadriga.cli.cluster import connected, report_failures
        from quadriga.cli.progress import WorkBar
        from quadriga.lab import details
        from quadriga.lab.simulate import simulate

        if out:
            details.check_file(out)
        rules, options, count = resolve_setup(game, option, seats, course=course, deck=deck, track=track)
        total = parse_whole("--games", games)
        with connected(cluster, cli.say, workers=workers != "1") as executor, WorkBar(cli.say, total) as bar:
            result = simulate(
                rules,
                options,
                count,
                games=total,
                seed=seed_or_random(seed),
                workers=parse_whole("--workers", workers, most=256),
                compiled=False if plain else None,
                detail=bool(out),
                executor=executor,
                progress=bar.progress,
                report=bar.report,
            )
        if not plain and not result.timing["compiled"]:
            output.print_notice(cli.say("cli.sim.fast"))
        if out:
            details.write(out, result.columns())
        if json:
            output.print_json(result.to_dict())
        else:
            _print_result(result, rules, cli.say)
            if out:
                output.console().print(cli.say("cli.sim.written", path=out), markup=False, soft_wrap=True)
        if result.interrupted:
            raise Exit(INTERRUPTED)
        report_failures(result.failed, "cli.cluster.games", cli.say, as_json=json)


def _print_result(result: "Simulation", game: "Game", say: Words) -> None:
    from rich.table import Table

    own = catalogues.of(say.language, "quadriga.cli", game.package)
    console = output.console()
    table = Table(title=own("cli.sim.title", game=game.id, games=own.decimal(result.games), seed=result.seed))
    for column in ("seat", "wins", "interval", "score"):
        table.add_column(own(f"cli.sim.{column}"), justify="left" if column == "seat" else "right")
    t, _ = game.rules.new(result.options, result.seats)
    for seat, (win, score) in enumerate(zip(result.wins, result.scores, strict=True)):
        name = own.text(game.display.name_of(t, seat))
        interval = f"{own.percent(win.low, 2)} – {own.percent(win.high, 2)}"
        table.add_row(name, own.percent(win.share, 2), interval, own.decimal(score.mean, 3))
    console.print(table)
    console.print(_spread_line(own("cli.sim.decisions"), result.decisions, own))
    console.print(_spread_line(own("cli.sim.chances"), result.chances, own))
    for name, spread in result.tallies.items():
        label = f"{game.id}.tally.{name}"
        console.print(_spread_line(own(label) if label in own else name, spread, own))
    if result.interrupted:
        console.print(own("cli.sim.interrupted", n=result.games), style="yellow")
    console.print(own("cli.sim.speed", rate=own.decimal(result.timing["games_per_second"])), style="dim")


def _spread_line(label: str, spread: "Spread", say: Words) -> str:
    return say(
        "cli.sim.spread",
        label=label,
        mean=say.decimal(spread.mean, 2),
        deviation=say.decimal(spread.deviation, 2),
        least=say.decimal(spread.least),
        most=say.decimal(spread.most),
    )
