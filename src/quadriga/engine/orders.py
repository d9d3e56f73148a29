"""Carry out standing orders: find the action that a seat's orders give, by no more than the seat knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.match import Match
from quadriga.engine.parts.orders import Form, Given, Order, Orders, Situation


class Answer(NamedTuple):
    """The result of asking the orders of a seat for an action."""

    action: str | None = None  # the action; None: the seat is asked itself
    number: int | None = None  # of the order that gives it
    dropped: tuple[int, ...] = ()  # the numbers of orders whose action is not legal


def part_of(game: Game) -> Orders:
    """Return the orders of a game. Raises OptionError if it has none."""
    if game.orders is None:
        raise OptionError("order.none", game=game.id)
    return game.orders


def situation(match: Match, seat: int) -> Situation:
    """Return a position as a seat knows it. What it cannot know is dealt anew, always in the same way."""
    world = match.s.copy()
    rng = Rng()
    start(rng, 0, 0)
    match.game.rules.deal(match.t, world, seat, rng)
    actions = tuple(match.actions()) if match.actor == seat else ()
    return Situation(match.t, world, seat, match.view(seat), actions)


def answer(match: Match, seat: int, given: Mapping[int, Given]) -> Answer:
    """Return what the orders of a seat come to here. The first order that gives an action counts.

    An order that gives an illegal action is dropped, and the seat is asked.

    >>> import quadriga
    >>> from quadriga.engine.orders import Given, Order, answer
    >>> match = quadriga.new("ur", seed=1)
    >>> match.actor, match.legal()
    (1, ['0-2', '3-5'])
    >>> answer(match, 1, {7: Given(Order("move", of="3"))})
    Answer(action='3-5', number=7, dropped=())
    """
    part = match.game.orders
    if part is None or not given or match.actor != seat:
        return Answer()
    here = situation(match, seat)
    for number, each in given.items():
        action = part.decide(here, each)
        if action is None:
            continue
        if action in here.actions:
            return Answer(action, number)
        kind = each.order.kind
        later = [n for n, other in given.items() if n > number and other.order.kind == kind]
        return Answer(dropped=(number, *(later if kind in part.in_turn else [])))
    return Answer()


def ended(match: Match, seat: int, given: Mapping[int, Given]) -> list[int]:
    """Return the numbers of the orders that cannot give an action any more."""
    part = match.game.orders
    if part is None or not given:
        return []
    here = situation(match, seat)
    return [number for number, each in given.items() if match.over or part.is_over(here, each)]


def forms(match: Match, seat: int, given: Mapping[int, Given]) -> list[Form]:
    """Return the orders that a seat can give now. Raises OptionError if the game has none."""
    part = part_of(match.game)
    return [] if match.over else part.forms(situation(match, seat), [each.order for each in given.values()])


def check(match: Match, seat: int, order: Order, given: Mapping[int, Given]) -> Given:
    """Return an order as given now. Raises OptionError if it cannot be given.

    >>> import quadriga
    >>> from quadriga.engine.orders import Order, check
    >>> check(quadriga.new("ur", seed=1), 0, Order("move", of="22"), {})
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.OptionError: There is no such order now: move 22. Possible now: move, roll.
    """
    offered = forms(match, seat, given)
    if not any(form.allows(order) for form in offered):
        parts = (order.kind, order.of, order.when, "" if order.most is None else str(order.most))
        known = list(dict.fromkeys(" ".join(filter(None, (form.kind, form.when))) for form in offered))
        raise OptionError("order.unknown", text=" ".join(filter(None, parts)), known=known)
    return Given(order, part_of(match.game).moment(match.t, match.s))
