"""`quadriga play`: play in the terminal."""

from typing import Annotated

import typer

from quadriga.cli.arguments import complete_courses, complete_games, complete_seats, game_options, parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.games import find, ids

_NONE: list[str] = []


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("play")
    def play(
        game: Annotated[str, cli.argument("game", complete_games)] = "",
        option: Annotated[list[str], cli.option("option", "NAME=VALUE")] = _NONE,
        seat: Annotated[list[str], cli.option("seat", "KIND", complete=complete_seats)] = _NONE,
        word: Annotated[list[str], cli.option("word", "TEXT")] = _NONE,
        course: Annotated[str, cli.option("course", "NAME|FILE", complete=complete_courses)] = "",
        deck: Annotated[str, cli.option("deck", "FILE")] = "",
        track: Annotated[str, cli.option("track", "FILE")] = "",
        seed: Annotated[str, cli.option("seed", "N")] = "",
        resume: Annotated[str, cli.option("resume", "FILE")] = "",
        record: Annotated[str, cli.option("record", "FILE")] = "",
        auto: Annotated[bool, cli.option("auto")] = False,
    ) -> None:
        from quadriga.cli.terminal import saves
        from quadriga.cli.terminal.session import Session, check_record

        chosen_seed = parse_whole("--seed", seed, least=0) if seed else None
        if resume:
            seating = saves.read(resume)
            rules = find(game) if game else seating.match.game
            options = game_options(rules, option, course=course, deck=deck, track=track)
            saves.check_same(seating, resume, rules, options, seat, word, chosen_seed)
        else:
            rules = find(game or ids()[0])
            options = game_options(rules, option, course=course, deck=deck, track=track)
            seating = saves.seat_players(rules, options, seat, word, chosen_seed)
        if record:
            check_record(record)
        code = Session(seating, cli.say, record=record, auto=auto).run()
        if code:
            raise typer.Exit(code)
