"""Requests about notices: where and when one is told that a game waits. `docs/notices.md`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member, owner
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply
from quadriga.server.notices import letter, push
from quadriga.server.notices.channels import MAIL, PUSH, WEBHOOK, Channel, new_channel, trial
from quadriga.server.notices.http import check_url
from quadriga.server.notices.notices import STOP, Notices
from quadriga.server.people.mail_codes import limited, mail_address
from quadriga.server.people.person import Visitor
from quadriga.server.protocol import notices as protocol
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.notices import (
    ConfirmedMail,
    NewMail,
    NewPush,
    NewWebhook,
    NoticeChannel,
    NoticeChoices,
    Stopped,
    Tried,
)
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.requests import Nothing
from quadriga.server.seats.tokens import to_bytes, to_text

operations = Operations(get="sign-in", post="sign-in")
Token = Annotated[str, msgspec.Meta(max_length=400)]


@operations.get("/api/me/notices", responses(protocol.Notices, 401, 403))
async def notices(request: Request) -> Response:
    """Where and when one is told that a game waits."""
    return await _answer(request, await owner(request))


@operations.post("/api/me/notices", responses(protocol.Notices, 401, 403), NoticeChoices)
async def choose(request: Request) -> Response:
    """Choose what one is told, and when."""
    visitor, asked = await owner(request), await read_body(request, NoticeChoices)
    await _notices(request).channels.choose(visitor.person, asked)
    return await _answer(request, visitor)


@operations.post("/api/me/notices/push", responses(protocol.Notices, 401, 403, 409), NewPush)
async def add_push(request: Request) -> Response:
    """Be told on this device, by push."""
    visitor, asked = await owner(request), await read_body(request, NewPush)
    try:
        keys = to_bytes(asked.p256dh) + to_bytes(asked.auth)
    except ValueError:
        raise RoomError("notice.keys", 422) from None
    push.browser(keys)
    check_url(asked.endpoint, _notices(request).allows_private)
    place = (visitor.person, PUSH, asked.endpoint, _origin(request), asked.label)
    await _notices(request).channels.add(new_channel(*place, keys=keys, session_id=visitor.session.id))
    return await _answer(request, visitor)


@operations.post("/api/me/notices/webhook", responses(protocol.Notices, 401, 403, 409), NewWebhook)
async def add_webhook(request: Request) -> Response:
    """Have notices posted to an address."""
    visitor, asked = await member(request), await read_body(request, NewWebhook)
    check_url(asked.address, _notices(request).allows_private)
    place = (visitor.person, WEBHOOK, asked.address, _origin(request), asked.label)
    await _notices(request).channels.add(new_channel(*place, shape=asked.shape))
    return await _answer(request, visitor)


@operations.post("/api/me/notices/mail", responses(protocol.Notices, 401, 403), NewMail)
async def ask_mail(request: Request) -> Response:
    """Get a code by e-mail, which proves that one reads what is sent to the address."""
    visitor, asked = await member(request), await read_body(request, NewMail)
    registry = registry_of(request)
    own = (client_address(request), f"person {visitor.person.id}")
    registry.limits.check_mail(*own, limited(mail_address(asked.address)))
    await letter.send_code(registry.settings, registry.people.proofs, visitor.person, asked.address, asked.language)
    return await _answer(request, visitor)


@operations.post("/api/me/notices/mail/confirm", responses(protocol.Notices, 401, 403, 409), ConfirmedMail)
async def confirm_mail(request: Request) -> Response:
    """Be told by e-mail, at the address to which the code was sent."""
    visitor, asked = await member(request), await read_body(request, ConfirmedMail)
    registry = registry_of(request)
    registry.limits.check_proof(client_address(request), f"notices {visitor.person.id}")
    await letter.check_code(registry.people.proofs, visitor.person, asked.address, asked.code)
    place = (visitor.person, MAIL, asked.address, _origin(request), "")
    await _notices(request).channels.add(new_channel(*place))
    return await _answer(request, visitor)


@operations.post("/api/me/notices/{id}/trial", responses(Tried, 401, 403, 404), Nothing)
async def try_channel(request: Request, id: Id) -> Response:
    """Be told something now, to try a channel."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    found = _notices(request)
    found.trials.check(client_address(request))
    channel = await found.channels.find(visitor.person, id)
    choices, _ = await found.channels.of(visitor.person)
    result = await found.delivery.send(trial(channel, choices))
    if result.kind == "gone":
        await found.channels.remove(channel.id)
    return reply(Tried(result.kind))


@operations.post("/api/me/notices/{id}/remove", responses(protocol.Notices, 401, 403, 404), Nothing)
async def remove_channel(request: Request, id: Id) -> Response:
    """Be told there no longer."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    channels = _notices(request).channels
    await channels.remove((await channels.find(visitor.person, id)).id)
    return await _answer(request, visitor)


@operations.post("/api/notices/stop", responses(Stopped, 401, 404), Nothing)
async def stop(request: Request, token: Token = "") -> Response:
    """Be told there no longer, by the link in a notice. The body does not count."""
    registry_of(request).limits.accounts.check(client_address(request))
    bearer = await registry_of(request).bearer(token or None, STOP)
    kind = await _notices(request).channels.remove(bearer.holder)
    if kind is None:
        raise RoomError("notice.stop", 404)
    return reply(Stopped(kind))


def _notices(request: Request) -> Notices:
    found: Notices = request.app.state.notices
    return found


def _origin(request: Request) -> str:
    return f"{request.scope['scheme']}://{request.headers.get('host', '').lower()}"


async def _answer(request: Request, visitor: Visitor) -> Response:
    own = _notices(request)
    choices, channels = await own.channels.of(visitor.person)
    shown = [_channel(each, visitor) for each in channels]
    return reply(protocol.Notices(choices, shown, to_text(own.push_key.public), own.has_mail, own.allows_private))


def _channel(channel: Channel, visitor: Visitor) -> NoticeChannel:
    here = channel.session_id == visitor.session.id
    return NoticeChannel(
        channel.id, channel.kind, channel.shape, channel.label, channel.place, channel.created, here
    )
