"""Friends, blocks and invitations.

A friend is asked by name, and so is a guest at a table: the name is stored as it is compared, and is not looked up.
So nobody learns from an answer whether there is somebody of this name, and whether they have blocked one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.names import checked_name, look
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage import telling
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.lobby_schema import BLOCKS, FRIEND_REQUESTS, FRIENDS, INVITATIONS
from quadriga.server.storage.people_schema import GAMES, PEOPLE, PLAYERS

MOST = 200  # friends, requests, blocks, and open invitations of a person
INVITED_MS = 14 * DAY_MS  # after which an invitation is forgotten
MOST_TOLD = 5  # invitations of one person in a day of which another is told elsewhere than here


class ListedInvitation(NamedTuple):
    """An invitation as the invited person sees it."""

    id: str
    by: str
    table_id: str
    game: str
    sent: int


class Circle(NamedTuple):
    """Friends, requests, blocks and invitations of a person."""

    friends: list[str]
    asks: list[str]  # who ask to be friends
    asked: list[str]  # whom the person has asked
    blocks: list[str]
    invitations: list[ListedInvitation]


class Company:
    """The friends, blocks and invitations of all people."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def hidden(self, person_id: str) -> frozenset[str]:
        """Return the people whom a person has blocked, and those who have blocked them."""
        return _others(person_id, await self._store.read(_blocks_of(person_id)))

    async def circle(self, person: Person) -> Circle:
        """Return everything that a person has to do with others, without those who are hidden."""
        hidden = await self.hidden(person.id)
        friends = sa.select(PEOPLE.c.name).join(FRIENDS, FRIENDS.c.other_id == PEOPLE.c.id)
        rows = await self._store.read(friends.where(FRIENDS.c.person_id == person.id).order_by(PEOPLE.c.name))
        asked, blocks = await self._names(FRIEND_REQUESTS, person), await self._names(BLOCKS, person)
        asks: list[str] = []
        invitations: list[ListedInvitation] = []
        if person.name is not None:
            out = hidden | {person.id}
            key = look(person.name)
            asks = [name for other, name in await self._store.read(_requests_to(key)) if other not in out]
            sent = await self._store.read(_invitations_to(key))
            invitations = [ListedInvitation._make(row[1:]) for row in sent if row[0] not in out]
        return Circle([row[0] for row in rows], asks, asked, blocks, invitations)

    async def _names(self, table: sa.Table, person: Person) -> list[str]:
        selected = sa.select(table.c.name).where(table.c.person_id == person.id).order_by(table.c.name)
        return list(dict.fromkeys(row[0] for row in await self._store.read(selected)))

    async def befriend(self, person: Person, name: str) -> list[str]:
        """Ask somebody to be friends, or agree to; return the people whose lists have changed."""
        name, key = checked_name(name), look(name)

        def work(connection: sa.Connection) -> list[str]:
            asked = sa.select(PEOPLE.c.id).join(FRIEND_REQUESTS, FRIEND_REQUESTS.c.person_id == PEOPLE.c.id)
            theirs = asked.where(PEOPLE.c.look == key, FRIEND_REQUESTS.c.look == look(person.name or ""))
            other = connection.execute(theirs).scalar()
            if other is None or other in _hidden(connection, person.id):
                _check_most(connection, FRIEND_REQUESTS, person.id)
                _forget(connection, FRIEND_REQUESTS, person.id, key)
                connection.execute(
                    FRIEND_REQUESTS.insert().values(person_id=person.id, look=key, name=name, at=now())
                )
                return [person.id, *_named(connection, key)]
            for one, two in ((person.id, other), (other, person.id)):
                _check_most(connection, FRIENDS, one)
                own = (FRIENDS.c.person_id == one, FRIENDS.c.other_id == two)
                connection.execute(sa.delete(FRIENDS).where(*own))
                connection.execute(FRIENDS.insert().values(person_id=one, other_id=two, at=now()))
            _forget(connection, FRIEND_REQUESTS, other, look(person.name or ""))
            _forget(connection, FRIEND_REQUESTS, person.id, key)
            return [person.id, other]

        return await self._store.transact(work)

    async def part(self, person: Person, name: str) -> list[str]:
        """End a friendship, withdraw a request, or decline one; return the people whose lists have changed."""
        key = look(name)

        def work(connection: sa.Connection) -> list[str]:
            _forget(connection, FRIEND_REQUESTS, person.id, key)
            others = _named(connection, key)
            for other in others:
                _forget(connection, FRIEND_REQUESTS, other, look(person.name or ""))
                _unfriend(connection, person.id, other)
            return [person.id, *others]

        return await self._store.transact(work)

    async def block(self, person: Person, name: str, other_id: str | None) -> list[str]:
        """Block somebody: a person, or whoever has this name; return the people whose lists have changed."""
        name, key = checked_name(name), look(name)

        def work(connection: sa.Connection) -> list[str]:
            other = other_id or next(iter(_named(connection, key)), None)
            if other == person.id:
                raise RoomError("person.self", 422)
            _check_most(connection, BLOCKS, person.id)
            own = (BLOCKS.c.person_id == person.id, BLOCKS.c.look == key)
            known = connection.execute(sa.select(BLOCKS.c.other_id).where(*own)).scalar()
            is_another = other is not None and known not in (None, other)  # of the same name: both are blocked
            stored = f"{key[:31]} {other}" if is_another else key
            _forget(connection, BLOCKS, person.id, stored)
            row = {"person_id": person.id, "look": stored, "name": name, "other_id": other, "at": now()}
            connection.execute(BLOCKS.insert().values(**row))
            if other is not None:
                _unfriend(connection, person.id, other)
            return [person.id] if other is None else [person.id, other]

        return await self._store.transact(work)

    async def unblock(self, person: Person, name: str) -> list[str]:
        """Block nobody of this name any longer; return the people whose lists have changed."""

        def work(connection: sa.Connection) -> list[str]:
            own = BLOCKS.c.person_id == person.id
            rows = connection.execute(sa.select(BLOCKS.c.look, BLOCKS.c.name, BLOCKS.c.other_id).where(own)).all()
            named = [(stored, other) for stored, shown, other in rows if look(shown) == look(name)]
            connection.execute(sa.delete(BLOCKS).where(own, BLOCKS.c.look.in_([stored for stored, _ in named])))
            return [person.id, *(other for _, other in named if other is not None)]

        return await self._store.transact(work)

    async def shared_tables(self, people: list[str]) -> list[str]:
        """Return the running games in which more than one of these people has a part."""
        counted = sa.select(PLAYERS.c.table_id).where(PLAYERS.c.person_id.in_(people), PLAYERS.c.ended == 0)
        rows = await self._store.read(counted.group_by(PLAYERS.c.table_id).having(sa.func.count() > 1))
        return [row[0] for row in rows]

    async def seated(self, table_id: str, holder: str) -> str | None:
        """Return the person who has a holder's part in a room; None if the server does not know them."""
        own = (PLAYERS.c.table_id == table_id, PLAYERS.c.holder == holder)
        rows = await self._store.read(sa.select(PLAYERS.c.person_id).where(*own))
        return rows[0][0] if rows else None

    async def invite(self, person: Person, name: str, table_id: str) -> list[str]:
        """Invite somebody to a table, whether they are here or not; return the people to tell."""
        key = look(checked_name(name))

        def work(connection: sa.Connection) -> list[str]:
            connection.execute(sa.delete(INVITATIONS).where(INVITATIONS.c.at < now() - INVITED_MS))
            _check_most(connection, INVITATIONS, person.id)
            same = (INVITATIONS.c.person_id == person.id, INVITATIONS.c.look == key)
            connection.execute(sa.delete(INVITATIONS).where(*same, INVITATIONS.c.table_id == table_id))
            row = {"id": new_id(), "person_id": person.id, "look": key, "table_id": table_id, "at": now()}
            connection.execute(INVITATIONS.insert().values(**row))
            lately = sa.select(sa.func.count()).where(*same, INVITATIONS.c.at > now() - DAY_MS)
            is_told = connection.execute(lately).scalar_one() <= MOST_TOLD
            invited = _named(connection, key)
            for each in set(invited) - _hidden(connection, person.id) - {person.id} if is_told else ():
                telling.put(connection, each, telling.INVITATION, table_id, 0, now())
            return invited

        return await self._store.transact(work)

    async def decline(self, person: Person, invitation_id: str) -> None:
        """Remove an invitation that a person has received."""
        own = (INVITATIONS.c.id == invitation_id, INVITATIONS.c.look == look(person.name or ""))
        await self._store.transact(lambda connection: connection.execute(sa.delete(INVITATIONS).where(*own)))


