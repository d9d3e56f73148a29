"""Requests about the host's identity provider: sign in there, and use the proof. `docs/protocol.md`.

The provider sends the browser back to the page, which asks with the cookies of its own site. So these cookies need
not be sent with any request that another site has caused.
"""

from __future__ import annotations

import hmac

from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.device_routes import reply_devices
from quadriga.server.http.joining import admission
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import (
    account_of,
    member,
    owner,
    people_of,
    person_again,
    provider_of,
    reply_me,
)
from quadriga.server.http.request import client_address, read_body, registry_of, reply, visitor_of
from quadriga.server.oidc.choice import derived
from quadriga.server.people.proofs import CODE_MS
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.oidc import OidcLink, OidcNaming, OidcProof, OidcProved, OidcReturn, OidcStart
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import Devices, Kept, Me
from quadriga.server.protocol.requests import Nothing

operations = Operations(get="sign-in", post="sign-in")
_PATH = "/api/oidc"


@operations.post("/api/oidc/start", responses(OidcStart, 403, 404), Nothing)
async def start_oidc(request: Request) -> Response:
    """Get the address at which one signs in at the host's identity provider."""
    await read_body(request, Nothing)
    provider = provider_of(request)
    registry_of(request).limits.accounts.check(client_address(request))
    visitor = await visitor_of(request)
    secret = await people_of(request).subjects.begin(None if visitor is None else visitor.person)
    response = reply(OidcStart(await provider.address(secret, _back(request))))
    response.set_cookie(
        _cookie(request),
        secret,
        max_age=CODE_MS // 1000,
        path=_PATH,
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite="strict",
    )
    return response


@operations.post("/api/oidc/finish", responses(OidcProved, 403, 404), OidcReturn)
async def finish_oidc(request: Request) -> Response:
    """Get a proof for the account with which one has signed in at the provider, in this browser."""
    asked = await read_body(request, OidcReturn)
    provider = provider_of(request)
    registry_of(request).limits.check_proof(client_address(request))
    subjects, issuer = people_of(request).subjects, provider.settings.issuer
    secret = request.cookies.get(_cookie(request), "")
    is_own = hmac.compare_digest(derived(secret, "state").encode(), asked.state.encode())
    if not is_own or asked.iss not in (None, issuer):
        raise RoomError("code.wrong", 403)
    visitor = await visitor_of(request)
    person = None if visitor is None else visitor.person
    await subjects.end(secret, person)
    subject = await provider.subject(secret, asked.code, _back(request))
    known = await subjects.owner(issuer, subject)
    whose = "nobody" if known is None else "me" if person is not None and known == person.id else "other"
    response = reply(OidcProved(await subjects.proof(issuer, subject), whose))
    response.delete_cookie(_cookie(request), path=_PATH)
    return response


@operations.post("/api/oidc/sign-in", responses(Me, 403, 404, 409), OidcProof)
async def sign_in_by_oidc(request: Request) -> Response:
    """Sign this device in by an account at the provider."""
    asked = await read_body(request, OidcProof)
    issuer = provider_of(request).settings.issuer
    registry_of(request).limits.accounts.check(client_address(request))
    visitor = await visitor_of(request)
    found = people_of(request).subjects.sign_in(issuer, asked.proof, visitor, asked.label, asked.merge)
    return reply_me(request, *await found)


@operations.post("/api/me/oidc/keep", responses(Kept, 401, 403, 404, 409), OidcNaming, "join")
async def keep_by_oidc(request: Request) -> Response:
    """Become a member by an account at the provider: take a name, and get a recovery code."""
    visitor, asked = await owner(request), await read_body(request, OidcNaming)
    issuer = provider_of(request).settings.issuer
    admitted = admission(request, visitor.person, asked)
    recovery = await people_of(request).subjects.keep(visitor.person, asked.name, issuer, asked.proof, admitted)
    return reply(Kept(account_of(await person_again(request, visitor)), recovery))


@operations.post("/api/me/oidc", responses(Devices, 401, 403, 404, 409), OidcLink)
async def link_oidc(request: Request) -> Response:
    """Make an account at the provider one's own, to sign in by it."""
    visitor, asked = await member(request), await read_body(request, OidcLink)
    await people_of(request).subjects.link(visitor.person, provider_of(request).settings.issuer, asked.proof)
    return await reply_devices(request, visitor)


@operations.post("/api/me/oidc/remove", responses(Devices, 401, 403), Nothing)
async def unlink_oidc(request: Request) -> Response:
    """Forget one's account at the provider."""
    visitor = await member(request)
    await read_body(request, Nothing)
    await people_of(request).subjects.unlink(visitor.person)
    return await reply_devices(request, visitor)


def _back(request: Request) -> str:
    """Return the address to which the provider sends the browser back: the page *You*."""
    return f"{request.scope['scheme']}://{request.headers.get('host', '').lower()}/me"


def _cookie(request: Request) -> str:
    return f"{people_of(request).cookie}-oidc"
