"""A match: one game in progress, played with a legality check, remembered line by line, and taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from quadriga.engine.errors import IllegalActionError, NotOverError
from quadriga.engine.game import NOBODY, Game, Reasons
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.dice import Dice, Outcome
from quadriga.engine.match.options import Options
from quadriga.engine.match.stepper import CompiledStepper, Stepper

if TYPE_CHECKING:
    from quadriga.engine.kernels.machine import Machine

FAMILY = " *"
"""How the text of an action ends that stands for a whole family: `offer *`."""

_APART = 32  # entries between two remembered positions: undo replays at most so many


class Entry(msgspec.Struct, frozen=True):
    """One line of a game: an outcome of chance, or a decision with all that was legal."""

    seat: int | None
    text: str
    legal: tuple[str, ...] | None
    actions: tuple[int, ...]  # one, or the pieces of an action that is put together
    section: dict[str, object] | None

    @property
    def chance(self) -> bool:
        """Whether nobody decided this."""
        return self.legal is None


class Match:
    """One game in progress. With dice, chance happens by itself; without, somebody calls `happen`.

    Dice that are not `automatic` wait for `roll_once`.
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
        self._marks: list[bytes] = [self.s.tobytes()]
        self._stepper = Stepper(game, self.t, self.s)
        self._section: dict[str, object] | None = None
        self._listed = b""  # the position whose legal actions are known already,
        self._actions: dict[str, int] = {}  # ... and those
        self._odds: tuple[list[int], list[int], list[Outcome]] = [], [], []  # outcomes that were written out last
        self.roll()

    @property
    def actor(self) -> int:
        """Who is to decide: a seat, CHANCE or OVER."""
        return self._stepper.actor

    @property
    def here(self) -> bytes:
        """The position as bytes."""
        return self._stepper.here

    def use_machine(self, machine: Machine) -> None:
        """From here on let compiled kernels play; nothing else changes."""
        self._stepper = CompiledStepper(machine, self.t, self.s)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.actor == OVER

    @property
    def scores(self) -> list[int]:
        """What each seat has scored so far."""
        points = memoryview(bytearray(8 * self.seats)).cast("q")
        self.game.scores(self.t, self.s, points)
        return points.tolist()

    @property
    def result(self) -> list[int]:
        """The final scores."""
        if not self.over:
            raise NotOverError("match.not-over")
        return self.scores

    @property
    def section(self) -> dict[str, object] | None:
        """The heading under which the game goes on from here, where it is a new one."""
        heading = self.game.section(self.t, self.s)
        return heading if heading != self._section and not self.over else None

    @property
    def chances(self) -> int:
        """How many outcomes of chance there have been."""
        return sum(entry.chance for entry in self.entries)

    def actions(self) -> dict[str, int]:
        """The legal actions by their texts, in code-point order; not to be changed."""
        stepper = self._stepper
        here = stepper.here
        if here is not self._listed:
            t, s, text = self.t, self.s, self.game.text
            found = stepper.listed() if stepper.actor >= 0 else []
            self._actions = dict(sorted([(text(t, s, action), action) for action in found]))
            self._listed = here
        return self._actions

    def legal(self) -> list[str]:
        """The legal actions in notation, in code-point order."""
        return list(self.actions())

    def outcomes(self) -> list[Outcome]:
        """What chance may do now, in code-point order."""
        if self.actor != CHANCE:
            return []
        actions, weights = self._stepper.listed(), self._stepper.weights()
        known_actions, known_weights, known = self._odds
        if self.game.has_fixed_outcome_texts and actions == known_actions and weights == known_weights:
            return known
        text = self.game.text
        pairs = zip(actions, weights, strict=True)
        found = sorted([Outcome(text(self.t, self.s, action), weight, action) for action, weight in pairs])
        self._odds = actions, weights, found
        return found

    def play(self, text: str) -> Entry:
        """Play an action given in notation, if it is legal; then let the dice roll."""
        seat = self.actor
        actions = self.actions()
        if seat < 0:
            raise IllegalActionError("action.nobody" if seat == CHANCE else "action.over", text=text)
        if text in actions and not text.endswith(FAMILY):
            pieces = [actions[text]]
        else:
            pieces = self._composed(text, actions)
        entry = self._add(seat, text, tuple(actions), tuple(pieces))
        self.roll()
        return entry

    def _composed(self, text: str, actions: Mapping[str, int]) -> list[int]:
        """The pieces of a member of a family (an offer, a bribe), every one of them legal when its turn comes."""
        pieces = self.game.parse_compound(self.t, self.s, text)
        if pieces is None or pieces[0] not in actions.values():
            raise IllegalActionError("action.illegal", text=text, legal=list(actions))
        draft = self.s.copy()
        stepper = Stepper(self.game, self.t, draft)
        for number, piece in enumerate(pieces):
            if piece not in stepper.listed() or (number and not self.game.is_unfinished(self.t, draft)):
                raise IllegalActionError("action.illegal", text=text, legal=list(actions))
            stepper.step(piece)
        if self.game.is_unfinished(self.t, draft) or self.game.format_compound(self.t, self.s, pieces) != text:
            raise IllegalActionError("action.illegal", text=text, legal=list(actions))
        return pieces

    def happen(self, text: str) -> Entry:
        """Let an outcome of chance happen, given in notation."""
        outcomes = {outcome.text: outcome for outcome in self.outcomes()}
        if text not in outcomes:
            code = "chance.impossible" if outcomes else "chance.none"
            raise IllegalActionError(code, text=text, legal=list(outcomes))
        return self._chance(outcomes[text])

    def roll(self) -> None:
        """Let the dice, where they roll by themselves, pick outcomes until somebody is to decide."""
        while self.dice and self.automatic and self.actor == CHANCE:
            self.roll_once()

    def roll_once(self) -> Entry:
        """Let the dice pick one outcome of chance."""
        if self.dice is None:
            raise IllegalActionError("chance.no-dice")
        return self._chance(self.dice.pick(self.chances, self.outcomes()))

    def undo(self) -> Entry:
        """Take the last entry back, whatever it was."""
        if not self.entries:
            raise IllegalActionError("undo.start")
        last = self.entries.pop()
        kept = len(self.entries) // _APART
        del self._marks[kept + 1 :]
        self.s.assign(self._marks[kept])
        for entry in self.entries[kept * _APART :]:
            for action in entry.actions:
                self.game.step(self.t, self.s, action)
        if last.section is not None:
            earlier = (entry.section for entry in reversed(self.entries) if entry.section is not None)
            self._section = next(earlier, None)
        return last

    @property
    def mark(self) -> bytes:
        """The remembered position that an undo starts from."""
        return self._marks[-1]

    def resume(self, entries: list[Entry], state: bytes, mark: bytes) -> None:
        """Take a match up where it stood, without playing it again: whoever has kept it vouches for it."""
        self.entries = entries
        self.s.assign(state)
        self._marks = [b""] * (len(entries) // _APART) + [mark]
        self._section = next((entry.section for entry in reversed(entries) if entry.section is not None), None)

    def may_undo(self, seat: int) -> bool:
        """Whether a seat may take its last move back: nothing has been rolled or decided since."""
        return bool(self.entries) and not self.entries[-1].chance and self.entries[-1].seat == seat

    def clone(self) -> Match:
        """A second match that stands where this one stands and goes its own way."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.entries = list(self.entries)
        twin.s = self.s.copy()
        twin._marks = list(self._marks)
        twin._stepper = Stepper(self.game, twin.t, twin.s)
        return twin

    def view(self, seat: int = NOBODY) -> msgspec.Struct:
        """What a seat may see; by default what a spectator may."""
        return self.game.view(self.t, self.s, seat)

    def views(self, seats: Sequence[int]) -> Sequence[msgspec.Struct]:
        """What several seats may see."""
        return self.game.views_for(self.t, self.s, seats, self._stepper.listed())

    def why_illegal(self, seat: int) -> Reasons:
        """Why a seat's own things cannot be played now, as far as the seat may know."""
        return self.game.why_illegal(self.t, self.s, seat) if seat >= 0 else {}

    def positions(self) -> Iterator[Match]:
        """The match as it stood at the start and after each entry."""
        earlier = self.rewound()
        yield earlier
        for entry in self.entries:
            earlier._add(entry.seat, entry.text, entry.legal, entry.actions)
            yield earlier

    def rewound(self) -> Match:
        """A match with the same set-up and no dice, at its beginning."""
        return Match(self.game, self.options, self.seats)

    def _chance(self, outcome: Outcome) -> Entry:
        roller = self.game.roller(self.t, self.s)
        return self._add(None if roller == NOBODY else roller, outcome.text, None, (outcome.action,))

    def _add(self, seat: int | None, text: str, legal: tuple[str, ...] | None, actions: tuple[int, ...]) -> Entry:
        section = self.section
        entry = Entry(seat, text, legal, actions, section)
        for action in actions:
            self._stepper.step(action)
        if section is not None:
            self._section = section
        self.entries.append(entry)
        if len(self.entries) % _APART == 0:
            self._marks.append(self._stepper.here)
        return entry

    def __repr__(self) -> str:
        return f"<Match of {self.game.id}, {len(self.entries)} entries, actor {self.actor}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.game.id, self.s.tobytes()))

    def _content(self) -> tuple[Any, ...]:
        return self.game.id, self.options, self.seats, self.entries
