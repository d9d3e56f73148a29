"""Reports of chat messages and names, the queue of cases that they make, and what a moderator reads about one.

Reports of the same thing are one case, whose id is that of its first report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.moderation import log
from quadriga.server.moderation.acts import Act
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.names import look
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import now
from quadriga.server.storage.moderation_schema import ACTS, CHAT_AUTHORS, REPORTS
from quadriga.server.storage.people_schema import PEOPLE, PLAYERS
from quadriga.server.storage.schema import CHAT

MOST_OPEN = 20  # reports of one person that wait
_BEFORE, _AFTER = 20, 10  # chat messages around the reported one
_MOST_LISTED = 500
_MOST_EARLIER = 20


class Reported(NamedTuple):
    """What is reported: a chat message, or a name."""

    kind: str  # chat or name
    name: str
    subject: str | None
    table_id: str | None = None
    number: int | None = None
    text: str = ""

    @property
    def topic(self) -> str:
        """A key that is equal for reports of the same thing."""
        if self.kind == "chat":
            return f"chat {self.table_id} {self.number}"
        return f"name {self.subject or ''} {look(self.name)}"


class Report(NamedTuple):
    """A row of `reports`."""

    id: str
    at: int
    reporter_id: str
    topic: str
    kind: str
    subject: str | None
    name: str
    table_id: str | None
    number: int | None
    text: str
    reason: str
    note: str
    status: str
    claimed_by: str | None
    closed: int | None


class Case(NamedTuple):
    """Open reports of the same thing, the first of them first."""

    reports: list[Report]

    @property
    def first(self) -> Report:
        """The report whose id is that of the case."""
        return self.reports[0]


def add(connection: sa.Connection, reporter: str, reported: Reported, reason: str, note: str) -> None:
    """Add a report, once for each reporter. Raises RoomError if one has too many that wait."""
    if reporter == reported.subject:
        raise RoomError("person.self", 422)
    own = (REPORTS.c.reporter_id == reporter, REPORTS.c.status == "open")
    topics = connection.execute(sa.select(REPORTS.c.topic).where(*own)).scalars().all()
    if reported.topic in topics:
        return
    if len(topics) >= MOST_OPEN:
        raise RoomError("moderation.many", 429, most=MOST_OPEN)
    row = {"id": new_id(), "at": now(), "reporter_id": reporter, "topic": reported.topic, "status": "open"}
    connection.execute(REPORTS.insert().values(**row, **reported._asdict(), reason=reason, note=note))


def cases(connection: sa.Connection, but: str = "") -> list[Case]:
    """Return the open cases but those about one person, the oldest first."""
    others = sa.or_(REPORTS.c.subject.is_(None), REPORTS.c.subject != but)
    listed = sa.select(REPORTS).where(REPORTS.c.status == "open", others).order_by(REPORTS.c.at, REPORTS.c.id)
    found: dict[str, list[Report]] = {}
    for row in connection.execute(listed.limit(_MOST_LISTED)).all():
        report = Report._make(row)
        found.setdefault(report.topic, []).append(report)
    return [Case(each) for each in found.values()]


def case(connection: sa.Connection, report_id: str, but: str = "") -> Case:
    """Return the case of a report. Raises RoomError if there is none, or if it is about the one who asks."""
    row = connection.execute(sa.select(REPORTS).where(REPORTS.c.id == report_id)).first()
    if row is None or (but and row.subject == but):
        raise RoomError("moderation.case", 404)
    same = sa.select(REPORTS).where(REPORTS.c.topic == row.topic, REPORTS.c.status == row.status)
    return Case(
        [Report._make(each) for each in connection.execute(same.order_by(REPORTS.c.at, REPORTS.c.id)).all()]
    )


def claim(connection: sa.Connection, by: Person, found: Case, is_mine: bool) -> None:
    """Take a case on, or give it back to the queue. Raises RoomError if another moderator has it."""
    if found.first.claimed_by not in (None, by.id):
        raise RoomError("moderation.claimed")
    _update(connection, found, claimed_by=by.id if is_mine else None)


def close(connection: sa.Connection, by: Person | None, found: Case, reason: str) -> None:
    """Close a case."""
    _update(connection, found, status="closed", closed=now())
    log.add(connection, "" if by is None else by.id, "close", found.first.subject or "", reason)


def _update(connection: sa.Connection, found: Case, **values: object) -> None:
    open_ones = (REPORTS.c.topic == found.first.topic, REPORTS.c.status == "open")
    connection.execute(sa.update(REPORTS).where(*open_ones).values(**values))


# The context of a case.


class Context(NamedTuple):
    """What a moderator reads about a case: the chat around it, and earlier reports and acts."""

    chat: list[Any]  # rows of the number, the time, the seat, the name and the text
    earlier: list[Report]
    acts: list[Act]


def context(connection: sa.Connection, found: Case) -> Context:
    """Return the context of a case."""
    report = found.first
    chat: list[Any] = []
    if report.table_id is not None:
        columns = (CHAT.c.number, CHAT.c.at, CHAT.c.seat, CHAT.c.name, CHAT.c.text)
        own = sa.select(*columns).where(CHAT.c.table_id == report.table_id)
        if report.number is not None:
            own = own.where(CHAT.c.number.between(report.number - _BEFORE, report.number + _AFTER))
        newest = own.order_by(CHAT.c.number.desc()).limit(_BEFORE + 1 + _AFTER)
        chat = list(connection.execute(newest).all())[::-1]
    if report.subject is None:
        return Context(chat, [], [])
    others = (REPORTS.c.subject == report.subject, REPORTS.c.topic != report.topic)
    earlier = sa.select(REPORTS).where(*others).order_by(REPORTS.c.at.desc()).limit(_MOST_EARLIER)
    acts = sa.select(ACTS).where(ACTS.c.subject == report.subject).order_by(ACTS.c.at.desc()).limit(_MOST_EARLIER)
    return Context(
        chat,
        [Report._make(row) for row in connection.execute(earlier).all()],
        [Act._make(row) for row in connection.execute(acts).all()],
    )


# Who is who.


def subject_of(connection: sa.Connection, table_id: str, holder: str) -> str:
    """Return the person who has a holder's part at a table; the holder if they have no device here."""
    own = (PLAYERS.c.table_id == table_id, PLAYERS.c.holder == holder)
    return connection.execute(sa.select(PLAYERS.c.person_id).where(*own)).scalar() or holder


def author_of(connection: sa.Connection, table_id: str, number: int) -> str | None:
    """Return who has written a chat message; None for one of an earlier version."""
    own = (CHAT_AUTHORS.c.table_id == table_id, CHAT_AUTHORS.c.number == number)
    return connection.execute(sa.select(CHAT_AUTHORS.c.subject).where(*own)).scalar()


def names(connection: sa.Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return the names of members by id."""
    known = sa.select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.id.in_(set(ids)), PEOPLE.c.name.is_not(None))
    return {row[0]: row[1] for row in connection.execute(known).all()}
