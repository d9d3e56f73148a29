"""Records that people bring: read by the rules line by line, told like a game of the house, and not kept.

Who asks for a part brings the whole record along each time. The last few that were read are remembered in memory,
so that the next part need not be read from the beginning; nobody else can ask for them, and nothing goes to disk.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from quadriga.engine import options as opts
from quadriga.engine import reader
from quadriga.engine.errors import FairnessError
from quadriga.games import find
from quadriga.table import boards, messages
from quadriga.table.refusals import TableError
from quadriga.table.story import Story
from quadriga.table.wire import RECORD_BYTES

GAMES = 100  # in one file
_KEPT = 4  # records that are remembered,
_ROOM = RECORD_BYTES  # ... and how large they may be together


class Brought:
    """Somebody's record: the first game of a file, and where the others are."""

    def __init__(self, record: str) -> None:
        lines = record.encode().splitlines()
        _no_save(lines)
        self.size = len(record)
        self.games: list[tuple[int, int]] = []
        first: reader.Reading | None = None
        for reading in reader.read(lines, find):
            first = first or reading
            self.games.append((reading.first, reading.last))
            if len(self.games) > GAMES:
                raise TableError("record.games", 400, line=reading.first, most=GAMES)
        assert first is not None  # a file without a game is refused
        match = first.match
        bare = msgspec.structs.replace  # what was legal has been checked, and is not needed any more
        match.entries = [entry if entry.chance else bare(entry, legal=()) for entry in match.entries]
        self.story = Story(match)
        self.first, self.commitment, self.words, self.seed = first.first, first.commitment, first.words, first.seed
        self.called = [messages.message(match.game.name(match.t, seat)) for seat in range(match.seats)]

    def shown(self) -> dict[str, Any]:
        """What is in it."""
        story = self.story
        game, seats = story.game, story.seats
        return {
            "game": game.id,
            "options": opts.written(game.options, story.options, seats),
            "seats": self.called,
            "over": story.over,
            "fair": self.seed is not None,
            "total": story.total,
            "games": self.games,
            "geometry": msgspec.Raw(boards.geometry(game, story.options, seats)),
        }

    def replay(self, seat: int, first: int, count: int) -> dict[str, Any]:
        """Its positions as a viewpoint sees them."""
        if seat >= self.story.seats:
            raise TableError("table.no-seat", 404, seat=seat)
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
                raise TableError("record.save", 400, line=number)
            return


class Records:
    """The records that were read last; one is read at a time."""

    def __init__(self) -> None:
        self._read: OrderedDict[bytes, Brought] = OrderedDict()
        self._turn = asyncio.Lock()

    async def read(self, record: str, admit: Callable[[float], None]) -> Brought:
        """A record, if it is a good one; `admit` refuses who makes us read too much."""
        key = hashlib.sha256(record.encode()).digest()
        if key not in self._read:
            async with self._turn:
                if key not in self._read:
                    admit(1 + len(record) / 2**18)
                    self._keep(key, await asyncio.to_thread(Brought, record))
        self._read.move_to_end(key)
        return self._read[key]

    def _keep(self, key: bytes, brought: Brought) -> None:
        self._read[key] = brought
        while len(self._read) > _KEPT or (
            len(self._read) > 1 and sum(each.size for each in self._read.values()) > _ROOM
        ):
            self._read.popitem(last=False)
