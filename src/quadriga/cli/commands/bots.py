"""The commands about bots: who is stronger, and by how much."""

from collections.abc import Callable
from typing import Annotated, Any, Protocol, TypeVar

import typer

from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.input import chosen, seed_or_random, whole
from quadriga.engine.errors import OptionError
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

_NONE: list[str] = []


F = TypeVar("F", bound=Callable[..., None])


class Command(Protocol):
    """Registers a command by its name."""

    def __call__(self, name: str, /) -> Callable[[F], F]:
        """The decorator of a command."""
        ...


def add(command: Command, given: Callable[[str], Any], flag: Callable[..., Any], say: Words) -> None:
    """Put the commands about bots onto the command line."""

    @command("arena")
    def arena(
        game: Annotated[str, given("game")],
        players: Annotated[str, flag("players", "A,B,C")],
        option: Annotated[list[str], flag("option", "NAME=VALUE")] = _NONE,
        seats: Annotated[str, flag("seats", "N")] = "",
        course: Annotated[str, flag("course", "NAME|FILE")] = "",
        seed: Annotated[str, flag("seed", "N")] = "",
        games: Annotated[str, flag("games", "N")] = "1000",
        workers: Annotated[str, flag("workers", "N")] = "",
        keep: Annotated[str, flag("keep", "FILE")] = "",
        all: Annotated[bool, flag("all")] = False,
        json: Annotated[bool, flag("json")] = False,
    ) -> None:
        from quadriga.cli.commands import standings
        from quadriga.cli.progress import bar, notice
        from quadriga.lab.arena.arena import compete, saved_seed

        found = find(game)
        names = [name.strip() for name in players.split(",") if name.strip()]
        wanted = whole("--seats", seats) if seats else min(max(len(names), found.least), found.most)
        options, count = found.settle(chosen(found, option, course=course), wanted)
        total = whole("--games", games)
        known = None if seed else saved_seed(keep)
        with bar(say, total) as progress:
            result = compete(
                found,
                options,
                count,
                names,
                games=total,
                seed=seed_or_random(seed) if known is None else known,
                workers=whole("--workers", workers, most=256) if workers else 0,
                path=keep,
                early=not all,
                progress=progress,
                report=notice(say),
            )
        standings.arena(result, json, say)
        if result.interrupted:
            raise typer.Exit(INTERRUPTED)

    @command("solve")
    def solve(
        game: Annotated[str, given("solved-game")],
        rules: Annotated[str, flag("rules", "NAME")] = "ben",
        markers: Annotated[str, flag("markers", "N")] = "",
        workers: Annotated[str, flag("workers", "N")] = "",
        folder: Annotated[str, flag("folder", "DIR")] = "",
        verify: Annotated[bool, flag("verify")] = False,
        json: Annotated[bool, flag("json")] = False,
    ) -> None:
        from quadriga.cli.commands import solve

        if find(game).id != "ur":
            raise OptionError("solve.game", game=game)
        cores = whole("--workers", workers, most=256) if workers else 0
        solve.run(rules, whole("--markers", markers, most=7) if markers else 0, cores, folder, verify, json, say)

    @command("review")
    def review(
        record: Annotated[str, given("file")],
        playouts: Annotated[str, flag("playouts", "N")] = "200",
        seed: Annotated[str, flag("seed", "N")] = "1",
        chart: Annotated[str, flag("chart", "FILE")] = "",
        json: Annotated[bool, flag("json")] = False,
    ) -> None:
        from quadriga.cli.commands import review

        count = whole("--playouts", playouts, most=100_000)
        review.run(record, count, whole("--seed", seed, least=0), chart, json, say)

    @command("train")
    def train(
        game: Annotated[str, given("trained-game")],
        games: Annotated[str, flag("games", "N")] = "100_000",
        rounds: Annotated[str, flag("rounds", "N")] = "500",
        seed: Annotated[str, flag("seed", "N")] = "1",
        out: Annotated[str, flag("out", "FILE", "-o")] = "ur-ben.json",
    ) -> None:
        from quadriga.cli.commands import train

        if find(game).id != "ur":
            raise OptionError("train.game", game=game)
        total, parts = whole("--games", games, most=10_000_000), whole("--rounds", rounds, most=1000)
        train.run(total, parts, whole("--seed", seed, least=0), out, say)
