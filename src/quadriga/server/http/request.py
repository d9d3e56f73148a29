"""Helpers for routes: decode a request, find what it is about, and encode the answer."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Path, Request
from starlette.responses import Response

from quadriga.server.present.frames import encoded
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.parts import Table
from quadriga.server.protocol.requests import BODIES
from quadriga.server.proxy import address_of
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.workers.pool import Workers

Body = TypeVar("Body", bound=msgspec.Struct)
Id = Annotated[str, Path(max_length=64)]
SeatNumber = Annotated[int, Path(ge=0, le=100)]

# Decoders are built at import: two threads that build one for the same type at once can crash the process.
_DECODERS: dict[type[Any], msgspec.json.Decoder[Any]] = {kind: msgspec.json.Decoder(kind) for kind in BODIES}


def reply(answer: msgspec.Struct | bytes, status: int = 200) -> Response:
    """Return an answer as JSON; bytes are JSON already."""
    content = answer if isinstance(answer, bytes) else encoded(answer)
    return Response(content, status, media_type="application/json", headers={"cache-control": "no-store"})


async def read_body(request: Request, kind: type[Body]) -> Body:
    """Return the body of a request. Raises RoomError if it is not of this type; an empty body is `{}`."""
    raw = await request.body()
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
    """Return the address that a request counts for."""
    return address_of(request.scope)


def token_of(request: Request) -> str | None:
    """Return the token in the header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


async def table_of(room: Room) -> Table:
    """Return what everybody may know of a room, without what is still being written."""
    async with room.exclusive():
        return room.summary()


def upload_workers(request: Request) -> Workers:
    """Return the workers that read custom files. Raises RoomError if an address asks for too many."""
    registry_of(request).limits.uploads.check(client_address(request))
    workers: Workers = request.app.state.files
    return workers
