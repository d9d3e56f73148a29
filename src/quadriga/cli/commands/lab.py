"""`quadriga lab`: play many games between bots, keep what happened in them, and write a report on balance."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from quadriga.cli import output
from quadriga.cli.arguments import complete_options, game_options, option_files, parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.parameters import NO_OPTIONS, Course, Deck, GameName, GameOptions, Games, Seats, Track
from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

if TYPE_CHECKING:
    from quadriga.cli.progress import WorkBar
    from quadriga.engine.game import Game
    from quadriga.lab.executors.chunks import Failure
    from quadriga.lab.study.plan import StudyPlan

_FLAGS = ("course", "deck", "track")
_MOST_FINDINGS = 12  # sentences that are printed; the report has all of them
_MOST_SETUPS = 5  # to compare with
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
        named = option_files(rules, option, course=course, deck=deck, track=track)
        values = _Values(players, fixed, games, seed, reviews, seats, named)
        plans = [_plan(rules, given, values)]
        setups = _setups(against) if against else []
        for each in setups:
            other = _other_plan(rules, given, values, each)
            if any(plan.continues(other) for plan in plans):
                raise OptionError("lab.same")
            plans.append(other)
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
        names = [" ".join(each) for each in setups] if len(setups) > 1 else []
        _finish(cli.say, plans, folders, names, done, interrupted, failed, as_json=json)
        if interrupted:
            raise Exit(INTERRUPTED)
        report_failures(failed, "cli.cluster.games", cli.say, as_json=json)


def _show(bar: "WorkBar", before: int, total: int, finished: int, _: int) -> None:
    """Show the progress of one of several studies."""
    bar.progress(before + finished, total)


class _Values:
    """The arguments of the command that make the plan, as text."""

    def __init__(
        self,
        players: str,
        fixed: bool,
        games: str,
        seed: str,
        reviews: str,
        seats: str,
        named: dict[str, str] | None = None,
    ) -> None:
        self.players, self.fixed, self.games = players, fixed, games
        self.seed, self.reviews, self.seats = seed, reviews, seats
        self.files = named or {}  # by the option that is read from it


def _plan(game: "Game", given: dict[str, object], values: _Values) -> "StudyPlan":
    from quadriga.lab.study import plan

    usual = min(max(game.usual_seats, game.min_seats), game.max_seats)
    wanted = parse_whole("--seats", values.seats) if values.seats else usual
    options, seats = game.resolve_options(given, wanted)
    number = parse_whole("--games", values.games, most=plan.MOST_GAMES)
    reviews = min(game.study.reviews if game.study else 0, number)
    return plan.make(
        game,
        options,
        seats,
        [name.strip() for name in values.players.split(",") if name.strip()],
        games=number,
        seed=parse_whole("--seed", values.seed, least=0),
        is_fixed=values.fixed,
        reviews=parse_whole("--reviews", values.reviews, least=0) if values.reviews else reviews,
        files=values.files,
    )


def _setups(against: list[str]) -> list[list[str]]:
    """Return what each setup to compare with differs in. A name with several values gives a setup for each."""
    by_name: dict[str, list[str]] = {}
    for text in against:
        by_name.setdefault(text.partition("=")[0], []).append(text)
    several = [name for name, texts in by_name.items() if len(texts) > 1]
    if len(several) > 1:
        raise OptionError("option.twice", name=several[1])
    if not several:
        return [against]
    values = by_name.pop(several[0])
    if len(values) > _MOST_SETUPS:
        raise OptionError("lab.setups", most=_MOST_SETUPS)
    return [[value, *(text for texts in by_name.values() for text in texts)] for value in values]


def _other_plan(game: "Game", given: dict[str, object], values: _Values, against: list[str]) -> "StudyPlan":
    """Return the plan to compare with: the same, but for what `--against` names."""
    others: dict[str, str] = {}
    rest = []
    for text in against:
        name, equals, value = text.partition("=")
        if equals and name in (*_FLAGS, "players", "seats", "seed"):
            others[name] = value
        else:
            rest.append(text)
    flags = {name: value for name, value in others.items() if name in _FLAGS}
    changed = game_options(game, rest, **flags)
    kept = {name: value for name, value in given.items() if _SIBLINGS.get(name) not in changed}
    players, seed = others.get("players", values.players), others.get("seed", values.seed)
    seats = others.get("seats", values.seats)
    named = values.files | option_files(game, rest, **flags)
    other = _Values(players, values.fixed, values.games, seed, values.reviews, seats, named)
    return _plan(game, {**kept, **changed}, other)


def _folders(plans: "list[StudyPlan]", out: str) -> list[Path]:
    """Return the folder of each plan: those of the others are in that of the first."""
    from quadriga.lab.study.store import default_folder

    first = Path(out) if out else default_folder() / f"{plans[0].game}-{plans[0].digest}"
    return [first, *(first / f"against-{plan.digest}" for plan in plans[1:])]


def _report_folder(folders: list[Path]) -> Path:
    """Return the folder for the report: that of the last study, or one of its own for more than two."""
    if len(folders) <= 2:
        return folders[-1]
    digests = "-".join(folder.name.removeprefix("against-") for folder in folders[1:])
    found = folders[0] / f"against-{digests}"
    with files.file_errors(found, "file.write"):
        found.mkdir(exist_ok=True)
    return found


def _finish(
    say: Words,
    plans: "list[StudyPlan]",
    folders: list[Path],
    names: list[str],
    games: int,
    interrupted: bool,
    failed: "list[Failure]",
    *,
    as_json: bool,
) -> None:
    """Write the report if all games are there, and print its findings."""
    from quadriga.lab.report import write

    findings: list[str] = []
    path = _report_folder(folders) / "report.html"
    is_complete = not interrupted and not failed
    if is_complete:
        output.print_notice(say("cli.lab.writing"))
        findings = write(folders[0], folders[1:], path, say.language)
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
        for mark, name in zip("BCDEF", names, strict=False):
            console.print(f"{mark}: {name}", markup=False)
        nothing = say("cli.lab.same" if len(plans) > 1 else "cli.lab.nothing")
        for sentence in findings[:_MOST_FINDINGS] or [nothing]:
            console.print(sentence, markup=False)
        if (more := len(findings) - _MOST_FINDINGS) > 0:
            console.print(say("cli.lab.more", n=more), markup=False)
        console.print(say("cli.lab.report", path=str(path)), markup=False, soft_wrap=True)
    for folder in folders:
        console.print(say("cli.lab.data", path=str(folder)), markup=False, soft_wrap=True, style="dim")
