"""The requests: thin, one function each. `docs/protocol.md` says what they take and give."""

from __future__ import annotations

import asyncio
import hashlib
from importlib import resources
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from quadriga.engine.game import Game
from quadriga.engine.match.options import Document
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.server import lan, metrics
from quadriga.server.http.security import may_count
from quadriga.server.present import finished, game_catalogue
from quadriga.server.present.frames import encoded
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.messages import STEPS, Create, File, Inviting, Join, Nothing, Part, Seating, Upload
from quadriga.server.protocol.openapi import responses, takes, text_response
from quadriga.server.proxy import address_of
from quadriga.server.review.jobs import Reviews, key_of
from quadriga.server.rooms import admission
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.workers.pool import Workers
from quadriga.server.workers.worker import Draw, ReadFile, ReadRecord, Settle
from quadriga.version import __version__

Model = TypeVar("Model", bound=msgspec.Struct)
Id = Annotated[str, Path(max_length=64)]
GameId = Annotated[str, Path(max_length=64)]
Language = Annotated[str, Path(max_length=8)]

# Decoders are built at import: two threads that build one for the same type at once can crash the process.
_BODIES: dict[type[Any], msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(kind) for kind in (Create, File, Inviting, Join, Nothing, Part, Seating, Upload)
}
_OPTIONS = msgspec.json.Decoder(dict[str, Any])

router = APIRouter()


def reply(content: object, status: int = 200) -> Response:
    """An answer in JSON, or one that is JSON already."""
    content = content if isinstance(content, bytes) else encoded(content)
    return Response(content, status, media_type="application/json", headers={"cache-control": "no-store"})


def house_of(request: Request) -> Registry:
    """The house that this server keeps."""
    registry: Registry = request.app.state.registry
    return registry


async def table_of(room: Room) -> dict[str, Any]:
    """What everybody may know of a table; what is being written is not among it."""
    async with room.exclusive():
        return room.summary()


async def finished_of(request: Request, id: str) -> RoomState:
    """A game that is over, and that is written; for who does not ask for too much."""
    house_of(request).limits.replays.check(address_of(request.scope))
    async with (await house_of(request).room(id)).exclusive() as state:
        finished.finished(state)
        return state


def token_of(request: Request) -> str | None:
    """The token in the header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


async def body(request: Request, kind: type[Model]) -> Model:
    """The body of a request, if it is what it should be."""
    raw = await request.body()
    try:
        found: Model = _BODIES[kind].decode(raw or b"{}")
        return found
    except msgspec.ValidationError as fault:
        raise RoomError("wire.field", 422, reason=str(fault)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise RoomError("wire.json", 400, reason=str(fault)[:200]) from None


def address(request: Request) -> str:
    """Whom a request counts for."""
    return address_of(request.scope)


def files_of(request: Request) -> Workers:
    """The workers that read files, for who does not ask for too much."""
    house_of(request).limits.uploads.check(address(request))
    files: Workers = request.app.state.files
    return files


def has_files(game: Game, options: dict[str, Any]) -> bool:
    """Whether there is a file of somebody's own among the options."""
    return any(isinstance(option, Document) and options.get(option.name) is not None for option in game.options)


@router.get("/api/health", responses=responses("Health"))
async def health(request: Request) -> Response:
    """Whether the server is well: 503 with the reason while nothing can be stored."""
    registry = house_of(request)
    found = {"version": __version__, "tables": len(registry.rooms), "sockets": registry.sockets}
    if registry.store.fault is not None:
        return reply({"status": "failing", **texts.refusal(registry.store.fault), **found}, 503)
    return reply({"status": "ok", **found})


