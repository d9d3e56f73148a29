"""`quadriga tournament`: simulate tournaments, and verify the pairings of one."""

from typing import TYPE_CHECKING, Annotated

from quadriga.cli import output
from quadriga.cli.arguments import parse_whole, seed_or_random, trace_lines
from quadriga.cli.commandline import CommandLine
from quadriga.cli.parameters import Seed
from quadriga.engine.errors import FileError, MissingExtraError, OptionError
from quadriga.engine.text.catalogues import Words

if TYPE_CHECKING:
    from quadriga.lab.tournament.simulate import Simulated

_MOST_SEATS = 12


def add(cli: CommandLine) -> None:
    """Add the commands."""

    @cli.group_command("tournament", "simulate")
    def simulate(
        kind: Annotated[str, cli.option("kind", "swiss|knockout", text="tournament-kind")] = "swiss",
        players: Annotated[str, cli.option("players", "N", text="tournament-players")] = "32",
        seats: Annotated[str, cli.option("seats", "N", text="table-seats")] = "4",
        rounds: Annotated[str, cli.option("rounds", "N", text="tournament-rounds")] = "5",
        tournaments: Annotated[str, cli.option("tournaments", "N")] = "100",
        start: Annotated[str, cli.option("start", "N", text="start-advantage")] = "2",
        seed: Seed = "",
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        from quadriga.cli.progress import WorkBar
        from quadriga.lab.tournament.simulate import simulate

        if kind not in ("swiss", "knockout"):
            raise OptionError("option.value", name="--kind", value=kind, allowed="swiss|knockout")
        is_swiss = kind == "swiss"
        size = parse_whole("--seats", seats, 2, _MOST_SEATS) if is_swiss else 2
        count = parse_whole("--tournaments", tournaments)
        _require_matching()
        with WorkBar(cli.say, count * (1 + is_swiss)) as bar:
            found = simulate(
                "swiss" if is_swiss else "knockout",
                parse_whole("--players", players, max(3, size), 2_000),
                size,
                parse_whole("--rounds", rounds, 1, 100) if is_swiss else 0,
                count,
                seed_or_random(seed),
                float(parse_whole("--start", start, 1, 100)),
                bar.progress,
            )
        if json:
            output.print_json(found)
        else:
            _print(found, cli.say)

    @cli.group_command("tournament", "verify")
    def verify(file: Annotated[str, cli.argument("tournament-file")]) -> None:
        from quadriga.lab.tournament import published

        _require_matching()
        try:
            log = published.read(b"\n".join(trace_lines(file)))
        except ValueError as fault:
            raise FileError("file.refused", path=file, reason=fault) from None
        wrong = log.first_wrong()
        if wrong is not None:
            raise FileError("file.refused", path=file, reason=cli.say("cli.tournament.wrong", n=wrong))
        print(cli.say("cli.tournament.right", n=log.pairings))


def _require_matching() -> None:
    try:
        import rustworkx  # noqa: F401
    except ModuleNotFoundError as missing:
        raise MissingExtraError("extra.missing", what=missing.name, extra="server") from None


def _print(found: "Simulated", say: Words) -> None:
    from rich.table import Table

    title = say(
        "cli.tournament.title",
        n=found.tournaments,
        players=found.players,
        seats=found.seats,
        rounds=found.rounds,
        seed=found.seed,
    )
    table = Table(title=title)
    table.add_column(say("cli.tournament.method"))
    for name in ("order", "best", "repeats", "starts", "byes"):
        table.add_column(say(f"cli.tournament.{name}"), justify="right")
    for each in found.qualities:
        table.add_row(
            say(f"cli.tournament.{each.method}"),
            say.decimal(each.order, 3),
            say.percent(each.best, 1),
            say.decimal(each.repeats, 2),
            say.decimal(each.starts, 3),
            str(each.byes),
        )
    output.console().print(table)
