"""The public state of a room: the `Table` of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import FairDice
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import Table, TableDice, TableSeat, Vacated
from quadriga.server.rooms.event_log import CLOSED, RoomState, Vacancy
from quadriga.server.seats.admission import host_of

if TYPE_CHECKING:
    from quadriga.server.rooms.broadcast import Broadcaster


def table(room: Broadcaster) -> Table:
    """Return the public state of a room."""
    state = room.state
    setup = state.setup
    return Table(
        id=state.id,
        game=setup.game,
        options=options(state),
        public=setup.public,
        status=state.status,
        seats=[seat(room, number) for number in range(state.seat_count)],
        watching=room.presence.watching,
        rolls=setup.rolls,
        clock=setup.clock,
        pace=setup.pace,
        dice=dice(state),
        votes=room.votes.shown(),
        scores=state.play.match.scores if state.play is not None and state.over else None,
        rematch=state.rematch,
    )


def options(state: RoomState) -> dict[str, Any]:
    """Return the game's options; those of a closed room as they were written under its own rules."""
    if state.status == CLOSED:
        return state.setup.options
    return opts.written(state.game.options, state.options, state.seat_count)


def seat(room: Broadcaster, number: int) -> TableSeat:
    """Return a seat, and its player."""
    state = room.state
    info = state.seats[number]
    is_person = info.kind == "person"
    away_s = room.presence.away(info.holder) if is_person and not info.bot_controlled else None
    left_ms = None
    if away_s is not None and state.status == "playing":
        left_ms = max(0, int((room.settings.grace - away_s) * 1000))
    holders = [each.holder for each in state.seats]
    return TableSeat(
        seat=number,
        called=texts.message(state.game.name(state.tables, number)),
        kind=info.kind,
        name=info.name,
        bot=info.bot,
        host=is_person and info.holder == host_of(state, room.presence),
        device=holders.index(info.holder) if is_person else None,
        here=is_person and room.presence.here(info.holder),
        away=left_ms,
        covered=info.bot_controlled,
        word=info.word,
        vacated=vacated(room, info.vacancy) if info.vacancy is not None else None,
    )


def vacated(room: Broadcaster, vacancy: Vacancy) -> Vacated:
    """Return what everybody may know of a removed player's seat: that there is an invitation, but not its code."""
    seats = room.state.seats_of(host_of(room.state, room.presence, besides=vacancy.holder))
    return Vacated(
        name=vacancy.name,
        asks=vacancy.asks,
        invited=bool(vacancy.invite),
        host=seats[0] if seats else None,
    )


def dice(state: RoomState) -> TableDice:
    """Return the dice. The seed of fair dice is secret until the game is over."""
    rolled = state.dice()
    is_fair = isinstance(rolled, FairDice)
    return TableDice(
        kind=state.setup.dice,
        commitment=rolled.commitment if isinstance(rolled, FairDice) else None,
        words=state.words,
        seed=state.setup.seed if state.over or not is_fair else None,
    )
