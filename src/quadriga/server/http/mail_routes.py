"""Requests about codes by e-mail: give an address, prove it, sign in by it. `docs/protocol.md`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from quadriga.engine.text import catalogues
from quadriga.server import mail
from quadriga.server.http.device_routes import reply_devices
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member, people_of, reply_me
from quadriga.server.http.request import client_address, read_body, registry_of, reply, visitor_of
from quadriga.server.people.mail_codes import limited, mail_address
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import PACKAGE, RoomError
from quadriga.server.protocol.mail import MailAddress, MailProof, MailSent
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import Devices, Me
from quadriga.server.protocol.requests import Nothing

operations = Operations(get="sign-in", post="sign-in")
_sending: set[asyncio.Task[None]] = set()  # a task that nobody holds may be collected before it ends


@operations.post("/api/me/mail", responses(MailSent, 401, 403, 404), MailAddress)
async def add_mail(request: Request) -> Response:
    """Get a code by e-mail that proves one's address."""
    visitor, asked = await member(request), await read_body(request, MailAddress)
    return await _send(request, asked, visitor.person)


@operations.post("/api/me/mail/confirm", responses(Devices, 401, 403, 409), MailProof)
async def confirm_mail(request: Request) -> Response:
    """Store one's e-mail address, by the code that was sent there."""
    visitor, asked = await member(request), await read_body(request, MailProof)
    address = _tried(request, asked.address)
    await people_of(request).mail_codes.keep(visitor.person, address, asked.code)
    return await reply_devices(request, visitor)


@operations.post("/api/me/mail/remove", responses(Devices, 401, 403), Nothing)
async def remove_mail(request: Request) -> Response:
    """Delete one's e-mail address."""
    visitor = await member(request)
    await read_body(request, Nothing)
    await people_of(request).mail_codes.remove(visitor.person)
    return await reply_devices(request, visitor)


@operations.post("/api/mail", responses(MailSent, 404), MailAddress)
async def ask_mail(request: Request) -> Response:
    """Get a code by e-mail that signs a device in. Known and unknown addresses are answered alike."""
    return await _send(request, await read_body(request, MailAddress))


@operations.post("/api/mail/sign-in", responses(Me, 403, 409), MailProof)
async def sign_in_by_mail(request: Request) -> Response:
    """Sign this device in by a code from an e-mail."""
    asked = await read_body(request, MailProof)
    address = _tried(request, asked.address)
    visitor = await visitor_of(request)
    found = people_of(request).mail_codes.sign_in(address, asked.code, visitor, asked.label, asked.merge)
    return reply_me(request, *await found)


async def _send(request: Request, asked: MailAddress, person: Person | None = None) -> Response:
    """Make a code, and send it after the answer: how long sending takes would tell whether an address is known."""
    registry = registry_of(request)
    settings = registry.settings
    if not settings.mail:
        raise RoomError("mail.none", 404)
    address = mail_address(asked.address)
    whom = [] if person is None else [f"person {person.id}"]
    registry.limits.check_mail(client_address(request), limited(address), *whom)
    code, expires, is_to_be_sent = await people_of(request).mail_codes.new_code(address, person)
    if is_to_be_sent:
        say = catalogues.of(asked.language, PACKAGE)
        host = request.headers.get("host", "")
        text = say("mail.text", code=code, host=host)
        task = asyncio.create_task(_deliver(mail.send(settings, address, say("mail.subject", code=code), text)))
        _sending.add(task)
        task.add_done_callback(_sending.discard)
    return reply(MailSent(expires))


async def _deliver(sending: Awaitable[None]) -> None:
    with suppress(RoomError):  # it is logged; whether it arrives is not told
        await sending


def _tried(request: Request, text: str) -> str:
    """Return an address for which a code is tried. Raises RoomError if too many are."""
    address = mail_address(text)
    registry_of(request).limits.check_proof(client_address(request), limited(address))
    return address
