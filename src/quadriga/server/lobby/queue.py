"""The queue for quick games, as the store has it: who looks for which game, and who is about to be paired.

Each function runs in a transaction. Two people are paired in three steps, and a process may die between any two.
A newcomer proposes a pairing to whoever has waited longest. The process of that person answers, if they are still
there: it makes a table and stores it for both, or for neither. Each process tells its page, and removes the row.
A proposal without an answer ends after three seconds, and the one who has not answered counts as gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.people.history import add_part
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import GameSummary
from quadriga.server.storage.clock import store_now
from quadriga.server.storage.lobby_schema import OPEN_TABLES, SEEKERS
from quadriga.server.storage.people_schema import PEOPLE

LIFE_MS = 4_000  # for which a process answers for its people; it renews this every second
PROPOSAL_MS = 3_000  # within which a proposal has to be answered
_UNREAD_MS = 60_000  # for which a pair is kept for somebody whose process has died
_LOCK = sa.text("SELECT pg_advisory_xact_lock(7226039)")


class Seeker(NamedTuple):
    """A row of the queue."""

    id: str
    person_id: str
    name: str
    process: str
    game: str
    seats: int
    since: int
    expires: int
    pairing: str | None
    answers: bool
    proposed_until: int
    table_id: str | None


class Wish(NamedTuple):
    """A search: the game, the number of seats, and who looks for others."""

    person_id: str
    name: str
    game: str
    seats: int
    avoided: frozenset[str] = frozenset()  # people who are not to be paired with this one


def _locked(connection: sa.Connection) -> int:
    """Let one process at a time change the queue; return the time."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK)
    return store_now(connection)


def _rows(connection: sa.Connection, *where: sa.ColumnElement[bool]) -> list[Seeker]:
    selected = sa.select(SEEKERS).where(*where).order_by(SEEKERS.c.since, SEEKERS.c.id)
    return [Seeker._make(row) for row in connection.execute(selected)]


def seek(
    connection: sa.Connection, process: str, wish: Wish, is_again: bool = False
) -> tuple[Seeker, str | None] | None:
    """Join the queue; return one's row, and the person to whom a pairing is proposed.

    Somebody who was paired while their page was away gets that row: it names their table. The newest page of a
    person counts: with `is_again`, return None if another one looks. Return None for somebody who has deleted their
    account, too: nobody could be paired with them.
    """
    at = _locked(connection)
    _drop_gone(connection, at)
    if connection.execute(sa.select(PEOPLE.c.id).where(PEOPLE.c.id == wish.person_id)).first() is None:
        return None
    own = SEEKERS.c.person_id == wish.person_id
    for old in _rows(connection, own):
        if old.table_id is not None:
            connection.execute(sa.update(SEEKERS).where(own).values(process=process, expires=at + LIFE_MS))
            return old, None
        if is_again:
            return None
    connection.execute(sa.delete(SEEKERS).where(own))
    row = Seeker(new_id(), *wish[:2], process, *wish[2:4], at, at + LIFE_MS, None, False, 0, None)
    connection.execute(SEEKERS.insert().values(**row._asdict()))
    return row, _propose(connection, row, wish.avoided, at)


def propose_again(connection: sa.Connection, row_id: str, avoided: frozenset[str]) -> str | None:
    """End a proposal that nobody has answered, and make another; return the person to whom.

    If somebody should have answered, they have gone. Whoever should have answered themselves only waits again.
    """
    at = _locked(connection)
    _drop_gone(connection, at)
    for row in _rows(connection, SEEKERS.c.id == row_id, SEEKERS.c.table_id.is_(None)):
        if row.pairing is not None and row.proposed_until < at:
            silent = (SEEKERS.c.pairing == row.pairing, SEEKERS.c.answers, SEEKERS.c.id != row.id)
            connection.execute(sa.delete(SEEKERS).where(*silent))
            connection.execute(sa.update(SEEKERS).where(SEEKERS.c.id == row.id).values(pairing=None, answers=False))
            row = row._replace(pairing=None)
        if row.pairing is None:
            return _propose(connection, row, avoided, at)
    return None


def _drop_gone(connection: sa.Connection, at: int) -> None:
    waiting = sa.and_(SEEKERS.c.table_id.is_(None), SEEKERS.c.expires < at)
    connection.execute(sa.delete(SEEKERS).where(sa.or_(waiting, SEEKERS.c.expires < at - _UNREAD_MS)))


def _propose(connection: sa.Connection, row: Seeker, avoided: frozenset[str], at: int) -> str | None:
    """Propose a pairing to whoever has waited longest for the same; return the person."""
    alike = (SEEKERS.c.game == row.game, SEEKERS.c.seats == row.seats, SEEKERS.c.id != row.id)
    free = _rows(connection, *alike, SEEKERS.c.pairing.is_(None), SEEKERS.c.table_id.is_(None))
    other = next((each for each in free if each.person_id not in avoided), None)
    if other is None:
        return None
    both = {"pairing": new_id(), "proposed_until": at + PROPOSAL_MS}
    for each, answers in ((row, False), (other, True)):
        connection.execute(sa.update(SEEKERS).where(SEEKERS.c.id == each.id).values(**both, answers=answers))
    return other.person_id


def renew(connection: sa.Connection, process: str, ids: Sequence[str]) -> tuple[int, list[Seeker]]:
    """Say that the pages of a process are still open, and drop its others; return the time and their rows."""
    at = store_now(connection)
    own = SEEKERS.c.process == process
    is_old = SEEKERS.c.since < at - LIFE_MS  # a row that is just being added is not known yet
    gone = (own, SEEKERS.c.id.not_in(ids), SEEKERS.c.table_id.is_(None), is_old)
    connection.execute(sa.delete(SEEKERS).where(*gone))
    connection.execute(sa.update(SEEKERS).where(own, SEEKERS.c.id.in_(ids)).values(expires=at + LIFE_MS))
    return at, _rows(connection, own, SEEKERS.c.id.in_(ids))


def asker(connection: sa.Connection, pairing: str) -> Seeker | None:
    """Return who has proposed a pairing, unless they have gone."""
    at = store_now(connection)
    found = _rows(connection, SEEKERS.c.pairing == pairing, ~SEEKERS.c.answers, SEEKERS.c.expires >= at)
    return found[0] if found else None


def pair(
    connection: sa.Connection,
    pairing: str,
    parts: Sequence[tuple[str, str]],
    summary: GameSummary,
    created: int,
    listed: dict[str, Any] | None,
) -> bool:
    """Store the table of a pair: for both, who are still there, or for neither; return whether.

    `parts` are the people and their holders; `listed` is the row of a table that has more seats.
    """
    at = _locked(connection)
    still = (SEEKERS.c.pairing == pairing, SEEKERS.c.table_id.is_(None), SEEKERS.c.expires >= at)
    if len(_rows(connection, *still)) != len(parts):
        return False
    connection.execute(sa.update(SEEKERS).where(*still).values(table_id=summary.table_id))
    for person_id, holder in parts:
        add_part(connection, person_id, holder, summary, created)
    if listed is not None:
        connection.execute(OPEN_TABLES.insert().values(table_id=summary.table_id, claimed=0, **listed))
    return True


def leave(connection: sa.Connection, row_id: str) -> str | None:
    """Leave the queue; return the table if one was paired already."""
    _locked(connection)
    paired = connection.execute(sa.select(SEEKERS.c.table_id).where(SEEKERS.c.id == row_id)).scalar()
    connection.execute(sa.delete(SEEKERS).where(SEEKERS.c.id == row_id))
    return paired
