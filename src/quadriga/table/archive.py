"""Finished games: their records, what it takes to check their dice, and their positions one by one."""

from __future__ import annotations

from typing import Any

from quadriga.engine import trace
from quadriga.engine.dice import FairDice
from quadriga.engine.game import OPEN, SILENT
from quadriga.engine.match import Entry, Match
from quadriga.engine.slots import CHANCE
from quadriga.table import messages
from quadriga.table.ledger import Ledger
from quadriga.table.play import Play
from quadriga.table.refusals import TableError

STEPS = 200  # of a replay at once


def finished(ledger: Ledger) -> Play:
    """The game, if everybody may see everything of it."""
    if not ledger.over or ledger.play is None:
        raise TableError("table.not-over")
    return ledger.play


def record(ledger: Ledger) -> str:
    """The record, as `quadriga verify` reads it."""
    return trace.dumps(finished(ledger).true_match())


def fairness(ledger: Ledger) -> dict[str, Any]:
    """Every outcome of chance with what it was picked from."""
    play = finished(ledger)
    dice = ledger.dice(ledger.words)
    if not isinstance(dice, FairDice):
        raise TableError("dice.not-fair")
    events = []
    match = Match(ledger.game, ledger.options, ledger.seats)
    for entry in play.true_match().entries:
        if match.actor == CHANCE:
            outcomes = [[outcome.text, outcome.weight] for outcome in match.outcomes()]
            events.append({"seat": entry.seat, "text": entry.text, "outcomes": outcomes})
        match._add(entry.seat, entry.text, entry.legal, entry.actions)
    return {"commitment": dice.commitment, "seed": dice.seed.hex(), "words": dice.words, "events": events}


def replay(ledger: Ledger, seat: int, first: int, count: int) -> dict[str, Any]:
    """Positions of the game as a viewpoint sees them."""
    if not -1 <= seat < ledger.seats:
        raise TableError("table.no-seat", 404, seat=seat)
    whole = finished(ledger).true_match()
    match = Match(ledger.game, ledger.options, ledger.seats)
    steps: list[dict[str, Any]] = []
    if first == 0:
        steps.append({"event": None, "view": match.view(seat), "scores": match.scores})
    for number, entry in enumerate(whole.entries, 1):
        if number >= first + count:
            break
        before = match.s.copy() if number >= first else None
        match._add(entry.seat, entry.text, entry.legal, entry.actions)
        if before is not None:
            told = _event(ledger, match, entry, before, number, seat)
            steps.append({"event": told, "view": match.view(seat), "scores": match.scores})
    return {"total": len(whole.entries) + 1, "first": first, "steps": steps}


def _event(ledger: Ledger, match: Match, entry: Entry, before: Any, number: int, seat: int) -> dict[str, Any]:
    level = ledger.game.secret(match.t, before, entry.actions[0])
    seen = level == OPEN or entry.seat == seat
    if level == SILENT and not seen:
        return {"number": number, "kind": "asked"}
    return {
        "number": number,
        "kind": "chance" if entry.chance else "play",
        "seat": entry.seat,
        "text": entry.text if seen else None,
        "notes": messages.notes(ledger.game.explain(match.t, before, entry.actions)),
        "section": entry.section,
    }
