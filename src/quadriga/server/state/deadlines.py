"""Deadlines of a game by days: who has to move until when, as the events of the log say."""

from __future__ import annotations

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.server.state.day_events import Deadline
from quadriga.server.state.room_state import RoomState


def seat_to_move(state: RoomState) -> int:
    """Return the seat whose person has to decide or to roll in a game by days; NOBODY if none has.

    Reaction windows wait for nobody.
    """
    session = state.session
    if state.days is None or session is None or state.status != "playing" or session.window is not None:
        return NOBODY
    seat = session.roller if session.actor == CHANCE and state.is_rolled_by_hand else session.actor
    return seat if state.is_person(seat) else NOBODY


def current(state: RoomState) -> Deadline | None:
    """Return the deadline that runs; None if no person has to move."""
    deadline = state.deadline
    return deadline if deadline is not None and deadline.seat == seat_to_move(state) else None


def goes_on(state: RoomState) -> bool:
    """Return whether a game by days is played on without people: it is the turn of a bot or of the dice."""
    return state.days is not None and state.status == "playing" and seat_to_move(state) == NOBODY
