"""Leagues: create, find and change them, their seasons and their owners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from quadriga.engine.errors import OptionError
from quadriga.games import find
from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.leagues import delete_league, lock_league, log_league
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.leagues import LeagueGame, LeagueSettings
from quadriga.server.scores.leagues.rows import Entry, League, Member, Season, season_of
from quadriga.server.seats.names import checked_name, look
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.leagues_schema import LEAGUE_LOG, LEAGUE_MEMBERS, LEAGUE_SEASONS, LEAGUES
from quadriga.server.storage.people_schema import PEOPLE

MOST = 30  # leagues of a person
MOST_SEASONS = 200
MOST_ENTRIES = 5000  # in the log of a league
LATEST_MS = 5 * 366 * DAY_MS
_LONGEST = 200  # characters of a line in a log
_MOST_BYTES = 4000  # of the options of all games

T = TypeVar("T")
_SEASON = tuple(LEAGUE_SEASONS.c[name] for name in Season._fields)


class Leagues:
    """The leagues of a store."""

    def __init__(self, store: Storage) -> None:
        self.store = store

    # Reading.

    async def find(self, league_id: str) -> League:
        """Return a league. Raises RoomError if there is none."""
        rows = await self.store.read(sa.select(LEAGUES).where(LEAGUES.c.id == league_id))
        if not rows:
            raise unknown()
        return League._make(rows[0])

    async def seen_by(self, league_id: str, person: Person | None) -> tuple[League, bool]:
        """Return a league, and whether a person is a member. Raises RoomError as if there was none to strangers."""
        league = await self.find(league_id)
        is_member = person is not None and await self.has_member(league_id, person.id)
        if not is_member and not league.public:
            raise unknown()
        return league, is_member

    async def of_member(self, league_id: str, person: Person) -> League:
        """Return a league of a member. Raises RoomError for others."""
        league, is_member = await self.seen_by(league_id, person)
        if not is_member:
            raise RoomError("league.member", 403)
        return league

    async def of_owner(self, league_id: str, person: Person) -> League:
        """Return a league of its owner. Raises RoomError for others."""
        league = await self.of_member(league_id, person)
        if league.person_id != person.id:
            raise RoomError("league.owner", 403)
        return league

    async def has_member(self, league_id: str, person_id: str) -> bool:
        """Return whether a person is a member."""
        return bool(await self.store.read(_active(league_id, person_id)))

    async def members(self, league_id: str) -> list[Member]:
        """Return all who are or were members, by name."""
        named = sa.select(
            LEAGUE_MEMBERS.c.person_id, PEOPLE.c.name, LEAGUE_MEMBERS.c.since, LEAGUE_MEMBERS.c.left
        ).join(PEOPLE, PEOPLE.c.id == LEAGUE_MEMBERS.c.person_id)
        found = await self.store.read(named.where(LEAGUE_MEMBERS.c.league_id == league_id))
        return sorted((Member._make(row) for row in found), key=lambda each: look(each.name or ""))

    async def seasons(self, league_id: str) -> list[Season]:
        """Return the seasons of a league, the newest first."""
        own = sa.select(*_SEASON).where(LEAGUE_SEASONS.c.league_id == league_id)
        rows = await self.store.read(own.order_by(LEAGUE_SEASONS.c.number.desc()))
        return [season_of(row) for row in rows]

    async def log(self, league_id: str) -> list[Entry]:
        """Return the log of a league, in order."""
        columns = (LEAGUE_LOG.c[name] for name in Entry._fields)
        own = sa.select(*columns).where(LEAGUE_LOG.c.league_id == league_id)
        return [Entry._make(row) for row in await self.store.read(own.order_by(LEAGUE_LOG.c.number))]

    # Changing.

    async def create(self, person: Person, asked: LeagueSettings) -> League:
        """Create a league with one member, who owns it."""
        games, created = _checked(asked), now()
        league = League(new_id(), person.id, league_name(asked.name), created, asked.public, new_id())

        def work(connection: sa.Connection) -> None:
            check_most(connection, person.id)
            connection.execute(LEAGUES.insert().values(**league._asdict()))
            member = {"league_id": league.id, "person_id": person.id, "since": created, "left": 0}
            connection.execute(LEAGUE_MEMBERS.insert().values(**member))
            _begin(connection, league.id, 1, asked, games)
            log_league(connection, league.id, person.id, "created", season=1)

        await self.store.transact(work)
        return league

    async def change(self, league: League, person: Person, asked: LeagueSettings) -> None:
        """Change the settings of a league and of the season that is played."""
        games, name = _checked(asked), league_name(asked.name)

        def work(connection: sa.Connection) -> None:
            own = sa.update(LEAGUES).where(LEAGUES.c.id == league.id)
            connection.execute(own.values(name=name, public=asked.public))
            season = _newest(connection, league.id)
            wanted = Season(season.number, season.begins, asked.ends, asked.scoring, asked.least, games)
            of_league = (("name", league.name, name), ("public", league.public, asked.public))
            told: dict[str, object] = {what: (old, new) for what, old, new in of_league if old != new}
            if not season.is_over(now()) and wanted != season:
                changed = {"ends": asked.ends, "scoring": asked.scoring, "least": asked.least}
                of_season = (LEAGUE_SEASONS.c.league_id == league.id, LEAGUE_SEASONS.c.number == season.number)
                connection.execute(
                    sa.update(LEAGUE_SEASONS).where(*of_season).values(**changed, games=encoded(games))
                )
                told |= _differences(season, wanted)
            if told:
                log_league(connection, league.id, person.id, "settings", season=season.number, text=_told(told))

        await self.changed(league.id, person.id, work)

    async def close_season(self, league: League, person: Person) -> None:
        """End the season that is played."""

        def work(connection: sa.Connection) -> None:
            season = _newest(connection, league.id)
            if season.is_over(now()):
                raise RoomError("league.over")
            of_season = (LEAGUE_SEASONS.c.league_id == league.id, LEAGUE_SEASONS.c.number == season.number)
            connection.execute(sa.update(LEAGUE_SEASONS).where(*of_season).values(ends=now()))
            log_league(connection, league.id, person.id, "closed", season=season.number)

        await self.changed(league.id, person.id, work)

    async def begin_season(self, league: League, person: Person) -> None:
        """Begin a season with the settings of the last one, which is over."""

        def work(connection: sa.Connection) -> None:
            last = _newest(connection, league.id)
            if not last.is_over(now()):
                raise RoomError("league.running")
            if last.number >= MOST_SEASONS:
                raise RoomError("person.many", most=MOST_SEASONS)
            same = LeagueSettings(league.name, last.games, scoring=last.scoring, least=last.least)  # type: ignore[arg-type]
            _begin(connection, league.id, last.number + 1, same, last.games)
            log_league(connection, league.id, person.id, "season", season=last.number + 1)

        await self.changed(league.id, person.id, work)

    async def renew_code(self, league: League, person: Person) -> None:
        """Make another link that invites; the one before invites nobody any more."""
        renewed = sa.update(LEAGUES).where(LEAGUES.c.id == league.id).values(code=new_id())
        await self.changed(league.id, person.id, lambda connection: connection.execute(renewed))

    async def hand_over(self, league: League, person: Person, name: str) -> None:
        """Make another member the owner."""

        def work(connection: sa.Connection) -> None:
            heir = member_named(connection, league.id, name)
            if heir != person.id:
                connection.execute(sa.update(LEAGUES).where(LEAGUES.c.id == league.id).values(person_id=heir))
                log_league(connection, league.id, person.id, "owner", player=heir)

        await self.changed(league.id, person.id, work)

    async def leave(self, league: League, person: Person) -> None:
        """Leave a league. Its owner hands it over before; if nobody else is there it is deleted."""

        def work(connection: sa.Connection) -> None:
            lock_league(connection, league.id)
            members = LEAGUE_MEMBERS.c
            own = (members.league_id == league.id, members.person_id == person.id)
            owner = connection.execute(sa.select(LEAGUES.c.person_id).where(LEAGUES.c.id == league.id)).scalar()
            if owner == person.id:
                rest = sa.select(members.person_id).where(members.league_id == league.id, members.left == 0)
                if connection.execute(rest.where(members.person_id != person.id)).first() is not None:
                    raise RoomError("league.hand-over")
                delete_league(connection, league.id)
            connection.execute(sa.update(LEAGUE_MEMBERS).where(*own, members.left == 0).values(left=now()))

        await self.store.transact(work)

    async def changed(self, league_id: str, owner: str, work: Callable[[sa.Connection], T]) -> T:
        """Let the owner change a league: one after the other, and only while they own it."""

        def checked(connection: sa.Connection) -> T:
            lock_league(connection, league_id)
            found = connection.execute(sa.select(LEAGUES.c.person_id).where(LEAGUES.c.id == league_id)).scalar()
            if found != owner:
                raise RoomError("league.owner", 403)
            lines = sa.select(sa.func.max(LEAGUE_LOG.c.number)).where(LEAGUE_LOG.c.league_id == league_id)
            if (connection.execute(lines).scalar() or 0) >= MOST_ENTRIES:
                raise RoomError("person.many", most=MOST_ENTRIES)
            return work(connection)

        return await self.store.transact(checked)


def unknown() -> RoomError:
    """Return the error for a league that does not exist, or is nobody's business."""
    return RoomError("league.unknown", 404)


