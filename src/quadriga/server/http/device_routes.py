"""Requests about one's devices, keys for bots and passkeys. `docs/protocol.md`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.lobby_routes import lobby_of
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member, owner, people_of, site_of
from quadriga.server.http.request import Id, read_body, reply
from quadriga.server.people.person import Session, Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import BotKey, Device, Devices, NewKey, NewPasskey, OwnPasskey, PasskeyOptions
from quadriga.server.protocol.requests import Nothing
from quadriga.server.seats.tokens import to_bytes, to_text

operations = Operations(get="sign-in", post="sign-in")
PasskeyId = Annotated[str, msgspec.Meta(max_length=1400)]


@operations.get("/api/me/devices", responses(Devices, 401, 403))
async def devices(request: Request) -> Response:
    """One's devices, keys and passkeys, and one's e-mail address."""
    return await reply_devices(request, await owner(request))


@operations.post("/api/me/devices/{id}/remove", responses(Devices, 401, 403, 404), Nothing)
async def remove_device(request: Request, id: Id) -> Response:
    """Sign a device out, or revoke the key of a bot."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    await people_of(request).devices.remove(visitor.person, id)
    lobby_of(request).people_changed([visitor.person.id])
    response = await reply_devices(request, visitor)
    if id == visitor.session.id:
        response.delete_cookie(people_of(request).cookie)
    return response


@operations.post("/api/me/keys", responses(BotKey, 401, 403, 409), NewKey)
async def add_key(request: Request) -> Response:
    """Create a key for a bot that plays over the network. It is shown only once."""
    visitor, asked = await member(request), await read_body(request, NewKey)
    session, key = await people_of(request).devices.add_bot(visitor.person, asked.label)
    return reply(BotKey(_device_of(session, visitor), key))


@operations.post("/api/me/passkeys/options", responses(PasskeyOptions, 401, 403), Nothing)
async def passkey_options(request: Request) -> Response:
    """Get what the browser needs to make a passkey."""
    visitor = await member(request)
    await read_body(request, Nothing)
    return reply(PasskeyOptions(await people_of(request).passkeys.registration(visitor.person, site_of(request))))


@operations.post("/api/me/passkeys", responses(Devices, 401, 403, 409), NewPasskey)
async def add_passkey(request: Request) -> Response:
    """Store a passkey that the browser has made."""
    visitor, asked = await member(request), await read_body(request, NewPasskey)
    await people_of(request).passkeys.register(visitor.person, site_of(request), asked.credential, asked.label)
    return await reply_devices(request, visitor)


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
    return await reply_devices(request, visitor)


async def reply_devices(request: Request, visitor: Visitor) -> Response:
    """Reply with the devices, keys and passkeys of a person, and their e-mail address."""
    people = people_of(request)
    found = [_device_of(each, visitor) for each in await people.devices.all(visitor.person)]
    passkeys = [
        OwnPasskey(to_text(each.id), each.label, each.created) for each in await people.passkeys.all(visitor.person)
    ]
    address, has_subject = (
        await people.mail_codes.address_of(visitor.person),
        await people.subjects.has_any(visitor.person),
    )
    return reply(Devices(found, passkeys, address, has_subject))


def _device_of(session: Session, visitor: Visitor) -> Device:
    return Device(**session._asdict(), current=session.id == visitor.session.id)
