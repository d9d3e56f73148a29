"""Give the friends, blocks and dates of one person to another, when two accounts become one.

What moderation has about them goes along; it is forgotten when an account is deleted.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from quadriga.server.storage.base import now
from quadriga.server.storage.lobby_schema import BLOCKS, FRIEND_REQUESTS, FRIENDS, NIGHT_GUESTS, NIGHTS
from quadriga.server.storage.moderation_schema import (
    ACTS,
    AGREEMENTS,
    BANNED_DEVICES,
    CHAT_AUTHORS,
    HOUSE_LOG,
    INVITE_CODES,
    REPORTS,
)
from quadriga.server.storage.people_schema import SESSIONS
from quadriga.server.storage.schema import CHAT


def merge_company(connection: sa.Connection, person_id: str, into_id: str) -> None:
    """Replace one person by another in friendships, blocks and dates. Nobody has to do with themselves."""
    for table in (FRIENDS, FRIEND_REQUESTS, BLOCKS, NIGHTS, NIGHT_GUESTS):
        sides = [each for each in (table.c.person_id, table.c.get("other_id")) if each is not None]
        mine = sa.or_(*(each == person_id for each in sides))
        rows = [dict(row) for row in connection.execute(sa.select(table).where(mine)).mappings()]
        connection.execute(sa.delete(table).where(mine))
        for row in rows:
            _insert(connection, table, {key: into_id if each == person_id else each for key, each in row.items()})


def _insert(connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> None:
    keys = [each == row[each.name] for each in table.primary_key.columns]
    is_self = row["person_id"] == row.get("other_id")
    if not is_self and connection.execute(sa.select(table).where(*keys)).first() is None:
        connection.execute(table.insert().values(**row))


def merge_moderation(connection: sa.Connection, person_id: str, into_id: str) -> None:
    """Replace one person by another in reports, acts and chats. The log of the house notes it."""
    columns = (
        REPORTS.c.reporter_id,
        REPORTS.c.subject,
        REPORTS.c.claimed_by,
        ACTS.c.subject,
        ACTS.c.by_id,
        INVITE_CODES.c.by_id,
        CHAT_AUTHORS.c.subject,
    )
    is_known = _is_known(connection, person_id)
    for column in columns:
        connection.execute(sa.update(column.table).where(column == person_id).values({column.name: into_id}))
    _merge_rows(connection, AGREEMENTS, person_id, into_id)
    if is_known:
        entry = {"at": now(), "by_id": into_id, "kind": "merged", "target": into_id, "detail": person_id}
        connection.execute(HOUSE_LOG.insert().values(**entry))


def forget_moderation(connection: sa.Connection, person_id: str) -> None:
    """Delete what moderation has about a person whose account is deleted, before their devices are.

    A ban that is in force stays without a name, and with the hashes of the devices: it still counts there.
    """
    in_force = (ACTS.c.lifted.is_(None), sa.or_(ACTS.c.until.is_(None), ACTS.c.until > now()))
    bans = sa.select(ACTS.c.id).where(ACTS.c.subject == person_id, ACTS.c.kind == "ban", *in_force)
    ban_id = connection.execute(bans.limit(1)).scalar()
    if ban_id is not None:
        devices = connection.execute(sa.select(SESSIONS.c.hash).where(SESSIONS.c.person_id == person_id)).scalars()
        for each in devices.all():
            connection.execute(sa.delete(BANNED_DEVICES).where(BANNED_DEVICES.c.hash == each))
            connection.execute(BANNED_DEVICES.insert().values(hash=each, act_id=ban_id))
        entry = {"at": now(), "by_id": "", "kind": "deleted", "target": person_id, "detail": ""}
        connection.execute(HOUSE_LOG.insert().values(**entry))
    about = ACTS.c.subject == person_id
    connection.execute(sa.delete(ACTS).where(about, ACTS.c.id.not_in(bans)))
    connection.execute(sa.update(ACTS).where(about).values(name="", appeal=None))
    connection.execute(sa.delete(REPORTS).where(REPORTS.c.subject == person_id))
    connection.execute(sa.update(REPORTS).where(REPORTS.c.reporter_id == person_id).values(reporter_id="", note=""))
    written = sa.select(CHAT_AUTHORS.c.table_id, CHAT_AUTHORS.c.number).where(CHAT_AUTHORS.c.subject == person_id)
    for table_id, number in connection.execute(written).all():  # also what they have written as a watcher
        connection.execute(sa.delete(CHAT).where(CHAT.c.table_id == table_id, CHAT.c.number == number))
    for table, column in ((AGREEMENTS, "person_id"), (INVITE_CODES, "by_id"), (CHAT_AUTHORS, "subject")):
        connection.execute(sa.delete(table).where(table.c[column] == person_id))


def _is_known(connection: sa.Connection, person_id: str) -> bool:
    """Return whether the log of the house may name a person."""
    named = sa.or_(HOUSE_LOG.c.by_id == person_id, HOUSE_LOG.c.target == person_id)
    return connection.execute(sa.select(HOUSE_LOG.c.id).where(named).limit(1)).first() is not None


def _merge_rows(connection: sa.Connection, table: sa.Table, person_id: str, into_id: str) -> None:
    mine = table.c.person_id == person_id
    rows = [dict(row) for row in connection.execute(sa.select(table).where(mine)).mappings()]
    connection.execute(sa.delete(table).where(mine))
    for row in rows:
        _insert(connection, table, {**row, "person_id": into_id})
