"""An authenticator in software: it makes passkeys and signs with them, also as an attacker would."""

from __future__ import annotations

import json
import secrets
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from quadriga.server.seats.tokens import to_text

_PRESENT, _VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


class Authenticator:
    """One passkey for a site, with a counter of its uses."""

    def __init__(self, site: str, name: str = "localhost") -> None:
        self.site, self.name = site, name
        self.id = secrets.token_bytes(32)
        self.uses = 0
        self._key = ec.generate_private_key(ec.SECP256R1())

    def made(self, options: dict[str, Any], **changed: str) -> dict[str, Any]:
        """Return the new passkey, as `navigator.credentials.create` does for these options."""
        numbers = self._key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attached = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(public)
        data = self._data(_PRESENT | _VERIFIED | _HAS_KEY, changed.get("name", self.name)) + attached
        statement = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"], changed)
        return self._credential(clientDataJSON=client, attestationObject=statement)

    def signed(self, options: dict[str, Any], **changed: str) -> dict[str, Any]:
        """Return the proof, as `navigator.credentials.get` does for these options."""
        self.uses += 1
        data = self._data(_PRESENT | _VERIFIED, changed.get("name", self.name))
        client = self._client("webauthn.get", options["challenge"], changed)
        signature = self._key.sign(data + sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _data(self, flags: int, name: str) -> bytes:
        return sha256(name.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4)

    def _client(self, kind: str, challenge: str, changed: dict[str, str]) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": self.site, "crossOrigin": False}
        return json.dumps({key: changed.get(key, value) for key, value in told.items()}).encode()

    def _credential(self, **response: bytes) -> dict[str, Any]:
        own = to_text(self.id)
        encoded = {name: to_text(value) for name, value in response.items()}
        return {"id": own, "rawId": own, "type": "public-key", "response": encoded}
