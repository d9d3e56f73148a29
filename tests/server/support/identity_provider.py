"""A real identity provider on loopback: OpenID Connect with PKCE, and tokens that are signed by a real key."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "quadriga", "s:cret/%"
KEY, FOREIGN_KEY = (RSAKey.generate_key(2048, {"kid": "one"}) for _ in range(2))


class IdentityProvider:
    """Signs everybody in at once. `change` alters the claims of the next tokens, and `key` signs them."""

    change: Callable[[dict[str, Any]], None]

    def __init__(self) -> None:
        self.port = 0
        self.described: dict[str, Any] = {}  # alters what the provider says about itself
        self._codes: dict[str, dict[str, str]] = {}
        self.reset()

    def reset(self) -> None:
        """Be honest again."""
        self.key, self.alg = KEY, "RS256"
        self.change = lambda claims: None
        self.padding = 0  # bytes before each answer

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}/realm"

    @property
    def setting(self) -> str:
        return f"http://{CLIENT}:s%3Acret%2F%25@127.0.0.1:{self.port}/realm?label=Club%20account"

    def sign_in(self, url: str, subject: str) -> dict[str, str]:
        """Sign somebody in who has come to this address; return the parameters with which they are sent back."""
        parts = urlsplit(url)
        asked = dict(parse_qsl(parts.query))
        assert url.startswith(f"{self.issuer}/authorize?")
        assert (asked["client_id"], asked["response_type"], asked["scope"]) == (CLIENT, "code", "openid")
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self._codes[code] = {**asked, "subject": subject}
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in head[1:] if line)}
            body = (await reader.readexactly(int(headers.get("content-length", "0")))).decode()
            path = head[0].split()[1]
            status, found = self._answer(path, headers, {k: v[0] for k, v in parse_qs(body).items()})
            raw = b" " * self.padding + json.dumps(found).encode()
            start = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(raw)}\r\n"
            writer.write(f"{start}connection: close\r\n\r\n".encode() + raw)
            await writer.drain()
        finally:
            writer.close()

    def _answer(self, path: str, headers: dict[str, str], body: dict[str, str]) -> tuple[int, dict[str, Any]]:
        match path.removeprefix("/realm"):
            case "/.well-known/openid-configuration":
                names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
                found = {name: f"{self.issuer}/{end}" for name, end in names.items()}
                return 200, {"issuer": self.issuer, **found, **self.described}
            case "/keys":
                return 200, {"keys": [KEY.as_dict(private=False)]}
            case "/token":
                return self._token(headers, body)
        return 404, {}

    def _token(self, headers: dict[str, str], body: dict[str, str]) -> tuple[int, dict[str, Any]]:
        user, _, password = base64.b64decode(headers["authorization"].split()[1]).decode().partition(":")
        asked = self._codes.pop(body["code"], None)  # a code is used once
        hashed = hashlib.sha256(body.get("code_verifier", "").encode()).digest()
        is_right = (
            (unquote(user), unquote(password)) == (CLIENT, SECRET)
            and asked is not None
            and _encoded(hashed) == asked["code_challenge"]
            and body["redirect_uri"] == asked["redirect_uri"]
        )
        if not is_right or asked is None:
            return 400, {"error": "invalid_grant"}
        at = int(time.time())
        claims = {"iss": self.issuer, "sub": asked["subject"], "aud": CLIENT, "iat": at, "exp": at + 300}
        claims["nonce"] = asked["nonce"]
        self.change(claims)
        token = self._signed(claims)
        return 200, {"access_token": "unused", "token_type": "Bearer", "id_token": token}

    def _signed(self, claims: dict[str, Any]) -> str:
        """Return a token: by this key, by the public key as if it were a secret, or unsigned."""
        header = {"alg": self.alg, "kid": "one"}
        if self.alg == "RS256":
            return jwt.encode(header, claims, self.key)
        raw = ".".join(_encoded(json.dumps(each).encode()) for each in (header, claims))
        secret = KEY.as_pem(private=False)
        return f"{raw}.{_encoded(hmac.digest(secret, raw.encode(), 'sha256')) if self.alg == 'HS256' else ''}"


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@asynccontextmanager
async def identity_provider() -> AsyncIterator[IdentityProvider]:
    """Run an identity provider while the block lasts."""
    found = IdentityProvider()
    serving = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = serving.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        serving.close()
