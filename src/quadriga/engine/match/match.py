"""A match: one game in progress that checks every action, records it, and can take it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Self, cast

import msgspec

from quadriga.engine.errors import IllegalActionError, NotOverError
from quadriga.engine.game import NOBODY, Game
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match import compounds, drawing, sampling
from quadriga.engine.match.arguments import check_seat
from quadriga.engine.match.dice import Dice, Outcome
from quadriga.engine.match.entry import FAMILY, Action, Entry
from quadriga.engine.match.history import History
from quadriga.engine.match.options import Options
from quadriga.engine.match.stepper import Stepper
from quadriga.engine.parts.display import Reasons
from quadriga.engine.parts.variables import OutV, S, T


class Match(History, Generic[OutV]):
    """One game in progress.

    With dice, outcomes of chance follow by themselves, or at each `roll_once` if `automatic` is False.
    Without dice, the caller supplies them with `happen`. Matches can be copied, pickled and compared. They change,
    so they cannot be hashed; `match.here` is the position as bytes, which can be. `Match[View]` names what `view`
    returns, for type checkers: the `View` of the game's package, such as `quadriga.games.ur.View`.

    >>> import random, quadriga
    >>> match = quadriga.new("ur", seed=1)
    >>> while not match.over:
    ...     _ = match.push(random.choice(match.legal()))
    >>> match.winner in (0, 1)
    True
    """

    def __init__(
        self,
        game: Game[T, S, OutV],
        options: Mapping[str, object] | None = None,
        seats: int | None = None,
        dice: Dice | None = None,
        automatic: bool = True,
    ) -> None:
        super().__init__(cast("Game", game), options or {}, seats)
        self.dice = dice
        self.automatic = automatic
        self.roll()

    @property
    def over(self) -> bool:
        """Return whether the game is over.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).over
        False
        """
        return self.actor == OVER

    @property
    def winner(self) -> int | None:
        """Return the seat with the best score, or None before the end and for a tie.

        >>> import quadriga
        >>> match = quadriga.new("ur", seed=1, markers=1)
        >>> while not match.over:
        ...     _ = match.push(match.legal()[0])
        >>> match.scores, match.winner
        ([1, 0], 0)
        """
        scores = self.scores if self.over else []
        best = [seat for seat, points in enumerate(scores) if points == max(scores)]
        return best[0] if len(best) == 1 else None

    @property
    def scores(self) -> list[int]:
        """Return the score of each seat so far.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).scores
        [0, 0]
        """
        points = memoryview(bytearray(8 * self.seats)).cast("q")
        self.game.rules.scores(self.t, self.s, points)
        return points.tolist()

    @property
    def result(self) -> list[int]:
        """Return the final scores. Raises NotOverError before the end.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).result
        Traceback (most recent call last):
        ...
        quadriga.engine.errors.NotOverError: The game is not over.
        """
        if not self.over:
            raise NotOverError("match.not-over")
        return self.scores

    def legal(self) -> list[Action]:
        """Return the actions that can be played as they stand, in code-point order.

        Actions with parts to choose, such as offers, are not among them: see `families`.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).legal()
        ['0-2', '3-5']
        """
        return [text for text in self.actions() if not text.endswith(FAMILY)]

    def families(self) -> list[str]:
        """Return the kinds of action that `build` can make here, such as `offer`.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).families()
        []
        """
        return [text.removesuffix(FAMILY) for text in self.actions() if text.endswith(FAMILY)]

    def build(self, family: str, **parts: object) -> Action:
        """Return an action of a family from its parts. Raises IllegalActionError if it is not legal here.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).build("offer", to=1)
        Traceback (most recent call last):
        ...
        quadriga.engine.errors.IllegalActionError: There is no 'offer' to make here. Legal: 0-2, 3-5.
        """
        return compounds.build(self, family, parts)

    def __getattr__(self, name: str) -> Callable[..., Action]:
        """Return the builder of a family that the game's notation has: `match.offer(to=1, ...)`.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).offer
        Traceback (most recent call last):
        ...
        AttributeError: A match of ur has no 'offer'.
        """
        game: Game | None = self.__dict__.get("game")  # none in a match that is being unpickled
        compounds = None if game is None else game.notation.compounds
        if compounds is None or name not in compounds.builders:
            raise AttributeError(f"A match of {game.id if game else 'nothing'} has no {name!r}.")
        return partial(self.build, name)

    def check(self, text: Action) -> list[int]:
        """Return the integers of which an action consists. Raises IllegalActionError if it is not legal here.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).check("3-5")
        [13]
        """
        if not isinstance(text, str):
            raise IllegalActionError("action.text", text=text, legal=list(self.actions()))
        actions = self.actions()
        if self.actor < 0:
            raise IllegalActionError("action.nobody" if self.actor == CHANCE else "action.over", text=text)
        if text in actions and not text.endswith(FAMILY):
            return [actions[text]]
        return compounds.parse(self, text)

    def push(self, text: Action) -> Entry:
        """Play an action, then let the dice roll; `pop` takes both back.

        Raises IllegalActionError for an action that is not legal; then nothing changes.

        >>> import quadriga
        >>> match = quadriga.new("ur", seed=1)
        >>> match.push("3-5").text
        '3-5'
        """
        pieces = self.check(text)
        entry = self.append_unchecked(self.actor, str(text), tuple(self.actions()), tuple(pieces))
        self.roll()
        return entry

    play = push

    def happen(self, text: str) -> Entry:
        """Apply an outcome of chance given in notation.

        >>> import quadriga
        >>> match = quadriga.Match(quadriga.new("ur").game)  # without dice
        >>> match.happen("roll 2").text
        'roll 2'
        """
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

    def pop(self) -> Entry:
        """Take back the last decision, with the chance that followed by itself, and return it.

        Where the caller makes chance happen, with `happen` or `roll_once`, an outcome is taken back on its own.
        Dice have no memory: the same action gets the same chance again.

        >>> import quadriga
        >>> match = quadriga.new("ur", seed=1)
        >>> before = match.copy()
        >>> _ = match.push("3-5")
        >>> match.pop().text, match == before
        ('3-5', True)
        """
        count = len(self.entries)
        if self.dice and self.automatic:
            while count and self.entries[count - 1].chance:
                count -= 1
        if not count:
            raise IllegalActionError("undo.start")
        last = self.entries[count - 1]
        self._rewind(count - 1)
        return last

    undo = pop

    def may_undo(self, seat: int) -> bool:
        """Return whether a seat may take back its last action: nothing was rolled or decided since."""
        check_seat(seat, self.seats)
        return bool(self.entries) and not self.entries[-1].chance and self.entries[-1].seat == seat

    def copy(self, *, seed: int | None = None) -> Self:
        """Return an independent copy. It has the same dice, so it knows the future; with a seed it has new dice.

        >>> import quadriga
        >>> match = quadriga.new("ur", seed=1)
        >>> twin = match.copy()
        >>> _ = twin.push("3-5")
        >>> match == twin
        False
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.entries = list(self.entries)
        twin.s = self.s.copy()
        twin._marks = dict(self._marks)
        twin._stepper = Stepper(self.game, twin.t, twin.s)
        if seed is not None:
            sampling.give_new_dice(twin, seed)
        return twin

    def sample(self, seat: int, *, seed: int | None = None) -> Self:
        """Return a match that a seat thinks possible: what it cannot know is dealt anew, and the dice are new.

        It starts here, so `pop` takes back nothing from before. The same seed gives the same match.

        >>> import quadriga
        >>> match = quadriga.new("ave-caesar", seed=1)
        >>> world = match.sample(0, seed=2)
        >>> world.view(0) == match.view(0), world.view(1) == match.view(1)
        (True, False)
        """
        twin = self.copy()
        sampling.make_possible_world(twin, seat, seed)
        return twin

    clone = copy

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        setup = self.game, self.options, self.seats, self.dice, self.automatic
        return _rebuild, (*setup, self.entries, self._marks, self.t.tobytes(), self.s.tobytes())

    def view(self, seat: int = NOBODY) -> OutV:
        """Return what a seat may see; by default, what a spectator may.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).view().phase
        'move'
        """
        return cast("OutV", self.game.display.view(self.t, self.s, check_seat(seat, self.seats)))

    def marks(self) -> dict[str, str]:
        """Return the numbers of the legal actions, in the order of `actions`, by the space that they lead to.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).marks()
        {'C3': '1', 'B1': '2'}
        """
        return drawing.marks(self)

    def text(self, seat: int | None = None, *, language: str = "", width: int = 80) -> str:
        """Return the position as text: everything, or what a seat may see. `print(match)` shows everything.

        >>> import quadriga
        >>> "home" in quadriga.new("ur", seed=1).text(0)
        True
        """
        return drawing.text(self, seat, language, width)

    def svg(self, seat: int | None = None, *, language: str = "") -> str:
        """Return the position as a picture: everything, or what a seat may see. Notebooks show it by themselves.

        >>> import quadriga
        >>> quadriga.new("ur", seed=1).svg()[:4]
        '<svg'
        """
        return drawing.svg(self, seat, language)

    def _repr_svg_(self) -> str | None:
        return None if self.game.display.render_svg is None else self.svg()

    def __str__(self) -> str:
        return self.text()

    def views(self, seats: Sequence[int]) -> Sequence[msgspec.Struct]:
        """Return the view of each seat."""
        return self.game.display.views_for(self.t, self.s, seats, self._stepper.legal())

    def why_illegal(self, seat: int) -> Reasons:
        """Return why cards, markers or payments of a seat cannot be played now, as far as the seat may know.

        >>> import quadriga
        >>> match = quadriga.new("ave-caesar", seed=1)
        >>> sorted(match.why_illegal(match.actor))
        []
        """
        why_illegal = self.game.display.why_illegal
        return {} if why_illegal is None or check_seat(seat, self.seats) < 0 else why_illegal(self.t, self.s, seat)

    def positions(self) -> Iterator[Self]:
        """Yield the match at its start and after each entry; it is the same object each time.

        >>> import quadriga
        >>> match = quadriga.new("ur", seed=1)
        >>> [position.actor for position in match.positions()]  # -1 is chance
        [-1, -1, -1, 1]
        """
        earlier = self.rewound()
        yield earlier
        for entry in self.entries:
            earlier.append_unchecked(entry.seat, entry.text, entry.legal, entry.actions)
            yield earlier

    def rewound(self) -> Self:
        """Return a new match with the same start and without dice."""
        match = type(self)(cast("Any", self.game), self.options, self.seats)
        match.s.assign(self._marks[0])
        match.start_here()
        return match

    def apply_outcome(self, outcome: Outcome) -> Entry:
        """Apply one of `outcomes`."""
        roller = self.game.notation.roller(self.t, self.s)
        return self.append_unchecked(None if roller == NOBODY else roller, outcome.text, None, (outcome.action,))

    def __repr__(self) -> str:
        return f"<Match of {self.game.id}, {len(self.entries)} entries, actor {self.actor}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._content() == other._content()

    def _content(self) -> tuple[Any, ...]:
        return self.game.id, self.options, self.seats, self.entries, self._marks[0]


def _rebuild(
    game: Game,
    options: Options,
    seats: int,
    dice: Dice | None,
    automatic: bool,
    entries: list[Entry],
    marks: dict[int, bytes],
    tables: bytes,
    state: bytes,
) -> Match:
    """Return an unpickled match."""
    match = Match(game, options, seats)
    match.dice, match.automatic = dice, automatic
    match.t.assign(tables)
    match.resume(entries, state, marks[max(marks)])
    match._marks = marks
    return match