@router.get("/metrics", responses=text_response("text/plain", 403))
async def counts(request: Request) -> Response:
    """What the server counts, for the machine itself."""
    if not may_count(request.scope, house_of(request).settings):
        raise RoomError("metrics.local", 403)
    house_of(request).count()
    return Response(metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/api/games", responses=responses("Games"))
async def games() -> Response:
    """The games, and how each can be set up."""
    return reply(await asyncio.to_thread(game_catalogue.games))


@router.get("/api/games/{game}/geometry", responses=responses("Geometry", 404))
async def geometry(
    request: Request,
    game: GameId,
    options: Annotated[str, Query(max_length=100_000)] = "{}",
    seats: Annotated[int | None, Query(ge=0, le=100)] = None,
) -> Response:
    """The boards of a game."""
    try:
        given = _OPTIONS.decode(options)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise RoomError("wire.json", 400, reason=str(fault)[:200]) from None
    found = find(game)
    if has_files(found, given):
        return reply(bytes(await files_of(request).ask(address(request), Draw(game, given, seats))))
    settled, count = found.settle(given, seats)
    return reply(await asyncio.to_thread(game_catalogue.geometry, found, settled, count))


@router.post("/api/games/{game}/files/{option}", responses=responses("Document", 404), openapi_extra=takes(File))
async def own_file(request: Request, game: GameId, option: GameId) -> Response:
    """Somebody's own deck, track or courses, read as the command line reads them."""
    asked = await body(request, File)
    found = next((o for o in find(game).options if o.name == option and isinstance(o, Document)), None)
    if found is None:
        raise RoomError("file.option", 404, game=game, name=option)
    task = ReadFile(game, option, asked.name, asked.text)
    return reply(bytes(await files_of(request).ask(address(request), task)))


@router.get("/api/games/{game}/rules/{language}", responses=responses("Rules", 404))
async def rules(game: GameId, language: Language) -> Response:
    """The rules of a game in our own words."""
    _check_language(language)
    page = resources.files(find(game).package).joinpath("words", f"rules.{language}.md")
    if not page.is_file():
        raise RoomError("rules.none", 404, game=game)
    return reply({"markdown": page.read_text("utf-8")})


@router.get("/api/words/{language}", responses=responses("Words", 404))
async def catalogue(language: Language) -> Response:
    """Every sentence, by its id."""
    _check_language(language)
    return reply({"messages": texts.catalogue(language)})


def _check_language(language: str) -> None:
    if language not in catalogues.LANGUAGES:
        raise RoomError("words.language", 404, known=list(catalogues.LANGUAGES))


@router.get("/api/home", responses=responses("Home"))
async def home(request: Request) -> Response:
    """Where others on the home network find this server."""
    settings = house_of(request).settings
    port = request.url.port or settings.port
    return reply({"addresses": lan.addresses(port), "shared": lan.shared(settings.host)})


@router.get("/api/tables", responses=responses("Tables"))
async def tables(request: Request) -> Response:
    """Public tables that wait or play."""
    found = await house_of(request).public()
    return reply({"tables": [await table_of(room) for room in found]})


@router.post(
    "/api/tables", status_code=201, responses=responses("Seated", 404, 409, status=201), openapi_extra=takes(Create)
)
async def create(request: Request) -> Response:
    """A new table."""
    registry = house_of(request)
    asked = await body(request, Create)
    registry.check_crowded()
    registry.limits.check_create(address(request), registry.rooms)
    game = find(asked.game)
    if has_files(game, asked.options):
        seats = len(asked.seats)
        await files_of(request).ask(address(request), Settle(asked.game, asked.options, seats))
        await asyncio.to_thread(game.settle, asked.options, seats)  # good, and remembered from now on
    room, token = await registry.create(asked)
    registry.limits.created(address(request), room.state.id)
    return reply({"table": await table_of(room), "token": token}, 201)


@router.get("/api/tables/{id}", responses=responses("Table", 404))
async def table(request: Request, id: Id) -> Response:
    """What everybody may know of a table."""
    room = await house_of(request).room(id)
    return reply(await table_of(room))


@router.get("/api/tables/{id}/geometry", responses=responses("Geometry", 404))
async def table_geometry(request: Request, id: Id) -> Response:
    """The boards and cards of a table."""
    state = (await house_of(request).room(id)).state
    return reply(await asyncio.to_thread(game_catalogue.geometry, state.game, state.options, state.seat_count))


@router.post("/api/tables/{id}/join", responses=responses("Joined", 401, 404, 409), openapi_extra=takes(Join))
async def join(request: Request, id: Id) -> Response:
    """Take an open chair."""
    registry = house_of(request)
    registry.limits.joins.check(address(request))
    asked = await body(request, Join)
    room = await registry.room(id)
    holder, token = await registry.join(room, asked, token_of(request))
    return reply({"token": token, "seats": registry.seats_of(room, holder), "table": await table_of(room)})


@router.post(
    "/api/tables/{id}/seats/{seat}", responses=responses("Table", 401, 403, 404, 409), openapi_extra=takes(Seating)
)
async def seat(request: Request, id: Id, seat: Annotated[int, Path(ge=0, le=100)]) -> Response:
    """The host seats a bot, or opens a chair."""
    registry = house_of(request)
    registry.limits.joins.check(address(request))
    asked = await body(request, Seating)
    room = await registry.room(id)
    await registry.seat(room, seat, asked, token_of(request))
    return reply(await table_of(room))


@router.post(
    "/api/tables/{id}/seats/{seat}/invite",
    responses=responses("Invitation", 401, 403, 404, 409),
    openapi_extra=takes(Inviting),
)
async def invite(request: Request, id: Id, seat: Annotated[int, Path(ge=0, le=100)]) -> Response:
    """Invite somebody to a seat that a vote has emptied, or withdraw the invitation; host."""
    asked = await body(request, Inviting)
    room, holder = await _bearer_at(request, id)
    code = await admission.invite(room, seat, holder, asked.on)
    return reply({"invite": code, "table": await table_of(room)})


@router.post(
    "/api/tables/{id}/seats/{seat}/ask",
    responses=responses("Table", 401, 403, 404, 409),
    openapi_extra=takes(Nothing),
)
async def ask(request: Request, id: Id, seat: Annotated[int, Path(ge=0, le=100)]) -> Response:
    """Ask to return to a seat that a vote has taken; its former holder."""
    await body(request, Nothing)
    room, holder = await _bearer_at(request, id)
    await admission.ask(room, seat, holder)
    return reply(await table_of(room))


@router.post(
    "/api/tables/{id}/seats/{seat}/allow",
    responses=responses("Table", 401, 403, 404, 409),
    openapi_extra=takes(Nothing),
)
async def allow(request: Request, id: Id, seat: Annotated[int, Path(ge=0, le=100)]) -> Response:
    """Let the former holder of a seat return, who has asked; host."""
    await body(request, Nothing)
    room, holder = await _bearer_at(request, id)
    await admission.allow(room, seat, holder)
    return reply(await table_of(room))


async def _bearer_at(request: Request, id: str) -> tuple[Room, str]:
    """Return a room, and who of its people asks."""
    registry = house_of(request)
    registry.limits.joins.check(address(request))
    room = await registry.room(id)
    return room, registry.bearer(token_of(request), id).holder


@router.post(
    "/api/tables/{id}/start", responses=responses("Table", 401, 403, 404, 409), openapi_extra=takes(Nothing)
)
async def start(request: Request, id: Id) -> Response:
    """The host starts."""
    registry = house_of(request)
    registry.limits.joins.check(address(request))
    await body(request, Nothing)
    room = await registry.room(id)
    await registry.start(room, token_of(request))
    return reply(await table_of(room))


@router.post(
    "/api/tables/{id}/rematch", responses=responses("Seated", 401, 403, 404, 409), openapi_extra=takes(Nothing)
)
async def rematch(request: Request, id: Id) -> Response:
    """Once more."""
    registry = house_of(request)
    registry.limits.joins.check(address(request))
    await body(request, Nothing)
    room, token = await registry.rematch(await registry.room(id), token_of(request))
    return reply({"table": await table_of(room), "token": token})


@router.get("/api/tables/{id}/record", responses=text_response("application/jsonl", 404, 409))
async def record(request: Request, id: Id) -> Response:
    """The record of a finished game."""
    house_of(request).limits.replays.check(address(request))
    async with (await house_of(request).room(id)).exclusive() as state:
        if state.status != CLOSED:
            finished.finished(state)
    text = await asyncio.to_thread(finished.record, state)
    name = f"{state.setup.game}-{id[:6]}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/jsonl", headers=headers)