def league_name(text: str) -> str:
    """Return the name of a league, tidied as names of people are."""
    return checked_name(text)[:60]


def encoded(games: list[LeagueGame]) -> bytes:
    """Return games as they are stored."""
    return msgspec.json.encode(games)


def check_most(connection: sa.Connection, person_id: str) -> None:
    """Raise RoomError if a person is a member of too many leagues."""
    own = (LEAGUE_MEMBERS.c.person_id == person_id, LEAGUE_MEMBERS.c.left == 0)
    if connection.execute(sa.select(sa.func.count()).where(*own)).scalar_one() >= MOST:
        raise RoomError("person.many", most=MOST)


def member_named(connection: sa.Connection, league_id: str, name: str) -> str:
    """Return the id of a member. Raises RoomError if there is none of this name."""
    members = LEAGUE_MEMBERS.c
    named = sa.select(PEOPLE.c.id).join(LEAGUE_MEMBERS, members.person_id == PEOPLE.c.id)
    own = named.where(PEOPLE.c.look == look(name), members.league_id == league_id, members.left == 0)
    if (found := connection.execute(own).scalar()) is None:
        raise RoomError("league.nobody", 404, name=name)
    return str(found)


def _active(league_id: str, person_id: str) -> sa.Select[Any]:
    members = LEAGUE_MEMBERS.c
    own = sa.select(members.since).where(members.league_id == league_id, members.person_id == person_id)
    return own.where(members.left == 0)


