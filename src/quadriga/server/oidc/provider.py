"""Ask an identity provider: the authorization code flow with PKCE.

All that belongs to one attempt comes from one secret, which the browser that has begun it keeps in a cookie: the
state, the nonce and the verifier.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from quadriga.server.logs import LOGGER, safe
from quadriga.server.oidc.choice import MOST_CHARACTERS, ProviderSettings, derived, is_safe
from quadriga.server.protocol.errors import RoomError

_TOTAL_S = 10.0  # for all requests of one step
_MOST_BYTES = 2**18  # of an answer of the provider
_KEPT_S = 3600.0  # that the provider's description of itself is kept
_LEEWAY_S = 60  # that the clocks of the provider and of this server may differ
_SIGNATURES = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA".split()  # by public keys
_TLS = ssl.create_default_context()
_BASIC, _POST = "client_secret_basic", "client_secret_post"
_FAULTS = (httpx2.HTTPError, httpx2.InvalidURL, AuthlibBaseError, JoseError, OSError, TimeoutError)
_WRONG_ANSWERS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # of another form than promised


class Provider:
    """An identity provider. All methods raise RoomError if it does not answer as it should."""

    def __init__(self, settings: ProviderSettings) -> None:
        self.settings = settings
        self._described: dict[str, Any] = {}
        self._until = 0.0  # when the description is asked for again

    async def address(self, secret: str, back: str) -> str:
        """Return the address where a person signs in, from where they come back to `back`."""
        async with self._asking() as client:
            described = await self._description(client)
            url, _ = client.create_authorization_url(
                described["authorization_endpoint"],
                redirect_uri=back,
                state=derived(secret, "state"),
                nonce=derived(secret, "nonce"),
                code_verifier=derived(secret, "verifier"),
            )
            return str(url)

    async def subject(self, secret: str, code: str, back: str) -> str:
        """Return who has signed in, as the provider names them, for the code that it has given to their browser."""
        async with self._asking() as client:
            described = await self._description(client)
            if self.settings.client_secret:
                methods = described.get("token_endpoint_auth_methods_supported") or [_BASIC]
                client.token_endpoint_auth_method = _BASIC if _BASIC in methods else _POST
            answer = await client.fetch_token(
                described["token_endpoint"],
                grant_type="authorization_code",
                code=code,
                redirect_uri=back,
                code_verifier=derived(secret, "verifier"),
            )
            keys = KeySet.import_key_set(await _json(client, described["jwks_uri"]))  # type: ignore[arg-type]
            token = jwt.decode(answer["id_token"], keys, algorithms=_SIGNATURES)
            self._check_claims(token, secret)
            subject = token.claims["sub"]
            if not isinstance(subject, str) or not 0 < len(subject) <= MOST_CHARACTERS or "\0" in subject:
                raise ValueError("the subject is not a short text")
            return subject

    def _check_claims(self, token: jwt.Token, secret: str) -> None:
        """Raise JoseError unless a token is of this provider, for this server, for this attempt, and valid now."""
        own: Any = {
            "iss": {"essential": True, "value": self.settings.issuer},
            "aud": {"essential": True, "value": self.settings.client_id},
        }
        params = {"nonce": derived(secret, "nonce"), "client_id": self.settings.client_id}
        CodeIDToken(token.claims, token.header, own, params).validate(leeway=_LEEWAY_S)

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[AsyncOAuth2Client]:
        """Ask the provider in the block, for a limited time. Raises RoomError for everything that goes wrong."""
        client = AsyncOAuth2Client(
            self.settings.client_id,
            self.settings.client_secret or None,
            scope="openid",
            code_challenge_method="S256",
            timeout=_TOTAL_S,
            headers={"accept-encoding": "identity"},
            transport=_LimitedTransport(verify=_TLS),
            trust_env=False,  # a proxy from the environment would have a transport of its own
        )
        try:
            async with asyncio.timeout(_TOTAL_S), client:
                yield client
        except (*_FAULTS, *_WRONG_ANSWERS) as fault:
            reason = f"{type(fault).__name__} {fault}"
            LOGGER.error("The identity provider %s has failed: %s", self.settings.issuer, safe(reason, 200))
            raise RoomError("oidc.failed", 403, label=self.settings.label) from None

    async def _description(self, client: AsyncOAuth2Client) -> dict[str, Any]:
        """Return what the provider says about itself: its addresses."""
        if time.monotonic() >= self._until:
            issuer = self.settings.issuer
            found = await _json(client, issuer.rstrip("/") + "/.well-known/openid-configuration")
            if found["issuer"] != issuer:
                raise ValueError("the provider has another name")
            if not all(is_safe(found[name]) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")):
                raise ValueError("an address of the provider is not safe")
            self._described, self._until = found, time.monotonic() + _KEPT_S
        return self._described


async def _json(client: AsyncOAuth2Client, url: str) -> dict[str, Any]:
    answer = await client.request("GET", url, withhold_token=True)
    answer.raise_for_status()
    found = answer.json()
    if not isinstance(found, dict):
        raise ValueError("an answer is not an object")
    return found


class _LimitedTransport(httpx2.AsyncHTTPTransport):
    """Refuses answers that are too large, or compressed, so that nobody knows how large they are."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; return the answer."""
        answer = await super().handle_async_request(request)
        if answer.headers.get("content-encoding", "identity") != "identity":
            await answer.aclose()
            raise httpx2.DecodingError("the answer is compressed", request=request)
        assert isinstance(answer.stream, httpx2.AsyncByteStream)
        answer.stream = _LimitedStream(answer.stream)
        return answer


class _LimitedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for piece in self._stream:
            count += len(piece)
            if count > _MOST_BYTES:
                raise httpx2.ReadError("the answer is too large")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
