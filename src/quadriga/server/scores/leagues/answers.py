"""A league as members and spectators see it: settings, table, chart, games and log."""

from __future__ import annotations

import asyncio

import msgspec

from quadriga.server.people.history import SeatSummary
from quadriga.server.people.person import Person
from quadriga.server.protocol import leagues as protocol
from quadriga.server.protocol.errors import RoomError
from quadriga.server.scores.boards import Boards
from quadriga.server.scores.leagues import standings
from quadriga.server.scores.leagues.games import LeagueGames, Played
from quadriga.server.scores.leagues.leagues import Leagues
from quadriga.server.scores.leagues.members import Members
from quadriga.server.scores.leagues.rows import ASKED, PLAYED, Entry, League, Listed, Member, Season
from quadriga.server.scores.results import Result
from quadriga.server.storage.base import now

SHOWN = 100  # games, and lines of the log
_SEATS = msgspec.json.Decoder(list[SeatSummary])


class Answers:
    """Makes answers about leagues from what is stored."""

    def __init__(self, leagues: Leagues, members: Members, games: LeagueGames) -> None:
        self._leagues, self._members, self._games = leagues, members, games
        self._boards = Boards(leagues.store)

    async def league(
        self, league: League, person: Person | None, number: int | None = None, most: int = SHOWN
    ) -> protocol.League:
        """Return a league with one of its seasons, the newest by default, for somebody who may see it."""
        seasons = await self._leagues.seasons(league.id)
        season = seasons[0] if number is None else next((each for each in seasons if each.number == number), None)
        if season is None:
            raise RoomError("league.no-season", 404)
        members, log = await self._leagues.members(league.id), await self._leagues.log(league.id)
        played = await self._games.played(league.id, season)
        own = "" if person is None else person.id
        is_mine = own == league.person_id
        is_member = any(each.person_id == own and not each.left for each in members)
        view = _View(season, played, log, members, is_member, is_newest=season is seasons[0])
        table, chart, counted, games = await asyncio.to_thread(view.shown, most)
        names = {each.person_id: each.name for each in members}
        entries = [_entry(each, names) for each in log[::-1][:most]]
        if not is_member:
            await self._hide_tables(own, games, entries)
        return protocol.League(
            id=league.id,
            name=league.name,
            owner=names.get(league.person_id, ""),
            created=league.created,
            public=league.public,
            mine=is_mine,
            member=is_member,
            code=league.code if is_mine else None,
            invited=await self._members.invited(league.id) if is_mine else [],
            members=[protocol.LeagueMember(each.name, each.since) for each in members if not each.left],
            season=_season(season),
            seasons=[_season(each) for each in seasons],
            table=table,
            chart=chart,
            counted=counted,
            games=games,
            log=entries,
        )

    async def _hide_tables(
        self, reader: str, games: list[protocol.LeagueGameShown], entries: list[protocol.LeagueEntry]
    ) -> None:
        """Leave out the tables that somebody who is no member may not know: who knows an id may watch."""
        tables = {each.table for each in games} | {each.table for each in entries if each.table}
        shown = await self._boards.known_to(reader, sorted(tables))
        for game in games:
            if game.table not in shown:
                game.table = ""
        for entry in entries:
            if entry.table not in shown:
                entry.table = None

    async def invited(self, league: League, person: Person) -> protocol.LeagueInvited:
        """Return a league for somebody who is invited."""
        members = [each for each in await self._leagues.members(league.id) if not each.left]
        season = (await self._leagues.seasons(league.id))[0]
        return protocol.LeagueInvited(
            id=league.id,
            name=league.name,
            owner=next((each.name for each in members if each.person_id == league.person_id), ""),
            members=len(members),
            games=season.games,
            public=league.public,
            member=any(each.person_id == person.id for each in members),
        )