def _newest(connection: sa.Connection, league_id: str) -> Season:
    own = sa.select(*_SEASON).where(LEAGUE_SEASONS.c.league_id == league_id)
    return season_of(connection.execute(own.order_by(LEAGUE_SEASONS.c.number.desc()).limit(1)).one())


def _begin(
    connection: sa.Connection, league_id: str, number: int, asked: LeagueSettings, games: list[LeagueGame]
) -> None:
    row = Season(number, now(), asked.ends, asked.scoring, asked.least, games)._asdict()
    connection.execute(LEAGUE_SEASONS.insert().values(**{**row, "games": encoded(games)}, league_id=league_id))


def _differences(old: Season, new: Season) -> dict[str, object]:
    """Return how settings differ: old and new values by name, and None for games, which may be long."""
    return {
        name: None if name == "games" else (before, after)
        for name, before, after in zip(Season._fields, old, new, strict=True)
        if before != after
    }


def _told(changes: dict[str, object]) -> str:
    """Return changes of settings as the log has them; if they are too long, only what was changed."""
    text = msgspec.json.encode(changes).decode()
    return text if len(text) <= _LONGEST else msgspec.json.encode(dict.fromkeys(changes)).decode()


def _checked(asked: LeagueSettings) -> list[LeagueGame]:
    """Return the games of a league with their options as results have them. Raises errors for wrong settings."""
    if len({each.game for each in asked.games}) < len(asked.games):
        raise RoomError("league.twice", 422)
    if asked.scoring == "score" and len(asked.games) > 1:
        raise RoomError("league.score", 422)
    if asked.ends is not None and not now() < asked.ends < now() + LATEST_MS:
        raise RoomError("league.ends", 422)
    found = [_resolved(each) for each in asked.games]
    if len(encoded(found)) > _MOST_BYTES:
        raise RoomError("league.options", 422)
    return found


def _resolved(wanted: LeagueGame) -> LeagueGame:
    game = find(wanted.game)
    if any(each.form()["type"] == "document" for each in game.options if each.name in wanted.options):
        raise RoomError("league.options", 422)
    fault: OptionError | None = None
    for seats in range(game.min_seats, game.max_seats + 1):
        try:
            options, _ = game.resolve_options(wanted.options, seats)
        except OptionError as refused:
            fault = fault or refused
        else:
            return LeagueGame(game.id, {name: options[name] for name in sorted(wanted.options)})
    assert fault is not None
    raise fault