@router.get("/api/tables/{id}/fairness", responses=responses("Fairness", 404, 409))
async def fairness(request: Request, id: Id) -> Response:
    """All that it takes to check the dice of a finished game."""
    return reply(await asyncio.to_thread(finished.fairness, await finished_of(request, id)))


@router.get("/api/tables/{id}/replay", responses=responses("Replay", 404, 409))
async def replay(
    request: Request,
    id: Id,
    seat: Annotated[int, Query(ge=-1, le=100)] = -1,
    first: Annotated[int, Query(ge=0, le=10**9)] = 0,
    count: Annotated[int, Query(ge=1, le=STEPS)] = 100,
) -> Response:
    """Positions of a finished game."""
    return reply(await asyncio.to_thread(finished.replay, await finished_of(request, id), seat, first, count))


@router.get("/api/tables/{id}/chart", responses=responses("Chart", 404, 409))
async def chart(request: Request, id: Id) -> Response:
    """A finished game as a whole: some of its positions, and how chance fell."""
    return reply(await asyncio.to_thread(finished.chart, await finished_of(request, id)))


async def brought(request: Request, asked: Upload, what: str) -> Response:
    """Something about somebody's own record, read by the rules in a process of its own."""
    workers: Workers = request.app.state.records
    key = hashlib.sha256(asked.record.encode("utf-8", "surrogatepass")).hexdigest()
    task = ReadRecord(key, asked.record, what)
    if isinstance(asked, Part):
        task.seat, task.first, task.count = asked.seat, asked.first, asked.count
    async with workers.one(address(request)) as worker:
        if key in worker.kept:
            task.record = None
        else:
            house_of(request).limits.records.check(address(request), 1 + len(asked.record) / 2**18)
        return reply(bytes(await worker.ask(task)))


