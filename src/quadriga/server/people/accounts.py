"""Accounts: create, find, name, merge and delete people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from quadriga.server.people import codes
from quadriga.server.people.codes import DEVICE
from quadriga.server.people.leagues import leave_leagues, merge_leagues
from quadriga.server.people.merging import forget_moderation, merge_company, merge_moderation
from quadriga.server.people.person import GUEST, HOST, MEMBER, Person, Session, Visitor
from quadriga.server.protocol.errors import RoomError, TakenError
from quadriga.server.seats.names import checked_name, look
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.days_schema import VACATIONS
from quadriga.server.storage.leagues_schema import LEAGUE_INVITATIONS, LEAGUE_MEMBERS, LEAGUES
from quadriga.server.storage.lobby_schema import (
    BLOCKS,
    COMPANY,
    FRIEND_REQUESTS,
    FRIENDS,
    INVITATIONS,
    NIGHT_GUESTS,
    NIGHTS,
    SEEKERS,
)
from quadriga.server.storage.mail_schema import MAIL_ADDRESSES
from quadriga.server.storage.moderation_schema import ACTS, AGREEMENTS, REPORTS
from quadriga.server.storage.notices_schema import CHANNELS, NOTICE_CHOICES
from quadriga.server.storage.oidc_schema import OIDC_SUBJECTS
from quadriga.server.storage.people_schema import (
    AUDIT,
    FORMER_NAMES,
    ONE_TIME_CODES,
    PASSKEYS,
    PEOPLE,
    PLAYERS,
    SESSIONS,
    SITE,
)
from quadriga.server.storage.score_changes import forget_player, merge_player
from quadriga.server.storage.tournament_changes import forget_in_tournaments, merge_tournaments
from quadriga.server.storage.tournaments_schema import TOURNAMENT_PLAYERS, TOURNAMENTS

DAY_MS = 86_400_000
KEPT_NAME_MS = 30 * DAY_MS  # that a former name is kept from others
_HOST_CODE = "host-code"

_EXPORTED = {
    "account": PEOPLE,
    "devices": SESSIONS,
    "passkeys": PASSKEYS,
    "mail": MAIL_ADDRESSES,
    "oidc": OIDC_SUBJECTS,
    "former_names": FORMER_NAMES,
    "games": PLAYERS,
    "log": AUDIT,
    "notices": NOTICE_CHOICES,
    "channels": CHANNELS,
    "vacations": VACATIONS,
    "friends": FRIENDS,
    "friend_requests": FRIEND_REQUESTS,
    "blocks": BLOCKS,
    "invitations": INVITATIONS,
    "nights": NIGHTS,
    "night_answers": NIGHT_GUESTS,
    "leagues": LEAGUES,
    "league_members": LEAGUE_MEMBERS,
    "league_invitations": LEAGUE_INVITATIONS,
    "tournaments": TOURNAMENTS,
    "tournament_entries": TOURNAMENT_PLAYERS,
    "agreements": AGREEMENTS,
    "reports": REPORTS,
    "acts": ACTS,
}
_EXPORTED_BY = {PEOPLE: PEOPLE.c.id, REPORTS: REPORTS.c.reporter_id, ACTS: ACTS.c.subject}
# What would tell about others: whom a name belongs to, and which moderator has acted.
_HIDDEN = {
    BLOCKS.c.other_id,
    REPORTS.c.subject,
    REPORTS.c.claimed_by,
    REPORTS.c.topic,
    ACTS.c.by_id,
}
PERSON_COLUMNS = (
    PEOPLE.c.id,
    PEOPLE.c.created,
    PEOPLE.c.role,
    PEOPLE.c.name,
    PEOPLE.c.public,
    PEOPLE.c.recovery_hash.is_not(None),
)


class Accounts:
    """The people of a store."""

    def __init__(self, store: Storage) -> None:
        self.store = store

    # Creating and finding.

    async def create(self, label: str) -> tuple[Visitor, str]:
        """Create a guest with one device; return them and the secret of the device."""
        person_id, at = new_id(), now()

        def work(connection: sa.Connection) -> tuple[Session, str]:
            connection.execute(PEOPLE.insert().values(id=person_id, created=at, seen=at, role=GUEST, public=False))
            return add_session(connection, person_id, DEVICE, label)

        session, secret = await self.store.transact(work)
        return Visitor(Person(person_id, at, GUEST, None, False, False), session), secret

    async def find(self, id: str) -> Person | None:
        """Return a person by id."""
        return _first(await self.store.read(sa.select(*PERSON_COLUMNS).where(PEOPLE.c.id == id)))

    async def named(self, name: str) -> Person | None:
        """Return the member of this name, or of one that looks like it."""
        return _first(await self.store.read(sa.select(*PERSON_COLUMNS).where(PEOPLE.c.look == look(name))))

    # Names and roles.

    async def keep(self, person: Person, name: str, also: Callable[[sa.Connection], None] | None = None) -> str:
        """Make a guest a member of this name; return their recovery code, which is not stored.

        `also` belongs to the same transaction.
        """
        if person.is_member:
            raise RoomError("person.member")
        if await self.named(checked_name(name)) is not None:  # before the code is hashed, which takes long
            raise RoomError("person.taken", name=name)
        code = codes.new_code(codes.RECOVERY)
        recovery = await recovery_of(code)

        def work(connection: sa.Connection) -> None:
            _take_name(connection, person, name)
            connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == person.id).values(role=MEMBER, **recovery))
            note(connection, person.id, "joined")
            if also is not None:
                also(connection)

        await self._named(work, name)
        return codes.grouped(code)

    async def rename(self, person: Person, name: str) -> None:
        """Give a member another name. The old one is kept from others for a while."""

        def work(connection: sa.Connection) -> None:
            _take_name(connection, person, name)
            note(connection, person.id, "renamed", person.name or "")

        await self._named(work, name)

    async def _named(self, work: Callable[[sa.Connection], None], name: str) -> None:
        try:
            await self.store.transact(work)
        except TakenError:
            raise RoomError("person.taken", name=name) from None

    async def show_profile(self, person: Person, public: bool) -> None:
        """Let others see the profile of a member, or no longer."""

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == person.id).values(public=public))
            note(connection, person.id, "profile", "public" if public else "private")

        await self.store.transact(work)

    async def host_code(self) -> str | None:
        """Return a new code with which a member becomes the host; None if there is a host already."""
        code = codes.new_code(codes.LINK)

        def work(connection: sa.Connection) -> str | None:
            if connection.execute(sa.select(PEOPLE.c.id).where(PEOPLE.c.role == HOST).limit(1)).first():
                return None
            connection.execute(sa.delete(SITE).where(SITE.c.name == _HOST_CODE))
            connection.execute(SITE.insert().values(name=_HOST_CODE, value=codes.hashed(code)))
            return codes.grouped(code)

        return await self.store.transact(work)

    async def become_host(self, person: Person, code: str) -> None:
        """Make a member the host who knows the code that the server has printed at its start."""

        def work(connection: sa.Connection) -> bool:
            known = sa.delete(SITE).where(
                SITE.c.name == _HOST_CODE, SITE.c.value == codes.hashed(codes.typed(code))
            )
            if connection.execute(known).rowcount != 1:
                return False
            connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == person.id).values(role=HOST))
            note(connection, person.id, "host")
            return True

        if not await self.store.transact(work):
            raise RoomError("code.wrong", 403)

    # Everything that is stored of a person.

    async def export(self, person: Person) -> dict[str, Any]:
        """Return everything that is stored of a person, without any part of a secret or its hash."""
        found: dict[str, Any] = {}
        for name, table in _EXPORTED.items():
            key = _EXPORTED_BY.get(table, table.c.get("person_id"))
            assert key is not None
            columns = [each for each in table.c if not _is_secret(each) and each not in _HIDDEN]
            rows = await self.store.read(sa.select(*columns).where(key == person.id))
            found[name] = [dict(zip([each.name for each in columns], row, strict=True)) for row in rows]
        return found

    # Merging and deleting.

    async def merge(self, person: Person, into: Person) -> None:
        """Give everything that one person has to another, and delete the first. Both were proved."""

        def work(connection: sa.Connection) -> None:
            merge(connection, person, into)

        await self.store.transact(work)

    async def delete(self, person: Person) -> None:
        """Delete everything about a person but their games, from which `erase` takes the name before."""

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(PLAYERS).where(PLAYERS.c.person_id == person.id))
            connection.execute(sa.delete(AUDIT).where(AUDIT.c.person_id == person.id))
            forget_player(connection, person.id, new_id())
            forget_moderation(connection, person.id)
            _delete(connection, person)

        await self.store.transact(work)


def merge(connection: sa.Connection, person: Person, into: Person) -> None:
    """Give the games, devices, passkeys and channels of one person to another, and delete the first."""
    has = sa.select(PLAYERS.c.table_id).where(PLAYERS.c.person_id == into.id)
    own = PLAYERS.c.person_id == person.id
    connection.execute(sa.update(PLAYERS).where(own, PLAYERS.c.table_id.not_in(has)).values(person_id=into.id))
    connection.execute(sa.delete(PLAYERS).where(own))
    for table in (SESSIONS, PASSKEYS, OIDC_SUBJECTS, AUDIT, CHANNELS, VACATIONS, INVITATIONS):
        connection.execute(sa.update(table).where(table.c.person_id == person.id).values(person_id=into.id))
    merge_company(connection, person.id, into.id)
    merge_tournaments(connection, person.id, into.id)
    merge_player(connection, person.id, into.id)
    merge_leagues(connection, person.id, into.id)
    merge_moderation(connection, person.id, into.id)
    for single in (NOTICE_CHOICES, MAIL_ADDRESSES):
        chosen = sa.select(single.c.person_id).where(single.c.person_id == into.id)
        if connection.execute(chosen).first() is None:
            theirs = sa.update(single).where(single.c.person_id == person.id)
            connection.execute(theirs.values(person_id=into.id))
    if person.is_member:
        note(connection, into.id, "merged", person.name or "")
    _delete(connection, person)


def _delete(connection: sa.Connection, person: Person) -> None:
    """Delete a person who has no games left. Their name is kept from others for a while."""
    proofs = (SESSIONS, PASSKEYS, ONE_TIME_CODES, MAIL_ADDRESSES, OIDC_SUBJECTS)
    for table in (*proofs, CHANNELS, NOTICE_CHOICES, VACATIONS, SEEKERS, *COMPANY):
        connection.execute(sa.delete(table).where(table.c.person_id == person.id))
    for table in (FRIENDS, BLOCKS):
        connection.execute(sa.delete(table).where(table.c.other_id == person.id))
    leave_leagues(connection, person.id)
    forget_in_tournaments(connection, person.id)
    _release_name(connection, person)
    connection.execute(sa.delete(PEOPLE).where(PEOPLE.c.id == person.id))


def _take_name(connection: sa.Connection, person: Person, name: str) -> None:
    """Give a person a name. Raises RoomError, or TakenError, if somebody has it or had it until lately."""
    name = checked_name(name)
    key = look(name)
    former = sa.select(FORMER_NAMES.c.person_id).where(FORMER_NAMES.c.look == key, FORMER_NAMES.c.until > now())
    kept_for = connection.execute(former).scalar()
    if kept_for is not None and kept_for != person.id:
        raise RoomError("person.taken", name=name)
    _release_name(connection, person)
    connection.execute(sa.delete(FORMER_NAMES).where(FORMER_NAMES.c.look == key))
    connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == person.id).values(name=name, look=key))


def _release_name(connection: sa.Connection, person: Person) -> None:
    if person.name is not None:
        key = look(person.name)
        connection.execute(sa.delete(FORMER_NAMES).where(FORMER_NAMES.c.look == key))
        connection.execute(FORMER_NAMES.insert().values(look=key, person_id=person.id, until=now() + KEPT_NAME_MS))


def add_session(connection: sa.Connection, person_id: str, kind: str, label: str) -> tuple[Session, str]:
    """Add a device or a bot to a person; return it and its secret."""
    secret, at = codes.new_secret(kind), now()
    session = Session(new_id(), kind, label, at, at)
    connection.execute(
        SESSIONS.insert().values(**session._asdict(), person_id=person_id, hash=codes.hashed(secret), renewed=at)
    )
    return session, secret


def note(connection: sa.Connection, person_id: str, kind: str, detail: str = "") -> None:
    """Write what was done to the audit log."""
    connection.execute(AUDIT.insert().values(at=now(), person_id=person_id, kind=kind, detail=detail))


def new_recovery(connection: sa.Connection, person_id: str, recovery: dict[str, object]) -> None:
    """Replace the recovery code of a person."""
    connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == person_id).values(**recovery))
    note(connection, person_id, "recovery-code")


async def recovery_of(code: str) -> dict[str, object]:
    """Return what is stored of a recovery code."""
    return {
        "recovery_id": code[: codes.RECOVERY_ID],
        "recovery_hash": await codes.slowly_hashed(code[codes.RECOVERY_ID :]),
    }


def person_of(row: sa.Row[Any]) -> Person:
    """Return the person of a row that was selected with `PERSON_COLUMNS`."""
    return Person._make(row[: len(Person._fields)])


def _is_secret(column: sa.Column[Any]) -> bool:
    """Return whether a column is a hash, a key, or a part of a code."""
    return isinstance(column.type, sa.LargeBinary) or column is PEOPLE.c.recovery_id


def _first(rows: list[sa.Row[Any]]) -> Person | None:
    return person_of(rows[0]) if rows else None
