"""Traces: whole games as JSON Lines, with all that was legal at every decision, for anyone to replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import FairDice
from quadriga.engine.match.match import Entry, Match

FORMAT = 1
"""The header's number: the version of the file format. The version of a game's rules stands beside it."""

Line = dict[str, Any]


def header(match: Match) -> Line:
    """The first line of a match's trace."""
    line: Line = {
        "quadriga": FORMAT,
        "game": match.game.id,
        "version": match.game.version,
        "options": opts.written(match.game.options, match.options, match.seats),
        "seats": match.seats,
    }
    if isinstance(match.dice, FairDice):
        line["fair"] = {"commitment": match.dice.commitment, "words": match.dice.words}
    return line


def entry_lines(entry: Entry) -> Iterator[Line]:
    """The lines of one entry: its heading, where it has one, and itself."""
    if entry.section is not None:
        yield entry.section
    if entry.legal is None:
        yield {"chance": entry.text, "seat": entry.seat}
    else:
        yield {"seat": entry.seat, "legal": list(entry.legal), "play": entry.text}


def lines(match: Match) -> Iterator[Line]:
    """A match as the lines of its trace; a finished game with fair dice ends with its seed."""
    yield header(match)
    for entry in match.entries:
        yield from entry_lines(entry)
    if match.over:
        yield {"result": {"scores": match.scores}}
        if isinstance(match.dice, FairDice):
            yield {"seed": match.dice.seed.hex()}


def dumps(match: Match) -> str:
    """A match as the text of its trace."""
    return written(lines(match))


def written(lines: Iterable[Line]) -> str:
    """Lines as text."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
