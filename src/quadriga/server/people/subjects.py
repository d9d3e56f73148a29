"""Accounts at the host's identity provider: sign in by one, make it one's own, or become a member by it.

Whoever has signed in there gets a proof: a secret for one use, with the name of the account. What it is used for is
said afterwards, when it is known whose account it is.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from quadriga.server.people.accounts import Accounts, note
from quadriga.server.people.person import Person, Visitor
from quadriga.server.people.proofs import Proofs, sign_in, use
from quadriga.server.protocol.errors import RoomError, TakenError
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.oidc_schema import OIDC_SUBJECTS

_ATTEMPT, _PROVED = "oidc", "oidc-proved"


class Subjects:
    """Accounts at identity providers (issuers), and whose they are here."""

    def __init__(self, store: Storage, accounts: Accounts, proofs: Proofs) -> None:
        self._store, self._accounts, self._proofs = store, accounts, proofs

    # Proving.

    async def begin(self, person: Person | None) -> str:
        """Return the secret of a new attempt. A member's attempt is theirs alone."""
        secret = secrets.token_urlsafe(32)
        await self._proofs.add_once(
            _ATTEMPT, secret, person.id if person is not None and person.is_member else None
        )
        return secret

    async def end(self, secret: str, person: Person | None) -> None:
        """Use an attempt up. Raises RoomError if it is unknown, expired, used, or another member's."""
        owner = await self._proofs.use_once(_ATTEMPT, secret)
        if owner is not None and (person is None or person.id != owner):
            raise RoomError("code.wrong", 403)

    async def proof(self, issuer: str, subject: str) -> str:
        """Return a proof for somebody who has signed in as a subject."""
        secret = secrets.token_urlsafe(32)
        await self._proofs.add_once(_PROVED, _bound(secret, issuer, subject))
        return f"{secret}.{subject}"

    async def owner(self, issuer: str, subject: str) -> str | None:
        """Return the id of the person who has this account."""
        found = await self._store.read(_owner(issuer, subject))
        return found[0][0] if found else None

    # Using a proof.

    async def sign_in(
        self, issuer: str, proof: str, visitor: Visitor | None, label: str, may_merge: bool
    ) -> tuple[Visitor, str]:
        """Sign a device in by a proof; return its owner and its new secret."""

        def work(connection: sa.Connection) -> tuple[Visitor, str]:
            subject = _used(connection, issuer, proof)
            person_id = connection.execute(_owner(issuer, subject)).scalar() or ""
            return sign_in(connection, person_id, visitor, label, may_merge, "oidc-used")

        return await self._store.transact(work)

    async def keep(
        self, person: Person, name: str, issuer: str, proof: str, also: Callable[[sa.Connection], None]
    ) -> str:
        """Make a guest a member of this name, who has the account; return their recovery code.

        `also` belongs to the same transaction.
        """

        def work(connection: sa.Connection) -> None:
            also(connection)
            _add(connection, person, issuer, proof)

        return await self._accounts.keep(person, name, work)

    async def link(self, person: Person, issuer: str, proof: str) -> None:
        """Make the account a member's own. Raises RoomError if another member has it."""
        try:
            await self._store.transact(lambda connection: _add(connection, person, issuer, proof))
        except TakenError:  # at the same moment
            raise RoomError("oidc.taken") from None

    # Having one.

    async def has_any(self, person: Person) -> bool:
        """Return whether a person has such an account."""
        own = sa.select(OIDC_SUBJECTS.c.created).where(OIDC_SUBJECTS.c.person_id == person.id).limit(1)
        return bool(await self._store.read(own))

    async def unlink(self, person: Person) -> None:
        """Forget the accounts of a member."""

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(OIDC_SUBJECTS).where(OIDC_SUBJECTS.c.person_id == person.id))
            note(connection, person.id, "oidc-removed")

        await self._store.transact(work)


def _add(connection: sa.Connection, person: Person, issuer: str, proof: str) -> None:
    """Give a person the account that a proof is for."""
    subject = _used(connection, issuer, proof)
    owner = connection.execute(_owner(issuer, subject)).scalar()
    if owner == person.id:
        return
    if owner is not None:
        raise RoomError("oidc.taken")
    row = {"issuer": issuer, "subject": subject, "person_id": person.id, "created": now()}
    connection.execute(OIDC_SUBJECTS.insert().values(**row))
    note(connection, person.id, "oidc")


def _used(connection: sa.Connection, issuer: str, proof: str) -> str:
    """Use a proof up; return the subject. Raises RoomError if it is wrong, expired or used."""
    secret, _, subject = proof.partition(".")
    use(connection, _PROVED, _bound(secret, issuer, subject))
    return subject


def _bound(secret: str, issuer: str, subject: str) -> str:
    return f"{secret} {issuer} {subject}"


def _owner(issuer: str, subject: str) -> sa.Select[Any]:
    own = OIDC_SUBJECTS.c.issuer == issuer, OIDC_SUBJECTS.c.subject == subject
    return sa.select(OIDC_SUBJECTS.c.person_id).where(*own)
