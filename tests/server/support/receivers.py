"""Receivers of notices: an HTTP server that keeps what it gets, and a browser whose pushes it decrypts."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from quadriga.server.seats.tokens import to_bytes, to_text


class Got(NamedTuple):
    """A request that was received."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """Takes POST requests on loopback. `answers` are the statuses of the next answers, then 201."""

    def __init__(self) -> None:
        self.got: list[Got] = []
        self.answers: list[int] = []
        self.on_request: Callable[[Got], None] = lambda got: None
        self.may_answer = asyncio.Event()  # a slow one keeps everybody waiting until it is set
        self.may_answer.set()
        self._new = asyncio.Event()
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            sent = dict(line.split(": ", 1) for line in head[1:] if line)
            headers = {name.lower(): value for name, value in sent.items()}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            got = Got(head[0].split()[1], headers, body)
            self.got.append(got)
            self.on_request(got)
            self._new.set()
            await self.may_answer.wait()
            status = self.answers.pop(0) if self.answers else 201
            if status:  # 0: hang up without an answer
                more = "location: http://127.0.0.1:9/\r\n" if status == 302 else ""
                writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: 0\r\n{more}\r\n".encode())
                await writer.drain()
        finally:
            writer.close()

    async def until(self, count: int) -> list[Got]:
        """Wait until so many requests have come; return them."""
        while len(self.got) < count:
            self._new.clear()
            await self._new.wait()
        return self.got


@asynccontextmanager
async def receiving(**options: Any) -> AsyncIterator[Receiver]:
    """Receive while the block lasts."""
    found = Receiver()
    serving = await asyncio.start_server(found.serve, "127.0.0.1", 0, **options)
    found.port = serving.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        serving.close()


class PushBrowser:
    """A browser that has subscribed to pushes: its keys, and what it can read."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)

    def subscription(self, endpoint: str) -> dict[str, str]:
        return {"endpoint": endpoint, "p256dh": to_text(self._public), "auth": to_text(self._secret)}

    @property
    def _public(self) -> bytes:
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def read(self, got: Got) -> dict[str, Any]:
        """Decrypt a push as RFC 8188 and RFC 8291 say."""
        assert got.headers["content-encoding"] == "aes128gcm"
        assert int(got.headers["ttl"]) > 0
        salt, size, length = got.body[:16], int.from_bytes(got.body[16:20], "big"), got.body[20]
        assert len(got.body) <= size == 4096
        sender = got.body[21 : 21 + length]
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + self._public + sender
        seed = _expand(_extract(self._secret, shared), info, 32)
        secret = _extract(salt, seed)
        key = _expand(secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _expand(secret, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, got.body[21 + length :], None).rstrip(b"\0")
        assert text.endswith(b"\2")
        found: dict[str, Any] = json.loads(text[:-1])
        return found


def check_signature(got: Got, public: str, audience: str) -> dict[str, Any]:
    """Check the signature of a push as RFC 8292 says; return its claims."""
    scheme, _, rest = got.headers["authorization"].partition(" ")
    fields = dict(each.strip().split("=", 1) for each in rest.split(","))
    assert (scheme, fields["k"]) == ("vapid", public)
    signed, _, signature = fields["t"].rpartition(".")
    raw = to_bytes(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), to_bytes(public))
    key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = (json.loads(to_bytes(part)) for part in signed.split("."))
    assert header["alg"] == "ES256"
    assert claims["aud"] == audience
    found: dict[str, Any] = claims
    return found


def _extract(salt: bytes, secret: bytes) -> bytes:
    return hmac.digest(salt, secret, "sha256")


def _expand(secret: bytes, info: bytes, length: int) -> bytes:
    return HKDFExpand(hashes.SHA256(), length, info).derive(secret)
