"""The commands: thin, one function each. What they say comes from the catalogue in `words/`."""

import sys
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from quadriga.cli import output
from quadriga.cli.commands import bots
from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.input import chosen, seed_or_random, set_up, trace_lines, whole
from quadriga.engine.text.catalogues import Words
from quadriga.games import find, ids
from quadriga.version import __version__

F = TypeVar("F", bound=Callable[..., None])
_NONE: list[str] = []


def application(say: Words) -> typer.Typer:
    """The command line in one language."""

    class Command(TyperCommand):
        def get_help_option(self, ctx: Any) -> Any:
            return _translated(super().get_help_option(ctx), say)

    class Group(TyperGroup):
        def get_help_option(self, ctx: Any) -> Any:
            return _translated(super().get_help_option(ctx), say)

    app = typer.Typer(name="quadriga", cls=Group, help=say("cli.help"), add_completion=False, rich_markup_mode=None)

    def command(name: str) -> Callable[[F], F]:
        return app.command(name, cls=Command, help=say(f"cli.command.{name}"))

    def check(group: str) -> Callable[[F], F]:
        """The command `GROUP check`."""
        part = typer.Typer(name=group, cls=Group, help=say(f"cli.command.{group}"), rich_markup_mode=None)
        part.callback()(lambda: None)
        app.add_typer(part)
        return part.command("check", cls=Command, help=say(f"cli.command.{group}-check"))

    def given(name: str) -> Any:
        return typer.Argument(help=say(f"cli.option.{name}"), metavar=name.upper(), show_default=False)

    def flag(name: str, metavar: str | None = None, *short: str) -> Any:
        text = say(f"cli.option.{name}")
        return typer.Option(f"--{name}", *short, help=text, metavar=metavar, show_default=False)

    game_id = Annotated[str, given("game")]
    settings = Annotated[list[str], flag("option", "NAME=VALUE")]
    how_many_seats = Annotated[str, flag("seats", "N")]
    some_seed = Annotated[str, flag("seed", "N")]
    how_many_games = Annotated[str, flag("games", "N")]
    as_json = Annotated[bool, flag("json")]
    own_course = Annotated[str, flag("course", "NAME|FILE")]
    own_deck = Annotated[str, flag("deck", "FILE")]
    own_track = Annotated[str, flag("track", "FILE")]

    @app.callback(invoke_without_command=True)
    def top(
        version: Annotated[bool, flag("version")] = False,
        lang: Annotated[str, flag("lang", "en|fr")] = "",
    ) -> None:
        if version:
            print(f"quadriga {__version__}")
            raise typer.Exit(0)

    @command("games")
    def games(json: as_json = False) -> None:
        output.games([find(each) for each in ids()], json, say)

    @command("play")
    def play(
        game: game_id = "",
        option: settings = _NONE,
        seat: Annotated[list[str], flag("seat", "KIND")] = _NONE,
        word: Annotated[list[str], flag("word", "TEXT")] = _NONE,
        course: own_course = "",
        deck: own_deck = "",
        track: own_track = "",
        seed: some_seed = "",
        resume: Annotated[str, flag("resume", "FILE")] = "",
        record: Annotated[str, flag("record", "FILE")] = "",
        auto: Annotated[bool, flag("auto")] = False,
    ) -> None:
        from quadriga.cli.terminal import saves
        from quadriga.cli.terminal.session import Terminal

        if resume:
            seating = saves.read(resume)
        else:
            found = find(game or ids()[0])
            number = whole("--seed", seed, least=0) if seed else None
            flagged = chosen(found, option, course=course, deck=deck, track=track)
            seating = saves.seated(found, flagged, seat, word, number)
        Terminal(seating, say, record=record, auto=auto).run()

    @command("trace")
    def trace(
        game: game_id,
        option: settings = _NONE,
        seats: how_many_seats = "",
        course: own_course = "",
        deck: own_deck = "",
        track: own_track = "",
        seed: some_seed = "",
        games: how_many_games = "1",
        fair: Annotated[bool, flag("fair")] = False,
    ) -> None:
        from quadriga.lab.traces import random_traces

        found, settled, count = set_up(game, option, seats, course=course, deck=deck, track=track)
        for text in random_traces(found, settled, count, seed_or_random(seed), whole("--games", games), fair):
            sys.stdout.write(text)

    @command("replay")
    def replay(
        file: Annotated[str, given("file")],
        show: Annotated[bool, flag("show")] = False,
        json: as_json = False,
    ) -> None:
        from quadriga.engine.match.trace_reader import read

        output.replayed(read(trace_lines(file), find), show, json, say)

    @command("verify")
    def verify(record: Annotated[str, given("record-file")], json: as_json = False) -> None:
        from quadriga.engine.match.trace_reader import read

        output.verified(read(trace_lines(record), find), json, say)

    @command("sim")
    def sim(
        game: game_id,
        option: settings = _NONE,
        seats: how_many_seats = "",
        course: own_course = "",
        deck: own_deck = "",
        track: own_track = "",
        seed: some_seed = "",
        games: how_many_games = "10000",
        workers: Annotated[str, flag("workers", "N")] = "1",
        plain: Annotated[bool, flag("plain")] = False,
        json: as_json = False,
    ) -> None:
        from quadriga.cli.progress import bar, notice
        from quadriga.lab.simulate import simulate

        found, settled, count = set_up(game, option, seats, course=course, deck=deck, track=track)
        total = whole("--games", games)
        with bar(say, total) as progress:
            result = simulate(
                found,
                settled,
                count,
                games=total,
                seed=seed_or_random(seed),
                workers=whole("--workers", workers, most=256),
                compiled=False if plain else None,
                progress=progress,
                report=notice(say),
            )
        output.simulated(result, found, json, say)
        if result.interrupted:
            raise typer.Exit(INTERRUPTED)

    bots.add(command, given, flag, say)

    @command("draw")
    def draw(
        game: game_id,
        option: settings = _NONE,
        seats: how_many_seats = "",
        course: own_course = "",
        deck: own_deck = "",
        track: own_track = "",
        out: Annotated[str, flag("out", "FILE", "-o")] = "",
    ) -> None:
        found, settled, count = set_up(game, option, seats, course=course, deck=deck, track=track)
        output.picture(found.render_svg(found.new(settled, count)[0]), out, say)

    kept_in = Annotated[str, flag("store", "FILE")]

    @command("table")
    def table(
        host: Annotated[str, flag("host", "ADDRESS")] = "127.0.0.1",
        port: Annotated[str, flag("port", "N")] = "",
        store: kept_in = "",
        name: Annotated[list[str], flag("name", "NAME")] = _NONE,
        trusted_proxy: Annotated[list[str], flag("trusted-proxy", "ADDRESS")] = _NONE,
        metrics_from: Annotated[list[str], flag("metrics-from", "ADDRESS")] = _NONE,
        limit: Annotated[list[str], flag("limit", "NAME=VALUE")] = _NONE,
        quiet: Annotated[bool, flag("no-browser")] = False,
    ) -> None:
        from quadriga.cli.commands import server

        chosen = whole("--port", port, least=0, most=65535) if port else None
        server.serve(host, chosen, store, name, not quiet, say, trusted_proxy, metrics_from, limit)

    @command("backup")
    def backup(file: Annotated[str, given("backup-file")], store: kept_in = "") -> None:
        from quadriga.cli.commands import server

        server.backup(store, file, say)

    @command("restore")
    def restore(
        file: Annotated[str, given("backup-file")],
        store: kept_in = "",
        room: Annotated[str, flag("room", "ID")] = "",
    ) -> None:
        from quadriga.cli.commands import server

        server.restore(file, store, room, say)

    @command("check")
    def check_store(store: Annotated[str, given("store")] = "", json: as_json = False) -> None:
        from quadriga.cli.commands import server

        server.check(store, json, say)

    @command("rules")
    def rules(game: game_id) -> None:
        output.rules(find(game), say)

    @check("deck")
    def check_deck(
        file: Annotated[str, given("deck-file")],
        list: Annotated[bool, flag("list")] = False,
        json: as_json = False,
    ) -> None:
        from quadriga.cli.commands import checks

        checks.deck(file, json, say, listed=list)

    @check("track")
    def check_track(file: Annotated[str, given("track-file")], json: as_json = False) -> None:
        from quadriga.cli.commands import checks

        checks.track(file, json, say)

    return app


def _translated(option: Any, say: Words) -> Any:
    if option is not None:
        option.help = say("cli.option.help")
    return option
