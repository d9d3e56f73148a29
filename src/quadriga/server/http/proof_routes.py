"""Requests that prove who one is: recovery codes, codes for another device, passkeys. `docs/protocol.md`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import account_of, member, people_of, person_again, reply_me, site_of
from quadriga.server.http.request import client_address, read_body, registry_of, reply, visitor_of
from quadriga.server.people import codes
from quadriga.server.protocol.openapi import responses
from quadriga.server.protocol.people import Kept, LinkCode, Me, PasskeyOptions, PasskeyProof, Proof
from quadriga.server.protocol.requests import Nothing

operations = Operations(get="sign-in", post="sign-in")


@operations.post("/api/me/recovery", responses(Kept, 401, 403), Nothing)
async def renew_recovery(request: Request) -> Response:
    """Get a new recovery code; the old one is void."""
    visitor = await member(request)
    await read_body(request, Nothing)
    code = await people_of(request).proofs.renew_recovery(visitor.person)
    return reply(Kept(account_of(await person_again(request, visitor)), code))


@operations.post("/api/recover", responses(Me, 403, 409), Proof)
async def recover(request: Request) -> Response:
    """Sign this device in by a recovery code."""
    asked = await read_body(request, Proof)
    person = codes.typed(asked.code)[: codes.RECOVERY_ID]
    registry_of(request).limits.check_proof(client_address(request), f"recovery {person}")
    found = people_of(request).proofs.recover(asked.code, await visitor_of(request), asked.label, asked.merge)
    return reply_me(request, *await found)


@operations.post("/api/me/link", responses(LinkCode, 401, 403), Nothing)
async def new_link(request: Request) -> Response:
    """Get a code that signs in another device, once, within five minutes."""
    visitor = await member(request)
    await read_body(request, Nothing)
    return reply(LinkCode(*await people_of(request).proofs.new_link(visitor.person)))


@operations.post("/api/link", responses(Me, 403, 409), Proof)
async def link(request: Request) -> Response:
    """Sign this device in by a code from another one."""
    asked = await read_body(request, Proof)
    registry_of(request).limits.check_proof(client_address(request))
    found = people_of(request).proofs.link(asked.code, await visitor_of(request), asked.label, asked.merge)
    return reply_me(request, *await found)


@operations.post("/api/passkeys/options", responses(PasskeyOptions), Nothing)
async def passkey_question(request: Request) -> Response:
    """Get what the browser needs to sign in by a passkey."""
    await read_body(request, Nothing)
    registry_of(request).limits.accounts.check(client_address(request))
    return reply(PasskeyOptions(await people_of(request).passkeys.question(site_of(request))))


@operations.post("/api/passkeys", responses(Me, 403, 409), PasskeyProof)
async def sign_in_by_passkey(request: Request) -> Response:
    """Sign this device in by a passkey."""
    asked = await read_body(request, PasskeyProof)
    registry_of(request).limits.check_proof(client_address(request))
    visitor = await visitor_of(request)
    found = people_of(request).passkeys.sign_in(
        site_of(request), asked.credential, visitor, asked.label, asked.merge
    )
    return reply_me(request, *await found)
