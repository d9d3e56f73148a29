"""Admission: people take seats, before the start and after a vote has emptied a seat.

A removed player's seat is played by a bot. The former holder may return if the host agrees. A newcomer needs the
host's invitation: a stranger may be a player of this game who has thrown their token away.
"""

from __future__ import annotations

import hmac
import secrets

from quadriga.engine.match.dice import MAX_CLIENT_SEED
from quadriga.server.bots import choice
from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.protocol.requests import Join, SeatRequest
from quadriga.server.rooms.decisions import check_casual
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.seats.names import checked_name, distinct
from quadriga.server.seats.seat import Vacancy
from quadriga.server.seats.votes import RUNNING
from quadriga.server.state.events import Ask, Invite, Sit
from quadriga.server.state.room_state import RoomState

CODE_BYTES = 16


def checked_client_seed(text: str) -> str:
    """Return a client seed that the dice accept; raise RoomError if it is not one."""
    if len(text) > MAX_CLIENT_SEED or not text.isprintable():
        raise RoomError("word.bad", 422, most=MAX_CLIENT_SEED)
    return text


def first_sits(requests: list[SeatRequest], game: str, host: str, name: str, client_seed: str) -> list[Sit]:
    """Return the people and bots that have a seat in a new room from the beginning."""
    sits: list[Sit] = []
    names: list[str] = []
    bots = choice.kinds(game)
    for seat, request in enumerate(requests):
        if request.kind == "me":
            own = distinct(checked_name(request.name) if request.name else name, [*names, *bots])
            sits.append(Sit(seat, "person", own, host, None, "" if names else client_seed))
            names.append(own)
        elif request.kind == "bot":
            kind = choice.check(game, request.bot)
            sits.append(Sit(seat, "bot", kind, "", kind))
    return sits


def free_seat(state: RoomState, wanted: int | None, holder: str) -> int:
    """Return an open seat before the start: the wanted one, or the first that is not reserved for another."""
    reserved = {seat for other, seats in state.setup.reserved_seats.items() if other != holder for seat in seats}
    free = [seat for seat, info in enumerate(state.seats) if info.kind == "open" and seat not in reserved]
    if wanted is not None:
        free = [seat for seat in free if seat == wanted]
    if not free:
        raise RoomError("table.full") if wanted is None else RoomError("table.taken")
    return free[0]


def invited_seat(state: RoomState, asked: Join, holder: str) -> int:
    """Return the seat of a running game that an invitation opens; raise RoomError if it opens none."""
    if asked.invite is None:
        has_vacancy = any(info.vacancy is not None for info in state.seats)
        raise RoomError("seat.invitation", 403) if has_vacancy else RoomError("table.full")
    codes = {n: info.vacancy.invite for n, info in enumerate(state.seats) if info.vacancy is not None}
    seat = next((n for n, code in codes.items() if code and _is_same(code, asked.invite)), None)
    if seat is None:
        raise RoomError("seat.invite", 403)
    if asked.seat not in (None, seat):
        raise RoomError("table.taken")
    if state.seated.get(holder, {seat}) != {seat}:
        raise RoomError("seat.seated", 403)
    return seat


def _is_same(code: str, given: str) -> bool:
    return hmac.compare_digest(code.encode(), given.encode())


def check_host(room: Room, holder: str, besides: str = "") -> None:
    """Raise RoomError unless a person has the host's rights."""
    if holder != room.state.host(room.presence.counts, besides):
        raise RoomError("table.host", 403)


@retried
async def invite(room: Room, seat: int, holder: str, on: bool) -> str | None:
    """Make the host's invitation to a seat, or withdraw it; return its code. An open invitation keeps its code."""
    async with room.exclusive() as state:
        check_casual(state)
        vacancy = _vacancy(state, seat)
        check_host(room, holder, besides=vacancy.holder)
        if on and not vacancy.invite:
            await room.change(Invite(seat, secrets.token_urlsafe(CODE_BYTES), holder))
        elif vacancy.invite and not on:
            await room.change(Invite(seat, "", ""))
        return vacancy.invite or None


@retried
async def ask(room: Room, seat: int, holder: str) -> None:
    """Record that the former holder of a seat asks to return."""
    async with room.exclusive() as state:
        check_casual(state)
        vacancy = _vacancy(state, seat)
        if holder != vacancy.holder:
            raise RoomError("seat.former", 403, seat=seat)
        if not vacancy.asks:
            await room.change(Ask(seat))


@retried
async def allow(room: Room, seat: int, holder: str) -> None:
    """Give a seat back to its former holder, who has asked; only the host may."""
    async with room.exclusive() as state:
        check_casual(state)
        vacancy = _vacancy(state, seat)
        check_host(room, holder, besides=vacancy.holder)
        if not vacancy.asks:
            raise RoomError("seat.unasked", seat=seat)
        name = distinct(vacancy.name, state.names(besides=seat))
        await room.change(Sit(seat, "person", name, vacancy.holder, None, state.seats[seat].client_seed))


def _vacancy(state: RoomState, seat: int) -> Vacancy:
    if state.status not in RUNNING:
        raise not_playing(state.status)
    if seat >= state.seat_count:
        raise RoomError("table.no-seat", 404, seat=seat)
    vacancy = state.seats[seat].vacancy
    if vacancy is None:
        raise RoomError("seat.kept", seat=seat)
    return vacancy
