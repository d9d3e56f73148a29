"""A finished game, replayed: its positions one by one, its outcomes of chance, and a chart of the whole.

Positions are remembered every `_INTERVAL` entries: a part of a long game costs no more than one of a short game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from quadriga.engine.match.entry import Entry
from quadriga.engine.match.match import Match
from quadriga.engine.parts.display import OPEN, SILENT
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import Event
from quadriga.server.protocol.replay_answers import ChanceEvent, Chart, ChartPoint, Replay, Step

_INTERVAL = 64  # entries between two remembered positions
_POINTS = 150  # of a chart, or a few more


class ReplayedGame:
    """A finished match with cached positions, which can be shown step by step from any viewpoint."""

    def __init__(self, match: Match) -> None:
        self.game, self.seats, self.options = match.game, match.seats, match.options
        self.entries: list[Entry] = match.entries
        self.over = match.over
        self._start = match.rewound()
        self._remembered: list[bytes] = []
        position = self._start.clone()
        for number, entry in enumerate(self.entries):
            if number % _INTERVAL == 0:
                self._remembered.append(position.s.tobytes())
            _step(position, entry)

    @property
    def total(self) -> int:
        """The number of steps, the beginning included."""
        return len(self.entries) + 1

    def part(self, seat: int, first: int, count: int) -> Replay:
        """Return this many steps from `first` on, each with its event and the position after it."""
        steps: list[Step] = []
        last = min(first + count, self.total)
        if first < last:
            position = self.position_after(max(first - 1, 0))
            if first == 0:
                steps.append(Step(None, position.view(seat), position.scores))
            for number in range(max(first, 1), last):
                entry = self.entries[number - 1]
                before = position.s.copy()
                _step(position, entry)
                steps.append(Step(self._event(entry, before, number, seat), position.view(seat), position.scores))
        return Replay(self.total, first, steps)

    def chart(self) -> Chart:
        """Return some positions of the whole game for everybody, and how often which outcome came to each seat."""
        stride = max(1, self.total // _POINTS)
        position = self._start.clone()
        points = [ChartPoint(0, position.view(), position.scores)]
        outcomes: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        for number, entry in enumerate(self.entries, 1):
            if entry.chance and entry.seat is not None and self._secrecy(position.s, entry) == OPEN:
                outcomes[entry.seat][entry.text] += 1
            _step(position, entry)
            if number % stride == 0 or number == self.total - 1:
                points.append(ChartPoint(number, position.view(), position.scores))
        return Chart(self.total, points, outcomes)

    def chances(self) -> list[ChanceEvent]:
        """Return every outcome of chance with the outcomes that it was picked from."""
        position = self._start.clone()
        events = []
        for entry in self.entries:
            if entry.chance:
                outcomes = [(outcome.text, outcome.weight) for outcome in position.outcomes()]
                events.append(ChanceEvent(entry.seat, entry.text, outcomes))
            _step(position, entry)
        return events

    def positions_after(self, counts: Sequence[int]) -> Iterator[Match]:
        """Yield the positions after so many entries each, in ascending order. The same match is used for all."""
        if not counts:
            return
        position, done = self.position_after(counts[0]), counts[0]
        for count in counts:
            for entry in self.entries[done:count]:
                _step(position, entry)
            done = count
            yield position

    def position_after(self, count: int) -> Match:
        """Return the position after this many entries."""
        position = self._start.clone()
        if self._remembered:
            index = min(count // _INTERVAL, len(self._remembered) - 1)
            position.s.assign(self._remembered[index])
            for entry in self.entries[index * _INTERVAL : count]:
                _step(position, entry)
        return position

    def _secrecy(self, before: Any, entry: Entry) -> int:
        return self.game.display.secrecy_of(self._start.t, before, entry.actions[0])

    def _event(self, entry: Entry, before: Any, number: int, seat: int) -> Event:
        level = self._secrecy(before, entry)
        is_seen = level == OPEN or entry.seat == seat
        if level == SILENT and not is_seen:
            return Event(number, "asked")
        return Event(
            number,
            "chance" if entry.chance else "play",
            entry.seat,
            entry.text if is_seen else None,
            notes=texts.notes(self.game.display.explain(self._start.t, before, entry.actions)),
            section=entry.section,
        )


def _step(match: Match, entry: Entry) -> None:
    for action in entry.actions:
        match.game.rules.step(match.t, match.s, action)