def _named(connection: sa.Connection, key: str) -> list[str]:
    return [row[0] for row in connection.execute(sa.select(PEOPLE.c.id).where(PEOPLE.c.look == key))]


def _forget(connection: sa.Connection, table: sa.Table, person_id: str, key: str) -> None:
    connection.execute(sa.delete(table).where(table.c.person_id == person_id, table.c.look == key))


def _unfriend(connection: sa.Connection, one: str, two: str) -> None:
    pair = [one, two]
    connection.execute(sa.delete(FRIENDS).where(FRIENDS.c.person_id.in_(pair), FRIENDS.c.other_id.in_(pair)))


def _check_most(connection: sa.Connection, table: sa.Table, person_id: str) -> None:
    """Raise RoomError if a person has too many of something."""
    counted = sa.select(sa.func.count()).select_from(table).where(table.c.person_id == person_id)
    if connection.execute(counted).scalar_one() >= MOST:
        raise RoomError("person.many", most=MOST)


def _blocks_of(person_id: str) -> sa.Select[Any]:
    concerns = sa.or_(BLOCKS.c.person_id == person_id, BLOCKS.c.other_id == person_id)
    return sa.select(BLOCKS.c.person_id, BLOCKS.c.other_id).where(concerns)


def _others(person_id: str, rows: Iterable[Any]) -> frozenset[str]:
    return frozenset(each for row in rows for each in row if each is not None and each != person_id)


def _hidden(connection: sa.Connection, person_id: str) -> frozenset[str]:
    return _others(person_id, connection.execute(_blocks_of(person_id)).all())


def _requests_to(key: str) -> sa.Select[Any]:
    joined = sa.select(PEOPLE.c.id, PEOPLE.c.name).join(FRIEND_REQUESTS, FRIEND_REQUESTS.c.person_id == PEOPLE.c.id)
    return joined.where(FRIEND_REQUESTS.c.look == key).order_by(PEOPLE.c.name).limit(MOST)


def _invitations_to(key: str) -> sa.Select[Any]:
    """Return a select of the invitations to tables that still wait, with the person who invites first."""
    columns = (INVITATIONS.c.person_id, INVITATIONS.c.id, PEOPLE.c.name, INVITATIONS.c.table_id, GAMES.c.game)
    joined = sa.select(*columns, INVITATIONS.c.at).join(PEOPLE, PEOPLE.c.id == INVITATIONS.c.person_id)
    waiting = joined.join(GAMES, GAMES.c.table_id == INVITATIONS.c.table_id).where(GAMES.c.status == "waiting")
    recent = waiting.where(INVITATIONS.c.look == key, INVITATIONS.c.at > now() - INVITED_MS)
    return recent.order_by(INVITATIONS.c.at.desc()).limit(MOST)
