"""Requests about tables: list, create, join, seat, start. `docs/protocol.md` describes them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from quadriga.games import find
from quadriga.server.http.game_routes import has_files
from quadriga.server.http.lobby_routes import lobby_of
from quadriga.server.http.operations import Operations
from quadriga.server.http.request import (
    Id,
    SeatNumber,
    client_address,
    read_body,
    registry_of,
    reply,
    table_of,
    token_of,
    upload_workers,
    visitor_of,
)
from quadriga.server.messages import game_catalogue
from quadriga.server.people.person import Visitor
from quadriga.server.protocol.answers import Geometry, Invitation, Joined, Seated, Tables
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.parts import Table
from quadriga.server.protocol.requests import Create, Inviting, Join, Nothing, PlayOn, Seating
from quadriga.server.rooms import admission
from quadriga.server.rooms.room import Room
from quadriga.server.workers.worker import CheckOptions

operations = Operations()


@operations.get("/api/tables", responses(Tables))
async def tables(request: Request) -> Response:
    """Public tables that are waiting or playing."""
    found = await registry_of(request).public()
    if (visitor := await visitor_of(request)) is not None:
        people = registry_of(request).people
        if hidden := await people.company.hidden(visitor.person.id):
            found = [each for each in found if not hidden & await people.history.people_at(each.state.id)]
    return reply(Tables([await table_of(room) for room in found]))


@operations.post("/api/tables", responses(Seated, 404, 409, status=201), Create)
async def create(request: Request) -> Response:
    """Create a table."""
    registry = registry_of(request)
    asked = await read_body(request, Create)
    registry.check_crowded()
    registry.limits.check_create(client_address(request), registry.rooms)
    game = find(asked.game)
    if has_files(game, asked.options):
        seats = len(asked.seats)
        task = CheckOptions(asked.game, asked.options, seats)
        await upload_workers(request).ask(client_address(request), task)
        await asyncio.to_thread(
            game.resolve_options, asked.options, seats
        )  # the files are good: remember them here too
    visitor = await visitor_of(request)
    if visitor is not None and visitor.person.name is not None:
        asked.name = visitor.person.name
    if asked.league is not None:
        await _prepare_league_game(request, asked, visitor)
    registry.house.check_name(asked.name, *(each.name for each in asked.seats))
    room, token = await registry.create(asked)
    registry.limits.created(client_address(request), room.state.id)
    if visitor is not None:
        await registry.take_part(room, room.state.setup.host, visitor.person)
        if asked.league is not None:
            games = lobby_of(request).leagues.games
            await games.add_table(asked.league, room.state.id, visitor.person.id, asked.public)
            await _tell_leagues(request, [asked.league])
    return reply(Seated(await table_of(room), token if visitor is None else None), 201)


async def _prepare_league_game(request: Request, asked: Create, visitor: Visitor | None) -> None:
    """Give a table the options of its league. Raises RoomError unless a member asks for a game of it."""
    if visitor is None:
        raise RoomError("person.stranger", 401)
    league_id = asked.league or ""
    wanted = await lobby_of(request).leagues.games.check_play(league_id, visitor.person, asked.game)
    asked.options = {**asked.options, **wanted.options}


async def _tell_leagues(request: Request, league_ids: list[str]) -> None:
    """Tell the members of leagues that their tables have changed."""
    lobby = lobby_of(request)
    for each in league_ids:
        lobby.people_changed(await lobby.leagues.members.ids(each))


@operations.get("/api/tables/{id}", responses(Table, 404))
async def table(request: Request, id: Id) -> Response:
    """The public state of a table."""
    return reply(await table_of(await registry_of(request).room(id)))


@operations.get("/api/tables/{id}/geometry", responses(Geometry, 404))
async def table_geometry(request: Request, id: Id) -> Response:
    """The boards and cards of a table."""
    state = (await registry_of(request).room(id)).state
    return reply(await asyncio.to_thread(game_catalogue.geometry, state.game, state.options, state.seat_count))


@operations.post("/api/tables/{id}/join", responses(Joined, 401, 404, 409), Join)
async def join(request: Request, id: Id) -> Response:
    """Take an open seat."""
    registry = registry_of(request)
    registry.limits.joins.check(client_address(request))
    asked = await read_body(request, Join)
    room = await registry.room(id)
    visitor = await visitor_of(request)
    if visitor is not None and visitor.person.name is not None:
        asked.name = visitor.person.name
    leagues = await lobby_of(request).leagues.games.check_join(id, None if visitor is None else visitor.person)
    registry.house.check_name(asked.name)
    holder, token = await registry.join(room, asked, token_of(request))
    if visitor is not None:
        await registry.take_part(room, holder, visitor.person)
    await _tell_leagues(request, leagues)
    shown = token if visitor is None else None  # a device that is signed out must not be able to play on
    return reply(Joined(shown, registry.seats_of(room, holder), await table_of(room)))


@operations.post("/api/tables/{id}/seats/{seat}", responses(Table, 401, 403, 404, 409), Seating)
async def seat(request: Request, id: Id, seat: SeatNumber) -> Response:
    """The host puts a bot on a seat, or opens it, before the start."""
    registry = registry_of(request)
    registry.limits.joins.check(client_address(request))
    asked = await read_body(request, Seating)
    room = await registry.room(id)
    await registry.seat(room, seat, asked, token_of(request))
    return reply(await table_of(room))


@operations.post("/api/tables/{id}/seats/{seat}/invite", responses(Invitation, 401, 403, 404, 409), Inviting)
async def invite(request: Request, id: Id, seat: SeatNumber) -> Response:
    """The host invites a newcomer to a removed player's seat, or withdraws the invitation."""
    asked = await read_body(request, Inviting)
    room, holder = await _room_and_holder(request, id)
    code = await admission.invite(room, seat, holder, asked.on)
    return reply(Invitation(code, await table_of(room)))


