"""What everybody may know of a table: TABLE of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import FairDice
from quadriga.server.protocol import texts
from quadriga.server.rooms.event_log import CLOSED, Ledger, Vacancy
from quadriga.server.seats.admission import host_of

if TYPE_CHECKING:
    from quadriga.server.rooms.broadcast import Telling


def table(room: Telling) -> dict[str, Any]:
    """The table, for all to see."""
    ledger = room.ledger
    setup = ledger.setup
    return {
        "id": ledger.id,
        "game": setup.game,
        "options": options(ledger),
        "public": setup.public,
        "status": ledger.status,
        "seats": [seat(room, number) for number in range(ledger.seats)],
        "watching": room.attendance.watching,
        "rolls": setup.rolls,
        "clock": setup.clock,
        "pace": setup.pace,
        "dice": dice(ledger),
        "votes": room.polls.shown(),
        "scores": ledger.play.match.scores if ledger.play is not None and ledger.over else None,
        "rematch": ledger.rematch,
    }


def options(ledger: Ledger) -> dict[str, Any]:
    """The game's options; of a closed table as they were written under its own rules."""
    if ledger.status == CLOSED:
        return ledger.setup.options
    return opts.written(ledger.game.options, ledger.options, ledger.seats)


def seat(room: Telling, number: int) -> dict[str, Any]:
    """A chair, and who sits there."""
    ledger = room.ledger
    chair = ledger.chairs[number]
    person = chair.kind == "person"
    gone = room.attendance.away(chair.holder) if person and not chair.covered else None
    left = None
    if gone is not None and ledger.status == "playing":
        left = max(0, int((room.settings.grace - gone) * 1000))
    holders = [each.holder for each in ledger.chairs]
    return {
        "seat": number,
        "called": texts.message(ledger.game.name(ledger.tables, number)),
        "kind": chair.kind,
        "name": chair.name,
        "bot": chair.bot,
        "host": person and chair.holder == host_of(ledger, room.attendance),
        "device": holders.index(chair.holder) if person else None,
        "here": person and room.attendance.here(chair.holder),
        "away": left,
        "covered": chair.covered,
        "word": chair.word,
        "vacated": vacated(room, chair.vacancy) if chair.vacancy is not None else None,
    }


def vacated(room: Telling, vacancy: Vacancy) -> dict[str, Any]:
    """What everybody may know of a seat that a vote has emptied: an invitation, but not its code."""
    seats = room.ledger.seats_of(host_of(room.ledger, room.attendance, besides=vacancy.holder))
    return {
        "name": vacancy.name,
        "asks": vacancy.asks,
        "invited": bool(vacancy.invite),
        "host": seats[0] if seats else None,
    }


def dice(ledger: Ledger) -> dict[str, Any]:
    """The dice; the seed only when nothing can come of it any more."""
    rolled = ledger.dice()
    fair = isinstance(rolled, FairDice)
    return {
        "kind": ledger.setup.dice,
        "commitment": rolled.commitment if isinstance(rolled, FairDice) else None,
        "words": ledger.words,
        "seed": ledger.setup.seed if ledger.over or not fair else None,
    }
