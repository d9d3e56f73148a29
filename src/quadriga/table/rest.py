"""The requests: thin, one function each. `docs/protocol.md` says what they take and give."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from quadriga.engine import words
from quadriga.engine.options import Document
from quadriga.games import find
from quadriga.table import admission, archive, boards, messages, metrics, network, shown
from quadriga.table.frames import encoded
from quadriga.table.house import House
from quadriga.table.ledger import Ledger
from quadriga.table.openapi import responses, takes, text_response
from quadriga.table.records import Brought, Records
from quadriga.table.refusals import TableError
from quadriga.table.reviews import Reviews, key_of
from quadriga.table.room import Room
from quadriga.table.security import loopback
from quadriga.table.wire import STEPS, Create, File, Inviting, Join, Nothing, Part, Seating, Upload
from quadriga.version import __version__

Body = TypeVar("Body", bound=msgspec.Struct)
Id = Annotated[str, Path(max_length=64)]
GameId = Annotated[str, Path(max_length=64)]
Language = Annotated[str, Path(max_length=8)]

router = APIRouter()


def reply(content: object, status: int = 200) -> Response:
    """An answer in JSON, or one that is JSON already."""
    content = content if isinstance(content, bytes) else encoded(content)
    return Response(content, status, media_type="application/json", headers={"cache-control": "no-store"})


def house_of(request: Request) -> House:
    """The house that this server keeps."""
    house: House = request.app.state.house
    return house


async def table_of(room: Room) -> dict[str, Any]:
    """What everybody may know of a table; what is being written is not among it."""
    async with room.turn():
        return shown.table(room)


async def finished_of(request: Request, id: str) -> Ledger:
    """A game that is over, and that is written."""
    async with (await house_of(request).room(id)).turn() as ledger:
        archive.finished(ledger)
        return ledger


def token_of(request: Request) -> str | None:
    """The token in the header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


