"""Standing orders: what a seat wants done in its name when it is asked, also while its person is away.

An order is data, and a game says what it means: two small pure functions of what the seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, NamedTuple

import msgspec
from msgspec import Meta

from quadriga.engine.parts.variables import S, T, V
from quadriga.engine.text.catalogues import Localised, Message

MOST = 999  # the greatest number of an order


class Order(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A standing order of a seat."""

    kind: Annotated[str, Meta(min_length=1, max_length=16)]
    """The kind, such as `bid`; see `forms`."""
    of: Annotated[str, Meta(max_length=80)] = ""
    """The thing that it is about, such as a card; empty: any."""
    when: Annotated[str, Meta(max_length=16)] = ""
    """The condition, such as `low`; empty: none."""
    most: Annotated[int, Meta(ge=0, le=MOST)] | None = None
    """The number of the order, such as the highest bid."""


class Given(NamedTuple):
    """An order, and the moment at which it was given, as the game counts moments."""

    order: Order
    moment: int = 0


class Form(NamedTuple):
    """Orders that can be given now: of one kind and condition, about one of some things, with a number."""

    kind: str
    when: str = ""
    things: Mapping[str, Message | Localised | str] = {}
    """The things that the order can be about, each with its name for people. None: it is about nothing."""
    numbers: range | None = None
    """The numbers that the order can have. None: it has none."""
    usual: int | None = None
    """The number that is suggested."""

    def allows(self, order: Order) -> bool:
        """Return whether an order is one of these."""
        is_thing = order.of in self.things if self.things else not order.of
        is_number = order.most is None if self.numbers is None else order.most in self.numbers
        return (order.kind, order.when) == (self.kind, self.when) and is_thing and is_number


@dataclass(frozen=True, eq=False, slots=True)
class Situation(Generic[T, S, V]):
    """A position as one seat knows it."""

    t: T
    s: S
    """The position, dealt anew wherever the seat knows nothing."""
    seat: int
    view: V
    actions: Sequence[str]
    """The legal actions if the seat is asked, else none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Orders(Generic[T, S, V]):
    """The standing orders of a game. What these functions return must be the same for every state that the seat
    cannot tell apart."""

    forms: Callable[[Situation[T, S, V], Sequence[Order]], list[Form]]
    """Return the orders that the seat can give now, beside those that it has given."""

    decide: Callable[[Situation[T, S, V], Given], str | None]
    """Return the action that an order gives to a seat that is asked. None: the order is about something else. An
    action that is not legal ends the order, and the seat is asked."""

    is_over: Callable[[Situation[T, S, V], Given], bool]
    """Return whether an order cannot give an action any more."""

    name: Callable[[T, int, Given], Message]
    """Return an order of a seat as a sentence to its owner."""

    moment: Callable[[T, S], int]
    """Return the number of the present moment, for orders that hold until a certain one."""

    once: frozenset[str] = frozenset()
    """The kinds that are carried out once. The others hold until they are over or cancelled."""

    rolling: frozenset[str] = frozenset()
    """The kinds that need a roll: where players roll by hand, the server rolls for a seat with such an order."""

    in_turn: frozenset[str] = frozenset()
    """The kinds that are carried out one after the other: if one is not legal, those after it end, too."""
