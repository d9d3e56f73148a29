"""Requests about oneself: be known, choose a name, prove who one is, devices and keys. `docs/protocol.md`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.request import (
    Id,
    client_address,
    read_body,
    registry_of,
    reply,
    secret_of,
    visitor_of,
)
from quadriga.server.people import codes
from quadriga.server.people.passkeys import Site
from quadriga.server.people.people import People
from quadriga.server.people.person import Person, Session, Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import (
    Account,
    BotKey,
    Device,
    Devices,
    HandedOver,
    Handover,
    HostCode,
    Introduction,
    Kept,
    LinkCode,
    Me,
    Naming,
    NewKey,
    NewPasskey,
    OwnPasskey,
    PasskeyOptions,
    PasskeyProof,
    Profiling,
    Proof,
)
from quadriga.server.protocol.requests import Nothing
from quadriga.server.seats.tokens import to_bytes, to_text

operations = Operations()
PasskeyId = Annotated[str, msgspec.Meta(max_length=1400)]
_COOKIE_S = 400 * 86_400  # the longest that browsers keep one


# Who is asking.


@operations.get("/api/me", responses(Me))
async def me(request: Request) -> Response:
    """Who is asking."""
    visitor = await people_of(request).devices.visitor(secret_of(request), may_renew=True)
    return _me(request, visitor, None if visitor is None else visitor.new_secret)


@operations.post("/api/me", responses(Me), Introduction)
async def introduce(request: Request) -> Response:
    """Be known on this device from now on: as a guest, unless one is known already."""
    asked = await read_body(request, Introduction)
    if (visitor := await visitor_of(request)) is not None:
        return _me(request, visitor)
    registry_of(request).limits.guests.check(client_address(request))
    visitor, secret = await people_of(request).accounts.create(asked.label)
    return _me(request, visitor, secret)


@operations.post("/api/me/keep", responses(Kept, 401, 403, 409), Naming)
async def keep(request: Request) -> Response:
    """Become a member: take a name, and get a recovery code."""
    visitor, asked = await owner(request), await read_body(request, Naming)
    accounts = people_of(request).accounts
    recovery = await accounts.keep(visitor.person, asked.name)
    return reply(Kept(_account(await _again(request, visitor)), recovery))


@operations.post("/api/me/name", responses(Me, 401, 403, 409), Naming)
async def rename(request: Request) -> Response:
    """Take another name."""
    visitor, asked = await member(request), await read_body(request, Naming)
    await people_of(request).accounts.rename(visitor.person, asked.name)
    return _me(request, visitor._replace(person=await _again(request, visitor)))


@operations.post("/api/me/profile", responses(Me, 401, 403), Profiling)
async def show_profile(request: Request) -> Response:
    """Let others see one's profile, or no longer."""
    visitor, asked = await member(request), await read_body(request, Profiling)
    await people_of(request).accounts.show_profile(visitor.person, asked.public)
    return _me(request, visitor._replace(person=await _again(request, visitor)))


@operations.post("/api/me/host", responses(Me, 401, 403), HostCode)
async def become_host(request: Request) -> Response:
    """Become the host of this server, by the code that it has printed at its start."""
    visitor, asked = await member(request), await read_body(request, HostCode)
    registry_of(request).limits.check_proof(client_address(request))
    await people_of(request).accounts.become_host(visitor.person, asked.code)
    return _me(request, visitor._replace(person=await _again(request, visitor)))


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


# Proofs.


@operations.post("/api/me/recovery", responses(Kept, 401, 403), Nothing)
async def renew_recovery(request: Request) -> Response:
    """Get a new recovery code; the old one is void."""
    visitor = await member(request)
    await read_body(request, Nothing)
    code = await people_of(request).proofs.renew_recovery(visitor.person)
    return reply(Kept(_account(await _again(request, visitor)), code))


@operations.post("/api/recover", responses(Me, 403, 409), Proof)
async def recover(request: Request) -> Response:
    """Sign this device in by a recovery code."""
    asked = await read_body(request, Proof)
    person = codes.typed(asked.code)[: codes.RECOVERY_ID]
    registry_of(request).limits.check_proof(client_address(request), f"recovery {person}")
    found = people_of(request).proofs.recover(asked.code, await visitor_of(request), asked.label, asked.merge)
    return _me(request, *await found)


