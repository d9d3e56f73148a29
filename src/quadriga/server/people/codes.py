"""Secrets: made by the system's random numbers, stored as hashes, and written so that people can type them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from concurrent.futures import ThreadPoolExecutor

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # 32 characters, none of which is easily taken for another
_TYPED_INSTEAD = str.maketrans("OIL", "011")
_GROUP = 4
RECOVERY_ID = 8  # characters of a recovery code that find the person; the other 16 prove it
RECOVERY = 24
LINK = 8
_SALT = 16
_SCRYPT = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}  # 16 MB and about 50 ms
# One at a time, in a thread of its own: a flood of codes holds up nothing but other codes.
_SLOW = ThreadPoolExecutor(1, "slow-hash")

DEVICE, BOT = "device", "bot"
_PREFIXES = {DEVICE: "qd_", BOT: "qb_"}


def new_secret(kind: str) -> str:
    """Return the secret of a new device, or the key of a bot: 256 bits."""
    return _PREFIXES[kind] + secrets.token_urlsafe(32)


def is_secret(text: str) -> bool:
    """Return whether a text has the form of such a secret, and not that of a token for one table."""
    return text.startswith(tuple(_PREFIXES.values())) and len(text) < 80


def hashed(secret: str | bytes) -> bytes:
    """Return the hash of a secret that has enough bits to need no slow one."""
    return hashlib.sha256(secret.encode() if isinstance(secret, str) else secret).digest()


def new_code(length: int) -> str:
    """Return a random code that people can type."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def grouped(code: str) -> str:
    """Return a code in groups of four characters, as it is shown."""
    return "-".join(code[first : first + _GROUP] for first in range(0, len(code), _GROUP))


def typed(text: str) -> str:
    """Return a code as it was made, from what somebody has typed."""
    return "".join(c for c in text.upper().translate(_TYPED_INSTEAD) if c in ALPHABET)


def slow_hash(code: str) -> bytes:
    """Return a salt and the slow hash of a code."""
    salt = secrets.token_bytes(_SALT)
    return salt + hashlib.scrypt(code.encode(), salt=salt, maxmem=2**26, **_SCRYPT)


def is_same(code: str, stored: bytes | None) -> bool:
    """Return whether a code has this slow hash; without one, take as long and return False."""
    salt = (stored or bytes(_SALT))[:_SALT]
    found = salt + hashlib.scrypt(code.encode(), salt=salt, maxmem=2**26, **_SCRYPT)
    return hmac.compare_digest(found, stored or b"")


async def slowly_hashed(code: str) -> bytes:
    """Return a salt and the slow hash of a code, which is computed beside the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_SLOW, slow_hash, code)


async def is_proved(code: str, stored: bytes | None) -> bool:
    """Return whether a code has a slow hash, which is computed beside the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_SLOW, is_same, code, stored)
