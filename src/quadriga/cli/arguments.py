"""Parse what users type: numbers, seeds, the options of a game, and files or standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from quadriga.cli.faults import FileFaultsError, all_faults
from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.match import options as opts
from quadriga.engine.match.options import Options
from quadriga.games import find, ids

if TYPE_CHECKING:
    from quadriga.engine.game import Game

LARGEST = 2**62 - 1


def parse_whole(name: str, text: str, least: int = 1, most: int = LARGEST) -> int:
    """Return a whole number in a range; it may be written `1_000_000`. Raises OptionError for any other text."""
    digits = text.replace("_", "")
    if digits.isascii() and digits.isdecimal() and len(digits) < 20 and least <= int(digits) <= most:
        return int(digits)
    raise OptionError("option.value", name=name, value=text, allowed=f"{least}..{most}")


def seed_or_random(text: str) -> int:
    """Return the given seed, or a random one if there is none."""
    if text:
        return parse_whole("--seed", text, least=0)
    import secrets  # loads slowly

    return secrets.randbits(32)


def complete_games(game: str) -> Sequence[str]:
    """Return the ids of the games, for a shell to complete."""
    return ids()


def complete_seats(game: str) -> Sequence[str]:
    """Return the kinds of players, for a shell to complete."""
    from quadriga import players

    return ["human", *players.names()]


def complete_courses(game: str) -> Sequence[str]:
    """Return the courses that come with a game, for a shell to complete."""
    options = [option for each in ids() for option in find(each).options if option.name == "courses"]
    return [word for option in options for word in option.words()]


def complete_options(game: str) -> Sequence[str]:
    """Return the options of a game, with every word that one can be, for a shell to complete."""
    if game not in ids():
        return ()
    found = []
    for option in find(game).options:
        words = ("true", "false") if isinstance(option, opts.Flag) else option.words() or ("",)
        found += [f"{option.name}={word}" for word in words]
    return found


def trace_lines(path: str) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input if the path is a dash."""
    return iter(sys.stdin.buffer) if path == "-" else files.read_lines(path)


def game_options(game: Game, given: list[str], **flags: str) -> dict[str, object]:
    """Return the options given as NAME=VALUE and by the game's own flags, not yet checked.

    Raises FileFaultsError with all faults of a file that is not good.
    """
    try:
        options = opts.parse(game.options, given)
        for name, text in flags.items():
            if text:
                options |= game.read_flag(name, text)
    except FileError as fault:
        named = option_files(game, given, **flags)
        for option in game.options:
            if isinstance(option, opts.Document) and named.get(option.name, "") == fault.parameters["path"]:
                raise FileFaultsError(all_faults(option, named[option.name]) or [fault]) from None
        raise
    return options


def option_files(game: Game, given: list[str], **flags: str) -> dict[str, str]:
    """Return the paths of the files that options are read from, as they were typed."""
    texts = {name: text for name, _, text in (each.partition("=") for each in given)}
    texts |= {name: text for name, text in flags.items() if text}
    return {
        each.name: texts[each.name]
        for each in game.options
        if isinstance(each, opts.Document) and texts.get(each.name)
    }


def resolve_setup(game_id: str, given: list[str], seats: str, **flags: str) -> tuple[Game, Options, int]:
    """Return a game by its id, its checked options and its number of seats."""
    game = find(game_id)
    wanted = parse_whole("--seats", seats) if seats else None
    options, count = game.resolve_options(game_options(game, given, **flags), wanted)
    return game, options, count
