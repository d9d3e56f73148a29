"""The history of a match: its entries, the position that they lead to with its legal actions, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quadriga.engine.game import Game
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.dice import Outcome
from quadriga.engine.match.entry import Entry
from quadriga.engine.match.options import Options
from quadriga.engine.match.stepper import Stepper

_MARK_INTERVAL = 32  # entries between two stored positions: an undo replays from the last one
_MARKS = 8  # stored positions beside the first


class History:
    """The entries of a game and its position; checks nothing."""

    def __init__(self, game: Game, options: Mapping[str, object], seats: int | None) -> None:
        self.game = game
        self.options: Options
        self.options, self.seats = game.resolve_options(options, seats)
        self.entries: list[Entry] = []
        self.t, self.s = game.rules.new(self.options, self.seats)
        self._marks: dict[int, bytes] = {0: self.s.tobytes()}  # by entries / _MARK_INTERVAL
        self._stepper = Stepper(game, self.t, self.s)
        self._section: dict[str, object] | None = None
        self._listed_position = b""  # the position that `_actions` belongs to
        self._actions: dict[str, int] = {}
        self._last_outcomes: tuple[list[int], list[int], list[Outcome]] = [], [], []  # with actions and weights

    @property
    def actor(self) -> int:
        """Return the seat to decide; -1 while chance is due (only without automatic dice), -2 after the end.

        >>> import quadriga
        >>> match = quadriga.new("ur", seed=1, markers=1)
        >>> match.actor
        1
        >>> while not match.over:
        ...     _ = match.push(match.legal()[0])
        >>> match.actor
        -2
        """
        return self._stepper.actor

    @property
    def here(self) -> bytes:
        """Return the position as bytes."""
        return self._stepper.here

    @property
    def section(self) -> dict[str, object] | None:
        """Return the heading of the part of the game that begins here, or None within a part."""
        section = self.game.notation.section
        heading = None if section is None else section(self.t, self.s)
        return heading if heading != self._section and self.actor != OVER else None

    @property
    def chances(self) -> int:
        """Return the number of outcomes of chance so far."""
        return sum(entry.chance for entry in self.entries)

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their notation, in code-point order; the dict must not be changed.

        >>> import quadriga
        >>> list(quadriga.new("ur", seed=1).actions())
        ['0-2', '3-5']
        """
        stepper = self._stepper
        here = stepper.here
        if here is not self._listed_position:
            t, s, text = self.t, self.s, self.game.notation.text
            found = stepper.legal() if stepper.actor >= 0 else []
            self._actions = dict(sorted([(text(t, s, action), action) for action in found]))
            self._listed_position = here
        return self._actions

    def outcomes(self) -> list[Outcome]:
        """Return the possible outcomes of chance, in code-point order; none where chance is not due.

        >>> import quadriga
        >>> match = quadriga.Match(quadriga.new("ur").game)  # without dice
        >>> [outcome.text for outcome in match.outcomes()]
        ['roll 0', 'roll 1', 'roll 2', 'roll 3']
        """
        if self.actor != CHANCE:
            return []
        actions, weights = self._stepper.legal(), self._stepper.weights()
        known_actions, known_weights, known = self._last_outcomes
        if self.game.notation.has_fixed_outcome_texts and actions == known_actions and weights == known_weights:
            return known
        text = self.game.notation.text
        pairs = zip(actions, weights, strict=True)
        found = sorted([Outcome(text(self.t, self.s, action), weight, action) for action, weight in pairs])
        self._last_outcomes = actions, weights, found
        return found

    def append_unchecked(
        self, seat: int | None, text: str, legal: tuple[str, ...] | None, actions: tuple[int, ...]
    ) -> Entry:
        """Apply actions and record them without a check, to replay what was checked before."""
        section = self.section
        entry = Entry(seat, text, legal, actions, section)
        for action in actions:
            self._stepper.step(action)
        if section is not None:
            self._section = section
        self.entries.append(entry)
        if len(self.entries) % _MARK_INTERVAL == 0:
            self._store_mark(len(self.entries) // _MARK_INTERVAL)
        return entry

    def _store_mark(self, number: int) -> None:
        """Store the position; of the earlier ones the first and the last few are kept."""
        self._marks[number] = self.s.tobytes()
        self._marks = {each: here for each, here in self._marks.items() if each == 0 or each > number - _MARKS}

    def _rewind(self, count: int) -> None:
        """Return to the position after so many entries."""
        dropped = self.entries[count:]
        del self.entries[count:]
        mark = max(number for number in self._marks if number * _MARK_INTERVAL <= count)
        self._marks = {number: position for number, position in self._marks.items() if number <= mark}
        self.s.assign(self._marks[mark])
        for number, entry in enumerate(self.entries[mark * _MARK_INTERVAL :], mark * _MARK_INTERVAL + 1):
            for action in entry.actions:
                self.game.rules.step(self.t, self.s, action)
            if number % _MARK_INTERVAL == 0:
                self._store_mark(number // _MARK_INTERVAL)
        if any(entry.section is not None for entry in dropped):
            self._section = _last_section(self.entries)

    def look_back(self, most: int) -> Iterator[Entry]:
        """Return to the position before at most so many entries, and make them again, one by one.

        Each entry is yielded in the position before it. Only positions that are stored anyway are gone back to, so
        that no long game is replayed.
        """
        count = len(self.entries)
        marks = [
            number * _MARK_INTERVAL for number in self._marks if count - most <= number * _MARK_INTERVAL <= count
        ]
        again = self.entries[min(marks, default=count) :]
        self._rewind(count - len(again))
        for entry in again:
            yield entry
            self.append_unchecked(entry.seat, entry.text, entry.legal, entry.actions)

    def start_here(self) -> None:
        """Make the position, which the caller has set up, the start of the match."""
        self.entries = []
        self._marks = {0: self.s.tobytes()}
        self._section = None

    @property
    def has_own_start(self) -> bool:
        """Return whether the match starts from a position that its options do not lead to."""
        return self.game.rules.new(self.options, self.seats)[1].tobytes() != self._marks[0]

    @property
    def mark(self) -> bytes:
        """Return the stored position that an undo starts from."""
        return self._marks[max(self._marks)]

    def resume(self, entries: list[Entry], state: bytes, mark: bytes) -> None:
        """Continue a stored match without replaying it. The caller guarantees that the parts belong together."""
        self.entries = entries
        self.s.assign(state)
        self._marks = {0: self._marks[0], len(entries) // _MARK_INTERVAL: mark}
        self._section = _last_section(entries)


def _last_section(entries: Sequence[Entry]) -> dict[str, object] | None:
    """Return the heading of the last part of a game that has begun."""
    return next((entry.section for entry in reversed(entries) if entry.section is not None), None)
