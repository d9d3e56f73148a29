"""Requests about the server and its games. `docs/protocol.md` describes them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.engine.game import Game
from quadriga.engine.match import options as opts
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.learn.lesson import has_course
from quadriga.learn.puzzles import has_puzzles
from quadriga.server import lan, metrics
from quadriga.server.http.operations import Operations
from quadriga.server.http.request import (
    client_address,
    invalid_json,
    read_body,
    registry_of,
    reply,
    reply_kept,
    upload_workers,
)
from quadriga.server.http.security import may_read_metrics
from quadriga.server.messages import game_catalogue, lessons
from quadriga.server.protocol import texts
from quadriga.server.protocol.answers import Document, Games, Geometry, Health, Home, Rules, Words
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.lesson_answers import Course, PuzzlePart, Puzzles
from quadriga.server.protocol.openapi import responses, text_response
from quadriga.server.protocol.requests import File
from quadriga.server.rooms import gauges
from quadriga.server.workers.worker import ReadFile, ReadGeometry
from quadriga.version import __version__

GameId = Annotated[str, msgspec.Meta(max_length=64)]
SeatCount = Annotated[int, msgspec.Meta(ge=0, le=100)]
Language = Annotated[str, msgspec.Meta(max_length=8)]
PartNumber = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
_OPTIONS = msgspec.json.Decoder(dict[str, Any])

operations = Operations(get="free")


@operations.get("/api/health", responses(Health))
async def health(request: Request) -> Response:
    """The state of the server; 503 while nothing can be stored, or while it stops (`draining`)."""
    registry = registry_of(request)
    found = Health("ok", __version__, len(registry.rooms), registry.sockets)
    if registry.is_draining:
        found.status = "draining"
        return reply(found, 503)
    if registry.store.fault is None:
        return reply(found)
    fault = texts.refusal(registry.store.fault)
    found.status, found.code, found.parameters, found.text = "failing", fault.code, fault.parameters, fault.text
    return reply(found, 503)


@operations.get("/metrics", text_response("text/plain", 403))
async def counts(request: Request) -> Response:
    """Prometheus metrics, for the machine itself and for addresses of `--metrics-from`."""
    if not may_read_metrics(request.scope, registry_of(request).settings):
        raise RoomError("metrics.local", 403)
    gauges.count(registry_of(request))
    return Response(metrics.text(), media_type="text/plain; version=0.0.4")


@operations.get("/api/games", responses(Games))
async def games(request: Request) -> Response:
    """The games, and how each can be set up."""
    return reply(await asyncio.to_thread(game_catalogue.games))


@operations.get("/api/games/{game}/geometry", responses(Geometry, 404))
async def geometry(
    request: Request,
    game: GameId,
    options: Annotated[str, msgspec.Meta(max_length=100_000)] = "{}",
    seats: SeatCount | None = None,
) -> Response:
    """The boards of a game; `options` is JSON."""
    try:
        given = _OPTIONS.decode(options)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise invalid_json(fault) from None
    found = find(game)
    if has_files(found, given):
        return reply(
            bytes(await upload_workers(request).ask(client_address(request), ReadGeometry(game, given, seats)))
        )
    resolved, count = found.resolve_options(given, seats)
    return reply(await asyncio.to_thread(game_catalogue.geometry, found, resolved, count))


@operations.post("/api/games/{game}/files/{option}", responses(Document, 404), File)
async def read_file(request: Request, game: GameId, option: GameId) -> Response:
    """Read a custom file for an option of type `document`; a bad one is refused with the reason and the line."""
    if not any(each.name == option and isinstance(each, opts.Document) for each in find(game).options):
        raise RoomError("file.option", 404, game=game, name=option)
    workers = upload_workers(request)
    with workers.place(client_address(request)) as place:
        asked = await read_body(request, File)
        async with workers.one(place) as worker:
            return reply(bytes(await worker.ask(ReadFile(game, option, asked.name, asked.text))))


def has_files(game: Game, options: dict[str, Any]) -> bool:
    """Return whether there is a custom file among the options."""
    return any(
        isinstance(option, opts.Document) and options.get(option.name) is not None for option in game.options
    )


@operations.get("/api/games/{game}/rules/{language}", responses(Rules, 404))
async def rules(request: Request, game: GameId, language: Language) -> Response:
    """The rules of a game."""
    _check_language(language)
    page = catalogues.rules_page(find(game).package, language)
    if not page.is_file():
        raise RoomError("rules.none", 404, game=game)
    return reply(Rules(page.read_text("utf-8")))


@operations.get("/api/games/{game}/lessons", responses(Course, 404))
async def course(request: Request, game: GameId) -> Response:
    """The lessons and the first race of a game."""
    if not has_course(find(game)):
        raise RoomError("lessons.none", 404, game=game)
    return reply_kept(request, await asyncio.to_thread(lessons.encoded_course, game))


@operations.get("/api/games/{game}/puzzles", responses(Puzzles, 404))
async def puzzles(request: Request, game: GameId) -> Response:
    """The common part of a game's puzzles: boards, grades and the size of a part."""
    return reply_kept(request, (await _puzzles(game))[0])


@operations.get("/api/games/{game}/puzzles/{part}", responses(PuzzlePart, 404))
async def puzzle_part(request: Request, game: GameId, part: PartNumber) -> Response:
    """Some puzzles of a game; the first part is 0."""
    made = (await _puzzles(game))[1:]
    if part >= len(made):
        raise RoomError("puzzles.part", 404, game=game, last=len(made) - 1)
    return reply_kept(request, made[part])


async def _puzzles(game: str) -> list[lessons.Made]:
    if not has_puzzles(find(game)):
        raise RoomError("puzzles.none", 404, game=game)
    return await asyncio.to_thread(lessons.encoded_puzzles, game)


@operations.get("/api/words/{language}", responses(Words, 404))
async def words(request: Request, language: Language) -> Response:
    """The texts of all messages of engine, games and server."""
    _check_language(language)
    return reply(Words(texts.catalogue(language)))


def _check_language(language: str) -> None:
    if language not in catalogues.LANGUAGES:
        raise RoomError("words.language", 404, known=list(catalogues.LANGUAGES))


@operations.get("/api/home", responses(Home))
async def home(request: Request) -> Response:
    """The addresses of the server on the home network."""
    settings = registry_of(request).settings
    port = request.url.port or settings.port
    return reply(Home(lan.addresses(port), lan.is_shared(settings.host)))
