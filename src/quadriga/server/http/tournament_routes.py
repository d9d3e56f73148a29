"""Requests about tournaments: list, organise, enter, withdraw, and the log for everybody."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import known as known_visitor
from quadriga.server.http.people_requests import owner
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply, visitor_of
from quadriga.server.people.person import Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.openapi import responses, text_response
from quadriga.server.protocol.requests import Nothing
from quadriga.server.protocol.tournaments import (
    Entering,
    TournamentAnswer,
    TournamentList,
    TournamentPlan,
    TournamentRound,
)
from quadriga.server.scores.tournaments import answers
from quadriga.server.scores.tournaments.tournaments import Tournaments

operations = Operations()
_LISTED = 40
RoundNumber = Annotated[int, msgspec.Meta(ge=1, le=5000)]


@operations.get("/api/tournaments", responses(TournamentList))
async def tournaments(request: Request) -> Response:
    """Tournaments to come, those that run, and the last that have ended."""
    visitor, store = await visitor_of(request), tournaments_of(request).store
    company = registry_of(request).people.company
    hidden = frozenset() if visitor is None else await company.hidden(visitor.person.id)
    listed = await store.listed(hidden, _LISTED)
    return reply(TournamentList(await _answers(request).summaries(store, listed)))


@operations.post("/api/tournaments", responses(TournamentAnswer, 401, 403, 404, 409), TournamentPlan)
async def organise_tournament(request: Request) -> Response:
    """Organise a tournament."""
    visitor, asked = await owner(request), await read_body(request, TournamentPlan)
    registry, address = registry_of(request), client_address(request)
    registry.limits.check_create(address, registry.rooms)
    unfinished = await tournaments_of(request).store.unfinished()
    if len(unfinished) >= registry.settings.tournaments:
        raise RoomError("tournament.crowded", 503)
    registry.limits.check_organise(address, unfinished)
    known = await tournaments_of(request).organise(visitor.person, asked)
    registry.limits.organised(address, known.id)
    return await _reply(request, known.id, visitor)


@operations.get("/api/tournaments/{id}", responses(TournamentAnswer, 404))
async def tournament(request: Request, id: Id) -> Response:
    """A tournament: its players, the last round and the standings, for everybody."""
    return await _reply(request, id, await visitor_of(request))


@operations.get("/api/tournaments/{id}/rounds/{number}", responses(TournamentRound, 404))
async def tournament_round(request: Request, id: Id, number: RoundNumber) -> Response:
    """A round of a tournament."""
    known = await tournaments_of(request).store.find(id)
    if number > known.state.round:
        raise RoomError("tournament.round", 404)
    return reply(answers.round_of(known, number))


@operations.post("/api/tournaments/{id}/enter", responses(TournamentAnswer, 401, 403, 404, 409), Entering)
async def enter_tournament(request: Request, id: Id) -> Response:
    """Enter a tournament, or come back to it. A bot may do so with its key, if the organiser allows bots."""
    visitor, asked = await known_visitor(request), await read_body(request, Entering)
    await tournaments_of(request).enter(id, visitor, asked.name)
    return await _reply(request, id, visitor)


@operations.post("/api/tournaments/{id}/withdraw", responses(TournamentAnswer, 401, 403, 404, 409), Nothing)
async def withdraw_from_tournament(request: Request, id: Id) -> Response:
    """Play no further rounds."""
    visitor = await known_visitor(request)
    await read_body(request, Nothing)
    await tournaments_of(request).withdraw(id, visitor.person)
    return await _reply(request, id, visitor)


@operations.post("/api/tournaments/{id}/begin", responses(TournamentAnswer, 401, 403, 404, 409), Nothing)
async def begin_tournament(request: Request, id: Id) -> Response:
    """The organiser begins a tournament before its time."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    await tournaments_of(request).begin(id, visitor.person)
    return await _reply(request, id, visitor)


@operations.post("/api/tournaments/{id}/abort", responses(TournamentAnswer, 401, 403, 404, 409), Nothing)
async def abort_tournament(request: Request, id: Id) -> Response:
    """The organiser calls a tournament off."""
    visitor = await owner(request)
    await read_body(request, Nothing)
    await tournaments_of(request).abort(id, visitor.person)
    return await _reply(request, id, visitor)


@operations.get("/api/tournaments/{id}/log.json", text_response("application/json", 404))
async def tournament_log(request: Request, id: Id) -> Response:
    """The log of a tournament, for `quadriga tournament verify`."""
    _check_look(request)
    store = tournaments_of(request).store
    found = await store.published(await store.find(id))
    return _file(msgspec.json.encode(found), "application/json", "tournament.json")


@operations.get("/api/tournaments/{id}/standings.csv", text_response("text/csv", 404))
async def tournament_standings(request: Request, id: Id) -> Response:
    """The standings of a tournament for spreadsheets."""
    _check_look(request)
    known = await tournaments_of(request).store.find(id)
    return _file(answers.as_csv(known).encode(), "text/csv", "standings.csv")


def tournaments_of(request: Request) -> Tournaments:
    """Return the tournaments of this server."""
    found: Tournaments = request.app.state.tournaments
    return found


def _check_look(request: Request) -> None:
    registry_of(request).limits.accounts.check(client_address(request))


async def _reply(request: Request, tournament_id: str, visitor: Visitor | None) -> Response:
    known = await tournaments_of(request).store.find(tournament_id)
    person = None if visitor is None else visitor.person
    return reply(await _answers(request).answer(known, person, registry_of(request).people.history))


def _answers(request: Request) -> answers.TournamentAnswers:
    made: answers.TournamentAnswers = request.app.state.tournament_answers
    return made


def _file(content: bytes, media: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(content, media_type=media, headers=headers)
