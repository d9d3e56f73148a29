"""A match: one game in progress that checks every action, records it, and can undo it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from quadriga.engine.errors import IllegalActionError, NotOverError
from quadriga.engine.game import NOBODY, Game, Reasons
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.dice import Dice, Outcome
from quadriga.engine.match.options import Options
from quadriga.engine.match.stepper import Stepper

FAMILY = " *"
"""The end of a text that stands for a whole family of compound actions: `offer *`."""

_MARK_INTERVAL = 32  # entries between two stored positions: an undo replays from the last one
_MARKS = 8  # stored positions beside the first


class Entry(msgspec.Struct, frozen=True):
    """One recorded step of a game: an outcome of chance, or a decision with all actions that were legal."""

    seat: int | None
    text: str
    legal: tuple[str, ...] | None
    actions: tuple[int, ...]  # one, or the pieces of a compound action
    section: dict[str, object] | None

    @property
    def chance(self) -> bool:
        """Return whether this is an outcome of chance."""
        return self.legal is None


class Match:
    """One game in progress.

    With dice, outcomes of chance follow by themselves, or at each `roll_once` if `automatic` is False.
    Without dice, the caller supplies them with `happen`.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, object] | None = None,
        seats: int | None = None,
        dice: Dice | None = None,
        automatic: bool = True,
    ) -> None:
        self.game = game
        self.options: Options
        self.options, self.seats = game.resolve_options(options or {}, seats)
        self.dice = dice
        self.automatic = automatic
        self.entries: list[Entry] = []
        self.t, self.s = game.new(self.options, self.seats)
        self._marks: dict[int, bytes] = {0: self.s.tobytes()}  # by entries / _MARK_INTERVAL
        self._stepper = Stepper(game, self.t, self.s)
        self._section: dict[str, object] | None = None
        self._listed_position = b""  # the position that `_actions` belongs to
        self._actions: dict[str, int] = {}
        self._last_outcomes: tuple[list[int], list[int], list[Outcome]] = [], [], []  # with actions and weights
        self.roll()

    @property
    def actor(self) -> int:
        """Return the seat to decide, CHANCE or OVER."""
        return self._stepper.actor

    @property
    def here(self) -> bytes:
        """Return the position as bytes."""
        return self._stepper.here

    @property
    def over(self) -> bool:
        """Return whether the game is over."""
        return self.actor == OVER

    @property
    def scores(self) -> list[int]:
        """Return the score of each seat so far."""
        points = memoryview(bytearray(8 * self.seats)).cast("q")
        self.game.scores(self.t, self.s, points)
        return points.tolist()

    @property
    def result(self) -> list[int]:
        """Return the final scores. Raises NotOverError before the end."""
        if not self.over:
            raise NotOverError("match.not-over")
        return self.scores

    @property
    def section(self) -> dict[str, object] | None:
        """Return the heading of the part of the game that begins here, or None within a part."""
        heading = self.game.section(self.t, self.s)
        return heading if heading != self._section and not self.over else None

    @property
    def chances(self) -> int:
        """Return the number of outcomes of chance so far."""
        return sum(entry.chance for entry in self.entries)

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their notation, in code-point order; the dict must not be changed."""
        stepper = self._stepper
        here = stepper.here
        if here is not self._listed_position:
            t, s, text = self.t, self.s, self.game.text
            found = stepper.legal() if stepper.actor >= 0 else []
            self._actions = dict(sorted([(text(t, s, action), action) for action in found]))
            self._listed_position = here
        return self._actions

    def legal(self) -> list[str]:
        """Return the legal actions in notation, in code-point order."""
        return list(self.actions())

    def outcomes(self) -> list[Outcome]:
        """Return the possible outcomes of chance, in code-point order; none where chance is not due."""
        if self.actor != CHANCE:
            return []
        actions, weights = self._stepper.legal(), self._stepper.weights()
        known_actions, known_weights, known = self._last_outcomes
        if self.game.has_fixed_outcome_texts and actions == known_actions and weights == known_weights:
            return known
        text = self.game.text
        pairs = zip(actions, weights, strict=True)
        found = sorted([Outcome(text(self.t, self.s, action), weight, action) for action, weight in pairs])
        self._last_outcomes = actions, weights, found
        return found

    def play(self, text: str) -> Entry:
        """Play an action given in notation, then let the dice roll.

        Raises IllegalActionError for an action that is not legal; then nothing changes.
        """
        seat = self.actor
        actions = self.actions()
        if seat < 0:
            raise IllegalActionError("action.nobody" if seat == CHANCE else "action.over", text=text)
        if text in actions and not text.endswith(FAMILY):
            pieces = [actions[text]]
        else:
            pieces = self._parse_compound(text, actions)
        entry = self.append_unchecked(seat, text, tuple(actions), tuple(pieces))
        self.roll()
        return entry

    def _parse_compound(self, text: str, actions: Mapping[str, int]) -> list[int]:
        """Return the pieces of a compound action (an offer, a bribe), after checking that each is legal in turn."""
        pieces = self.game.parse_compound(self.t, self.s, text)
        if pieces is None or pieces[0] not in actions.values():
            raise IllegalActionError("action.illegal", text=text, legal=list(actions))
        trial = self.s.copy()
        stepper = Stepper(self.game, self.t, trial)
        for number, piece in enumerate(pieces):
            if piece not in stepper.legal() or (number and not self.game.is_unfinished(self.t, trial)):
                raise IllegalActionError("action.illegal", text=text, legal=list(actions))
            stepper.step(piece)
        if self.game.is_unfinished(self.t, trial) or self.game.format_compound(self.t, self.s, pieces) != text:
            raise IllegalActionError("action.illegal", text=text, legal=list(actions))
        return pieces

    def happen(self, text: str) -> Entry:
        """Apply an outcome of chance given in notation."""
        outcomes = {outcome.text: outcome for outcome in self.outcomes()}
        if text not in outcomes:
            code = "chance.impossible" if outcomes else "chance.none"
            raise IllegalActionError(code, text=text, legal=list(outcomes))
        return self.apply_outcome(outcomes[text])

    def roll(self) -> None:
        """Let automatic dice pick outcomes until a seat is to decide or the game is over."""
        while self.dice and self.automatic and self.actor == CHANCE:
            self.roll_once()

    def roll_once(self) -> Entry:
        """Let the dice pick one outcome of chance, and apply it."""
        if self.dice is None:
            raise IllegalActionError("chance.no-dice")
        return self.apply_outcome(self.dice.pick(self.chances, self.outcomes()))

    def undo(self) -> Entry:
        """Take back the last entry, a decision or an outcome of chance, and return it."""
        if not self.entries:
            raise IllegalActionError("undo.start")
        last = self.entries.pop()
        mark = max(number for number in self._marks if number * _MARK_INTERVAL <= len(self.entries))
        self._marks = {number: position for number, position in self._marks.items() if number <= mark}
        self.s.assign(self._marks[mark])
        for number, entry in enumerate(self.entries[mark * _MARK_INTERVAL :], mark * _MARK_INTERVAL + 1):
            for action in entry.actions:
                self.game.step(self.t, self.s, action)
            if number % _MARK_INTERVAL == 0:
                self._store_mark(number // _MARK_INTERVAL)
        if last.section is not None:
            earlier = (entry.section for entry in reversed(self.entries) if entry.section is not None)
            self._section = next(earlier, None)
        return last

    @property
    def mark(self) -> bytes:
        """Return the stored position that an undo starts from."""
        return self._marks[max(self._marks)]

    def resume(self, entries: list[Entry], state: bytes, mark: bytes) -> None:
        """Continue a stored match without replaying it. The caller guarantees that the parts belong together."""
        self.entries = entries
        self.s.assign(state)
        self._marks = {len(entries) // _MARK_INTERVAL: mark}
        self._section = next((entry.section for entry in reversed(entries) if entry.section is not None), None)

    def may_undo(self, seat: int) -> bool:
        """Return whether a seat may take back its last action: nothing was rolled or decided since."""
        return bool(self.entries) and not self.entries[-1].chance and self.entries[-1].seat == seat

    def clone(self) -> Match:
        """Return an independent copy."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.entries = list(self.entries)
        twin.s = self.s.copy()
        twin._marks = dict(self._marks)
        twin._stepper = Stepper(self.game, twin.t, twin.s)
        return twin

    def view(self, seat: int = NOBODY) -> msgspec.Struct:
        """Return what a seat may see; by default, what a spectator may."""
        return self.game.view(self.t, self.s, seat)

    def views(self, seats: Sequence[int]) -> Sequence[msgspec.Struct]:
        """Return the view of each seat."""
        return self.game.views_for(self.t, self.s, seats, self._stepper.legal())

    def why_illegal(self, seat: int) -> Reasons:
        """Return why cards, markers or payments of a seat cannot be played now, as far as the seat may know."""
        return self.game.why_illegal(self.t, self.s, seat) if seat >= 0 else {}

    def positions(self) -> Iterator[Match]:
        """Yield the match at its start and after each entry; it is the same object each time."""
        earlier = self.rewound()
        yield earlier
        for entry in self.entries:
            earlier.append_unchecked(entry.seat, entry.text, entry.legal, entry.actions)
            yield earlier

    def rewound(self) -> Match:
        """Return a new match with the same set-up and without dice."""
        return Match(self.game, self.options, self.seats)

    def apply_outcome(self, outcome: Outcome) -> Entry:
        """Apply one of `outcomes`."""
        roller = self.game.roller(self.t, self.s)
        return self.append_unchecked(None if roller == NOBODY else roller, outcome.text, None, (outcome.action,))

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

    def __repr__(self) -> str:
        return f"<Match of {self.game.id}, {len(self.entries)} entries, actor {self.actor}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.game.id, self.s.tobytes()))

    def _content(self) -> tuple[Any, ...]:
        return self.game.id, self.options, self.seats, self.entries
