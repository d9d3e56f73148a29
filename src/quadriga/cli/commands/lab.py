"""`quadriga lab`: play many games between bots, keep what happened in them, and write a report on balance."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quadriga.cli import output
from quadriga.cli.arguments import complete_options, game_options, parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.parameters import NO_OPTIONS, Course, Deck, GameName, GameOptions, Games, Seats, Track
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

if TYPE_CHECKING:
    from quadriga.cli.progress import WorkBar
    from quadriga.lab.executors.chunks import Failure
    from quadriga.lab.study.plan import Plan

_FLAGS = ("course", "deck", "track")
_MOST_FINDINGS = 12  # sentences that are printed; the report has all of them
_SIBLINGS = {"course": "courses", "courses": "course"}  # a course file and names of courses exclude each other


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("lab")
    def lab(
        game: GameName,
        option: GameOptions = NO_OPTIONS,
        seats: Seats = "",
        course: Course = "",
        deck: Deck = "",
        track: Track = "",
        players: Annotated[str, cli.option("players", "A,B,C", text="lab-players")] = "greedy",
        fixed: Annotated[bool, cli.option("fixed")] = False,
        games: Games = "1000",
        seed: Annotated[str, cli.option("seed", "N")] = "1",
        against: Annotated[list[str], cli.option("against", "NAME=VALUE", complete=complete_options)] = NO_OPTIONS,
        reviews: Annotated[str, cli.option("reviews", "N")] = "",
        out: Annotated[str, cli.option("out", "FOLDER", text="lab-out")] = "",
        workers: Annotated[str, cli.option("workers", "N")] = "",
        cluster: Annotated[str, cli.option("cluster", "ADDRESS")] = "",
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        from quadriga.cli.cluster import connected, report_failures
        from quadriga.cli.progress import WorkBar
        from quadriga.lab import plot
        from quadriga.lab.executors.local import LocalExecutor
        from quadriga.lab.solver.solve import available_cores
        from quadriga.lab.study.collect import collect

        plot.require()
        rules = find(game)
        given = game_options(rules, option, course=course, deck=deck, track=track)
        values = _Values(players, fixed, games, seed, reviews, seats)
        plans = [_plan(rules, given, values)]
        if against:
            plans.append(_other_plan(rules, given, values, against))
            if plans[1] == plans[0]:
                raise OptionError("lab.same")
        folders = _folders(plans, out)
        count = parse_whole("--workers", workers, most=256) if workers else available_cores()
        done, interrupted = 0, False
        failed: list[Failure] = []
        total = sum(plan.games + plan.reviews for plan in plans)
        with connected(cluster, cli.say, workers=bool(workers)) as executor, WorkBar(cli.say, total) as bar:
            for plan, folder in zip(plans, folders, strict=True):
                before = sum(each.games + each.reviews for each in plans[: plans.index(plan)])
                found = collect(
                    plan,
                    folder,
                    executor=executor or LocalExecutor(count),
                    progress=partial(_show, bar, before, total),
                    report=bar.report,
                )
                done, interrupted, failed = done + found.games, found.interrupted, failed + found.failed
                if interrupted:
                    break
        _finish(cli.say, plans, folders, done, interrupted, failed, as_json=json)
        if interrupted:
            raise typer.Exit(INTERRUPTED)
        report_failures(failed, "cli.cluster.games", cli.say, as_json=json)


def _show(bar: "WorkBar", before: int, total: int, finished: int, _: int) -> None:
    """Show the progress of one of two studies."""
    bar.progress(before + finished, total)


class _Values:
    """What was given for the plan, as text."""

    def __init__(self, players: str, fixed: bool, games: str, seed: str, reviews: str, seats: str) -> None:
        self.players, self.fixed, self.games = players, fixed, games
        self.seed, self.reviews, self.seats = seed, reviews, seats


def _plan(game: Game, given: dict[str, object], values: _Values) -> "Plan":
    from quadriga.lab.study import plan

    usual = min(max(game.usual_seats, game.min_seats), game.max_seats)
    wanted = parse_whole("--seats", values.seats) if values.seats else usual
    options, seats = game.resolve_options(given, wanted)
    number = parse_whole("--games", values.games, most=plan.MOST_GAMES)
    reviews = min(plan.REVIEWS.get(game.id, 0), number)
    return plan.make(
        game,
        options,
        seats,
        [name.strip() for name in values.players.split(",") if name.strip()],
        games=number,
        seed=parse_whole("--seed", values.seed, least=0),
        is_fixed=values.fixed,
        reviews=parse_whole("--reviews", values.reviews, least=0) if values.reviews else reviews,
    )


def _other_plan(game: Game, given: dict[str, object], values: _Values, against: list[str]) -> "Plan":
    """Return the plan to compare with: the same, but for what `--against` names."""
    others: dict[str, str] = {}
    rest = []
    for text in against:
        name, equals, value = text.partition("=")
        if equals and name in (*_FLAGS, "players", "seats", "seed"):
            if name in others:
                raise OptionError("option.twice", name=name)
            others[name] = value
        else:
            rest.append(text)
    flags = {name: value for name, value in others.items() if name in _FLAGS}
    changed = game_options(game, rest, **flags)
    kept = {name: value for name, value in given.items() if _SIBLINGS.get(name) not in changed}
    players, seed = others.get("players", values.players), others.get("seed", values.seed)
    seats = others.get("seats", values.seats)
    other = _Values(players, values.fixed, values.games, seed, values.reviews, seats)
    return _plan(game, {**kept, **changed}, other)


def _folders(plans: "list[Plan]", out: str) -> list[Path]:
    """Return the folder of each plan: that of the second is in that of the first."""
    from quadriga.lab.study.store import default_folder

    first = Path(out) if out else default_folder() / f"{plans[0].game}-{plans[0].digest}"
    return [first, *(first / f"against-{plan.digest}" for plan in plans[1:])]


def _finish(
    say: Words,
    plans: "list[Plan]",
    folders: list[Path],
    games: int,
    interrupted: bool,
    failed: "list[Failure]",
    *,
    as_json: bool,
) -> None:
    """Write the report if all games are there, and print its findings."""
    from quadriga.lab.report import write

    findings: list[str] = []
    path = folders[-1] / "report.html"
    is_complete = not interrupted and not failed
    if is_complete:
        findings = write(folders[0], folders[1] if len(folders) > 1 else None, path, say.language)
    if as_json:
        output.print_json(
            {
                "game": plans[0].game,
                "games": games,
                "interrupted": interrupted,
                "folders": [str(folder) for folder in folders],
                "report": str(path) if is_complete else None,
                "findings": findings,
                "failed": failed,
            }
        )
        return
    console = output.console()
    if interrupted:
        console.print(say("cli.lab.interrupted", n=games), style="yellow")
        return
    console.print(say("cli.lab.played", game=plans[0].game, n=games), markup=False)
    if is_complete:
        nothing = say("cli.lab.same" if len(plans) > 1 else "cli.lab.nothing")
        for sentence in findings[:_MOST_FINDINGS] or [nothing]:
            console.print(sentence, markup=False)
        if (more := len(findings) - _MOST_FINDINGS) > 0:
            console.print(say("cli.lab.more", n=more), markup=False)
        console.print(say("cli.lab.report", path=str(path)), markup=False, soft_wrap=True)
    for folder in folders:
        console.print(say("cli.lab.data", path=str(folder)), markup=False, soft_wrap=True, style="dim")
