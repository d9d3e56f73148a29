"""Requests about friends, blocks and invitations. No answer tells whether there is somebody of a name."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.lobby_routes import lobby_of
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member, owner, people_of
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply, token_of
from quadriga.server.messages.circles import circle_of
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.lobby import Blocking, Circle
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import Naming
from quadriga.server.protocol.requests import Nothing

operations = Operations(get="join", post="join")


async def _reply(request: Request, person: Person, changed: list[str]) -> Response:
    """Tell the pages of all whom something concerns, and answer with the person's own lists."""
    lobby_of(request).people_changed(changed)
    return reply(await circle_of(people_of(request), person))


@operations.get("/api/me/company", responses(Circle, 401, 403))
async def company(request: Request) -> Response:
    """One's friends, requests, blocks and invitations."""
    return await _reply(request, (await owner(request)).person, [])


@operations.post("/api/me/friends", responses(Circle, 401, 403, 409), Naming)
async def befriend(request: Request) -> Response:
    """Ask somebody to be friends, or agree to."""
    visitor, asked = await member(request), await read_body(request, Naming)
    changed = await people_of(request).company.befriend(visitor.person, asked.name)
    return await _reply(request, visitor.person, changed)


@operations.post("/api/me/friends/remove", responses(Circle, 401, 403), Naming)
async def part(request: Request) -> Response:
    """End a friendship, withdraw a request, or decline one."""
    visitor, asked = await member(request), await read_body(request, Naming)
    return await _reply(request, visitor.person, await people_of(request).company.part(visitor.person, asked.name))


@operations.post("/api/me/blocks", responses(Circle, 401, 403, 404, 409), Blocking)
async def block(request: Request) -> Response:
    """Block somebody: by name, or by their seat at a table. Chat, tables and invitations are hidden both ways."""
    visitor, asked = await owner(request), await read_body(request, Blocking)
    name, other = asked.name, None
    if asked.table is not None and asked.seat is not None:
        state = (await registry_of(request).room(asked.table)).state
        if asked.seat >= state.seat_count or state.seats[asked.seat].kind != "person":
            raise RoomError("table.no-seat", 404, seat=asked.seat)
        name = state.seats[asked.seat].name
        other = await people_of(request).company.seated(asked.table, state.seats[asked.seat].holder)
    if name is None:
        raise RoomError("wire.field", 422, reason="name")
    changed = await people_of(request).company.block(visitor.person, name, other)
    return await _changed_blocks(request, visitor.person, changed)


@operations.post("/api/me/blocks/remove", responses(Circle, 401, 403), Naming)
async def unblock(request: Request) -> Response:
    """Block somebody no longer."""
    visitor, asked = await owner(request), await read_body(request, Naming)
    changed = await people_of(request).company.unblock(visitor.person, asked.name)
    return await _changed_blocks(request, visitor.person, changed)


async def _changed_blocks(request: Request, person: Person, changed: list[str]) -> Response:
    await lobby_of(request).blocks_changed(await people_of(request).company.shared_tables(changed))
    return await _reply(request, person, changed)


@operations.post("/api/tables/{id}/invitations", responses(Circle, 401, 403, 404, 409), Naming)
async def invite_by_name(request: Request, id: Id) -> Response:
    """A member who sits at a table invites somebody by name. The invitation waits for them."""
    visitor, asked = await member(request), await read_body(request, Naming)
    registry = registry_of(request)
    registry.limits.joins.check(client_address(request))
    room = await registry.room(id)
    holder = (await registry.bearer(token_of(request), id)).holder
    if not registry.seats_of(room, holder):
        raise RoomError("table.not-seated", 403)
    if room.state.status != "waiting":
        raise RoomError("table.started")
    changed = await people_of(request).company.invite(visitor.person, asked.name, id)
    return await _reply(request, visitor.person, changed)


@operations.post("/api/me/invitations/{id}/remove", responses(Circle, 401, 403), Nothing)
async def decline(request: Request, id: Id) -> Response:
    """Decline an invitation."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    await people_of(request).company.decline(visitor.person, id)
    return await _reply(request, visitor.person, [visitor.person.id])
