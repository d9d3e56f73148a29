"""The program of a review process: reads a record and writes lines of JSON.

`python -m quadriga.server.review.worker 100 4096` (playouts, megabytes) reads a record from standard input: a line
with its size in bytes, then the record as a JSON string. It writes its progress (`done`, `total`) a few times a
second, and last `result` or `fault`. It ends when its standard input is closed.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match import trace_reader
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.review.review import SLIP, Move, Review, review
from quadriga.server import child_process
from quadriga.server.protocol import replay_answers, texts
from quadriga.server.protocol.parts import Note
from quadriga.server.workers import confine
from quadriga.server.workers.worker import check_record

_INTERVAL_S = 0.25  # between two reports of progress


def _write(**content: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(content) + b"\n")
    sys.stdout.buffer.flush()


class _Progress:
    """Write the progress at intervals."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._last > _INTERVAL_S:
            self._last = time.monotonic()
            _write(done=done - 1, total=total)


def _better(match: Match, found: Review) -> dict[int, list[Note]]:
    """Return the effects of better moves, by the number of the move."""
    slips = {move.number: move for move in found.moves if move.lost >= SLIP}
    better = {}
    for number, position in enumerate(match.positions(), 1):
        if number in slips:
            better[number] = _notes(position, slips[number])
    return better


def _notes(position: Match, move: Move) -> list[Note]:
    action = position.actions().get(move.best)
    if action is None:
        return []
    notes = texts.notes(position.game.display.explain(position.t, position.s, (action,)))
    return notes[:1] if move.best.endswith(FAMILY) else notes  # the others are about an offer that is not known


def _answer(found: Review, better: dict[int, list[Note]]) -> replay_answers.Review:
    """Return the review as the protocol has it."""
    fields = msgspec.structs.asdict
    return replay_answers.Review(
        game=found.game,
        playouts=found.playouts,
        seed=found.seed,
        exact=found.exact,
        error=found.error,
        entries=found.entries,
        moves=[
            replay_answers.ReviewedMove(**fields(move), better=better.get(move.number, [])) for move in found.moves
        ],
        sides=[replay_answers.ReviewedSide(**fields(side)) for side in found.sides],
        interrupted=found.interrupted,
        slip=SLIP,
    )


def main() -> None:
    """Review the first game of standard input."""
    if hasattr(os, "nice"):
        os.nice(10)
    confine.limit_memory(int(sys.argv[2]))
    try:
        raw = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
        child_process.exit_with_parent()
        lines = check_record(raw).encode().splitlines()
        match = next(trace_reader.read(lines, find)).match
        _write(done=0, total=len(match.entries))
        found = review(match, playouts=int(sys.argv[1]), progress=_Progress())
        better = _better(match, found)
        _write(result=_answer(found, better))
    except QuadrigaError as fault:
        _write(fault=texts.refusal(fault))


if __name__ == "__main__":
    main()
