"""The games of leagues: tables that members make, finished games that they propose, corrections by the owner."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.people.leagues import lock_league, log_league
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.leagues import LeagueCorrection, LeagueGame
from quadriga.server.scores.leagues.leagues import Leagues, member_named
from quadriga.server.scores.leagues.rows import ASKED, PLAYED, TAKEN, League, Listed, Season
from quadriga.server.scores.leagues.standings import excluded_by, is_kind
from quadriga.server.scores.results import COLUMNS, Result, Results, decoded, players_at
from quadriga.server.seats.names import tidy
from quadriga.server.storage.base import now
from quadriga.server.storage.leagues_schema import LEAGUE_GAMES, LEAGUE_MEMBERS
from quadriga.server.storage.people_schema import GAMES
from quadriga.server.storage.scores_schema import RESULTS

MOST_GAMES = 2000  # of a season


class Played(NamedTuple):
    """The tables of a league with a result in a season, and those without one."""

    results: list[Result]  # in the order in which the games ended
    listed: dict[str, Listed]


class LeagueGames:
    """The games of all leagues."""

    def __init__(self, leagues: Leagues, results: Results) -> None:
        self._leagues, self._store, self._results = leagues, leagues.store, results

    # Tables.

    async def check_play(self, league_id: str, person: Person, game: str) -> LeagueGame:
        """Return the options of a game in a league. Raises RoomError unless a member may play it there now."""
        await self._leagues.of_member(league_id, person)
        season = (await self._leagues.seasons(league_id))[0]
        if season.is_over(now()):
            raise RoomError("league.over")
        wanted = next((each for each in season.games if each.game == game), None)
        if wanted is None:
            raise RoomError("league.kind", 422)
        count = sa.select(sa.func.count()).where(
            LEAGUE_GAMES.c.league_id == league_id, LEAGUE_GAMES.c.at >= season.begins
        )
        if (await self._store.read(count))[0][0] >= MOST_GAMES:
            raise RoomError("person.many", most=MOST_GAMES)
        return wanted

    async def add_table(self, league_id: str, table_id: str, person_id: str, is_open: bool) -> None:
        """Note that a table belongs to a league. Only members may sit down there, unless it is open."""
        row = _row(league_id, table_id, person_id, PLAYED) | {"open": is_open}
        await self._store.transact(lambda connection: connection.execute(LEAGUE_GAMES.insert().values(**row)))

    async def add_rematch(self, old_id: str, new_id: str) -> list[str]:
        """Note that the rematch of a game belongs to the same leagues; return those."""

        def work(connection: sa.Connection) -> list[str]:
            known = sa.select(LEAGUE_GAMES.c.league_id).where(LEAGUE_GAMES.c.table_id == new_id)
            played = sa.select(LEAGUE_GAMES).where(
                LEAGUE_GAMES.c.table_id == old_id,
                LEAGUE_GAMES.c.state == PLAYED,
                LEAGUE_GAMES.c.league_id.not_in(known),
            )
            rows = [dict(row) for row in connection.execute(played).mappings()]
            for row in rows:
                connection.execute(LEAGUE_GAMES.insert().values(**{**row, "table_id": new_id, "at": now()}))
            return [row["league_id"] for row in rows]

        return await self._store.transact(work)

    async def check_join(self, table_id: str, person: Person | None) -> list[str]:
        """Return the leagues of a table. Raises RoomError if somebody may not sit down there."""
        games, members = LEAGUE_GAMES.c, LEAGUE_MEMBERS.c
        own = sa.select(games.league_id, games.open).where(games.table_id == table_id, games.state == PLAYED)
        rows = await self._store.read(own)
        closed = [league_id for league_id, is_open in rows if not is_open]
        if closed:
            belongs = sa.select(members.league_id).where(
                members.league_id.in_(closed),
                members.person_id == ("" if person is None else person.id),
                members.left == 0,
            )
            if len(await self._store.read(belongs)) < len(closed):
                raise RoomError("league.seats", 403)
        return [row[0] for row in rows]

    # Reading.

    async def played(self, league_id: str, season: Season) -> Played:
        """Return the results of a league in a season, and all its tables."""
        games = LEAGUE_GAMES.c
        columns = (games.table_id, games.at, games.added_by, games.state, games.open)
        joined = sa.select(*columns, GAMES.c.game, GAMES.c.status, GAMES.c.seats).join(
            GAMES, GAMES.c.table_id == games.table_id
        )
        since = sa.or_(games.at >= season.begins, games.table_id.in_(_ended(season)))
        rows = await self._store.read(joined.where(games.league_id == league_id, since).order_by(games.at))
        listed = {row.table_id: Listed._make(row) for row in rows}
        own = sa.select(games.table_id).where(games.league_id == league_id)
        wanted = sa.select(*COLUMNS).where(RESULTS.c.table_id.in_(own), _is_in(season))
        found = await self._store.read(wanted.order_by(RESULTS.c.ended, RESULTS.c.table_id))
        players = await self._store.read(players_at(own))
        return Played(decoded(found, players), listed)

    # Corrections.

    async def propose(self, league: League, person: Person, table_id: str) -> None:
        """Propose a finished game among members; that of the owner is taken at once."""
        await self._results.store_result(table_id)
        found = await self._results.of([table_id])
        season = (await self._leagues.seasons(league.id))[0]
        if not found or person.id not in {seat.player for seat in found[0].seats}:
            raise RoomError("league.not-played", 404)
        if not season.holds(found[0].ended):
            raise RoomError("league.season")
        if not any(is_kind(each, found[0]) for each in season.games):
            raise RoomError("league.kind", 422)
        people = {seat.player for seat in found[0].seats if seat.holder}
        state = TAKEN if person.id == league.person_id else ASKED

        def work(connection: sa.Connection) -> None:
            lock_league(connection, league.id)
            members, games = LEAGUE_MEMBERS.c, LEAGUE_GAMES.c
            belong = sa.select(members.person_id).where(members.league_id == league.id, members.left == 0)
            if not people <= {row[0] for row in connection.execute(belong)}:
                raise RoomError("league.strangers")
            same = sa.select(games.state).where(games.league_id == league.id, games.table_id == table_id)
            if connection.execute(same).first() is not None:
                raise RoomError("league.known")
            counted = sa.select(sa.func.count()).where(games.league_id == league.id, games.at >= season.begins)
            if connection.execute(counted).scalar_one() >= MOST_GAMES:
                raise RoomError("person.many", most=MOST_GAMES)
            connection.execute(LEAGUE_GAMES.insert().values(**_row(league.id, table_id, person.id, state)))
            if state == TAKEN:
                log_league(connection, league.id, person.id, "take", season=season.number, table_id=table_id)

        await self._store.transact(work)

    async def correct(self, league: League, person: Person, asked: LeagueCorrection) -> None:
        """Carry out what the owner corrects, and log it."""
        text = tidy(asked.reason)[:200]
        if asked.kind in ("exclude", "points") and not text:
            raise RoomError("league.reason", 422)
        season = (await self._leagues.seasons(league.id))[0]
        if season.is_over(now()):
            raise RoomError("league.over")
        if asked.kind != "points":
            await self._check_season(league, season, asked.table)
        excluded = excluded_by(await self._leagues.log(league.id))

        def work(connection: sa.Connection) -> None:
            about: dict[str, Any] = {"table_id": asked.table}
            if asked.kind == "points":
                if not asked.points or asked.name is None:
                    raise RoomError("wire.field", 422, reason="points, name")
                player = member_named(connection, league.id, asked.name)
                about = {"player": player, "points": asked.points}
            elif asked.kind in ("take", "decline"):
                _decide(connection, league.id, str(asked.table), asked.kind == "take")
            elif (asked.table in excluded) == (asked.kind == "exclude"):
                raise RoomError("league.done")
            log_league(connection, league.id, person.id, asked.kind, season=season.number, text=text, **about)

        await self._leagues.changed(league.id, person.id, work)

    async def _check_season(self, league: League, season: Season, table_id: str | None) -> None:
        """Raise RoomError unless a game belongs to the season that is played."""
        games = LEAGUE_GAMES.c
        own = sa.select(games.table_id).where(games.league_id == league.id, games.table_id == table_id)
        if not await self._store.read(own.where(games.table_id.in_(_ended(season)))):
            raise RoomError("league.no-game", 404)


def _decide(connection: sa.Connection, league_id: str, table_id: str, is_taken: bool) -> None:
    """Take a game that was proposed, or decline it."""
    games = LEAGUE_GAMES.c
    asked = (games.league_id == league_id, games.table_id == table_id, games.state == ASKED)
    change = sa.update(LEAGUE_GAMES).where(*asked).values(state=TAKEN)
    if not connection.execute(change if is_taken else sa.delete(LEAGUE_GAMES).where(*asked)).rowcount:
        raise RoomError("league.done")


def _row(league_id: str, table_id: str, person_id: str, state: str) -> dict[str, Any]:
    return {
        "league_id": league_id,
        "table_id": table_id,
        "at": now(),
        "added_by": person_id,
        "state": state,
        "open": False,
    }


def _is_in(season: Season) -> sa.ColumnElement[bool]:
    """Return whether a game has ended in a season."""
    begun = RESULTS.c.ended >= season.begins
    return begun if season.ends is None else sa.and_(begun, RESULTS.c.ended < season.ends)


def _ended(season: Season) -> sa.Select[Any]:
    return sa.select(RESULTS.c.table_id).where(_is_in(season))
