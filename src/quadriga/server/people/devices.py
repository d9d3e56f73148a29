"""The devices of people and the keys of their bots: who sends a request, and which devices there are."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.people import codes
from quadriga.server.people.accounts import DAY_MS, PERSON_COLUMNS, add_session, note, person_of
from quadriga.server.people.codes import BOT, DEVICE
from quadriga.server.people.person import Person, Session, Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.notices_schema import CHANNELS
from quadriga.server.storage.people_schema import PEOPLE, SESSIONS

RENEWED_AFTER = 30 * DAY_MS  # the age at which the secret of a device is replaced
FORMER_MS = 3_600_000  # that the secret before it is valid, for requests that were on their way
MOST_SESSIONS = 50  # devices and bots of a person
_SESSION = (SESSIONS.c.id, SESSIONS.c.kind, SESSIONS.c.label, SESSIONS.c.created, SESSIONS.c.seen)


class Devices:
    """The devices and bots of all people."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def visitor(self, secret: str | None, may_renew: bool = False) -> Visitor | None:
        """Return who has a secret; None if nobody has.

        With `may_renew` the secret of a device is replaced when it is old: the answer has to bring the new one. A
        secret that was replaced long ago is in somebody else's hands: then the device is signed out.
        """
        if secret is None or not codes.is_secret(secret):
            return None
        digest = codes.hashed(secret)
        is_newest = SESSIONS.c.hash == digest
        selected = sa.select(*PERSON_COLUMNS, *_SESSION, SESSIONS.c.renewed, is_newest)
        found = await self._store.read(
            selected.join(PEOPLE, PEOPLE.c.id == SESSIONS.c.person_id).where(
                sa.or_(is_newest, SESSIONS.c.former_hash == digest)
            )
        )
        if not found:
            return None
        *_, renewed, is_current = found[0]
        visitor = Visitor(person_of(found[0]), Session._make(found[0][len(PERSON_COLUMNS) : -2]))
        if not is_current and now() - renewed > FORMER_MS:
            await self.remove(visitor.person, visitor.session.id, "stolen")
            return None
        if now() - visitor.session.seen > DAY_MS:
            await self._saw(visitor)
        if may_renew and is_current and visitor.session.kind == DEVICE and now() - renewed > RENEWED_AFTER:
            return visitor._replace(new_secret=await self._renew(visitor, digest))
        return visitor

    async def _saw(self, visitor: Visitor) -> None:
        def work(connection: sa.Connection) -> None:
            own = SESSIONS.c.id == visitor.session.id
            connection.execute(sa.update(SESSIONS).where(own).values(seen=now()))
            connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == visitor.person.id).values(seen=now()))

        await self._store.transact(work)

    async def _renew(self, visitor: Visitor, digest: bytes) -> str | None:
        """Replace the secret of a device; return the new one, or None if another request has done so."""
        secret = codes.new_secret(DEVICE)

        def work(connection: sa.Connection) -> bool:
            current = sa.update(SESSIONS).where(SESSIONS.c.id == visitor.session.id, SESSIONS.c.hash == digest)
            changed = current.values(hash=codes.hashed(secret), former_hash=digest, renewed=now())
            return connection.execute(changed).rowcount == 1

        return secret if await self._store.transact(work) else None

    async def all(self, person: Person) -> list[Session]:
        """Return the devices and bots of a person, the newest first."""
        selected = sa.select(*_SESSION).where(SESSIONS.c.person_id == person.id)
        return [Session._make(row) for row in await self._store.read(selected.order_by(SESSIONS.c.created.desc()))]

    async def signed_in(self, person_id: str) -> tuple[Person | None, frozenset[str]]:
        """Return a person as they are now, and the ids of their devices and bots."""
        joined = sa.select(*PERSON_COLUMNS, SESSIONS.c.id).join(SESSIONS, SESSIONS.c.person_id == PEOPLE.c.id)
        rows = await self._store.read(joined.where(PEOPLE.c.id == person_id))
        return (person_of(rows[0]) if rows else None), frozenset(row[-1] for row in rows)

    async def add_bot(self, person: Person, label: str) -> tuple[Session, str]:
        """Create a key for a bot; return the bot and its key."""

        def work(connection: sa.Connection) -> tuple[Session, str]:
            check_sessions(connection, person.id)
            note(connection, person.id, "bot-key", label)
            return add_session(connection, person.id, BOT, label)

        return await self._store.transact(work)

    async def remove(self, person: Person, session_id: str, reason: str = "signed-out") -> None:
        """Sign out a device, or revoke the key of a bot. Raises RoomError if the person has no such one."""

        def work(connection: sa.Connection) -> bool:
            own = sa.delete(SESSIONS).where(SESSIONS.c.id == session_id, SESSIONS.c.person_id == person.id)
            if connection.execute(own).rowcount != 1:
                return False
            connection.execute(sa.delete(CHANNELS).where(CHANNELS.c.session_id == session_id))
            note(connection, person.id, reason)
            return True

        if not await self._store.transact(work):
            raise RoomError("person.no-device", 404)


def check_sessions(connection: sa.Connection, person_id: str) -> None:
    """Raise RoomError if a person has as many devices and bots as one may have."""
    count = sa.select(sa.func.count()).select_from(SESSIONS).where(SESSIONS.c.person_id == person_id)
    if connection.execute(count).scalar_one() >= MOST_SESSIONS:
        raise RoomError("person.devices", most=MOST_SESSIONS)
