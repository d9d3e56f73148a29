"""`quadriga play`: play in the terminal."""

from typing import Annotated

from quadriga.cli.arguments import game_options, parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.games import find, ids

_NONE: list[str] = []


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("play")
    def play(
        game: Annotated[str, cli.argument("game")] = "",
        option: Annotated[list[str], cli.option("option", "NAME=VALUE")] = _NONE,
        seat: Annotated[list[str], cli.option("seat", "KIND")] = _NONE,
        word: Annotated[list[str], cli.option("word", "TEXT")] = _NONE,
        course: Annotated[str, cli.option("course", "NAME|FILE")] = "",
        deck: Annotated[str, cli.option("deck", "FILE")] = "",
        track: Annotated[str, cli.option("track", "FILE")] = "",
        seed: Annotated[str, cli.option("seed", "N")] = "",
        resume: Annotated[str, cli.option("resume", "FILE")] = "",
        record: Annotated[str, cli.option("record", "FILE")] = "",
        auto: Annotated[bool, cli.option("auto")] = False,
    ) -> None:
        from quadriga.cli.terminal import saves
        from quadriga.cli.terminal.session import Session

        if resume:
            seating = saves.read(resume)
        else:
            rules = find(game or ids()[0])
            options = game_options(rules, option, course=course, deck=deck, track=track)
            seating = saves.seat_players(
                rules, options, seat, word, parse_whole("--seed", seed, least=0) if seed else None
            )
        Session(seating, cli.say, record=record, auto=auto).run()
