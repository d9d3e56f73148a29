"""Requests about game nights: plan one, say whether one comes, the calendar file, and the table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from quadriga.games import find
from quadriga.server.http.lobby_routes import lobby_of
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import owner, people_of
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply, visitor_of
from quadriga.server.messages import calendar
from quadriga.server.people.nights import Night as StoredNight
from quadriga.server.people.nights import NightGuest as StoredGuest
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.nights import Answering, Night, NightGuest, NightPlan
from quadriga.server.protocol.openapi import responses, text_response
from quadriga.server.protocol.requests import Create, Nothing, SeatRequest

operations = Operations()


@operations.post("/api/nights", responses(Night, 401, 403, 404, 409), NightPlan)
async def plan_night(request: Request) -> Response:
    """Invite to a game night."""
    visitor, asked = await owner(request), await read_body(request, NightPlan)
    registry_of(request).house.check_name(asked.name, asked.title)
    game = find(asked.game)
    game.resolve_options({}, asked.seats)
    nights = people_of(request).nights
    night = await nights.plan(visitor.person, asked.name, asked.title, game.id, asked.seats, asked.at)
    return await _reply(request, night.id, visitor.person)


@operations.get("/api/nights/{id}", responses(Night, 404))
async def night(request: Request, id: Id) -> Response:
    """A game night, for everybody who has its link."""
    registry_of(request).limits.accounts.check(client_address(request))
    visitor = await visitor_of(request)
    return await _reply(request, id, None if visitor is None else visitor.person)


@operations.post("/api/nights/{id}/answer", responses(Night, 401, 403, 404, 409), Answering)
async def answer_night(request: Request, id: Id) -> Response:
    """Say whether one comes to a game night."""
    visitor, asked = await owner(request), await read_body(request, Answering)
    registry_of(request).house.check_name(asked.name)
    nights = people_of(request).nights
    night, _ = await nights.find(id)
    await nights.answer(night, visitor.person, asked.name, asked.answer)
    return await _reply(request, id, visitor.person)


@operations.post("/api/nights/{id}/table", responses(Night, 401, 403, 404, 409), Nothing)
async def night_table(request: Request, id: Id) -> Response:
    """The host makes the table of a game night, from an hour before it on."""
    visitor, night = await _host(request, id)
    await read_body(request, Nothing)
    registry, nights = registry_of(request), people_of(request).nights
    nights.check_time(night)
    if night.table_id is None:
        registry.check_crowded()
        registry.limits.check_create(client_address(request), registry.rooms)
        seats = [SeatRequest("me"), *(SeatRequest("open") for _ in range(night.seats - 1))]
        room, _ = await registry.create(Create(game=night.game, seats=seats, name=night.name))
        registry.limits.created(client_address(request), room.state.id)
        if await nights.set_table(night, room.state.id) == room.state.id:
            await registry.take_part(room, room.state.setup.host, visitor)
    return await _reply(request, id, visitor)


@operations.post("/api/nights/{id}/remove", responses(Night, 401, 403, 404), Nothing)
async def cancel_night(request: Request, id: Id) -> Response:
    """The host cancels a game night."""
    visitor, night = await _host(request, id)
    await read_body(request, Nothing)
    guests = (await people_of(request).nights.find(id))[1]
    await people_of(request).nights.cancel(night)
    lobby_of(request).people_changed(each.person_id for each in guests)
    return reply(_night(night, guests, visitor, frozenset()))


@operations.get("/api/nights/{id}/calendar.ics", text_response("text/calendar", 404))
async def night_calendar(request: Request, id: Id) -> Response:
    """A game night as a calendar file."""
    registry_of(request).limits.accounts.check(client_address(request))
    night, _ = await people_of(request).nights.find(id)
    address = f"{request.scope['scheme']}://{request.headers.get('host', '')}/night/{night.id}"
    made = calendar.event(
        uid=f"{night.id}@quadriga",
        at=night.at,
        stamp=night.created,
        title=night.title or "Quadriga",
        text=address,
        url=address,
    )
    headers = {"content-disposition": 'attachment; filename="quadriga.ics"', "cache-control": "no-store"}
    return Response(made, media_type="text/calendar", headers=headers)


async def _host(request: Request, id: str) -> tuple[Person, StoredNight]:
    visitor = await owner(request)
    night, _ = await people_of(request).nights.find(id)
    if night.person_id != visitor.person.id:
        raise RoomError("night.host", 403)
    return visitor.person, night


async def _reply(request: Request, night_id: str, person: Person | None) -> Response:
    """Tell the pages of all guests after a change, and answer with the night as the person sees it."""
    people = people_of(request)
    night, guests = await people.nights.find(night_id)
    if request.method == "POST":
        lobby_of(request).people_changed(each.person_id for each in guests)
    hidden = frozenset() if person is None else await people.company.hidden(person.id)
    return reply(_night(night, guests, person, hidden))


def _night(night: StoredNight, guests: list[StoredGuest], person: Person | None, hidden: frozenset[str]) -> Night:
    own = "" if person is None else person.id
    return Night(
        id=night.id,
        title=night.title,
        by=night.name,
        game=night.game,
        seats=night.seats,
        at=night.at,
        mine=night.person_id == own,
        answer=next((each.answer for each in guests if each.person_id == own), None),
        guests=[NightGuest(each.name, each.answer) for each in guests if each.person_id not in hidden],
        table=night.table_id,
    )
