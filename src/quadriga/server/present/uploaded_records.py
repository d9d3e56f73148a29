"""Records that people bring: read by the rules line by line, told like a game of the house, and not kept.

A worker does this, in a process of its own. Who asks for a part brings the whole record along each time; the worker
remembers the last few in its memory, so that the next part need not be read from the beginning. Nobody else can ask
for them, and nothing goes to disk.
"""

from __future__ import annotations

from typing import Any

import msgspec

from quadriga.engine.errors import FairnessError
from quadriga.engine.match import options as opts
from quadriga.engine.match import trace_reader
from quadriga.games import find
from quadriga.server.present import game_catalogue
from quadriga.server.present.replay import Story
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError

GAMES = 100  # in one file
KEPT = 4  # records that a worker remembers


class Brought:
    """Somebody's record: the first game of a file, and where the others are."""

    def __init__(self, record: str) -> None:
        lines = record.encode().splitlines()
        _no_save(lines)
        self.games: list[tuple[int, int]] = []
        first: trace_reader.Reading | None = None
        for reading in trace_reader.read(lines, find):
            first = first or reading
            self.games.append((reading.first, reading.last))
            if len(self.games) > GAMES:
                raise RoomError("record.games", 400, line=reading.first, most=GAMES)
        assert first is not None  # a file without a game is refused
        match = first.match
        bare = msgspec.structs.replace  # what was legal has been checked, and is not needed any more
        match.entries = [entry if entry.chance else bare(entry, legal=()) for entry in match.entries]
        self.story = Story(match)
        self.first, self.commitment, self.words, self.seed = (
            first.first,
            first.commitment,
            first.client_seeds,
            first.seed,
        )
        self.called = [texts.message(match.game.seat_name(match.t, seat)) for seat in range(match.seats)]

    def shown(self) -> dict[str, Any]:
        """What is in it."""
        story = self.story
        game, seats = story.game, story.seats
        return {
            "game": game.id,
            "options": opts.for_header(game.options, story.options, seats),
            "seats": self.called,
            "over": story.over,
            "fair": self.seed is not None,
            "total": story.total,
            "games": self.games,
            "geometry": msgspec.Raw(game_catalogue.geometry(game, story.options, seats)),
        }

    def replay(self, seat: int, first: int, count: int) -> dict[str, Any]:
        """Its positions as a viewpoint sees them."""
        if seat >= self.story.seats:
            raise RoomError("table.no-seat", 404, seat=seat)
        return self.story.window(seat, first, count)

    def fairness(self) -> dict[str, Any]:
        """All that it takes to check its dice."""
        if self.commitment is None:
            raise FairnessError("fair.not-a-record", line=self.first)
        if self.seed is None:
            raise FairnessError("fair.no-seed", line=self.first)
        facts = {"commitment": self.commitment, "seed": self.seed.hex(), "words": self.words}
        return {**facts, "events": self.story.chances()}


def _no_save(lines: list[bytes]) -> None:
    """A saved game is no record: it goes on, and its seed is still a secret."""
    for number in range(len(lines), 0, -1):
        if lines[number - 1].strip():
            if lines[number - 1].lstrip().startswith(b'{"save"'):
                raise RoomError("record.save", 400, line=number)
            return
