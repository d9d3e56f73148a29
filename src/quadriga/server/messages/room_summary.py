"""The public state of a room: the `Table` of the protocol."""

from __future__ import annotations

from typing import Any

from quadriga.engine.game import NOBODY
from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import FairDice
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import Table, TableDeadline, TableDice, TableSeat, Vacated
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.seat import Vacancy
from quadriga.server.seats.votes import RUNNING, VoteCount
from quadriga.server.state import deadlines
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.storage.base import now


def table(
    state: RoomState, presence: Presence, votes: VoteCount, grace_s: float, beat_ms: int | None = None
) -> Table:
    """Return the public state of a room.

    After `grace_s` a bot takes over an absent person's seat. A reaction window lasts `beat_ms` among people.
    """
    setup = state.setup
    return Table(
        id=state.id,
        game=setup.game,
        options=options(state),
        public=setup.public,
        status=state.status,
        seats=[seat(state, presence, grace_s, number) for number in range(state.seat_count)],
        watching=presence.watching,
        rolls=setup.rolls,
        clock=setup.clock,
        days=state.days,
        deadline=deadline(state),
        pace=state.pace,
        beat=beat_ms,
        undo=setup.undo,
        coach=state.has_coach,
        turn=turn(state),
        dice=dice(state),
        votes=votes.summary(),
        scores=state.session.match.scores if state.session is not None and state.over else None,
        rematch=state.rematch,
        tournament=setup.tournament,
    )


def deadline(state: RoomState) -> TableDeadline | None:
    """Return who has to move by when in a game by days."""
    found = deadlines.current(state)
    return None if found is None else TableDeadline(found.seat, found.due, found.warned)


def turn(state: RoomState) -> int | None:
    """Return the seat to move in a running game, as spectators see it; None if the game does not say."""
    if state.session is None or state.status not in RUNNING:
        return None
    return getattr(state.session.match.view(NOBODY), "turn", None)


def options(state: RoomState) -> dict[str, Any]:
    """Return the game's options; those of a closed room as they were written under its own rules."""
    if state.status == CLOSED:
        return state.setup.options
    return opts.for_header(state.game.options, state.options, state.seat_count)


def seat(state: RoomState, presence: Presence, grace_s: float, number: int) -> TableSeat:
    """Return the public state of a seat."""
    info = state.seats[number]
    is_person = info.kind == "person"
    away_s = presence.away(info.holder) if is_person and not info.bot_controlled else None
    left_ms = None
    if away_s is not None and state.status == "playing" and state.days is None:
        left_ms = max(0, int((grace_s - away_s) * 1000))
    holders = [each.holder for each in state.seats]
    return TableSeat(
        seat=number,
        called=texts.message(state.seat_names[number]),
        kind=info.kind,
        name=info.name,
        reserved=state.setup.reserved_names.get(number) if info.kind == "open" else None,
        bot=info.bot,
        host=is_person and info.holder == state.host(presence.counts),
        device=holders.index(info.holder) if is_person else None,
        here=is_person and presence.is_here(info.holder),
        away=left_ms,
        covered=info.bot_controlled,
        word=info.client_seed,
        vacation=info.vacation_until if is_person and info.vacation_until > now() else None,
        vacated=vacated(state, presence, info.vacancy) if info.vacancy is not None else None,
    )


def vacated(state: RoomState, presence: Presence, vacancy: Vacancy) -> Vacated:
    """Return the public state of a seat that a vote has emptied, without the code of an invitation."""
    seats = state.seats_of(state.host(presence.counts, besides=vacancy.holder))
    return Vacated(
        name=vacancy.name,
        asks=vacancy.asks,
        invited=bool(vacancy.invite),
        late=vacancy.holder in state.lost,
        host=seats[0] if seats else None,
    )


def dice(state: RoomState) -> TableDice:
    """Return the dice. The seed of fair dice is secret until the game is over."""
    rolled = state.dice()
    is_fair = isinstance(rolled, FairDice)
    return TableDice(
        kind=state.setup.dice,
        commitment=rolled.commitment if isinstance(rolled, FairDice) else None,
        words=state.client_seeds,
        seed=state.setup.seed if state.over or not is_fair else None,
    )
