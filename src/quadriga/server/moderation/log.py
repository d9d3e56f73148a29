"""The log of a house: who has done what, to whom, when and why. It is only added to."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.storage.base import now
from quadriga.server.storage.moderation_schema import HOUSE_LOG
from quadriga.server.storage.people_schema import PEOPLE

PAGE = 100  # entries in one answer
_RECENT = 50  # entries that are compared: transactions may end in another order than they have begun


class LogEntry(NamedTuple):
    """An entry of the log. Names are those of now; somebody who has deleted their account has none."""

    id: int
    at: int
    kind: str
    by: str | None
    target: str | None
    detail: str


_BY, _TARGET = PEOPLE.alias(), PEOPLE.alias()
_ENTRIES = (
    sa.select(HOUSE_LOG.c.id, HOUSE_LOG.c.at, HOUSE_LOG.c.kind, _BY.c.name, _TARGET.c.name, HOUSE_LOG.c.detail)
    .join(_BY, _BY.c.id == HOUSE_LOG.c.by_id, isouter=True)
    .join(_TARGET, _TARGET.c.id == HOUSE_LOG.c.target, isouter=True)
)


def add(connection: sa.Connection, by_id: str, kind: str, target: str = "", detail: str = "") -> None:
    """Add an entry. Running servers look for new ones, and read what has changed."""
    row = {"at": now(), "by_id": by_id, "kind": kind, "target": target, "detail": detail}
    connection.execute(HOUSE_LOG.insert().values(**row))


def entries(before: int | None = None, most: int = PAGE) -> sa.Select[Any]:
    """Return the select of the newest entries, or of those before one."""
    older = sa.true() if before is None else HOUSE_LOG.c.id < before
    return _ENTRIES.where(older).order_by(HOUSE_LOG.c.id.desc()).limit(most)


def recent() -> sa.Select[tuple[int, str, str]]:
    """Return the select of ids, kinds and targets of the newest entries."""
    return (
        sa.select(HOUSE_LOG.c.id, HOUSE_LOG.c.kind, HOUSE_LOG.c.target)
        .order_by(HOUSE_LOG.c.id.desc())
        .limit(_RECENT)
    )
