"""Finished games: their records, what it takes to check their dice, and their positions one by one."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from quadriga.engine import trace
from quadriga.engine.dice import FairDice
from quadriga.table.ledger import Ledger
from quadriga.table.play import Play
from quadriga.table.refusals import TableError
from quadriga.table.story import Story

_STORIES: WeakKeyDictionary[Play, Story] = WeakKeyDictionary()


def finished(ledger: Ledger) -> Play:
    """The game, if everybody may see everything of it."""
    if not ledger.over or ledger.play is None:
        raise TableError("table.not-over")
    return ledger.play


def story(ledger: Ledger) -> Story:
    """The game as a story; remembered as long as the game itself is."""
    play = finished(ledger)
    if play not in _STORIES:
        _STORIES[play] = Story(play.true_match())
    return _STORIES[play]


def record(ledger: Ledger) -> str:
    """The record, as `quadriga verify` reads it."""
    return trace.dumps(finished(ledger).true_match())


def fairness(ledger: Ledger) -> dict[str, Any]:
    """Every outcome of chance with what it was picked from."""
    told = story(ledger)
    dice = ledger.dice(ledger.words)
    if not isinstance(dice, FairDice):
        raise TableError("dice.not-fair")
    return {"commitment": dice.commitment, "seed": dice.seed.hex(), "words": dice.words, "events": told.chances()}


def replay(ledger: Ledger, seat: int, first: int, count: int) -> dict[str, Any]:
    """Positions of the game as a viewpoint sees them."""
    if not -1 <= seat < ledger.seats:
        raise TableError("table.no-seat", 404, seat=seat)
    return story(ledger).window(seat, first, count)


def chart(ledger: Ledger) -> dict[str, Any]:
    """The game as a whole."""
    return story(ledger).chart()
