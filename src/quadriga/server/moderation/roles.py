"""Roles: whom the host has made a moderator."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.moderation import log
from quadriga.server.people.person import HOST, MEMBER, MODERATOR, Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.names import look
from quadriga.server.storage.people_schema import PEOPLE


def staff() -> sa.Select[Any]:
    """Return the select of names and roles of hosts and moderators."""
    has_role = PEOPLE.c.role.in_((HOST, MODERATOR))
    return sa.select(PEOPLE.c.name, PEOPLE.c.role).where(has_role).order_by(PEOPLE.c.role, PEOPLE.c.name)


class Named(NamedTuple):
    """A member, as roles are concerned."""

    id: str
    name: str
    role: str


def member(connection: sa.Connection, name: str) -> Named:
    """Return a member by name. Raises RoomError if there is none of this name."""
    columns = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.role)
    row = connection.execute(sa.select(*columns).where(PEOPLE.c.look == look(name))).first()
    if row is None:
        raise RoomError("person.unknown", 404, name=name)
    return Named._make(row)


def appoint(connection: sa.Connection, by: Person | None, name: str, role: str) -> None:
    """Make somebody a moderator, or a member again. Only the command line (None) makes and unmakes hosts."""
    found = member(connection, name)
    if by is not None and (found.role == HOST or role not in (MEMBER, MODERATOR)):
        raise RoomError("moderation.rank", 403)
    if found.role != role:
        connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == found.id).values(role=role))
        log.add(connection, "" if by is None else by.id, "role", found.id, role)
