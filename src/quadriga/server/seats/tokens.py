"""Seat tokens: who somebody is at a table, signed with keys that change."""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
from typing import NamedTuple

import msgspec

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import SigningKey, Storage, now

_DAY = 86_400_000
ROTATES = 30 * _DAY  # a new key,
EXPIRES = 365 * _DAY  # ... and the end of an old one
_LONGEST = 400
_SAID = msgspec.json.Decoder(tuple[str, str, int])


class Bearer(NamedTuple):
    """What a token says."""

    table: str
    holder: str
    key: int


class Tokens:
    """Signs and reads tokens; the newest key signs, all that are kept may be read."""

    def __init__(self, keys: list[SigningKey]) -> None:
        self._keys = {key.id: key for key in keys}
        self._newest = keys[-1]

    @classmethod
    async def of(cls, store: Storage) -> Tokens:
        """The tokens of a store; a key that is old gets a successor, one that is very old is forgotten."""
        await store.drop_keys(now() - EXPIRES)
        keys = await store.keys()
        if not keys or keys[-1].created < now() - ROTATES:
            await store.add_key(secrets.token_bytes(32))
            keys = await store.keys()
        return cls(keys)

    def issue(self, table: str, holder: str) -> str:
        """A new token."""
        said = msgspec.json.encode([table, holder, self._newest.id])
        return f"{_text(said)}.{_text(self._signed(self._newest, said))}"

    def read(self, token: str, table: str) -> Bearer:
        """What a token says, if it is ours and for this table."""
        try:
            said, signature = (_bytes(part) for part in token[:_LONGEST].split("."))
            bearer = Bearer(*_SAID.decode(said))
        except (ValueError, binascii.Error, msgspec.DecodeError):
            raise RoomError("token.bad", 401) from None
        key = self._keys.get(bearer.key)
        if key is None or bearer.table != table or not hmac.compare_digest(signature, self._signed(key, said)):
            raise RoomError("token.bad", 401)
        return bearer

    def renewed(self, bearer: Bearer) -> str | None:
        """A new token for one that an old key has signed."""
        return None if bearer.key == self._newest.id else self.issue(bearer.table, bearer.holder)

    @staticmethod
    def _signed(key: SigningKey, said: bytes) -> bytes:
        return hmac.digest(key.secret, b"quadriga/token/1\0" + said, "sha256")


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)


def new_id() -> str:
    """An id that nobody can guess: of a table, or of a guest."""
    return secrets.token_hex(10)
