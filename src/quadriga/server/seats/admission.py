"""Admission: who is the host of a running game, and who may take a seat that a vote has emptied.

A removed player's seat is played by a bot. The former holder may return if the host agrees. A newcomer needs the
host's invitation: a stranger may be a player of this game who has thrown the token away.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING

from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.protocol.requests import Join
from quadriga.server.rooms.event_log import Ask, Invite, RoomState, Sit, Vacancy
from quadriga.server.rooms.viewers import Presence
from quadriga.server.seats.ballots import RUNNING
from quadriga.server.seats.names import distinct

if TYPE_CHECKING:
    from quadriga.server.rooms.room import Room

CODE_BYTES = 16


def host_of(state: RoomState, presence: Presence, besides: str = "") -> str:
    """Return the holder who has the host's rights, or "" where nobody has.

    Before the start that is the creator. In a running game the rights pass to the first seated person who is not
    long gone while the creator is removed or long gone. Nobody decides about their own return: `besides`.
    """
    creator = state.setup.host
    if state.status not in RUNNING:
        return creator
    seated = [info.holder for info in state.seats if info.kind == "person"]
    heads_table = creator in seated or creator not in state.seated
    candidates = [creator, *seated] if heads_table else seated
    return next((each for each in candidates if each != besides and presence.counts(each)), "")


def check_host(room: Room, holder: str, besides: str = "") -> None:
    """Raise `TableError` unless somebody has the host's rights."""
    if holder != host_of(room.state, room.presence, besides):
        raise RoomError("table.host", 403)


async def invite(room: Room, seat: int, holder: str, on: bool) -> str | None:
    """Make the host's invitation to a seat, or withdraw it; return its code. One that is open is kept."""
    async with room.turn() as state:
        vacancy = _vacancy(state, seat)
        check_host(room, holder, besides=vacancy.holder)
        if on and not vacancy.invite:
            await room.change(Invite(seat, secrets.token_urlsafe(CODE_BYTES), holder))
        elif vacancy.invite and not on:
            await room.change(Invite(seat, "", ""))
        return vacancy.invite or None


async def ask(room: Room, seat: int, holder: str) -> None:
    """Note that the former holder of a seat asks to return."""
    async with room.turn() as state:
        vacancy = _vacancy(state, seat)
        if holder != vacancy.holder:
            raise RoomError("seat.former", 403, seat=seat)
        if not vacancy.asks:
            await room.change(Ask(seat))


async def allow(room: Room, seat: int, holder: str) -> None:
    """Give a seat back to its former holder, who has asked; only the host may."""
    async with room.turn() as state:
        vacancy = _vacancy(state, seat)
        check_host(room, holder, besides=vacancy.holder)
        if not vacancy.asks:
            raise RoomError("seat.unasked", seat=seat)
        name = distinct(vacancy.name, state.names(besides=seat))
        await room.change(Sit(seat, "person", name, vacancy.holder, None, state.seats[seat].word))


def invited_seat(state: RoomState, asked: Join, holder: str) -> int:
    """Return the seat of a running game that an invitation opens; raise `TableError` where it opens none."""
    if asked.invite is None:
        vacated = any(info.vacancy is not None for info in state.seats)
        raise RoomError("seat.invitation", 403) if vacated else RoomError("table.full")
    codes = {n: info.vacancy.invite for n, info in enumerate(state.seats) if info.vacancy is not None}
    seat = next((n for n, code in codes.items() if code and _same(code, asked.invite)), None)
    if seat is None:
        raise RoomError("seat.invite", 403)
    if asked.seat not in (None, seat):
        raise RoomError("table.taken")
    if state.seated.get(holder, {seat}) != {seat}:
        raise RoomError("seat.seated", 403)
    return seat


def _same(code: str, given: str) -> bool:
    return hmac.compare_digest(code.encode(), given.encode())


def _vacancy(state: RoomState, seat: int) -> Vacancy:
    if state.status not in RUNNING:
        raise not_playing(state.status)
    if seat >= state.seat_count:
        raise RoomError("table.no-seat", 404, seat=seat)
    vacancy = state.seats[seat].vacancy
    if vacancy is None:
        raise RoomError("seat.kept", seat=seat)
    return vacancy
