"""A played game as a story: its positions one by one, what there was to roll, and how it went as a whole.

Positions are remembered every so many entries: a window of a long game costs no more than one of a short one.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from quadriga.engine.game import OPEN, SILENT
from quadriga.engine.match.match import Entry, Match
from quadriga.server.protocol import texts

_APART = 64  # entries between two remembered positions
_POINTS = 150  # of a chart, or a few more


class Story:
    """A match that is played no further, told from any viewpoint."""

    def __init__(self, match: Match) -> None:
        self.game, self.seats, self.options = match.game, match.seats, match.options
        self.entries: list[Entry] = match.entries
        self.over = match.over
        self._start = match.rewound()
        self._marks: list[bytes] = []
        here = self._start.clone()
        for number, entry in enumerate(self.entries):
            if number % _APART == 0:
                self._marks.append(here.s.tobytes())
            _step(here, entry)

    @property
    def total(self) -> int:
        """How many steps there are, the beginning included."""
        return len(self.entries) + 1

    def window(self, seat: int, first: int, count: int) -> dict[str, Any]:
        """So many steps from one on: what happened, and how things stood then."""
        steps: list[dict[str, Any]] = []
        last = min(first + count, self.total)
        if first < last:
            here = self._at(max(first - 1, 0))
            if first == 0:
                steps.append({"event": None, "view": here.view(seat), "scores": here.scores})
            for number in range(max(first, 1), last):
                entry = self.entries[number - 1]
                before = here.s.copy()
                _step(here, entry)
                told = self._event(entry, before, number, seat)
                steps.append({"event": told, "view": here.view(seat), "scores": here.scores})
        return {"total": self.total, "first": first, "steps": steps}

    def chart(self) -> dict[str, Any]:
        """The game as a whole for all to see: some of its positions, and how often chance did what to whom."""
        stride = max(1, self.total // _POINTS)
        here = self._start.clone()
        points = [{"number": 0, "view": here.view(), "scores": here.scores}]
        outcomes: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        for number, entry in enumerate(self.entries, 1):
            if entry.chance and entry.seat is not None and self._secret(here.s, entry) == OPEN:
                outcomes[entry.seat][entry.text] += 1
            _step(here, entry)
            if number % stride == 0 or number == self.total - 1:
                points.append({"number": number, "view": here.view(), "scores": here.scores})
        return {"total": self.total, "points": points, "outcomes": outcomes}

    def chances(self) -> list[dict[str, Any]]:
        """Every outcome of chance with what it was picked from."""
        here = self._start.clone()
        events = []
        for entry in self.entries:
            if entry.chance:
                outcomes = [[outcome.text, outcome.weight] for outcome in here.outcomes()]
                events.append({"seat": entry.seat, "text": entry.text, "outcomes": outcomes})
            _step(here, entry)
        return events

    def _at(self, number: int) -> Match:
        """The position after so many entries."""
        here = self._start.clone()
        if self._marks:
            kept = min(number // _APART, len(self._marks) - 1)
            here.s.assign(self._marks[kept])
            for entry in self.entries[kept * _APART : number]:
                _step(here, entry)
        return here

    def _secret(self, before: Any, entry: Entry) -> int:
        return self.game.secrecy(self._start.t, before, entry.actions[0])

    def _event(self, entry: Entry, before: Any, number: int, seat: int) -> dict[str, Any]:
        level = self._secret(before, entry)
        seen = level == OPEN or entry.seat == seat
        if level == SILENT and not seen:
            return {"number": number, "kind": "asked"}
        return {
            "number": number,
            "kind": "chance" if entry.chance else "play",
            "seat": entry.seat,
            "text": entry.text if seen else None,
            "notes": texts.notes(self.game.explain(self._start.t, before, entry.actions)),
            "section": entry.section,
        }


def _step(match: Match, entry: Entry) -> None:
    for action in entry.actions:
        match.game.step(match.t, match.s, action)
