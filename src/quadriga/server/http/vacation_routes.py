"""Requests about one's vacation: whether one is away, and how many days are left. `docs/days.md`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member
from quadriga.server.http.request import read_body, registry_of, reply
from quadriga.server.people.vacations import DAYS, OwnVacation
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import GoingAway, OnVacation
from quadriga.server.rooms.days import leave
from quadriga.server.storage.base import now

operations = Operations(get="sign-in", post="sign-in")


@operations.get("/api/me/vacation", responses(OnVacation, 401, 403))
async def vacation(request: Request) -> Response:
    """One's vacation, for members."""
    visitor = await member(request)
    return _answer(request, await registry_of(request).vacations.of(visitor.person, now()))


@operations.post("/api/me/vacation", responses(OnVacation, 401, 403, 409), GoingAway)
async def set_vacation(request: Request) -> Response:
    """Begin or end one's vacation; refused when the days of the year are used up."""
    visitor, asked = await member(request), await read_body(request, GoingAway)
    registry = registry_of(request)
    return _answer(request, await (leave.begin if asked.on else leave.end)(registry, visitor.person))


def _answer(request: Request, own: OwnVacation) -> Response:
    day_ms = registry_of(request).settings.day * 1000
    return reply(OnVacation(own.until, round(own.left_ms / day_ms, 2), DAYS))
