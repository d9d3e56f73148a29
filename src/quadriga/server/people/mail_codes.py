"""Codes by e-mail: prove that one reads what is sent to an address, and sign in by it."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from quadriga.server import mail
from quadriga.server.people import codes
from quadriga.server.people.accounts import note
from quadriga.server.people.person import Person, Visitor
from quadriga.server.people.proofs import sign_in
from quadriga.server.protocol.errors import RoomError, TakenError
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.mail_schema import MAIL_ADDRESSES, MAIL_CODES

MAIL_CODE_MS = 600_000  # that a code is valid
MOST_TRIES = 5
_DIGITS = 6
_SIGN_IN = "sign-in"


def mail_address(text: str) -> str:
    """Return an e-mail address as it is stored. Raises RoomError if it is none."""
    address = text.strip().lower()
    if not mail.is_address(address):
        raise RoomError("mail.address", 422)
    return address


def limited(address: str) -> str:
    """Return the name of an address in the limits, which other processes are told."""
    return f"mail {codes.hashed(address).hex()[:16]}"


class MailCodes:
    """The e-mail addresses of members, and the codes that were sent to them."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def address_of(self, person: Person) -> str | None:
        """Return the e-mail address that a person has given and proved."""
        selected = sa.select(MAIL_ADDRESSES.c.address).where(MAIL_ADDRESSES.c.person_id == person.id)
        found = await self._store.read(selected)
        return found[0][0] if found else None

    async def new_code(self, address: str, person: Person | None = None) -> tuple[str, int, bool]:
        """Return a code for an address, when it expires, and whether to send it.

        With a person it is to prove their address. Without one it is to sign in: then it is made and stored for
        every address, and sent if a member has given it.
        """
        code = "".join(secrets.choice("0123456789") for _ in range(_DIGITS))
        hashed = await codes.slowly_hashed(code)
        key, expires = _key(address, person), now() + MAIL_CODE_MS

        def work(connection: sa.Connection) -> bool:
            connection.execute(
                sa.delete(MAIL_CODES).where(sa.or_(MAIL_CODES.c.key == key, MAIL_CODES.c.expires < now()))
            )
            connection.execute(MAIL_CODES.insert().values(key=key, hash=hashed, tries=0, expires=expires))
            known = sa.select(MAIL_ADDRESSES.c.person_id).where(MAIL_ADDRESSES.c.address == address)
            return connection.execute(known).first() is not None

        try:
            is_known = await self._store.transact(work)
        except TakenError:  # another request has stored one at the same moment
            raise RoomError("wire.rate", 429) from None
        return code, expires, is_known or person is not None

    async def _checked(self, key: bytes, code: str) -> bytes:
        """Return the hash of a code that is right. Raises RoomError if it is wrong, expired, or tried too often."""
        valid = MAIL_CODES.c.key == key, MAIL_CODES.c.expires >= now(), MAIL_CODES.c.tries < MOST_TRIES

        def tried(connection: sa.Connection) -> bytes | None:
            counted = sa.update(MAIL_CODES).where(*valid).values(tries=MAIL_CODES.c.tries + 1)
            return connection.execute(counted.returning(MAIL_CODES.c.hash)).scalar()

        stored = await self._store.transact(tried)
        typed = "".join(c for c in code if c in "0123456789")
        if not await codes.is_proved(typed, stored) or stored is None:
            raise RoomError("code.wrong", 403)
        return stored

    async def keep(self, person: Person, address: str, code: str) -> None:
        """Store a member's address, which a code has proved. Raises RoomError if another member has it."""
        key = _key(address, person)
        proved = await self._checked(key, code)

        def work(connection: sa.Connection) -> None:
            _use(connection, key, proved)
            connection.execute(sa.delete(MAIL_ADDRESSES).where(MAIL_ADDRESSES.c.person_id == person.id))
            connection.execute(MAIL_ADDRESSES.insert().values(person_id=person.id, address=address, created=now()))
            note(connection, person.id, "mail")

        try:
            await self._store.transact(work)
        except TakenError:
            raise RoomError("mail.taken") from None

    async def remove(self, person: Person) -> None:
        """Forget the address of a member."""

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(MAIL_ADDRESSES).where(MAIL_ADDRESSES.c.person_id == person.id))
            note(connection, person.id, "mail-removed")

        await self._store.transact(work)

    async def sign_in(
        self, address: str, code: str, visitor: Visitor | None, label: str, may_merge: bool
    ) -> tuple[Visitor, str]:
        """Sign a device in by a code that was sent to an address; return its owner and its new secret."""
        key = _key(address)
        proved = await self._checked(key, code)

        def work(connection: sa.Connection) -> tuple[Visitor, str]:
            _use(connection, key, proved)
            known = sa.select(MAIL_ADDRESSES.c.person_id).where(MAIL_ADDRESSES.c.address == address)
            person_id = connection.execute(known).scalar() or ""
            return sign_in(connection, person_id, visitor, label, may_merge, "mail-used")

        return await self._store.transact(work)


def _use(connection: sa.Connection, key: bytes, proved: bytes) -> None:
    """Use a code up. Raises RoomError if another request has done so."""
    own = sa.delete(MAIL_CODES).where(MAIL_CODES.c.key == key, MAIL_CODES.c.hash == proved)
    if connection.execute(own).rowcount != 1:
        raise RoomError("code.wrong", 403)


def _key(address: str, person: Person | None = None) -> bytes:
    return codes.hashed(f"{person.id if person is not None else _SIGN_IN} {address}")
