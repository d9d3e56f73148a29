"""`quadriga trace`, `replay`, `verify`: write traces, check them against the rules, verify their dice."""

import sys
from typing import TYPE_CHECKING, Annotated

from quadriga.cli import output
from quadriga.cli.arguments import parse_whole, resolve_setup, seed_or_random, trace_lines
from quadriga.cli.commandline import CommandLine
from quadriga.cli.output import print_json
from quadriga.cli.parameters import NO_OPTIONS, Course, Deck, GameName, GameOptions, Games, Seats, Seed, Track
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

if TYPE_CHECKING:
    from quadriga.engine.match.trace_reader import Reading


def add(cli: CommandLine) -> None:
    """Add the commands."""

    @cli.command("trace")
    def trace(
        game: GameName,
        option: GameOptions = NO_OPTIONS,
        seats: Seats = "",
        course: Course = "",
        deck: Deck = "",
        track: Track = "",
        seed: Seed = "",
        games: Games = "1",
        fair: Annotated[bool, cli.option("fair")] = False,
    ) -> None:
        from quadriga.lab.traces import random_traces

        rules, options, count = resolve_setup(game, option, seats, course=course, deck=deck, track=track)
        for text in random_traces(rules, options, count, seed_or_random(seed), parse_whole("--games", games), fair):
            sys.stdout.write(text)

    @cli.command("replay")
    def replay(
        file: Annotated[str, cli.argument("file")],
        show: Annotated[bool, cli.option("show")] = False,
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        from quadriga.engine.match.trace_reader import read

        count = 0
        for reading in read(trace_lines(file), find):
            count += 1
            _print_replay(reading, show, json, cli.say)
        if not json:
            print(cli.say("cli.replay.all", n=count))

    @cli.command("verify")
    def verify(
        record: Annotated[str, cli.argument("record-file")], json: Annotated[bool, cli.option("json")] = False
    ) -> None:
        from quadriga.engine.match import trace_reader

        for reading in trace_reader.read(trace_lines(record), find):
            events = trace_reader.verify(reading)
            if json:
                print_json({"game": reading.match.game.id, "events": events, "commitment": reading.commitment})
            else:
                print(cli.say("cli.verify.good", n=events, commitment=reading.commitment))


def _print_replay(reading: "Reading", show: bool, as_json: bool, say: Words) -> None:
    """Print one line about a game, after all its positions with `show`."""
    match = reading.match
    if as_json:
        result = match.scores if match.over else None
        print_json({"game": match.game.id, "entries": len(match.entries), "over": match.over, "scores": result})
        return
    if show:
        _print_positions(reading, say)
    key = "cli.replay.finished" if match.over else "cli.replay.unfinished"
    print(say(key, game=match.game.id, n=len(match.entries), scores=match.scores))


def _print_positions(reading: "Reading", say: Words) -> None:
    console = output.console()
    match = reading.match
    own = catalogues.of(say.language, "quadriga.cli", match.game.package)
    entries = [None, *match.entries]
    for number, (entry, position) in enumerate(zip(entries, match.positions(), strict=True)):
        if entry is not None:
            who = "" if entry.seat is None else own.text(match.game.display.name_of(match.t, entry.seat)) + ": "
            console.print(f"{number}. {who}{entry.text}", style="bold", markup=False)
        console.print(match.game.display.render_text(match.t, position.view(), own), soft_wrap=True)
