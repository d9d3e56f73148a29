"""What comes in by the command line: numbers, and files or standard input."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator

from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.match import options as opts
from quadriga.engine.match.options import Options
from quadriga.games import find

LARGEST = 2**62 - 1


def whole(name: str, text: str, least: int = 1, most: int = LARGEST) -> int:
    """A whole number in a range; `1_000_000` is one too."""
    digits = text.replace("_", "")
    if digits.isascii() and digits.isdecimal() and len(digits) < 20 and least <= int(digits) <= most:
        return int(digits)
    raise OptionError("option.value", name=name, value=text, allowed=f"{least}..{most}")


def seed_or_random(text: str) -> int:
    """The seed that was given, or a new one."""
    return whole("--seed", text, least=0) if text else secrets.randbits(32)


def trace_lines(path: str) -> Iterator[bytes]:
    """The lines of a file, or of standard input where the path is a dash."""
    return iter(sys.stdin.buffer) if path == "-" else files.read_lines(path)


def chosen(game: Game, given: list[str], **flags: str) -> dict[str, object]:
    """The options that were given, those by flags of the game's own included."""
    found = opts.parse(game.options, given)
    for name, text in flags.items():
        if text:
            found |= game.options_from_flag(name, text)
    return found


def set_up(game: str, given: list[str], seats: str, **flags: str) -> tuple[Game, Options, int]:
    """A game by its id, its options and the number of its seats."""
    found = find(game)
    settled, count = found.resolve_options(
        chosen(found, given, **flags), whole("--seats", seats) if seats else None
    )
    return found, settled, count
