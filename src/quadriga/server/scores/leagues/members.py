"""Who belongs to a league: invitations by name and by link, joining, and removal.

A name that is invited is stored as it is compared, and is not looked up, as in `people/company`.
"""

from __future__ import annotations

import hmac
from typing import Any

import sqlalchemy as sa

from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.company import INVITED_MS, MOST_TOLD, Company
from quadriga.server.people.leagues import lock_league, log_league
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.leagues import LeagueInvitation, MyLeague, MyLeagues
from quadriga.server.scores.leagues.leagues import Leagues, check_most, member_named, unknown
from quadriga.server.scores.leagues.rows import ASKED, League
from quadriga.server.seats.names import checked_name, look
from quadriga.server.storage import telling
from quadriga.server.storage.base import now
from quadriga.server.storage.leagues_schema import (
    LEAGUE_GAMES,
    LEAGUE_INVITATIONS,
    LEAGUE_LOG,
    LEAGUE_MEMBERS,
    LEAGUE_SEASONS,
    LEAGUES,
)
from quadriga.server.storage.people_schema import GAMES, PEOPLE, PLAYERS
from quadriga.server.storage.scores_schema import RESULTS

MOST_MEMBERS = 200
_MOST_SHOWN = 100


class Members:
    """The members of all leagues, and who is invited."""

    def __init__(self, leagues: Leagues, company: Company) -> None:
        self._leagues, self._store, self._company = leagues, leagues.store, company

    async def ids(self, league_id: str) -> list[str]:
        """Return the people who belong to a league."""
        members = LEAGUE_MEMBERS.c
        own = sa.select(members.person_id).where(members.league_id == league_id, members.left == 0)
        return [row[0] for row in await self._store.read(own)]

    async def invited(self, league_id: str) -> list[str]:
        """Return the names that are invited, as they were typed."""
        open_ = (LEAGUE_INVITATIONS.c.league_id == league_id, LEAGUE_INVITATIONS.c.at > now() - INVITED_MS)
        rows = await self._store.read(sa.select(LEAGUE_INVITATIONS.c.name).where(*open_))
        return sorted(row[0] for row in rows)

    async def invite(self, league: League, person: Person, name: str) -> list[str]:
        """Invite somebody by name, whether there is such a member or not; return the people to tell."""
        name, key = checked_name(name), look(name)
        hidden = await self._company.hidden(person.id)

        def work(connection: sa.Connection) -> list[str]:
            invitations = LEAGUE_INVITATIONS.c
            connection.execute(sa.delete(LEAGUE_INVITATIONS).where(invitations.at < now() - INVITED_MS))
            own = (invitations.league_id == league.id, invitations.look == key)
            connection.execute(sa.delete(LEAGUE_INVITATIONS).where(*own))
            counted = sa.select(sa.func.count()).where(invitations.person_id == person.id)
            if connection.execute(counted).scalar_one() >= MOST_MEMBERS:
                raise RoomError("person.many", most=MOST_MEMBERS)
            row = {"league_id": league.id, "look": key, "person_id": person.id, "name": name, "at": now()}
            connection.execute(LEAGUE_INVITATIONS.insert().values(**row))
            invited = [each[0] for each in connection.execute(sa.select(PEOPLE.c.id).where(PEOPLE.c.look == key))]
            lately = sa.select(sa.func.count()).where(
                invitations.person_id == person.id, invitations.look == key, invitations.at > now() - DAY_MS
            )
            is_told = connection.execute(lately).scalar_one() <= MOST_TOLD
            for each in set(invited) - hidden - {person.id} if is_told else ():
                telling.put(connection, each, telling.LEAGUE, league.id, 0, now())
            return invited

        return await self._leagues.changed(league.id, person.id, work)

    async def decline(self, league_id: str, person: Person) -> None:
        """Remove the invitation of a person."""
        own = (LEAGUE_INVITATIONS.c.league_id == league_id, LEAGUE_INVITATIONS.c.look == look(person.name or ""))
        await self._store.transact(lambda connection: connection.execute(sa.delete(LEAGUE_INVITATIONS).where(*own)))

    async def check_invited(self, league_id: str, person: Person, code: str | None) -> League:
        """Return a league that a person may join. Raises RoomError as if there was none for everybody else."""
        league = await self._leagues.find(league_id)
        if await self._leagues.has_member(league_id, person.id):
            return league
        hidden = await self._company.hidden(person.id)
        if code is not None and hmac.compare_digest(code.encode(), league.code.encode()):
            if league.person_id not in hidden:
                return league
        elif any(each.league == league_id for each in await self._invitations(person, hidden)):
            return league
        raise unknown()

    async def join(self, league: League, person: Person) -> None:
        """Make somebody who is invited a member."""

        def work(connection: sa.Connection) -> None:
            if not lock_league(connection, league.id):
                raise unknown()
            members = LEAGUE_MEMBERS.c
            own = (members.league_id == league.id, members.person_id == person.id)
            known = connection.execute(sa.select(members.left).where(*own)).scalar()
            if known != 0:
                check_most(connection, person.id)
                counted = sa.select(sa.func.count()).where(members.league_id == league.id, members.left == 0)
                if connection.execute(counted).scalar_one() >= MOST_MEMBERS:
                    raise RoomError("league.full", most=MOST_MEMBERS)
                connection.execute(sa.delete(LEAGUE_MEMBERS).where(*own))
                row = {"league_id": league.id, "person_id": person.id, "since": now(), "left": 0}
                connection.execute(LEAGUE_MEMBERS.insert().values(**row))
            invitations = LEAGUE_INVITATIONS.c
            mine = (invitations.league_id == league.id, invitations.look == look(person.name or ""))
            connection.execute(sa.delete(LEAGUE_INVITATIONS).where(*mine))

        await self._store.transact(work)

    async def remove(self, league: League, person: Person, name: str) -> str:
        """Let the owner remove a member; return who that was. Their games stay in the table."""

        def work(connection: sa.Connection) -> str:
            other = member_named(connection, league.id, name)
            if other == person.id:
                raise RoomError("person.self", 422)
            own = (LEAGUE_MEMBERS.c.league_id == league.id, LEAGUE_MEMBERS.c.person_id == other)
            connection.execute(sa.update(LEAGUE_MEMBERS).where(*own).values(left=now()))
            log_league(connection, league.id, person.id, "removed", player=other)
            return other

        return await self._leagues.changed(league.id, person.id, work)

    # What a person's pages show.

    async def mine(self, person: Person) -> MyLeagues:
        """Return the leagues and invitations of a person."""
        if not person.is_member:
            return MyLeagues([], [])
        hidden = await self._company.hidden(person.id)
        return MyLeagues(await self._of(person, hidden), await self._invitations(person, hidden))

    async def _invitations(self, person: Person, hidden: frozenset[str]) -> list[LeagueInvitation]:
        invitations = LEAGUE_INVITATIONS.c
        columns = (invitations.person_id, LEAGUES.c.id, LEAGUES.c.name, PEOPLE.c.name.label("by"), invitations.at)
        joined = sa.select(*columns).join(LEAGUES, LEAGUES.c.id == invitations.league_id)
        named = joined.join(PEOPLE, PEOPLE.c.id == invitations.person_id)
        belongs = sa.select(LEAGUE_MEMBERS.c.league_id).where(
            LEAGUE_MEMBERS.c.person_id == person.id, LEAGUE_MEMBERS.c.left == 0
        )
        open_ = named.where(
            invitations.look == look(person.name or ""),
            invitations.at > now() - INVITED_MS,
            invitations.league_id.not_in(belongs),
        )
        rows = await self._store.read(open_.order_by(invitations.at.desc()).limit(_MOST_SHOWN))
        return [LeagueInvitation(*row[1:]) for row in rows if row[0] not in hidden]

    async def _of(self, person: Person, hidden: frozenset[str]) -> list[MyLeague]:
        members = LEAGUE_MEMBERS.c
        belongs = sa.select(LEAGUES.c.id, LEAGUES.c.name, LEAGUES.c.person_id).join(
            LEAGUE_MEMBERS, members.league_id == LEAGUES.c.id
        )
        own = belongs.where(members.person_id == person.id, members.left == 0).order_by(members.since.desc())
        rows = await self._store.read(own)
        ids = [row.id for row in rows]
        if not ids:
            return []
        count = sa.func.count()
        sizes = await self._by_league(count, LEAGUE_MEMBERS, ids, members.left == 0)
        lines = await self._by_league(sa.func.max(LEAGUE_LOG.c.number), LEAGUE_LOG, ids)
        asked = await self._by_league(count, LEAGUE_GAMES, ids, LEAGUE_GAMES.c.state == ASKED)
        has_result = LEAGUE_GAMES.c.table_id.in_(sa.select(RESULTS.c.table_id))
        played = await self._by_league(count, LEAGUE_GAMES, ids, has_result)
        running = await self._running(ids)
        waiting = await self._waiting(ids, hidden)
        return [
            MyLeague(
                row.id,
                row.name,
                row.person_id == person.id,
                sizes.get(row.id, 0),
                played.get(row.id, 0),
                lines.get(row.id, 0),
                asked.get(row.id, 0) if row.person_id == person.id else 0,
                waiting.get(row.id, []),
                row.id not in running,
            )
            for row in rows
        ]

    async def _by_league(
        self, value: sa.ColumnElement[int], table: sa.Table, ids: list[str], *also: sa.ColumnElement[bool]
    ) -> dict[str, int]:
        selected = sa.select(table.c.league_id, value).where(table.c.league_id.in_(ids), *also)
        return {row[0]: row[1] for row in await self._store.read(selected.group_by(table.c.league_id))}

    async def _running(self, ids: list[str]) -> set[str]:
        """Return the leagues in which a season is played."""
        seasons = LEAGUE_SEASONS.c
        played = sa.or_(seasons.ends.is_(None), seasons.ends > now())
        rows = await self._store.read(sa.select(seasons.league_id).where(seasons.league_id.in_(ids), played))
        return {row[0] for row in rows}

    async def _waiting(self, ids: list[str], hidden: frozenset[str]) -> dict[str, list[str]]:
        """Return the tables that wait for players, by league; those of hidden people are left out."""
        listed: sa.Select[Any] = sa.select(LEAGUE_GAMES.c.league_id, LEAGUE_GAMES.c.table_id).join(
            GAMES, GAMES.c.table_id == LEAGUE_GAMES.c.table_id
        )
        recent = LEAGUE_GAMES.c.at > now() - INVITED_MS
        open_ = listed.where(LEAGUE_GAMES.c.league_id.in_(ids), GAMES.c.status == "waiting", recent)
        if hidden:
            theirs = sa.select(PLAYERS.c.table_id).where(PLAYERS.c.person_id.in_(hidden))
            open_ = open_.where(LEAGUE_GAMES.c.table_id.not_in(theirs))
        found: dict[str, list[str]] = {}
        for league_id, table_id in await self._store.read(
            open_.order_by(LEAGUE_GAMES.c.at.desc()).limit(_MOST_SHOWN)
        ):
            found.setdefault(league_id, []).append(table_id)
        return found
