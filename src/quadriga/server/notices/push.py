"""Web push: encrypt what a browser shows (RFC 8291), and sign who sends it (RFC 8292)."""

from __future__ import annotations

import base64
import os
import time
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.tokens import to_text
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import SITE

KEY_BYTES, SECRET_BYTES = 65, 16  # of a browser: its public key, and the secret that it shares with us
_NAME = "push-key"
_RECORD = 4096  # bytes of the only record
_VALID_S = 12 * 3600  # that a signature is valid
_KEPT_S = 86_400  # that a push service keeps a notice for a browser that is off


class Browser(NamedTuple):
    """The keys of a browser that takes pushes."""

    public: bytes
    secret: bytes


def browser(keys: bytes) -> Browser:
    """Return the keys of a browser. Raises RoomError if they are none."""
    public, secret = keys[:KEY_BYTES], keys[KEY_BYTES:]
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    except (ValueError, UnsupportedAlgorithm):
        raise RoomError("notice.keys", 422) from None
    if len(public) != KEY_BYTES or len(secret) != SECRET_BYTES:
        raise RoomError("notice.keys", 422)
    return Browser(public, secret)


class PushKey:
    """The key by which push services know this server. Browsers accept pushes that it has signed."""

    def __init__(self, key: ec.EllipticCurvePrivateKey) -> None:
        self._key = key
        self.public = _point(key)

    @classmethod
    async def of(cls, store: Storage) -> PushKey:
        """Return the key of a store, which gets one if it has none."""
        new = ec.generate_private_key(ec.SECP256R1())

        def work(connection: sa.Connection) -> bytes:
            known = connection.execute(sa.select(SITE.c.value).where(SITE.c.name == _NAME)).scalar()
            if known is None:
                known = new.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
                connection.execute(SITE.insert().values(name=_NAME, value=known))
            return bytes(known)

        key = load_der_private_key(await store.transact(work), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return cls(key)

    def headers(self, endpoint: str, subject: str, topic: str) -> dict[str, str]:
        """Return the headers of a push. `subject` says how to reach the host; a topic replaces the one before."""
        parts = urlsplit(endpoint)
        claims: dict[str, object] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + _VALID_S}
        if subject.startswith(("https:", "mailto:")):
            claims["sub"] = subject
        signed = ".".join(to_text(msgspec.json.encode(each)) for each in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = utils.decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = to_text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return {
            "authorization": f"vapid t={signed}.{signature}, k={to_text(self.public)}",
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(_KEPT_S),
            "topic": topic,
            "urgency": "normal",
        }


def encrypted(text: bytes, to: Browser, key: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b"") -> bytes:
    """Return a text that only a browser can read. The key and the salt are new each time, but for tests."""
    own, salt = key or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    public = _point(own)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), to.public)
    shared = own.exchange(ec.ECDH(), theirs)
    seed = _derived(shared, to.secret, b"WebPush: info\0" + to.public + public, 32)
    content_key = _derived(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(seed, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, text + b"\2", None)
    return salt + _RECORD.to_bytes(4, "big") + bytes([len(public)]) + public + sealed


def topic(*parts: object) -> str:
    """Return a topic: 32 characters that are the same for the same parts."""
    digest = hashes.Hash(hashes.SHA256())
    digest.update("\0".join(map(str, parts)).encode())
    return base64.urlsafe_b64encode(digest.finalize()[:24]).decode()


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
