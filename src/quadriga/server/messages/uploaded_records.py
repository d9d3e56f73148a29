"""Uploaded records: checked against the rules line by line, shown like a game of this server, and not stored.

A worker process does this. A client sends the whole record with each request. The worker remembers the last few
records in memory, so that it need not read them again for the next part. Other clients cannot ask for them, and
nothing goes to disk.
"""

from __future__ import annotations

import msgspec

from quadriga.engine.errors import FairnessError
from quadriga.engine.match import options as opts
from quadriga.engine.match import trace_reader
from quadriga.games import find
from quadriga.server.messages import game_catalogue
from quadriga.server.messages.replay import ReplayedGame
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.replay_answers import Fairness, RecordPlayer, RecordSummary, Replay

MOST_GAMES = 100  # in one file
REMEMBERED = 4  # records in the memory of a worker


class UploadedRecord:
    """The first game of an uploaded file, and the lines of the others."""

    def __init__(self, record: str) -> None:
        lines = record.encode().splitlines()
        _refuse_save(lines)
        self.games: list[tuple[int, int]] = []
        first: trace_reader.Reading | None = None
        for reading in trace_reader.read(lines, find):
            first = first or reading
            self.games.append((reading.first, reading.last))
            if len(self.games) > MOST_GAMES:
                raise RoomError("record.games", 400, line=reading.first, most=MOST_GAMES)
        assert first is not None  # the reader refuses a file without a game
        match = first.match
        replace = msgspec.structs.replace  # the legal actions have been checked, and only take memory now
        match.entries = [entry if entry.chance else replace(entry, legal=()) for entry in match.entries]
        self.replayed = ReplayedGame(match)
        self.first, self.commitment, self.words, self.seed = (
            first.first,
            first.commitment,
            first.client_seeds,
            first.seed,
        )
        self.players = [RecordPlayer(each.get("name", ""), each.get("bot")) for each in first.players or ()]
        self.seat_names = [texts.message(match.game.display.name_of(match.t, seat)) for seat in range(match.seats)]

    def summary(self) -> RecordSummary:
        """Return the contents of the record."""
        game, seats, options = self.replayed.game, self.replayed.seats, self.replayed.options
        return RecordSummary(
            game=game.id,
            options=opts.for_header(game.options, options, seats),
            seats=self.seat_names,
            players=self.players,
            over=self.replayed.over,
            fair=self.seed is not None,
            total=self.replayed.total,
            games=self.games,
            geometry=msgspec.Raw(game_catalogue.geometry(game, options, seats)),
        )

    def replay(self, seat: int, first: int, count: int) -> Replay:
        """Return some steps of the game as a viewpoint sees them."""
        if seat >= self.replayed.seats:
            raise RoomError("table.no-seat", 404, seat=seat)
        return self.replayed.part(seat, first, count)

    def fairness(self) -> Fairness:
        """Return everything that is needed to check the dice."""
        if self.commitment is None:
            raise FairnessError("fair.not-a-record", line=self.first)
        if self.seed is None:
            raise FairnessError("fair.no-seed", line=self.first)
        return Fairness(self.commitment, self.seed.hex(), self.words, self.replayed.chances())


def _refuse_save(lines: list[bytes]) -> None:
    """Raise RoomError for a saved game: it goes on, and its seed is still secret."""
    for number in range(len(lines), 0, -1):
        if lines[number - 1].strip():
            if lines[number - 1].lstrip().startswith(b'{"save"'):
                raise RoomError("record.save", 400, line=number)
            return
