"""Prove who one is on a new device: by the recovery code, or by a short code from another device."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.people import codes
from quadriga.server.people.accounts import (
    PERSON_COLUMNS,
    add_session,
    merge,
    new_recovery,
    note,
    person_of,
    recovery_of,
)
from quadriga.server.people.codes import DEVICE
from quadriga.server.people.devices import check_sessions
from quadriga.server.people.person import Person, Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.notices_schema import CHANNELS
from quadriga.server.storage.people_schema import ONE_TIME_CODES, PEOPLE, SESSIONS

CODE_MS = 300_000  # that a one-time code is valid
_LINK = "link"


class Proofs:
    """Recovery codes and codes for another device."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    # One-time codes.

    async def add_once(self, kind: str, secret: str | bytes, person_id: str | None = None) -> int:
        """Store a secret that can be used once; return when it expires. Expired ones are deleted."""
        expires = now() + CODE_MS

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(ONE_TIME_CODES).where(ONE_TIME_CODES.c.expires < now()))
            row = {"hash": codes.hashed(secret), "kind": kind, "person_id": person_id, "expires": expires}
            connection.execute(ONE_TIME_CODES.insert().values(**row))

        await self._store.transact(work)
        return expires

    async def use_once(self, kind: str, secret: str | bytes, person_id: str | None = None) -> str | None:
        """Use a secret up; return whose it is. Raises RoomError if it is unknown, expired or used."""
        return await self._store.transact(lambda connection: use(connection, kind, secret, person_id))

    # Another device.

    async def new_link(self, person: Person) -> tuple[str, int]:
        """Return a code for another device of a person, and when it expires. It replaces earlier ones."""
        code = codes.new_code(codes.LINK)

        def work(connection: sa.Connection) -> None:
            own = ONE_TIME_CODES.c.person_id == person.id
            connection.execute(sa.delete(ONE_TIME_CODES).where(own, ONE_TIME_CODES.c.kind == _LINK))

        await self._store.transact(work)
        return codes.grouped(code), await self.add_once(_LINK, code, person.id)

    async def link(self, text: str, visitor: Visitor | None, label: str, may_merge: bool) -> tuple[Visitor, str]:
        """Sign a device in by the code from another one; return its owner and its new secret."""

        def work(connection: sa.Connection) -> tuple[Visitor, str]:
            person_id = use(connection, _LINK, codes.typed(text))
            assert person_id is not None
            return sign_in(connection, person_id, visitor, label, may_merge, "linked")

        return await self._store.transact(work)

    # The recovery code.

    async def renew_recovery(self, person: Person) -> str:
        """Return a new recovery code for a member; the old one is void."""
        code = codes.new_code(codes.RECOVERY)
        recovery = await recovery_of(code)
        await self._store.transact(lambda connection: new_recovery(connection, person.id, recovery))
        return codes.grouped(code)

    async def recover(self, text: str, visitor: Visitor | None, label: str, may_merge: bool) -> tuple[Visitor, str]:
        """Sign a device in by a recovery code; return its owner and its new secret."""
        code = codes.typed(text)
        known = sa.select(PEOPLE.c.id, PEOPLE.c.recovery_hash).where(
            PEOPLE.c.recovery_id == code[: codes.RECOVERY_ID]
        )
        found = await self._store.read(known)
        person_id, stored = found[0] if found else ("", None)
        if not await codes.is_proved(code[codes.RECOVERY_ID :], stored):
            raise RoomError("code.wrong", 403)

        def work(connection: sa.Connection) -> tuple[Visitor, str]:
            return sign_in(connection, person_id, visitor, label, may_merge, "recovered")

        return await self._store.transact(work)


def use(connection: sa.Connection, kind: str, secret: str | bytes, person_id: str | None = None) -> str | None:
    """Use a secret up within a transaction; return whose it is. Raises as `Proofs.use_once` does."""
    used = sa.delete(ONE_TIME_CODES).where(
        ONE_TIME_CODES.c.hash == codes.hashed(secret),
        ONE_TIME_CODES.c.kind == kind,
        ONE_TIME_CODES.c.expires >= now(),
    )
    row = connection.execute(used.returning(ONE_TIME_CODES.c.person_id)).first()
    if row is None or person_id not in (None, row[0]):
        raise RoomError("code.wrong", 403)
    owner: str | None = row[0]
    return owner


def sign_in(
    connection: sa.Connection, person_id: str, visitor: Visitor | None, label: str, may_merge: bool, kind: str
) -> tuple[Visitor, str]:
    """Sign a device in as a person who was proved; return them and the new secret of the device.

    If the device belonged to a guest, the guest's games are the person's now. If it belonged to another member,
    both are merged only where that was asked for.
    """
    row = connection.execute(sa.select(*PERSON_COLUMNS).where(PEOPLE.c.id == person_id)).first()
    if row is None:
        raise RoomError("code.wrong", 403)
    person = person_of(row)
    if visitor is not None and visitor.person.id != person.id:
        if visitor.person.is_member and not may_merge:
            raise RoomError("person.merge", name=visitor.person.name, other=person.name)
        merge(connection, visitor.person, person)
    if visitor is not None:  # the device gets a new secret, and its old one is void
        connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.id == visitor.session.id))
    check_sessions(connection, person.id)
    session, secret = add_session(connection, person.id, DEVICE, label)
    if visitor is not None:
        pushed = sa.update(CHANNELS).where(CHANNELS.c.session_id == visitor.session.id)
        connection.execute(pushed.values(session_id=session.id))
    note(connection, person.id, kind, label)
    return Visitor(person, session), secret
