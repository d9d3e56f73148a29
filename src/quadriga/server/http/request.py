"""Helpers for routes: decode a request, find what it is about, and encode the answer."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.messages.game_messages import encoded
from quadriga.server.messages.lessons import Made
from quadriga.server.people.codes import is_secret
from quadriga.server.people.person import Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import MOST_SEATS, STEPS, Number
from quadriga.server.protocol.parts import Table
from quadriga.server.protocol.requests import BODIES
from quadriga.server.proxy import address_of
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.workers.pool import Workers

Body = TypeVar("Body", bound=msgspec.Struct)
Uploaded = TypeVar("Uploaded", bound="UndecodedUpload")
Id = Annotated[str, msgspec.Meta(max_length=64)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=100)]


class UndecodedUpload(msgspec.Struct, forbid_unknown_fields=True):
    """An `Upload` whose record stays JSON: decoding megabytes is left to a worker."""

    record: msgspec.Raw


class UndecodedPart(UndecodedUpload, forbid_unknown_fields=True):
    """A `Part` whose record stays JSON."""

    seat: Annotated[int, msgspec.Meta(ge=-1, lt=MOST_SEATS)] = -1
    first: Number = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=STEPS)] = 100


SMALL = 2**18  # bytes; a body of this size is parsed in a fraction of a millisecond
_AROUND = 256  # bytes before and after a record in which its quotes are looked for
_RECORD_BEGINS = re.compile(rb'[^"]*(?:"(?:seat|first|count)"[^"]*)*"record"\s*:\s*(?=")')
_RECORD_ENDS = re.compile(rb'(?<!\\)"(?=\s*(?:,\s*"(?:seat|first|count)"[^"\\]*)*\}\s*\Z)')

# Decoders are built at import: two threads that build one for the same type at once can crash the process.
_DECODERS: dict[type[Any], msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(kind) for kind in (*BODIES, UndecodedUpload, UndecodedPart)
}


def reply(answer: msgspec.Struct | bytes, status: int = 200) -> Response:
    """Return an answer as JSON; bytes are JSON already."""
    content = answer if isinstance(answer, bytes) else encoded(answer)
    return Response(content, status, media_type="application/json", headers={"cache-control": "no-store"})


def reply_kept(request: Request, made: Made) -> Response:
    """Return an answer with an ETag, or 304 without a body if the client's copy is current."""
    headers = {"cache-control": "no-cache", "etag": made.tag}
    if made.tag in request.headers.get("if-none-match", ""):  # a proxy that compresses marks tags as weak
        return Response(status_code=304, headers=headers)
    return Response(made.body, media_type="application/json", headers=headers)


async def read_body(request: Request, kind: type[Body]) -> Body:
    """Return the body of a request. Raises RoomError if it is not of this type; an empty body is `{}`."""
    return _decode(await request.body(), kind)


async def read_upload(request: Request, kind: type[Uploaded]) -> Uploaded:
    """Return an uploaded record, which stays JSON. Raises RoomError as `read_body` does.

    Of a large one only what stands around the record is parsed: to look for the end of a string of megabytes would
    hold up the server. Whoever decodes the record finds out if it is not one string.
    """
    raw = bytearray()  # grows in place: to join megabytes at the end would hold up the server, too
    async for piece in request.stream():
        raw += piece
    begin = _RECORD_BEGINS.match(raw, 0, _AROUND)
    end = _RECORD_ENDS.search(raw, len(raw) - _AROUND) if len(raw) > SMALL else None
    if begin is None or end is None:
        return _decode(raw, kind)
    found = _decode(raw[: begin.end()] + b"null" + raw[end.end() :], kind)
    found.record = msgspec.Raw(memoryview(raw)[begin.end() : end.end()])
    return found


def _decode(raw: bytes | bytearray, kind: type[Body]) -> Body:
    try:
        found: Body = _DECODERS[kind].decode(raw or b"{}")
        return found
    except msgspec.ValidationError as fault:
        raise RoomError("wire.field", 422, reason=str(fault)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise invalid_json(fault) from None


def invalid_json(fault: Exception) -> RoomError:
    """Return the error for text that is not JSON."""
    return RoomError("wire.json", 400, reason=str(fault)[:200])


def registry_of(request: Request) -> Registry:
    """Return the rooms of this server."""
    registry: Registry = request.app.state.registry
    return registry


def client_address(request: Request) -> str:
    """Return the client address that the rate limits of a request count for."""
    return address_of(request.scope)


def token_of(request: Request) -> str | None:
    """Return the token in the header; without one, the secret of the device."""
    return _bearer_token(request) or request.cookies.get(registry_of(request).people.cookie)


def _bearer_token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


def secret_of(request: Request) -> str | None:
    """Return the secret of the device or bot that sends a request."""
    token = _bearer_token(request)
    if token is not None and is_secret(token):
        return token
    return request.cookies.get(registry_of(request).people.cookie)


async def visitor_of(request: Request) -> Visitor | None:
    """Return who sends a request; None if nobody knows."""
    return await registry_of(request).people.devices.visitor(secret_of(request))


async def table_of(room: Room) -> Table:
    """Return the public state of a room, without changes that are still being written."""
    async with room.exclusive():
        return room.summary()


def upload_workers(request: Request) -> Workers:
    """Return the workers that read custom files. Raises RoomError if the address is above its rate limit."""
    registry_of(request).limits.uploads.check(client_address(request))
    workers: Workers = request.app.state.files
    return workers
