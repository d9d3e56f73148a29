"""What everybody may know of a table: TABLE of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import FairDice
from quadriga.server.protocol import texts
from quadriga.server.rooms.event_log import CLOSED, RoomState, Vacancy
from quadriga.server.seats.admission import host_of

if TYPE_CHECKING:
    from quadriga.server.rooms.broadcast import Broadcaster


def table(room: Broadcaster) -> dict[str, Any]:
    """The table, for all to see."""
    state = room.state
    setup = state.setup
    return {
        "id": state.id,
        "game": setup.game,
        "options": options(state),
        "public": setup.public,
        "status": state.status,
        "seats": [seat(room, number) for number in range(state.seat_count)],
        "watching": room.presence.watching,
        "rolls": setup.rolls,
        "clock": setup.clock,
        "pace": setup.pace,
        "dice": dice(state),
        "votes": room.votes.shown(),
        "scores": state.play.match.scores if state.play is not None and state.over else None,
        "rematch": state.rematch,
    }


def options(state: RoomState) -> dict[str, Any]:
    """The game's options; of a closed table as they were written under its own rules."""
    if state.status == CLOSED:
        return state.setup.options
    return opts.for_header(state.game.options, state.options, state.seat_count)


def seat(room: Broadcaster, number: int) -> dict[str, Any]:
    """A chair, and who sits there."""
    state = room.state
    info = state.seats[number]
    person = info.kind == "person"
    gone = room.presence.away(info.holder) if person and not info.bot_controlled else None
    left = None
    if gone is not None and state.status == "playing":
        left = max(0, int((room.settings.grace - gone) * 1000))
    holders = [each.holder for each in state.seats]
    return {
        "seat": number,
        "called": texts.message(state.game.seat_name(state.tables, number)),
        "kind": info.kind,
        "name": info.name,
        "bot": info.bot,
        "host": person and info.holder == host_of(state, room.presence),
        "device": holders.index(info.holder) if person else None,
        "here": person and room.presence.here(info.holder),
        "away": left,
        "covered": info.bot_controlled,
        "word": info.word,
        "vacated": vacated(room, info.vacancy) if info.vacancy is not None else None,
    }


def vacated(room: Broadcaster, vacancy: Vacancy) -> dict[str, Any]:
    """What everybody may know of a seat that a vote has emptied: an invitation, but not its code."""
    seats = room.state.seats_of(host_of(room.state, room.presence, besides=vacancy.holder))
    return {
        "name": vacancy.name,
        "asks": vacancy.asks,
        "invited": bool(vacancy.invite),
        "host": seats[0] if seats else None,
    }


def dice(state: RoomState) -> dict[str, Any]:
    """The dice; the seed only when nothing can come of it any more."""
    rolled = state.dice()
    fair = isinstance(rolled, FairDice)
    return {
        "kind": state.setup.dice,
        "commitment": rolled.commitment if isinstance(rolled, FairDice) else None,
        "words": state.words,
        "seed": state.setup.seed if state.over or not fair else None,
    }
