"""Helpers for requests about people: who sends one, and the answer with their account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.request import client_address, registry_of, reply, visitor_of
from quadriga.server.people.passkeys import Site
from quadriga.server.people.people import People
from quadriga.server.people.person import Person, Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.people import Account, Me

if TYPE_CHECKING:
    from quadriga.server.oidc.provider import Provider

_COOKIE_S = 400 * 86_400  # the longest that browsers keep one


def people_of(request: Request) -> People:
    """Return the people of this server."""
    return registry_of(request).people


def provider_of(request: Request) -> Provider:
    """Return the host's identity provider. Raises RoomError if there is none."""
    provider: Provider | None = request.app.state.provider
    if provider is None:
        raise RoomError("oidc.none", 404)
    return provider


async def owner(request: Request) -> Visitor:
    """Return who sends a request about an account. Raises RoomError for strangers, bots, and too many requests."""
    registry_of(request).limits.accounts.check(client_address(request))
    visitor = await visitor_of(request)
    if visitor is None:
        raise RoomError("person.stranger", 401)
    visitor.check_owner()
    return visitor


async def known(request: Request) -> Visitor:
    """Return who sends a request, device or bot. Raises RoomError for strangers, and too many requests."""
    registry_of(request).limits.accounts.check(client_address(request))
    visitor = await visitor_of(request)
    if visitor is None:
        raise RoomError("person.stranger", 401)
    return visitor


async def member(request: Request) -> Visitor:
    """Return the member who sends a request. Raises RoomError for anybody else."""
    visitor = await owner(request)
    visitor.check_member()
    return visitor


async def person_again(request: Request, visitor: Visitor) -> Person:
    """Return a person after a change. Raises RoomError if the account was deleted meanwhile."""
    person = await people_of(request).accounts.find(visitor.person.id)
    if person is None:
        raise RoomError("person.stranger", 401)
    return person


def site_of(request: Request) -> Site:
    """Return the address under which the browser sees this server."""
    return Site(request.scope["scheme"], request.headers.get("host", "").lower())


def account_of(person: Person) -> Account:
    """Return a person as they see themselves."""
    return Account(person.id, person.name, person.role, person.created, person.public, person.has_recovery)


def reply_me(request: Request, visitor: Visitor | None, secret: str | None = None) -> Response:
    """Reply with the person who sends a request, and a new secret of the device, if there is one."""
    account = None if visitor is None else account_of(visitor.person)
    has_mail, provider = bool(registry_of(request).settings.mail), request.app.state.provider
    label = None if provider is None else provider.settings.label
    response = reply(Me(account, site_of(request).problem or "yes", has_mail, label))
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


def position(text: str) -> tuple[int, str] | None:
    """Return where a list goes on. Raises RoomError for anything that no answer has given."""
    if not text:
        return None
    ended, _, table_id = text.partition("-")
    if not ended.isascii() or not ended.isdecimal() or len(ended) > 15:
        raise RoomError("wire.field", 422, reason="before")
    return int(ended), table_id
