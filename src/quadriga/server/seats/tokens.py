"""Tokens: signed texts that identify a person in a room. The signing keys rotate."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import secrets
import time
from typing import NamedTuple

import msgspec

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import SigningKey, Storage, now

_DAY_MS = 86_400_000
ROTATES = 30 * _DAY_MS  # the age of a key at which a new one replaces it
EXPIRES = 365 * _DAY_MS  # the age of a key at which its tokens become invalid
_REFRESH_S = 1.0  # between two reads of the keys because of a token of an unknown key
_LONGEST = 400  # characters of a token
_CLAIMS = msgspec.json.Decoder(tuple[str, str, int])


class UnknownKeyError(RoomError):
    """A token is signed with a key that this process does not know."""


class Bearer(NamedTuple):
    """The claims of a token."""

    table: str
    holder: str
    key: int


class Tokens:
    """Signs and reads tokens. The newest key signs; tokens of all keys that are kept are valid."""

    def __init__(self, keys: list[SigningKey]) -> None:
        self._keys = {key.id: key for key in keys}
        self._newest = keys[-1]
        self._refreshing = asyncio.Lock()
        self._refreshed_at = 0.0

    @classmethod
    async def of(cls, store: Storage) -> Tokens:
        """Return the tokens of a store; add a key if the newest is old, and drop expired keys."""
        await store.drop_keys(now() - EXPIRES)
        keys = await store.keys()
        if not keys or keys[-1].created < now() - ROTATES:
            await store.add_key(secrets.token_bytes(32))
            keys = await store.keys()
        return cls(keys)

    async def refresh(self, store: Storage) -> None:
        """Read the keys again, at most once a second: forged tokens must not keep the store busy."""
        asked_at = time.monotonic()
        async with self._refreshing:
            if asked_at > self._refreshed_at:
                await asyncio.sleep(self._refreshed_at + _REFRESH_S - time.monotonic())
                self._refreshed_at = time.monotonic()
                self._keys = {key.id: key for key in await store.keys()}

    def bearer(self, table: str, holder: str) -> Bearer:
        """Return the claims of a token that would be issued now."""
        return Bearer(table, holder, self._newest.id)

    def issue(self, table: str, holder: str) -> str:
        """Return a new token."""
        claims = msgspec.json.encode([table, holder, self._newest.id])
        return f"{to_text(claims)}.{to_text(self._signature(self._newest, claims))}"

    def read(self, token: str, table: str) -> Bearer:
        """Return the claims of a token; raise RoomError if it is not valid for this room."""
        try:
            claims, signature = (to_bytes(part) for part in token[:_LONGEST].split("."))
            bearer = Bearer(*_CLAIMS.decode(claims))
        except (ValueError, binascii.Error, msgspec.DecodeError):
            raise RoomError("token.bad", 401) from None
        key = self._keys.get(bearer.key)
        if key is None:
            raise UnknownKeyError("token.bad", 401)
        if bearer.table != table or not hmac.compare_digest(signature, self._signature(key, claims)):
            raise RoomError("token.bad", 401)
        return bearer

    def renewed(self, bearer: Bearer) -> str | None:
        """Return a new token for one that an old key has signed, or None."""
        return None if bearer.key == self._newest.id else self.issue(bearer.table, bearer.holder)

    @staticmethod
    def _signature(key: SigningKey, claims: bytes) -> bytes:
        return hmac.digest(key.secret, b"quadriga/token/1\0" + claims, "sha256")


def to_text(raw: bytes) -> str:
    """Return bytes as base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def to_bytes(text: str) -> bytes:
    """Return the bytes of such a text. Raises ValueError if it is not one."""
    return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)


def new_id() -> str:
    """Return an id that nobody can guess, for a room or a guest."""
    return secrets.token_hex(10)