@operations.post("/api/me/link", responses(LinkCode, 401, 403), Nothing)
async def new_link(request: Request) -> Response:
    """Get a code that signs in another device, once, within five minutes."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    return reply(LinkCode(*await people_of(request).proofs.new_link(visitor.person)))


@operations.post("/api/link", responses(Me, 403, 409), Proof)
async def link(request: Request) -> Response:
    """Sign this device in by a code from another one."""
    asked = await read_body(request, Proof)
    registry_of(request).limits.check_proof(client_address(request))
    found = people_of(request).proofs.link(asked.code, await visitor_of(request), asked.label, asked.merge)
    return _me(request, *await found)


@operations.post("/api/me/passkeys/options", responses(PasskeyOptions, 401, 403), Nothing)
async def passkey_options(request: Request) -> Response:
    """Get what the browser needs to make a passkey."""
    visitor = await member(request)
    await read_body(request, Nothing)
    return reply(PasskeyOptions(await people_of(request).passkeys.registration(visitor.person, _site(request))))


@operations.post("/api/me/passkeys", responses(Devices, 401, 403, 409), NewPasskey)
async def add_passkey(request: Request) -> Response:
    """Store a passkey that the browser has made."""
    visitor, asked = await member(request), await read_body(request, NewPasskey)
    await people_of(request).passkeys.register(visitor.person, _site(request), asked.credential, asked.label)
    return await _devices(request, visitor)


@operations.post("/api/me/passkeys/{id}/remove", responses(Devices, 401, 403, 404), Nothing)
async def remove_passkey(request: Request, id: PasskeyId) -> Response:
    """Delete a passkey."""
    visitor = await member(request)
    await read_body(request, Nothing)
    try:
        raw = to_bytes(id)
    except ValueError:
        raise RoomError("passkey.unknown", 404) from None
    await people_of(request).passkeys.remove(visitor.person, raw)
    return await _devices(request, visitor)


@operations.post("/api/passkeys/options", responses(PasskeyOptions), Nothing)
async def passkey_question(request: Request) -> Response:
    """Get what the browser needs to sign in by a passkey."""
    await read_body(request, Nothing)
    registry_of(request).limits.accounts.check(client_address(request))
    return reply(PasskeyOptions(await people_of(request).passkeys.question(_site(request))))


@operations.post("/api/passkeys", responses(Me, 403, 409), PasskeyProof)
async def sign_in_by_passkey(request: Request) -> Response:
    """Sign this device in by a passkey."""
    asked = await read_body(request, PasskeyProof)
    registry_of(request).limits.check_proof(client_address(request))
    visitor = await visitor_of(request)
    found = people_of(request).passkeys.sign_in(_site(request), asked.credential, visitor, asked.label, asked.merge)
    return _me(request, *await found)


# Devices and bots.


@operations.get("/api/me/devices", responses(Devices, 401, 403))
async def devices(request: Request) -> Response:
    """One's devices, keys and passkeys."""
    return await _devices(request, await owner(request))


@operations.post("/api/me/devices/{id}/remove", responses(Devices, 401, 403, 404), Nothing)
async def remove_device(request: Request, id: Id) -> Response:
    """Sign a device out, or revoke the key of a bot."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    await people_of(request).devices.remove(visitor.person, id)
    response = await _devices(request, visitor)
    if id == visitor.session.id:
        response.delete_cookie(people_of(request).cookie)
    return response


@operations.post("/api/me/keys", responses(BotKey, 401, 403, 409), NewKey)
async def add_key(request: Request) -> Response:
    """Create a key for a bot that plays over the network. It is shown only once."""
    visitor, asked = await member(request), await read_body(request, NewKey)
    session, key = await people_of(request).devices.add_bot(visitor.person, asked.label)
    return reply(BotKey(_device(session, visitor), key))


# Helpers.


def people_of(request: Request) -> People:
    """Return the people of this server."""
    return registry_of(request).people


async def owner(request: Request) -> Visitor:
    """Return who sends a request about an account. Raises RoomError for strangers, bots, and too many requests."""
    registry_of(request).limits.accounts.check(client_address(request))
    visitor = await visitor_of(request)
    if visitor is None:
        raise RoomError("person.stranger", 401)
    visitor.check_owner()
    return visitor


async def member(request: Request) -> Visitor:
    """Return the member who sends a request. Raises RoomError for anybody else."""
    visitor = await owner(request)
    visitor.check_member()
    return visitor


async def _again(request: Request, visitor: Visitor) -> Person:
    person = await people_of(request).accounts.find(visitor.person.id)
    if person is None:  # it was deleted meanwhile, from another device
        raise RoomError("person.stranger", 401)
    return person


def _site(request: Request) -> Site:
    return Site(request.scope["scheme"], request.headers.get("host", "").lower())


def _account(person: Person) -> Account:
    return Account(person.id, person.name, person.role, person.created, person.public, person.has_recovery)


def _me(request: Request, visitor: Visitor | None, secret: str | None = None) -> Response:
    """Answer who is asking; with a new secret of the device, if there is one."""
    account = None if visitor is None else _account(visitor.person)
    response = reply(Me(account, _site(request).problem or "yes"))
    if secret is not None:
        response.set_cookie(
            people_of(request).cookie,
            secret,
            max_age=_COOKIE_S,
            secure=request.scope["scheme"] == "https",
            httponly=True,
            samesite="strict",
        )
    return response


async def _devices(request: Request, visitor: Visitor) -> Response:
    people = people_of(request)
    found = [_device(each, visitor) for each in await people.devices.all(visitor.person)]
    passkeys = [
        OwnPasskey(to_text(each.id), each.label, each.created) for each in await people.passkeys.all(visitor.person)
    ]
    return reply(Devices(found, passkeys))


def _device(session: Session, visitor: Visitor) -> Device:
    return Device(**session._asdict(), current=session.id == visitor.session.id)