@operations.post("/api/tables/{id}/seats/{seat}/ask", responses(Table, 401, 403, 404, 409), Nothing)
async def ask(request: Request, id: Id, seat: SeatNumber) -> Response:
    """A removed player asks to return to their seat."""
    return await _change_vacancy(request, id, seat, admission.ask)


@operations.post("/api/tables/{id}/seats/{seat}/allow", responses(Table, 401, 403, 404, 409), Nothing)
async def allow(request: Request, id: Id, seat: SeatNumber) -> Response:
    """The host lets a removed player return who has asked to."""
    return await _change_vacancy(request, id, seat, admission.allow)


async def _change_vacancy(
    request: Request, id: str, seat: int, change: Callable[[Room, int, str], Awaitable[None]]
) -> Response:
    """Let the guest whose token the request carries change a seat that a vote has emptied."""
    await read_body(request, Nothing)
    room, holder = await _room_and_holder(request, id)
    await change(room, seat, holder)
    return reply(await table_of(room))


async def _room_and_holder(request: Request, id: str) -> tuple[Room, str]:
    """Return a room and the guest whose token the request carries; raise RoomError if they ask too often."""
    registry = registry_of(request)
    registry.limits.joins.check(client_address(request))
    room = await registry.room(id)
    return room, (await registry.bearer(token_of(request), id)).holder


@operations.post("/api/tables/{id}/start", responses(Table, 401, 403, 404, 409), Nothing)
async def start(request: Request, id: Id) -> Response:
    """The host starts the game."""
    registry = registry_of(request)
    registry.limits.joins.check(client_address(request))
    await read_body(request, Nothing)
    room = await registry.room(id)
    await registry.start(room, token_of(request))
    return reply(await table_of(room))


@operations.post("/api/tables/{id}/rematch", responses(Seated, 401, 403, 404, 409), Nothing, access="begin")
async def rematch(request: Request, id: Id) -> Response:
    """A player asks for a new table with the same set-up and people, after the game."""
    registry = registry_of(request)
    registry.limits.joins.check(client_address(request))
    await read_body(request, Nothing)
    old = await registry.room(id)
    room, token = await registry.rematch(old, token_of(request))
    await _tell_leagues(request, await lobby_of(request).leagues.games.add_rematch(id, room.state.id))
    visitor = await visitor_of(request)
    if visitor is not None:
        holder = (await registry.bearer(token, room.state.id)).holder
        await registry.take_part(room, holder, visitor.person)
    return reply(Seated(await table_of(room), token if visitor is None else None))


@operations.post("/api/tables/{id}/continue", responses(Seated, 404, 409, status=201), PlayOn, access="begin")
async def play_on(request: Request, id: Id) -> Response:
    """Anybody plays on from a moment of a finished game, at a new table against bots."""
    registry, address = registry_of(request), client_address(request)
    asked = await read_body(request, PlayOn)
    registry.check_crowded()
    registry.limits.replays.check(address)
    registry.limits.check_create(address, registry.rooms)
    registry.house.check_name(asked.name)
    room, token = await registry.play_on(await registry.room(id), asked)
    registry.limits.created(address, room.state.id)
    visitor = await visitor_of(request)
    if visitor is not None:
        await registry.take_part(room, room.state.setup.host, visitor.person)
    return reply(Seated(await table_of(room), token if visitor is None else None), 201)
