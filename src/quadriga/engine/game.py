"""A game as the other packages use it: an id, seats, options, and typed parts (`engine.parts`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels import slots
from quadriga.engine.match import options as opts
from quadriga.engine.match.options import Option, Options
from quadriga.engine.parts import Bots, Display, Notation, Orders, Races, Reactions, Rules, Study, Teaching
from quadriga.engine.parts.reactions import Deals
from quadriga.engine.parts.variables import S, T, V

NOBODY = -1
"""The seat of a spectator, and the owner of an outcome of chance that belongs to no seat."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game(Generic[T, S, V]):
    """A game. Registering one under `quadriga.games` makes it playable everywhere."""

    id: str
    version: int  # raised when the behaviour of the rules changes, and only then
    package: str  # the package with the game's `words/`, and with `learn/` if it has lessons
    min_seats: int
    max_seats: int
    usual_seats: int = 4  # the number of seats of a new table, within `min_seats` and `max_seats`
    options: tuple[Option, ...]
    check_options: Callable[[Options, int], None] | None = None  # refuses options that do not go together
    options_from_flag: Callable[[str, str], dict[str, object]] | None = None  # by a flag such as `--deck FILE`

    rules: Rules[T, S]
    notation: Notation[T, S]
    display: Display[T, S, V]
    races: Races[T, S] | None = None
    reactions: Reactions[T, S] | None = None
    teaching: Teaching[T, S] | None = None
    bots: Bots[T, S] | None = None
    orders: Orders[T, S, V] | None = None
    study: Study[T, S] | None = None

    def resolve_options(
        self, given: Mapping[str, object], seats: int | None, people: bool = False
    ) -> tuple[Options, int]:
        """Return all options, checked, with defaults for the missing ones, and the number of seats.

        `people` says whether a person plays: some defaults are for people only.
        """
        seats = self.min_seats if seats is None else seats
        if type(seats) is not int or not self.min_seats <= seats <= self.max_seats:
            if self.min_seats == self.max_seats:
                raise OptionError("option.seats-exactly", seats=seats, least=self.min_seats)
            raise OptionError("option.seats", seats=seats, least=self.min_seats, most=self.max_seats)
        options = opts.resolve(self.options, given, seats, people)
        if self.check_options is not None:
            self.check_options(options, seats)
        return options, seats

    def read_flag(self, flag: str, text: str) -> dict[str, object]:
        """Return the options that a flag of the command line sets. Raises OptionError for an unknown flag."""
        if self.options_from_flag is None:
            raise OptionError("option.flag", flag=flag)
        return self.options_from_flag(flag, text)

    @property
    def has_coach(self) -> bool:
        """Return whether the game has a coach, which advises a player in numbers."""
        return self.teaching is not None and self.teaching.coach is not None

    @property
    def windows(self) -> tuple[str, ...]:
        """Return the names of the reaction windows; none in a game without reactions."""
        return () if self.reactions is None else self.reactions.windows

    def window_of(self, t: T, s: S) -> str | None:
        """Return the reaction window in which the actor is asked, if any."""
        return None if self.reactions is None else self.reactions.window(t, s)

    @property
    def deals(self) -> Deals[T, S] | None:
        """Return the deals that can be made in reaction windows, if any."""
        return None if self.reactions is None else self.reactions.deals

    def deal_family(self, t: T) -> str | None:
        """Return the family of actions that are deals, such as bribes; None if nobody may make any."""
        return self.deals.family if self.deals is not None and self.deals.allowed(t) else None

    def concerns_actor(self, t: T, s: S, knows_hand: bool, last: int | None) -> bool:
        """Return whether the open window concerns the actor; without `knows_hand` by public information only.

        `last` is the seat since whose action everybody has passed; None if there is none.
        """
        if self.reactions is None or self.reactions.concerns is None:
            return True
        return self.reactions.concerns(t, s, knows_hand, last)

    def asked_to_deal(self, t: T, s: S) -> bool:
        """Return whether the actor is asked for nothing but a deal."""
        return self.deals is not None and self.deals.alone(t, s)

    @property
    def is_solvable(self) -> bool:
        """Return whether `quadriga solve` can compute exact values of its positions."""
        return self.bots is not None and self.bots.is_solvable

    @property
    def tallies(self) -> tuple[str, ...]:
        """Return the names of the game's own counts in random games, beside decisions and outcomes of chance."""
        counted = None if self.study is None else self.study.tallies
        return () if counted is None else tuple(column.name for column in counted.columns)

    @property
    def bindings(self) -> dict[object, object]:
        """Return the game's kernel for each slot of the entry points, and its structs."""
        counted = None if self.study is None else self.study.tallies
        return {
            **self.rules.bindings,
            slots.remember: slots.nothing_remembered if counted is None else counted.remember,
            slots.tally: slots.nothing_counted if counted is None else counted.count,
            slots.advise: slots.random_action if self.bots is None else self.bots.advise,
            slots.exploit: (None if self.bots is None else self.bots.exploit) or slots.random_action,
        }
