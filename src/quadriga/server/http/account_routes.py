"""Requests about oneself: be known, choose a name, hand over what one had before. `docs/protocol.md`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.joining import admission
from quadriga.server.http.lobby_routes import lobby_of
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import account_of, member, owner, people_of, person_again, reply_me
from quadriga.server.http.request import client_address, read_body, registry_of, reply, secret_of, visitor_of
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import (
    HandedOver,
    Handover,
    HostCode,
    Introduction,
    Keeping,
    Kept,
    Me,
    Naming,
    Profiling,
)

operations = Operations(get="free", post="sign-in")


@operations.get("/api/me", responses(Me))
async def me(request: Request) -> Response:
    """Return the person who sends the request."""
    visitor = await people_of(request).devices.visitor(secret_of(request), may_renew=True)
    return reply_me(request, visitor, None if visitor is None else visitor.new_secret)


@operations.post("/api/me", responses(Me, 403), Introduction, "join")
async def introduce(request: Request) -> Response:
    """Be known on this device from now on: as a guest, unless one is known already."""
    asked = await read_body(request, Introduction)
    if (visitor := await visitor_of(request)) is not None:
        return reply_me(request, visitor)
    registry_of(request).limits.guests.check(client_address(request))
    visitor, secret = await people_of(request).accounts.create(asked.label)
    return reply_me(request, visitor, secret)


@operations.post("/api/me/keep", responses(Kept, 401, 403, 409), Keeping, "join")
async def keep(request: Request) -> Response:
    """Become a member: take a name, and get a recovery code."""
    visitor, asked = await owner(request), await read_body(request, Keeping)
    admitted = admission(request, visitor.person, asked)
    recovery = await people_of(request).accounts.keep(visitor.person, asked.name, admitted)
    lobby_of(request).people_changed([visitor.person.id])
    return reply(Kept(account_of(await person_again(request, visitor)), recovery))


@operations.post("/api/me/name", responses(Me, 401, 403, 409), Naming)
async def rename(request: Request) -> Response:
    """Take another name."""
    visitor, asked = await member(request), await read_body(request, Naming)
    registry_of(request).house.check_name(asked.name)
    await people_of(request).accounts.rename(visitor.person, asked.name)
    lobby_of(request).people_changed([visitor.person.id])
    return reply_me(request, visitor._replace(person=await person_again(request, visitor)))


@operations.post("/api/me/profile", responses(Me, 401, 403), Profiling)
async def show_profile(request: Request) -> Response:
    """Let others see one's profile, or no longer."""
    visitor, asked = await member(request), await read_body(request, Profiling)
    await people_of(request).accounts.show_profile(visitor.person, asked.public)
    return reply_me(request, visitor._replace(person=await person_again(request, visitor)))


@operations.post("/api/me/host", responses(Me, 401, 403), HostCode)
async def become_host(request: Request) -> Response:
    """Become the host of this server, by the code that it has printed at its start."""
    visitor, asked = await member(request), await read_body(request, HostCode)
    registry_of(request).limits.check_proof(client_address(request))
    await people_of(request).accounts.become_host(visitor.person, asked.code)
    return reply_me(request, visitor._replace(person=await person_again(request, visitor)))


@operations.post("/api/me/handover", responses(HandedOver, 401, 403), Handover)
async def hand_over(request: Request) -> Response:
    """Make the tables one's own whose tokens this browser has from earlier visits."""
    visitor, asked = await owner(request), await read_body(request, Handover)
    registry = registry_of(request)
    count = 0
    for table, token in asked.tokens.items():
        try:
            holder = (await registry.bearer(token, table)).holder
            room = await registry.room(table)
        except RoomError:
            continue  # the token has expired, or the table is gone: there is nothing to hand over
        if registry.seats_of(room, holder):
            count += await registry.take_part(room, holder, visitor.person)
    return reply(HandedOver(count))
