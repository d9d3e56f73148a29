"""Passkeys: keys that a browser or a security key holds, for sites that have a domain and TLS."""

from __future__ import annotations

import ipaddress
import json
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.people.accounts import note
from quadriga.server.people.person import Person, Visitor
from quadriga.server.people.proofs import Proofs, sign_in
from quadriga.server.protocol.errors import RoomError, TakenError
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.people_schema import PASSKEYS

_REGISTER, _SIGN_IN = "passkey-new", "passkey-use"
MOST_PASSKEYS = 20  # of a person


class Site(NamedTuple):
    """The address under which a browser sees this server."""

    scheme: str
    host: str  # with the port

    @property
    def name(self) -> str:
        """The host's name without the port."""
        return self.host.rpartition(":")[0].strip("[]") if self.has_port else self.host.strip("[]")

    @property
    def has_port(self) -> bool:
        """True if the host is followed by a port."""
        return self.host.rpartition(":")[2].isdecimal() and not self.host.endswith("]")

    @property
    def origin(self) -> str:
        """The origin, as the browser signs it."""
        return f"{self.scheme}://{self.host}"

    @property
    def problem(self) -> str:
        """The reason why there can be no passkeys here: `address` or `plain`; empty if there can."""
        try:
            ipaddress.ip_address(self.name)
        except ValueError:
            return "" if self.scheme == "https" or self.name == "localhost" else "plain"
        return "address"

    def check(self) -> None:
        """Raise RoomError if a browser makes no passkeys for this address."""
        if self.problem == "address":
            raise RoomError("passkey.address", 422)
        if self.problem:
            raise RoomError("passkey.plain", 422)


class StoredPasskey(NamedTuple):
    """A passkey of a person, as a list shows it."""

    id: bytes
    label: str
    created: int


class Passkeys:
    """The passkeys of all people. The library is loaded when it is needed: it takes longer than all else."""

    def __init__(self, store: Storage, proofs: Proofs) -> None:
        self._store, self._proofs = store, proofs

    async def all(self, person: Person) -> list[StoredPasskey]:
        """Return the passkeys of a person."""
        columns = (PASSKEYS.c.id, PASSKEYS.c.label, PASSKEYS.c.created)
        selected = sa.select(*columns).where(PASSKEYS.c.person_id == person.id).order_by(PASSKEYS.c.created)
        return [StoredPasskey._make(row) for row in await self._store.read(selected)]

    async def registration(self, person: Person, site: Site) -> dict[str, Any]:
        """Return what the browser needs to make a passkey for a member."""
        import webauthn
        from webauthn.helpers import structs

        site.check()
        known = await self.all(person)
        if len(known) >= MOST_PASSKEYS:
            raise RoomError("passkey.many", most=MOST_PASSKEYS)
        options = webauthn.generate_registration_options(
            rp_id=site.name,
            rp_name="Quadriga",
            user_id=person.id.encode(),
            user_name=person.name or "",
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=each.id) for each in known],
        )
        await self._proofs.add_once(_REGISTER, options.challenge, person.id)
        found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return found

    async def register(self, person: Person, site: Site, credential: dict[str, Any], label: str) -> None:
        """Store the passkey that a browser has made. Raises RoomError if it does not prove itself."""
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException

        site.check()
        challenge = _challenge(credential)
        await self._proofs.use_once(_REGISTER, challenge, person.id)
        try:
            made = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
            )
        except WebAuthnException as fault:
            raise RoomError("passkey.wrong", 403, reason=str(fault)[:200]) from None
        row = {"id": made.credential_id, "public_key": made.credential_public_key, "uses": made.sign_count}

        def work(connection: sa.Connection) -> None:
            connection.execute(PASSKEYS.insert().values(**row, person_id=person.id, label=label, created=now()))
            note(connection, person.id, "passkey", label)

        try:
            await self._store.transact(work)
        except TakenError:
            raise RoomError("passkey.known") from None

    async def question(self, site: Site) -> dict[str, Any]:
        """Return what the browser needs to sign in with any passkey for this site."""
        import webauthn

        site.check()
        options = webauthn.generate_authentication_options(rp_id=site.name)
        await self._proofs.add_once(_SIGN_IN, options.challenge)
        found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return found

    async def sign_in(
        self, site: Site, credential: dict[str, Any], visitor: Visitor | None, label: str, may_merge: bool
    ) -> tuple[Visitor, str]:
        """Sign a device in by a passkey; return its owner and its new secret."""
        import webauthn
        from webauthn.helpers import base64url_to_bytes
        from webauthn.helpers.exceptions import WebAuthnException

        site.check()
        challenge = _challenge(credential)
        await self._proofs.use_once(_SIGN_IN, challenge)
        try:
            key_id = base64url_to_bytes(str(credential.get("id", "")))
        except ValueError:
            key_id = b""
        columns = (PASSKEYS.c.person_id, PASSKEYS.c.public_key, PASSKEYS.c.uses)
        found = await self._store.read(sa.select(*columns).where(PASSKEYS.c.id == key_id))
        if not found:
            raise RoomError("passkey.unknown", 403)
        person_id, public_key, uses = found[0]
        try:
            proved = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                credential_public_key=public_key,
                credential_current_sign_count=uses,
            )
        except WebAuthnException as fault:
            raise RoomError("passkey.wrong", 403, reason=str(fault)[:200]) from None

        def work(connection: sa.Connection) -> tuple[Visitor, str]:
            counted = sa.update(PASSKEYS).where(PASSKEYS.c.id == key_id, PASSKEYS.c.uses == uses)
            if connection.execute(counted.values(uses=proved.new_sign_count)).rowcount != 1:
                raise RoomError("passkey.wrong", 403, reason="sign count")  # a copy of it has signed in meanwhile
            return sign_in(connection, person_id, visitor, label, may_merge, "passkey-used")

        return await self._store.transact(work)

    async def remove(self, person: Person, id: bytes) -> None:
        """Delete a passkey of a person. Raises RoomError if they have no such one."""

        def work(connection: sa.Connection) -> bool:
            own = sa.delete(PASSKEYS).where(PASSKEYS.c.id == id, PASSKEYS.c.person_id == person.id)
            if connection.execute(own).rowcount != 1:
                return False
            note(connection, person.id, "passkey-removed")
            return True

        if not await self._store.transact(work):
            raise RoomError("passkey.unknown", 404)


def _challenge(credential: dict[str, Any]) -> bytes:
    """Return the challenge that a browser's answer claims to be for. Raises RoomError if it has none."""
    from webauthn.helpers import base64url_to_bytes

    try:
        signed = json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return base64url_to_bytes(signed["challenge"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise RoomError("passkey.wrong", 403, reason="clientDataJSON") from None
