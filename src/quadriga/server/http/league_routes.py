"""Requests about leagues: create one, who belongs to it, its seasons, its games and their corrections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.lobby_routes import lobby_of
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member, owner
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply, visitor_of
from quadriga.server.people.person import Person
from quadriga.server.protocol.leagues import (
    League,
    LeagueCode,
    LeagueCorrection,
    LeagueInvited,
    LeagueSettings,
    LeagueTable,
    MyLeagues,
)
from quadriga.server.protocol.openapi import responses, text_response
from quadriga.server.protocol.people import Naming
from quadriga.server.protocol.requests import Nothing
from quadriga.server.scores.leagues import export
from quadriga.server.scores.leagues.circle import LeagueCircle
from quadriga.server.scores.leagues.rows import League as StoredLeague

operations = Operations()

_ALL = 10**6
SeasonNumber = Annotated[int, msgspec.Meta(ge=1, le=10**6)]


def leagues_of(request: Request) -> LeagueCircle:
    """Return the leagues of this server."""
    return lobby_of(request).leagues


@operations.get("/api/me/leagues", responses(MyLeagues, 401, 403))
async def my_leagues(request: Request) -> Response:
    """One's leagues, and invitations to leagues."""
    return reply(await leagues_of(request).members.mine((await owner(request)).person))


@operations.post("/api/leagues", responses(League, 401, 403, 404, 409, status=201), LeagueSettings)
async def create_league(request: Request) -> Response:
    """Create a league."""
    visitor, asked = await member(request), await read_body(request, LeagueSettings)
    registry_of(request).house.check_name(asked.name)
    league = await leagues_of(request).leagues.create(visitor.person, asked)
    return await _reply(request, league.id, visitor.person, status=201)


@operations.get("/api/leagues/{id}", responses(League, 404))
async def league(request: Request, id: Id, season: SeasonNumber | None = None) -> Response:
    """A league, for its members; a public one for everybody."""
    return reply(await _shown(request, id, season))


@operations.get("/api/leagues/{id}/all.json", responses(League, 404))
async def league_export(request: Request, id: Id, season: SeasonNumber | None = None) -> Response:
    """A season of a league with all its games and the whole log."""
    found = await _shown(request, id, season, _ALL)
    found.code, found.invited = None, []
    response = reply(found)
    response.headers["content-disposition"] = _file(found, "json")
    return response


@operations.get("/api/leagues/{id}/table.csv", text_response("text/csv", 404))
async def league_table(request: Request, id: Id, season: SeasonNumber | None = None) -> Response:
    """The table of a season as CSV."""
    found = await _shown(request, id, season)
    return _csv(export.table(found), _file(found, "csv"))


@operations.get("/api/leagues/{id}/games.csv", text_response("text/csv", 404))
async def league_games(request: Request, id: Id, season: SeasonNumber | None = None) -> Response:
    """All finished games of a season as CSV, with a line for each seat."""
    found = await _shown(request, id, season, _ALL)
    return _csv(export.games(found), _file(found, "csv"))


@operations.post("/api/leagues/{id}/settings", responses(League, 401, 403, 404, 409), LeagueSettings)
async def change_league(request: Request, id: Id) -> Response:
    """The owner changes the settings of a league."""
    person, league = await _owned(request, id)
    asked = await read_body(request, LeagueSettings)
    registry_of(request).house.check_name(asked.name)
    await leagues_of(request).leagues.change(league, person, asked)
    return await _reply(request, id, person)


@operations.post("/api/leagues/{id}/season", responses(League, 401, 403, 404, 409), Nothing)
async def begin_season(request: Request, id: Id) -> Response:
    """The owner begins the next season."""
    person, league = await _owned(request, id)
    await read_body(request, Nothing)
    await leagues_of(request).leagues.begin_season(league, person)
    return await _reply(request, id, person)


@operations.post("/api/leagues/{id}/season/close", responses(League, 401, 403, 404, 409), Nothing)
async def close_season(request: Request, id: Id) -> Response:
    """The owner ends the season. It stays readable."""
    person, league = await _owned(request, id)
    await read_body(request, Nothing)
    await leagues_of(request).leagues.close_season(league, person)
    return await _reply(request, id, person)


@operations.post("/api/leagues/{id}/owner", responses(League, 401, 403, 404, 409), Naming)
async def hand_over(request: Request, id: Id) -> Response:
    """The owner hands a league over to another member."""
    person, league = await _owned(request, id)
    await leagues_of(request).leagues.hand_over(league, person, (await read_body(request, Naming)).name)
    return await _reply(request, id, person)


@operations.post("/api/leagues/{id}/link", responses(League, 401, 403, 404, 409), Nothing)
async def renew_link(request: Request, id: Id) -> Response:
    """The owner makes another link that invites; the one before invites nobody any more."""
    person, league = await _owned(request, id)
    await read_body(request, Nothing)
    await leagues_of(request).leagues.renew_code(league, person)
    return await _reply(request, id, person)


