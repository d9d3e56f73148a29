"""Finished games: their records, what it takes to check their dice, and their positions one by one."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from quadriga.engine.match import trace
from quadriga.engine.match.dice import FairDice
from quadriga.server.present.replay import Story
from quadriga.server.protocol.errors import TableError, standing
from quadriga.server.rooms.event_log import CLOSED, Ledger
from quadriga.server.rooms.played_game import Play

_STORIES: WeakKeyDictionary[Play, Story] = WeakKeyDictionary()


def finished(ledger: Ledger) -> Play:
    """The game, if everybody may see everything of it."""
    if ledger.status == CLOSED:
        raise standing(CLOSED)
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
    """The record, as `quadriga verify` reads it; of a closed table as its log has it."""
    if ledger.status == CLOSED:
        return _logged(ledger)
    return trace.dumps(finished(ledger).true_match())


def _logged(ledger: Ledger) -> str:
    """What was done at a closed table, in lines like a trace's, under the version of the rules it was done under.

    Nobody here plays by those rules: so there are no lists of legal actions, no headings and no result.
    """
    setup, dice = ledger.setup, ledger.dice(ledger.words)
    header: trace.Line = {"quadriga": trace.FORMAT, "game": setup.game, "version": ledger.version}
    header |= {"options": setup.options, "seats": setup.seats}
    if isinstance(dice, FairDice):
        header["fair"] = {"commitment": dice.commitment, "words": dice.words}
    lines = [header]
    for done in ledger.log:
        if done.by == "dice":
            lines.append({"chance": done.text, "seat": done.seat})
        elif not done.lone:
            lines.append({"seat": done.seat, "play": done.text})
    return trace.written(lines)


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