class _View:
    """One season of a league."""

    def __init__(
        self,
        season: Season,
        played: Played,
        log: list[Entry],
        members: list[Member],
        is_member: bool,
        is_newest: bool,
    ) -> None:
        self._season, self._played, self._log, self._is_member = season, played, log, is_member
        self._is_newest = is_newest
        self._members = {each.person_id: each for each in members}
        excluded = standings.excluded_by(log)
        self._states = {each.table_id: self._state(each, excluded) for each in played.results}

    def _state(self, result: Result, excluded: set[str]) -> str:
        listed = self._played.listed.get(result.table_id)
        if listed is not None and listed.state == ASKED:
            return "asked"
        return standings.reason(self._season, result, excluded) or "counts"

    def shown(
        self, most: int
    ) -> tuple[list[protocol.LeagueRow], protocol.LeagueChart, int, list[protocol.LeagueGameShown]]:
        """Return the table, the chart, the number of games that count, and the newest games."""
        counted = [each for each in self._played.results if self._states[each.table_id] == "counts"]
        rows = standings.table(self._season, counted, self._log, self._members)
        at, lines = standings.chart(self._season, counted, self._log, [row.player for row in rows])
        chart = protocol.LeagueChart(
            at, [protocol.LeagueLine(self._name(row.player), line) for row, line in zip(rows, lines, strict=False)]
        )
        games = self._running() + [self._finished(each) for each in self._played.results[::-1]]
        return [self._row(row) for row in rows], chart, len(counted), games[:most]

    def _name(self, player: str) -> str:
        return self._members[player].name

    def _row(self, row: standings.Row) -> protocol.LeagueRow:
        member = self._members[row.player]
        return protocol.LeagueRow(
            place=row.place,
            name=member.name,
            total=row.total,
            games=row.games,
            wins=row.wins,
            points=row.points,
            average=row.average,
            score=row.score if len(self._season.games) == 1 else None,
            corrected=row.corrected,
            left=bool(member.left),
        )

    def _running(self) -> list[protocol.LeagueGameShown]:
        """Return the games of the newest season that are not over; for others than members, only open ones."""
        if not self._is_newest or self._season.is_over(now()):
            return []
        return [
            self._unfinished(each)
            for each in reversed(self._played.listed.values())
            if each.table_id not in self._states
            and each.state == PLAYED
            and each.status in ("waiting", "playing", "paused")
            and (self._is_member or each.open)
        ]

    def _unfinished(self, listed: Listed) -> protocol.LeagueGameShown:
        state = "waiting" if listed.status == "waiting" else "playing"
        seats = [each for each in _SEATS.decode(listed.seats) if each.kind in ("person", "bot")]
        players = [protocol.LeaguePlayer(each.name, each.bot, None, None, None, False) for each in seats]
        return protocol.LeagueGameShown(listed.table_id, listed.game, state, "", None, players, listed.open, None)

    def _finished(self, result: Result) -> protocol.LeagueGameShown:
        state, listed = self._states[result.table_id], self._played.listed[result.table_id]
        worth = {each.seat: each for each in standings.outcomes(result)}
        names = {each.holder: each.name for each in _SEATS.decode(listed.seats) if each.holder}
        players = []
        for number, seat in enumerate(result.seats):
            outcome, member = worth.get(number), self._members.get(seat.player or "")
            players.append(
                protocol.LeaguePlayer(
                    name=member.name if member is not None else names.get(seat.holder) or None,
                    bot=seat.bot,
                    place=None if outcome is None else outcome.place,
                    score=seat.score if outcome is None else outcome.score,
                    points=outcome.points
                    if outcome is not None and member is not None and state == "counts"
                    else None,
                    left=seat.left,
                )
            )
        by = None if listed.state == PLAYED else self._members.get(listed.added_by)
        return protocol.LeagueGameShown(
            table=result.table_id,
            game=result.game,
            state=state,
            uncounted=result.uncounted,
            ended=result.ended,
            players=players,
            open=listed.open,
            by=None if by is None else by.name,
        )


def _season(season: Season) -> protocol.LeagueSeason:
    return protocol.LeagueSeason(
        season.number, season.begins, season.ends, season.is_over(now()), season.scoring, season.least, season.games
    )


def _entry(entry: Entry, names: dict[str, str]) -> protocol.LeagueEntry:
    return protocol.LeagueEntry(
        number=entry.number,
        at=entry.at,
        by=names.get(entry.author),
        kind=entry.kind,
        season=entry.season,
        table=entry.table_id,
        name=None if entry.player is None else names.get(entry.player),
        points=entry.points,
        text=entry.text,
    )
