"""What becomes of leagues when two accounts become one, and when one is deleted; and their log."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from quadriga.server.storage.base import now
from quadriga.server.storage.leagues_schema import (
    LEAGUE_GAMES,
    LEAGUE_INVITATIONS,
    LEAGUE_LOG,
    LEAGUE_MEMBERS,
    LEAGUES,
    LEAGUES_COPIED,
)

_OWNED = (LEAGUES.c.person_id, LEAGUE_INVITATIONS.c.person_id)
_NAMED = (LEAGUE_LOG.c.author, LEAGUE_LOG.c.player, LEAGUE_GAMES.c.added_by)


def merge_leagues(connection: sa.Connection, person_id: str, into_id: str) -> None:
    """Replace one person by another in all leagues."""
    members = LEAGUE_MEMBERS.c
    belongs = {row.league_id: row for row in connection.execute(_memberships(into_id))}
    for row in connection.execute(_memberships(person_id)).all():
        own = (members.league_id == row.league_id, members.person_id == person_id)
        if (other := belongs.get(row.league_id)) is None:
            connection.execute(sa.update(LEAGUE_MEMBERS).where(*own).values(person_id=into_id))
            continue
        connection.execute(sa.delete(LEAGUE_MEMBERS).where(*own))
        both = {"since": min(row.since, other.since), "left": min(row.left, other.left)}
        kept = (members.league_id == row.league_id, members.person_id == into_id)
        connection.execute(sa.update(LEAGUE_MEMBERS).where(*kept).values(**both))
    for column in (*_OWNED, *_NAMED):
        connection.execute(sa.update(column.table).where(column == person_id).values({column: into_id}))


def leave_leagues(connection: sa.Connection, person_id: str) -> None:
    """Take a person out of all leagues. Their own go to the oldest member; one without members goes."""
    members = LEAGUE_MEMBERS.c
    for table in (LEAGUE_MEMBERS, LEAGUE_INVITATIONS):
        connection.execute(sa.delete(table).where(table.c.person_id == person_id))
    for (league_id,) in connection.execute(sa.select(LEAGUES.c.id).where(LEAGUES.c.person_id == person_id)).all():
        rest = sa.select(members.person_id).where(members.league_id == league_id, members.left == 0)
        heir = connection.execute(rest.order_by(members.since, members.person_id).limit(1)).scalar()
        if heir is None:
            delete_league(connection, league_id)
        else:
            connection.execute(sa.update(LEAGUES).where(LEAGUES.c.id == league_id).values(person_id=heir))
            log_league(connection, league_id, "", "owner", player=heir)
    for column in _NAMED:
        connection.execute(sa.update(column.table).where(column == person_id).values({column: ""}))


def delete_league(connection: sa.Connection, league_id: str) -> None:
    """Delete a league with everything that belongs to it. Its games stay."""
    for table in LEAGUES_COPIED:
        key = table.c.id if table is LEAGUES else table.c.league_id
        connection.execute(sa.delete(table).where(key == league_id))


def lock_league(connection: sa.Connection, league_id: str) -> bool:
    """Let no other transaction change a league until this one ends; return whether there is such a league."""
    found = sa.select(LEAGUES.c.id).where(LEAGUES.c.id == league_id).with_for_update()
    return connection.execute(found).first() is not None


def log_league(connection: sa.Connection, league_id: str, author: str, kind: str, **more: object) -> None:
    """Write a line into the log of a league."""
    lock_league(connection, league_id)
    last = sa.select(sa.func.max(LEAGUE_LOG.c.number)).where(LEAGUE_LOG.c.league_id == league_id)
    number = 1 + (connection.execute(last).scalar() or 0)
    row = {"season": 0, "text": "", **more, "league_id": league_id, "number": number, "at": now()}
    connection.execute(LEAGUE_LOG.insert().values(author=author, kind=kind, **row))


def _memberships(person_id: str) -> sa.Select[Any]:
    return sa.select(LEAGUE_MEMBERS).where(LEAGUE_MEMBERS.c.person_id == person_id)