@router.post("/api/records", responses=responses("Record"), openapi_extra=takes(Upload))
async def own_record(request: Request) -> Response:
    """What is in somebody's own record; a wrong one is refused with the line and the reason."""
    return await brought(request, await body(request, Upload), "shown")


@router.post("/api/records/replay", responses=responses("Replay", 404), openapi_extra=takes(Part))
async def own_replay(request: Request) -> Response:
    """Positions of somebody's own record."""
    return await brought(request, await body(request, Part), "replay")


@router.post("/api/records/fairness", responses=responses("Fairness"), openapi_extra=takes(Upload))
async def own_fairness(request: Request) -> Response:
    """All that it takes to check the dice of somebody's own record."""
    return await brought(request, await body(request, Upload), "fairness")


def reviews_of(request: Request) -> Reviews:
    """The reviews of this server, for who does not ask for too many."""
    house_of(request).limits.reviews.check(address(request))
    reviews: Reviews = request.app.state.reviews
    return reviews


@router.post(
    "/api/tables/{id}/review",
    status_code=202,
    responses=responses("Review", 404, 409, status=202),
    openapi_extra=takes(Nothing),
)
async def review(request: Request, id: Id) -> Response:
    """Begin to look at a finished game again."""
    await body(request, Nothing)
    state = await finished_of(request, id)
    reviews = reviews_of(request)
    job = reviews.known(id) or reviews.begin(id, await asyncio.to_thread(finished.record, state))
    return reply(job.shown(), 202)


@router.post(
    "/api/reviews", status_code=202, responses=responses("Review", status=202), openapi_extra=takes(Upload)
)
async def upload(request: Request) -> Response:
    """Begin to look at somebody's own record again."""
    record = (await body(request, Upload)).record
    return reply(reviews_of(request).begin(key_of(record), record).shown(), 202)


@router.get("/api/reviews/{id}", responses=responses("Review", 404))
async def reviewed(request: Request, id: Id) -> Response:
    """How far a review is, or what came of it; who asks no more gives it up."""
    reviews: Reviews = request.app.state.reviews
    return reply(reviews.find(id).shown())
