"""The work of a review, in a process of its own: a record comes in, lines of JSON go out.

`python -m quadriga.server.review.worker 100 4096` (playouts, megabytes) reads a record from standard input: a line
with its size in bytes, then the record. It says how far it is (`done`, `total`) a few times a second, and last
`result` or `fault`. It ends when its standard input is closed.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match import trace_reader
from quadriga.engine.match.match import FAMILY, Match
from quadriga.games import find
from quadriga.lab.review.review import Move, Review, review
from quadriga.server import child_process
from quadriga.server.protocol import texts
from quadriga.server.workers import confine

SLIP = 0.02  # what is lost from which on a move is marked, and the better one told in words
_OFTEN = 0.25  # seconds


def _say(**content: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(content) + b"\n")
    sys.stdout.buffer.flush()


class _Clock:
    """Tells how far the work is, now and then."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._last > _OFTEN:
            self._last = time.monotonic()
            _say(done=done - 1, total=total)


def _better(match: Match, found: Review) -> dict[int, list[Any]]:
    """What would have been better, in words, by the number of the move."""
    slips = {move.number: move for move in found.moves if move.lost >= SLIP}
    told = {}
    for number, position in enumerate(match.positions(), 1):
        if number in slips:
            told[number] = _notes(position, slips[number])
    return told


def _notes(position: Match, move: Move) -> list[Any]:
    action = position.actions().get(move.best)
    if action is None:
        return []
    notes = texts.notes(position.game.explain(position.t, position.s, (action,)))
    return notes[:1] if move.best.endswith(FAMILY) else notes  # what would be in an offer is not in these


def main() -> None:
    """Review the first game of standard input."""
    if hasattr(os, "nice"):
        os.nice(10)
    confine.limit_memory(int(sys.argv[2]))
    try:
        lines = sys.stdin.buffer.read(int(sys.stdin.buffer.readline())).splitlines()
        child_process.exit_with_parent()
        match = next(trace_reader.read(lines, find)).match
        _say(done=0, total=len(match.entries))
        found = review(match, playouts=int(sys.argv[1]), progress=_Clock())
        better = _better(match, found)
        moves = [{**msgspec.structs.asdict(move), "better": better.get(move.number, [])} for move in found.moves]
        _say(result={**msgspec.to_builtins(found), "moves": moves, "slip": SLIP})
    except QuadrigaError as fault:
        _say(fault=texts.refusal(fault))


if __name__ == "__main__":
    main()
