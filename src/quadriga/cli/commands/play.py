"""`quadriga play`: play in the terminal."""

from typing import Annotated

from click.exceptions import Exit

from quadriga.cli.arguments import complete_seats, game_options, parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.cli.parameters import NO_OPTIONS, Course, Deck, GameName, GameOptions, Seed, Track
from quadriga.games import find, ids


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("play")
    def play(
        game: GameName = "",
        option: GameOptions = NO_OPTIONS,
        seat: Annotated[list[str], cli.option("seat", "KIND", complete=complete_seats)] = NO_OPTIONS,
        word: Annotated[list[str], cli.option("word", "TEXT")] = NO_OPTIONS,
        course: Course = "",
        deck: Deck = "",
        track: Track = "",
        seed: Seed = "",
        resume: Annotated[str, cli.option("resume", "FILE")] = "",
        record: Annotated[str, cli.option("record", "FILE")] = "",
        auto: Annotated[bool, cli.option("auto")] = False,
    ) -> None:
        from quadriga import players
        from quadriga.cli.terminal import saves
        from quadriga.cli.terminal.session import Session, check_record

        for name in seat:
            players.admit(name)
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
        code = Session(seating, cli.say, saved=resume, record=record, auto=auto).run()
        if code:
            raise Exit(code)