@operations.post("/api/leagues/{id}/invitations", responses(League, 401, 403, 404, 409), Naming)
async def invite(request: Request, id: Id) -> Response:
    """The owner invites somebody by name. The invitation waits for them."""
    person, league = await _owned(request, id)
    asked = await read_body(request, Naming)
    told = await leagues_of(request).members.invite(league, person, asked.name)
    return await _reply(request, id, person, told)


@operations.get("/api/leagues/{id}/invitation", responses(LeagueInvited, 401, 403, 404))
async def invitation(request: Request, id: Id, code: Id | None = None) -> Response:
    """What a league is, for somebody who is invited by name or by the code of a link."""
    visitor, circle = await owner(request), leagues_of(request)
    league = await circle.members.check_invited(id, visitor.person, code)
    return reply(await circle.answers.invited(league, visitor.person))


@operations.post("/api/leagues/{id}/join", responses(League, 401, 403, 404, 409), LeagueCode)
async def join_league(request: Request, id: Id) -> Response:
    """A member who is invited joins a league."""
    visitor, asked = await member(request), await read_body(request, LeagueCode)
    members = leagues_of(request).members
    league = await members.check_invited(id, visitor.person, asked.code)
    await members.join(league, visitor.person)
    return await _reply(request, id, visitor.person)


@operations.post("/api/leagues/{id}/decline", responses(MyLeagues, 401, 403), Nothing)
async def decline(request: Request, id: Id) -> Response:
    """Decline an invitation to a league."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    members = leagues_of(request).members
    await members.decline(id, visitor.person)
    lobby_of(request).people_changed([visitor.person.id])
    return reply(await members.mine(visitor.person))


@operations.post("/api/leagues/{id}/leave", responses(MyLeagues, 401, 403, 404, 409), Nothing)
async def leave_league(request: Request, id: Id) -> Response:
    """Leave a league. Its owner has to hand it over before; if nobody else is there it is deleted."""
    visitor, circle = await owner(request), leagues_of(request)
    await read_body(request, Nothing)
    league = await circle.leagues.of_member(id, visitor.person)
    await circle.leagues.leave(league, visitor.person)
    lobby_of(request).people_changed([visitor.person.id, *await circle.members.ids(id)])
    return reply(await circle.members.mine(visitor.person))


@operations.post("/api/leagues/{id}/members/remove", responses(League, 401, 403, 404, 409), Naming)
async def remove_member(request: Request, id: Id) -> Response:
    """The owner removes a member. The games stay in the table."""
    person, league = await _owned(request, id)
    gone = await leagues_of(request).members.remove(league, person, (await read_body(request, Naming)).name)
    return await _reply(request, id, person, [gone])


@operations.post("/api/leagues/{id}/games", responses(League, 401, 403, 404, 409), LeagueTable)
async def propose_game(request: Request, id: Id) -> Response:
    """A member proposes a finished game of theirs. It counts once the owner takes it."""
    visitor, circle = await member(request), leagues_of(request)
    asked = await read_body(request, LeagueTable)
    league = await circle.leagues.of_member(id, visitor.person)
    await circle.games.propose(league, visitor.person, asked.table)
    return await _reply(request, id, visitor.person)


@operations.post("/api/leagues/{id}/corrections", responses(League, 401, 403, 404, 409), LeagueCorrection)
async def correct(request: Request, id: Id) -> Response:
    """The owner corrects the table of the season. All members see it in the log."""
    person, league = await _owned(request, id)
    asked = await read_body(request, LeagueCorrection)
    registry_of(request).house.check_name(asked.reason)
    await leagues_of(request).games.correct(league, person, asked)
    return await _reply(request, id, person)


async def _owned(request: Request, id: str) -> tuple[Person, StoredLeague]:
    visitor = await owner(request)
    return visitor.person, await leagues_of(request).leagues.of_owner(id, visitor.person)


async def _shown(request: Request, id: str, season: int | None, most: int | None = None) -> League:
    """Return a league as the sender of a request may see it."""
    registry_of(request).limits.accounts.check(client_address(request), 1 if most is None else 5)
    visitor, circle = await visitor_of(request), leagues_of(request)
    person = None if visitor is None else visitor.person
    league, _ = await circle.leagues.seen_by(id, person)
    more = {} if most is None else {"most": most}
    return await circle.answers.league(league, person, season, **more)


async def _reply(
    request: Request, id: str, person: Person, also: Iterable[str] = (), status: int = 200
) -> Response:
    """Tell the pages of all members after a change, and answer with the league as the person sees it."""
    circle = leagues_of(request)
    lobby_of(request).people_changed([*also, *await circle.members.ids(id)])
    league = await circle.leagues.find(id)
    return reply(await circle.answers.league(league, person), status)


def _csv(text: str, file: str) -> Response:
    headers = {"content-disposition": file, "cache-control": "no-store"}
    return Response(text, media_type="text/csv", headers=headers)


def _file(league: League, ending: str) -> str:
    return f'attachment; filename="league-{league.id[:6]}-{league.season.number}.{ending}"'
