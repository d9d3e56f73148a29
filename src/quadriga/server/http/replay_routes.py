"""Requests about finished games and uploaded records. `docs/protocol.md` describes them."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.rating_routes import scores_of
from quadriga.server.http.request import (
    SMALL,
    Id,
    UndecodedPart,
    UndecodedUpload,
    client_address,
    read_body,
    read_upload,
    registry_of,
    reply,
)
from quadriga.server.messages import finished
from quadriga.server.protocol.fields import STEPS
from quadriga.server.protocol.openapi import responses, text_response
from quadriga.server.protocol.replay_answers import Chart, Fairness, PastOrders, RecordSummary, Replay, ReviewJob
from quadriga.server.protocol.requests import Nothing, Part, Upload
from quadriga.server.review.jobs import Reviews
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.workers.pool import Workers
from quadriga.server.workers.worker import ReadRecord, check_record

operations = Operations(post="look")


async def _finished_game(request: Request, id: str) -> RoomState:
    """Return a room whose game is over and on disk. Raises RoomError if it is not, or above the rate limit."""
    registry_of(request).limits.replays.check(client_address(request))
    async with (await registry_of(request).room(id)).exclusive() as state:
        finished.finished(state)
        return state


@operations.get("/api/tables/{id}/record", text_response("application/jsonl", 404, 409))
async def record(request: Request, id: Id) -> Response:
    """The record of a finished game."""
    registry_of(request).limits.replays.check(client_address(request))
    async with (await registry_of(request).room(id)).exclusive() as state:
        if state.status != CLOSED:
            finished.finished(state)
    text = await asyncio.to_thread(finished.record, state)
    name = f"{state.setup.game}-{id[:6]}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/jsonl", headers=headers)


@operations.get("/api/tables/{id}/fairness", responses(Fairness, 404, 409))
async def fairness(request: Request, id: Id) -> Response:
    """Everything that is needed to check the dice of a finished game."""
    return reply(await asyncio.to_thread(finished.fairness, await _finished_game(request, id)))


@operations.get("/api/tables/{id}/replay", responses(Replay, 404, 409))
async def replay(
    request: Request,
    id: Id,
    seat: Annotated[int, msgspec.Meta(ge=-1, le=100)] = -1,
    first: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0,
    count: Annotated[int, msgspec.Meta(ge=1, le=STEPS)] = 100,
) -> Response:
    """Positions of a finished game."""
    state = await _finished_game(request, id)
    return reply(await asyncio.to_thread(finished.replay, state, seat, first, count))


@operations.get("/api/tables/{id}/orders", responses(PastOrders, 404, 409))
async def orders(request: Request, id: Id) -> Response:
    """The standing orders of a finished game; before its end only their owner sees them."""
    state = await _finished_game(request, id)
    stored = await registry_of(request).store.load(state.id)
    return reply(await asyncio.to_thread(finished.orders, state, stored.events if stored else []))


@operations.get("/api/tables/{id}/chart", responses(Chart, 404, 409))
async def chart(request: Request, id: Id) -> Response:
    """A finished game as a whole: some of its positions, and the outcomes of chance."""
    return reply(await asyncio.to_thread(finished.chart, await _finished_game(request, id)))


@operations.post("/api/records", responses(RecordSummary), Upload)
async def uploaded_record(request: Request) -> Response:
    """The contents of an uploaded record; a wrong one is refused with the line and the reason."""
    return await _read_record(request, UndecodedUpload, "summary")


@operations.post("/api/records/replay", responses(Replay, 404), Part)
async def uploaded_replay(request: Request) -> Response:
    """Positions of an uploaded record."""
    return await _read_record(request, UndecodedPart, "replay")


@operations.post("/api/records/fairness", responses(Fairness), Upload)
async def uploaded_fairness(request: Request) -> Response:
    """Everything that is needed to check the dice of an uploaded record."""
    return await _read_record(request, UndecodedUpload, "fairness")


async def _read_record(request: Request, kind: type[UndecodedUpload], what: str) -> Response:
    """Return a worker's answer about an uploaded record; a record in the worker's memory is not sent again."""
    workers: Workers = request.app.state.records
    address = client_address(request)
    with workers.place(address) as place:
        asked = await read_upload(request, kind)
        record = memoryview(asked.record)
        key = await asyncio.to_thread(_hash, record)
        task = ReadRecord(key, what)
        if isinstance(asked, UndecodedPart):
            task.seat, task.first, task.count = asked.seat, asked.first, asked.count
        async with workers.one(place) as worker:
            if key in worker.remembered:
                return reply(bytes(await worker.ask(task)))
            registry_of(request).limits.records.check(address, 1 + len(record) / 2**18)
            return reply(bytes(await worker.ask(task, record)))


def _hash(record: memoryview) -> str:
    """Return a hash of a record; hashing releases the interpreter lock."""
    return hashlib.sha256(record).hexdigest()


@operations.post("/api/tables/{id}/review", responses(ReviewJob, 404, 409, status=202), Nothing)
async def review_table(request: Request, id: Id) -> Response:
    """Begin a review of a finished game."""
    await read_body(request, Nothing)
    state = await _finished_game(request, id)
    reviews = _reviews(request)
    job = reviews.known(id)
    if job is None:
        with reviews.place(client_address(request)) as place:
            keep = partial(scores_of(request).luck.keep, id)
            job = reviews.begin(place, id, await asyncio.to_thread(_record_json, state), keep)
    return reply(job.progress(), 202)


@operations.post("/api/reviews", responses(ReviewJob, status=202), Upload)
async def review_record(request: Request) -> Response:
    """Begin a review of an uploaded record."""
    reviews = _reviews(request)
    with reviews.place(client_address(request)) as place:
        asked = await read_upload(request, UndecodedUpload)
        record = memoryview(asked.record)
        if len(record) <= SMALL:
            check_record(record)
        key = await asyncio.to_thread(_hash, record)
        return reply(reviews.begin(place, f"record {key}", record).progress(), 202)


def _record_json(state: RoomState) -> memoryview:
    """Return the record of a finished game as a JSON string."""
    return memoryview(msgspec.json.encode(finished.record(state)))


def _reviews(request: Request) -> Reviews:
    """Return the reviews of this server. Raises RoomError if the address is above its rate limit."""
    registry_of(request).limits.reviews.check(client_address(request))
    reviews: Reviews = request.app.state.reviews
    return reviews


@operations.get("/api/reviews/{review}", responses(ReviewJob, 404))
async def review_progress(request: Request, review: Id) -> Response:
    """The progress of a review, and its result; a review that nobody asks for is dropped."""
    reviews: Reviews = request.app.state.reviews
    return reply(reviews.find(review).progress())
