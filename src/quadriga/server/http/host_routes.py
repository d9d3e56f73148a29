"""Requests of the host: the state of the server, the rules of the house, and who moderates it."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http import host_facts
from quadriga.server.http.moderation_routes import moderator
from quadriga.server.http.operations import Operations
from quadriga.server.http.request import read_body, registry_of, reply
from quadriga.server.moderation import roles
from quadriga.server.moderation.rules import Rules
from quadriga.server.people.person import HOST, Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.moderation import Appointing, HouseRules, HouseStatus, StaffMember
from quadriga.server.protocol.openapi import responses

operations = Operations(get="sign-in", post="sign-in")


async def _host(request: Request) -> Person:
    person = await moderator(request)
    if person.role != HOST:
        raise RoomError("house.host", 403)
    return person


@operations.get("/api/host", responses(HouseStatus, 401, 403))
async def host_status(request: Request) -> Response:
    """How the server is, its rules, and who moderates it."""
    await _host(request)
    return await _reply(request)


@operations.post("/api/host/rules", responses(HouseStatus, 401, 403), HouseRules)
async def set_rules(request: Request) -> Response:
    """Change the rules of the house."""
    by, asked = await _host(request), await read_body(request, HouseRules)
    house = registry_of(request).house
    if house.fixed_access is not None and asked.access != house.fixed_access:
        raise RoomError("house.fixed", 409)
    await house.set_rules(Rules(**{**msgspec.structs.asdict(asked), "words": tuple(asked.words)}), by)
    return await _reply(request)


@operations.post("/api/host/roles", responses(HouseStatus, 401, 403, 404), Appointing)
async def appoint(request: Request) -> Response:
    """Make a member a moderator, or a moderator a member."""
    by, asked = await _host(request), await read_body(request, Appointing)
    registry = registry_of(request)
    await registry.store.transact(lambda connection: roles.appoint(connection, by, asked.name, asked.role))
    await registry.house.refresh()
    return await _reply(request)


async def _reply(request: Request) -> Response:
    registry = registry_of(request)
    rules = msgspec.structs.asdict(registry.house.rules)
    staff = [StaffMember(*row) for row in await registry.store.read(roles.staff())]
    return reply(
        HouseStatus(
            HouseRules(**{**rules, "words": list(rules["words"])}),
            registry.house.fixed_access is not None,
            staff,
            await host_facts.facts(request),
        )
    )
