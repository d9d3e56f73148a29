"""Requests about the house for everybody: its rules and pages, how one stands, reports, appeals, invitations."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member, owner, people_of
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply, visitor_of
from quadriga.server.moderation import acts, invite_codes, reports, terms
from quadriga.server.moderation.acts import BAN, MUTE, Act
from quadriga.server.moderation.reports import Reported
from quadriga.server.people.person import HOST, MODERATOR, Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.moderation import (
    Agreeing,
    Appealing,
    HouseInfo,
    HousePage,
    NewInvite,
    OwnAct,
    Received,
    Reporting,
    Standing,
)
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.requests import Nothing
from quadriga.server.storage.base import now

operations = Operations(get="free", post="free")
PageName = Annotated[str, msgspec.Meta(max_length=16)]
Language = Annotated[str, msgspec.Meta(max_length=8)]


@operations.get("/api/house", responses(HouseInfo))
async def house(request: Request) -> Response:
    """Who may play in this house, and which pages its host has."""
    found = registry_of(request).house
    rules = found.rules
    return reply(HouseInfo(rules.access, found.pages.names(), found.pages.terms_version, rules.inviters))


@operations.get("/api/house/pages/{name}", responses(HousePage, 404))
async def house_page(request: Request, name: PageName, language: Language = "en") -> Response:
    """The terms, the privacy notice or the imprint of the host, in a language."""
    page = registry_of(request).house.pages.page(name, language)
    if page is None:
        raise RoomError("wire.path", 404)
    return reply(HousePage(page.text, page.is_markdown))


@operations.get("/api/me/standing", responses(Standing))
async def standing(request: Request) -> Response:
    """What moderators have done that concerns one, and whether the terms have changed."""
    registry_of(request).limits.accounts.check(client_address(request))
    visitor = await visitor_of(request)
    return reply(Standing([], "")) if visitor is None else await _standing(request, visitor.person)


async def _standing(request: Request, person: Person) -> Response:
    registry = registry_of(request)
    rows = await registry.store.read(acts.concerning(person.id))
    version = registry.house.pages.terms_version if person.is_member else ""
    if version and await registry.store.read(terms.agreed(person.id, version)):
        version = ""
    return reply(Standing([_own(Act._make(row)) for row in rows], version))


def _own(act: Act) -> OwnAct:
    if act.decided is not None:
        appeal = "upheld" if act.lifted is None else "lifted"
    elif act.appealed is not None:
        appeal = "waiting"
    else:
        appeal = "possible" if act.lifted is None else "none"
    holds = act.kind in (MUTE, BAN) and act.holds(now())
    return OwnAct(act.id, act.kind, act.at, act.until, act.reason, holds, act.seen is not None, appeal, act.answer)


@operations.post("/api/me/acts/{id}/seen", responses(Standing, 401, 403, 404), Nothing)
async def confirm_act(request: Request, id: Id) -> Response:
    """Confirm that one has read a warning, or the answer to an appeal."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    person = visitor.person
    await registry_of(request).store.transact(lambda connection: acts.confirm(connection, person.id, id))
    return await _standing(request, person)


@operations.post("/api/me/acts/{id}/appeal", responses(Standing, 401, 403, 404, 409), Appealing)
async def appeal(request: Request, id: Id) -> Response:
    """Appeal against an act, once. Another moderator or the host decides."""
    visitor, asked = await owner(request), await read_body(request, Appealing)
    person = visitor.person
    await registry_of(request).store.transact(lambda connection: acts.appeal(connection, person.id, id, asked.text))
    return await _standing(request, person)


@operations.post("/api/me/terms", responses(Standing, 401, 403, 409), Agreeing)
async def agree(request: Request) -> Response:
    """Agree to the terms as they are now."""
    visitor, asked = await member(request), await read_body(request, Agreeing)
    registry, person = registry_of(request), visitor.person
    if asked.version != registry.house.pages.terms_version:
        raise RoomError("house.terms", 409)
    await registry.store.transact(lambda connection: terms.agree(connection, person.id, asked.version))
    return await _standing(request, person)


@operations.post("/api/me/invite-codes", responses(NewInvite, 401, 403, 409), Nothing, "play")
async def new_invite_code(request: Request) -> Response:
    """Get a code with which somebody becomes a member, once, within two weeks."""
    visitor = await member(request)
    await read_body(request, Nothing)
    registry, person = registry_of(request), visitor.person
    if registry.house.rules.inviters == "moderators" and person.role not in (MODERATOR, HOST):
        raise RoomError("house.moderator", 403)
    made = await registry.store.transact(lambda connection: invite_codes.create(connection, person))
    return reply(NewInvite(made.code, made.expires))


@operations.post("/api/reports", responses(Received, 401, 403, 404), Reporting, "look")
async def report(request: Request) -> Response:
    """Report a chat message, a name at a table, or the name of a member. The reported person never learns of it."""
    visitor, asked = await owner(request), await read_body(request, Reporting)
    registry, person = registry_of(request), visitor.person
    registry.limits.reports.check(client_address(request))
    registry.limits.reports.check(person.id)
    found = await _reported(request, asked)
    await registry.store.transact(
        lambda connection: reports.add(connection, person.id, found, asked.reason, asked.note)
    )
    return reply(Received())


async def _reported(request: Request, asked: Reporting) -> Reported:
    """Return what is reported, as the server knows it: nobody can report words that somebody has not written."""
    registry = registry_of(request)
    store = registry.store
    if asked.table is None:
        if asked.name is None:
            raise RoomError("wire.field", 422, reason="name")
        person = await people_of(request).accounts.named(asked.name)
        if person is None or person.name is None:
            raise RoomError("person.unknown", 404, name=asked.name)
        return Reported("name", person.name, person.id)
    room = await registry.room(asked.table)
    table_id = room.state.id
    if asked.message is not None:
        line = next((each for each in room.log.chat if each.number == asked.message), None)
        if line is None:
            raise RoomError("moderation.gone", 404)
        author = await store.transact(lambda connection: reports.author_of(connection, table_id, line.number))
        return Reported("chat", line.name, author, table_id, line.number, line.text)
    if asked.seat is not None and asked.seat < room.state.seat_count:
        info = room.state.seats[asked.seat]
        if info.kind == "person":
            subject = await store.transact(lambda connection: reports.subject_of(connection, table_id, info.holder))
            return Reported("name", info.name, subject, table_id)
    raise RoomError("moderation.gone", 404)
