"""Write traces: whole games as JSON Lines, with all legal actions of every decision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from quadriga.engine.errors import TraceError
from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import FairDice
from quadriga.engine.match.entry import Entry
from quadriga.engine.match.match import Match

FORMAT = 1
"""The version of the file format, the header's `quadriga`. The version of the game's rules is its `version`."""

Line = dict[str, Any]
Players = list[dict[str, str]]
"""The player of each seat: `{"name": …}` for a person, `{"bot": …}` for a bot."""


def header(match: Match, players: Players | None = None) -> Line:
    """Return the first line of a match's trace."""
    line: Line = {
        "quadriga": FORMAT,
        "game": match.game.id,
        "version": match.game.version,
        "options": opts.for_header(match.game.options, match.options, match.seats),
        "seats": match.seats,
    }
    if players is not None:
        line["players"] = players
    if isinstance(match.dice, FairDice):
        line["fair"] = {"commitment": match.dice.commitment, "words": match.dice.client_seeds}
    return line


def entry_lines(entry: Entry) -> Iterator[Line]:
    """Yield the lines of one entry: its heading, if a new part of the game begins, and the entry."""
    if entry.section is not None:
        yield entry.section
    if entry.legal is None:
        yield {"chance": entry.text, "seat": entry.seat}
    else:
        yield {"seat": entry.seat, "legal": list(entry.legal), "play": entry.text}


def lines(match: Match, players: Players | None = None) -> Iterator[Line]:
    """Yield the lines of a match's trace; a finished game with fair dice ends with its seed."""
    yield header(match, players)
    for entry in match.entries:
        yield from entry_lines(entry)
    if match.over:
        yield {"result": {"scores": match.scores}}
        if isinstance(match.dice, FairDice):
            yield {"seed": match.dice.seed.hex()}


def dumps(match: Match, players: Players | None = None) -> str:
    """Return a match as the text of its trace. Raises TraceError for one that starts from another position."""
    if match.has_own_start:
        raise TraceError("trace.start")
    return join(lines(match, players))


def join(lines: Iterable[Line]) -> str:
    """Return lines as the text of a file."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
