"""What everybody may know of a table: TABLE of the protocol."""

from __future__ import annotations

from typing import Any

from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import FairDice
from quadriga.server.protocol import texts
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.seat import Vacancy
from quadriga.server.seats.votes import VoteCount
from quadriga.server.state.room_state import CLOSED, RoomState


def table(state: RoomState, presence: Presence, votes: VoteCount, grace_s: float) -> dict[str, Any]:
    """Return what everybody may know of a room; after `grace_s` a bot takes over an absent person's seat."""
    setup = state.setup
    return {
        "id": state.id,
        "game": setup.game,
        "options": options(state),
        "public": setup.public,
        "status": state.status,
        "seats": [seat(state, presence, grace_s, number) for number in range(state.seat_count)],
        "watching": presence.watching,
        "rolls": setup.rolls,
        "clock": setup.clock,
        "pace": setup.pace,
        "dice": dice(state),
        "votes": votes.summary(),
        "scores": state.session.match.scores if state.session is not None and state.over else None,
        "rematch": state.rematch,
    }


def options(state: RoomState) -> dict[str, Any]:
    """The game's options; of a closed table as they were written under its own rules."""
    if state.status == CLOSED:
        return state.setup.options
    return opts.written(state.game.options, state.options, state.seat_count)


def seat(state: RoomState, presence: Presence, grace_s: float, number: int) -> dict[str, Any]:
    """Return what everybody may know of a seat."""
    info = state.seats[number]
    person = info.kind == "person"
    gone = presence.away(info.holder) if person and not info.bot_controlled else None
    left = None
    if gone is not None and state.status == "playing":
        left = max(0, int((grace_s - gone) * 1000))
    holders = [each.holder for each in state.seats]
    return {
        "seat": number,
        "called": texts.message(state.game.name(state.tables, number)),
        "kind": info.kind,
        "name": info.name,
        "bot": info.bot,
        "host": person and info.holder == state.host(presence.counts),
        "device": holders.index(info.holder) if person else None,
        "here": person and presence.is_here(info.holder),
        "away": left,
        "covered": info.bot_controlled,
        "word": info.client_seed,
        "vacated": vacated(state, presence, info.vacancy) if info.vacancy is not None else None,
    }


def vacated(state: RoomState, presence: Presence, vacancy: Vacancy) -> dict[str, Any]:
    """Return what everybody may know of a seat that a vote has emptied: an invitation, but not its code."""
    seats = state.seats_of(state.host(presence.counts, besides=vacancy.holder))
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
        "words": state.client_seeds,
        "seed": state.setup.seed if state.over or not fair else None,
    }
