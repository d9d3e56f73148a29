"""Codes with which new members come into a house that wants an invitation."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from quadriga.server.people import codes
from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import now
from quadriga.server.storage.moderation_schema import INVITE_CODES

LASTS_MS = 14 * DAY_MS
_CHARACTERS = 12
MOST = 20  # valid codes of one member


class InviteCode(NamedTuple):
    """A new code, and when it expires."""

    code: str
    expires: int


def create(connection: sa.Connection, by: Person | None, uses: int = 1) -> InviteCode:
    """Return a new code; None is the command line. Raises RoomError if the member has too many valid ones."""
    at, by_id = now(), "" if by is None else by.id
    connection.execute(sa.delete(INVITE_CODES).where(INVITE_CODES.c.expires < at))
    own = sa.select(sa.func.count()).select_from(INVITE_CODES).where(INVITE_CODES.c.by_id == by_id)
    if by is not None and connection.execute(own).scalar_one() >= MOST:
        raise RoomError("person.many", most=MOST)
    code = codes.new_code(_CHARACTERS)
    row = {"hash": codes.hashed(code), "by_id": by_id, "created": at, "expires": at + LASTS_MS, "uses": uses}
    connection.execute(INVITE_CODES.insert().values(**row))
    return InviteCode(codes.grouped(code), at + LASTS_MS)


def use(connection: sa.Connection, code: str) -> None:
    """Use a code once. Raises RoomError if it is wrong, expired or used up."""
    own = (INVITE_CODES.c.hash == codes.hashed(codes.typed(code)), INVITE_CODES.c.expires > now())
    left = sa.update(INVITE_CODES).where(*own, INVITE_CODES.c.uses > 0).values(uses=INVITE_CODES.c.uses - 1)
    if connection.execute(left).rowcount != 1:
        raise RoomError("house.code", 403)
    connection.execute(sa.delete(INVITE_CODES).where(INVITE_CODES.c.uses <= 0))