async def body(request: Request, kind: type[Body]) -> Body:
    """The body of a request, if it is what it should be."""
    raw = await request.body()
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except msgspec.ValidationError as fault:
        raise TableError("wire.field", 422, reason=str(fault)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise TableError("wire.json", 400, reason=str(fault)[:200]) from None


@router.get("/api/health", responses=responses("Health"))
async def health(request: Request) -> Response:
    """Whether the server is well."""
    house = house_of(request)
    tables = len(house.rooms)
    return reply({"status": "ok", "version": __version__, "tables": tables, "sockets": house.sockets})


@router.get("/metrics", responses=text_response("text/plain", 403))
async def counts(request: Request) -> Response:
    """What the server counts, for the machine itself."""
    if not loopback(request.scope):
        raise TableError("metrics.local", 403)
    house_of(request).count()
    return Response(metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/api/games", responses=responses("Games"))
async def games() -> Response:
    """The games, and how each can be set up."""
    return reply(await asyncio.to_thread(boards.games))


@router.get("/api/games/{game}/geometry", responses=responses("Geometry", 404))
async def geometry(
    game: GameId,
    options: Annotated[str, Query(max_length=100_000)] = "{}",
    seats: Annotated[int | None, Query(ge=0, le=100)] = None,
) -> Response:
    """The boards of a game."""
    try:
        given = msgspec.json.decode(options, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise TableError("wire.json", 400, reason=str(fault)[:200]) from None
    found = find(game)
    settled, count = found.settle(given, seats)
    return reply(await asyncio.to_thread(boards.geometry, found, settled, count))


@router.post("/api/games/{game}/files/{option}", responses=responses("Document", 404), openapi_extra=takes(File))
async def own_file(request: Request, game: GameId, option: GameId) -> Response:
    """Somebody's own deck, track or courses, read as the command line reads them."""
    asked = await body(request, File)
    found = next((o for o in find(game).options if o.name == option and isinstance(o, Document)), None)
    if found is None:
        raise TableError("file.option", 404, game=game, name=option)
    return reply({"document": await asyncio.to_thread(found.read, asked.name, asked.text.encode("utf-8"))})


@router.get("/api/games/{game}/rules/{language}", responses=responses("Rules", 404))
async def rules(game: GameId, language: Language) -> Response:
    """The rules of a game in our own words."""
    _check_language(language)
    page = boards.rules_page(find(game), language)
    if not page.is_file():
        raise TableError("rules.none", 404, game=game)
    return reply({"markdown": page.read_text("utf-8")})


@router.get("/api/words/{language}", responses=responses("Words", 404))
async def catalogue(language: Language) -> Response:
    """Every sentence, by its id."""
    _check_language(language)
    return reply({"messages": messages.catalogue(language)})


def _check_language(language: str) -> None:
    if language not in words.LANGUAGES:
        raise TableError("words.language", 404, known=list(words.LANGUAGES))


@router.get("/api/home", responses=responses("Home"))
async def home(request: Request) -> Response:
    """Where others on the home network find this server."""
    settings = house_of(request).settings
    port = request.url.port or settings.port
    return reply({"addresses": network.addresses(port), "shared": network.shared(settings.host)})


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
    house = house_of(request)
    room, token = await house.create(await body(request, Create))
    return reply({"table": await table_of(room), "token": token}, 201)


@router.get("/api/tables/{id}", responses=responses("Table", 404))
async def table(request: Request, id: Id) -> Response:
    """What everybody may know of a table."""
    room = await house_of(request).room(id)
    return reply(await table_of(room))


@router.get("/api/tables/{id}/geometry", responses=responses("Geometry", 404))
async def table_geometry(request: Request, id: Id) -> Response:
    """The boards and cards of a table."""
    ledger = (await house_of(request).room(id)).ledger
    return reply(await asyncio.to_thread(boards.geometry, ledger.game, ledger.options, ledger.seats))


@router.post("/api/tables/{id}/join", responses=responses("Joined", 401, 404, 409), openapi_extra=takes(Join))
async def join(request: Request, id: Id) -> Response:
    """Take an open chair."""
    house = house_of(request)
    asked = await body(request, Join)
    room = await house.room(id)
    holder, token = await house.join(room, asked, token_of(request))
    return reply({"token": token, "seats": house.seats_of(room, holder), "table": await table_of(room)})


@router.post(
    "/api/tables/{id}/seats/{seat}", responses=responses("Table", 401, 403, 404, 409), openapi_extra=takes(Seating)
)
async def seat(request: Request, id: Id, seat: Annotated[int, Path(ge=0, le=100)]) -> Response:
    """The host seats a bot, or opens a chair."""
    house = house_of(request)
    asked = await body(request, Seating)
    room = await house.room(id)
    await house.seat(room, seat, asked, token_of(request))
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
    house = house_of(request)
    room = await house.room(id)
    return room, house.bearer(token_of(request), id).holder


@router.post(
    "/api/tables/{id}/start", responses=responses("Table", 401, 403, 404, 409), openapi_extra=takes(Nothing)
)
async def start(request: Request, id: Id) -> Response:
    """The host starts."""
    house = house_of(request)
    await body(request, Nothing)
    room = await house.room(id)
    await house.start(room, token_of(request))
    return reply(await table_of(room))


@router.post(
    "/api/tables/{id}/rematch", responses=responses("Seated", 401, 403, 404, 409), openapi_extra=takes(Nothing)
)
async def rematch(request: Request, id: Id) -> Response:
    """Once more."""
    house = house_of(request)
    await body(request, Nothing)
    room, token = await house.rematch(await house.room(id), token_of(request))
    return reply({"table": await table_of(room), "token": token})


@router.get("/api/tables/{id}/record", responses=text_response("application/jsonl", 404, 409))
async def record(request: Request, id: Id) -> Response:
    """The record of a finished game."""
    ledger = await finished_of(request, id)
    text = await asyncio.to_thread(archive.record, ledger)
    name = f"{ledger.setup.game}-{id[:6]}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/jsonl", headers=headers)


@router.get("/api/tables/{id}/fairness", responses=responses("Fairness", 404, 409))
async def fairness(request: Request, id: Id) -> Response:
    """All that it takes to check the dice of a finished game."""
    return reply(await asyncio.to_thread(archive.fairness, await finished_of(request, id)))


@router.get("/api/tables/{id}/replay", responses=responses("Replay", 404, 409))
async def replay(
    request: Request,
    id: Id,
    seat: Annotated[int, Query(ge=-1, le=100)] = -1,
    first: Annotated[int, Query(ge=0, le=10**9)] = 0,
    count: Annotated[int, Query(ge=1, le=STEPS)] = 100,
) -> Response:
    """Positions of a finished game."""
    return reply(await asyncio.to_thread(archive.replay, await finished_of(request, id), seat, first, count))


@router.get("/api/tables/{id}/chart", responses=responses("Chart", 404, 409))
async def chart(request: Request, id: Id) -> Response:
    """A finished game as a whole: some of its positions, and how chance fell."""
    return reply(await asyncio.to_thread(archive.chart, await finished_of(request, id)))


async def brought(request: Request, record: str) -> Brought:
    """Somebody's own record, read by the rules."""

    def admit(cost: float) -> None:
        if not request.app.state.record_rates.take(request.client.host if request.client else "", cost):
            raise TableError("wire.rate", 429)

    records: Records = request.app.state.records
    return await records.read(record, admit)


@router.post("/api/records", responses=responses("Record"), openapi_extra=takes(Upload))
async def own_record(request: Request) -> Response:
    """What is in somebody's own record; a wrong one is refused with the line and the reason."""
    found = await brought(request, (await body(request, Upload)).record)
    return reply(await asyncio.to_thread(found.shown))


@router.post("/api/records/replay", responses=responses("Replay", 404), openapi_extra=takes(Part))
async def own_replay(request: Request) -> Response:
    """Positions of somebody's own record."""
    asked = await body(request, Part)
    found = await brought(request, asked.record)
    return reply(await asyncio.to_thread(found.replay, asked.seat, asked.first, asked.count))


@router.post("/api/records/fairness", responses=responses("Fairness"), openapi_extra=takes(Upload))
async def own_fairness(request: Request) -> Response:
    """All that it takes to check the dice of somebody's own record."""
    found = await brought(request, (await body(request, Upload)).record)
    return reply(await asyncio.to_thread(found.fairness))


def reviews_of(request: Request) -> Reviews:
    """The reviews of this server, for who does not ask for too many."""
    if not request.app.state.review_rates.take(request.client.host if request.client else ""):
        raise TableError("wire.rate", 429)
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
    ledger = await finished_of(request, id)
    reviews = reviews_of(request)
    job = reviews.known(id) or reviews.begin(id, await asyncio.to_thread(archive.record, ledger))
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
