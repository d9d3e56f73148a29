"""The application: routes, the socket and the page, behind the guard."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from quadriga.engine.errors import QuadrigaError
from quadriga.server import metrics
from quadriga.server.http import (
    account_routes,
    company_routes,
    device_routes,
    game_routes,
    history_routes,
    host_routes,
    house_routes,
    league_routes,
    lobby_routes,
    mail_routes,
    moderation_routes,
    night_routes,
    notice_routes,
    oidc_routes,
    picture_routes,
    proof_routes,
    rating_routes,
    replay_routes,
    report_routes,
    static,
    table_routes,
    tournament_routes,
    vacation_routes,
)
from quadriga.server.http.bodies import TooLargeError
from quadriga.server.http.picture_routes import Pictures
from quadriga.server.http.request import reply
from quadriga.server.http.security import Guard, most_bytes
from quadriga.server.lobby.lobby import Lobby
from quadriga.server.lobby.warden import Warden
from quadriga.server.logs import LOGGER, safe
from quadriga.server.notices.notices import Notices
from quadriga.server.oidc.choice import provider_of
from quadriga.server.people.people import People
from quadriga.server.protocol import openapi, texts
from quadriga.server.protocol.errors import RefusedError, RoomError, status_of
from quadriga.server.proxy import Proxies
from quadriga.server.review.jobs import Reviews
from quadriga.server.rooms.processes.connecting import open_channel, shared_rates
from quadriga.server.rooms.registry import Registry
from quadriga.server.scores.scores import Scores
from quadriga.server.scores.tournaments.answers import TournamentAnswers
from quadriga.server.scores.tournaments.tournaments import Tournaments
from quadriga.server.seats.tokens import Tokens
from quadriga.server.settings import Settings
from quadriga.server.storage.address import open_store
from quadriga.server.upkeep.upkeep import Upkeep
from quadriga.server.workers.pool import Workers
from quadriga.server.ws.connection import table_socket
from quadriga.server.ws.live import live_socket
from quadriga.version import __version__

_OPERATIONS = (
    game_routes.operations,
    table_routes.operations,
    replay_routes.operations,
    picture_routes.operations,
    account_routes.operations,
    proof_routes.operations,
    device_routes.operations,
    mail_routes.operations,
    oidc_routes.operations,
    history_routes.operations,
    lobby_routes.operations,
    company_routes.operations,
    night_routes.operations,
    league_routes.operations,
    house_routes.operations,
    moderation_routes.operations,
    host_routes.operations,
    notice_routes.operations,
    vacation_routes.operations,
    rating_routes.operations,
    tournament_routes.operations,
)


def application(settings: Settings) -> Guard:
    """Return the application of a server with these settings."""
    proxies = Proxies(settings.proxies)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await open_store(settings.store)
        channel = open_channel(settings)
        registry = Registry(store, await Tokens.of(store), await People.of(store), settings, channel)
        rates = shared_rates(registry, {**registry.limits.shared, **guard.rates})
        app.state.registry = registry
        app.state.provider = provider_of(settings)
        lobby = app.state.lobby = Lobby(registry)
        app.state.started = time.time()
        await registry.house.open()
        s = settings
        app.state.reviews = Reviews(s.review_queue, s.review_each, s.review_memory)
        app.state.files = Workers(
            s.upload_workers, s.upload_queue, s.upload_each, s.upload_seconds, s.upload_memory
        )
        app.state.records = Workers(1, s.record_queue, s.record_each, s.record_seconds, s.record_memory)
        app.state.pictures = Pictures(
            Workers(1, s.picture_queue, s.picture_each, s.picture_seconds, s.picture_memory, "picture")
        )
        app.state.notices = await Notices.of(registry)
        scores = app.state.scores = Scores(registry)
        scores.listeners.append(lobby.tell_leagues)
        tournaments = app.state.tournaments = Tournaments(registry, scores.results)
        app.state.tournament_answers = TournamentAnswers()
        scores.listeners.append(tournaments.results_stored)
        registry.open()
        lobby.open()
        scores.open()
        tournaments.open()
        warden = Warden(registry, lobby)
        warden.open()
        app.state.notices.sender.open()
        upkeep = app.state.upkeep = Upkeep(registry)
        warden.on_rename = upkeep.renaming.wake
        upkeep.open()
        try:
            yield
        finally:
            await upkeep.close()
            await warden.close()
            await tournaments.close()
            await scores.close()
            await app.state.notices.sender.close()
            await app.state.reviews.close()
            await app.state.files.close()
            await app.state.records.close()
            await app.state.pictures.workers.close()
            await lobby.close()
            if rates is not None:
                await rates.close()
            await registry.close()

    app = Starlette(
        lifespan=lifespan,
        routes=[
            *(route for each in _OPERATIONS for route in each.routes),
            Route("/api/openapi.json", _openapi),
            WebSocketRoute("/api/tables/{id}/socket", table_socket),
            WebSocketRoute("/api/live", live_socket),
            *report_routes.routes(),
            *static.routes(),
        ],
        exception_handlers={
            QuadrigaError: _refused,
            RefusedError: _refused_by_worker,
            ClientDisconnect: _gone,
            HTTPException: _http,
            TooLargeError: _too_large,
            Exception: _fault,
        },
    )
    guard = Guard(app, settings, proxies)
    return guard


def described() -> openapi.Paths:
    """Return the descriptions of all requests, by path and method."""
    return {path: methods for each in _OPERATIONS for path, methods in each.described.items()}


async def _openapi(request: Request) -> Response:
    """Answer with the OpenAPI document."""
    return reply(msgspec.json.encode(openapi.document(described(), __version__)))


def _answer(fault: QuadrigaError, status: int) -> Response:
    metrics.refusals.labels(fault.code).inc()
    response = reply(texts.refusal(fault), status)
    if status in (429, 503):
        response.headers["retry-after"] = "5"
    return response


async def _refused(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, QuadrigaError)
    return _answer(fault, status_of(fault))


async def _refused_by_worker(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, RefusedError)
    metrics.refusals.labels(fault.code).inc()
    return reply(bytes(fault.refusal), fault.status)


async def _gone(request: Request, fault: Exception) -> Response:
    """Answer a client that has hung up before its request was complete. Nobody reads this."""
    return Response(status_code=400)


async def _http(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    known = {404: RoomError("wire.path", 404), 405: RoomError("wire.method", 405)}
    response = _answer(known.get(fault.status_code, RoomError("wire.http")), fault.status_code)
    response.headers.update(fault.headers or {})
    return response


async def _too_large(request: Request, fault: Exception) -> Response:
    return _answer(RoomError("wire.size", 413, most=most_bytes(request.url.path)), 413)


async def _fault(request: Request, fault: Exception) -> Response:
    LOGGER.error("%s %s", request.method, safe(request.url.path, 80), exc_info=fault)
    return _answer(RoomError("wire.fault", 500), 500)
