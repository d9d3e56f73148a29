"""Pictures of tables: a position as PNG, the end of a game as an animated GIF. Workers make them, within limits."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.request import Id, client_address, registry_of
from quadriga.server.messages import drawings, finished
from quadriga.server.protocol.openapi import text_response
from quadriga.server.rooms.registry import Registry
from quadriga.server.state.room_state import RoomState
from quadriga.server.workers.pool import Workers
from quadriga.server.workers.worker import Draw

operations = Operations()
_KEPT_BYTES = 32 * 2**20
_FOR_A_DAY = "public, max-age=86400"
_FOR_A_MOMENT = "public, max-age=10"
StepNumber = Annotated[int, msgspec.Meta(ge=-1, le=2**31)]


_PICTURE = msgspec.json.Decoder(bytes)


class Pictures:
    """The pictures that were made last, and the workers that make more."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    async def of(self, svgs: list[str], key: str, address: str) -> bytes:
        """Return the picture of some drawings; the key says whether it was made before."""
        if key not in self._kept:
            made = _PICTURE.decode(await self.workers.ask(address, Draw(svgs)))
            self._keep(key, made)
        self._kept.move_to_end(key)
        return self._kept[key]

    def known(self, key: str) -> bytes | None:
        """Return a picture if it is kept."""
        return self._kept.get(key)

    def _keep(self, key: str, made: bytes) -> None:
        self._bytes += len(made) - len(self._kept.pop(key, b""))
        self._kept[key] = made
        while self._bytes > _KEPT_BYTES and len(self._kept) > 1:
            self._bytes -= len(self._kept.popitem(last=False)[1])


@operations.get("/api/tables/{id}/picture", text_response("image/png", 404, 409))
async def picture(request: Request, id: Id, step: StepNumber = -1) -> Response:
    """A picture of the position as a spectator sees it; of a finished game after a step, or near its end."""
    address, pictures = await _admitted(request)
    async with (await registry_of(request).room(id)).exclusive() as state:
        is_over = state.over
        if is_over or step >= 0:
            finished.finished(state)
        else:
            position = drawings.current(state)
    if is_over:
        position = await asyncio.to_thread(drawings.after, state, step)
    svg = await asyncio.to_thread(drawings.drawing, position)
    made = await pictures.of([svg], svg, address)
    return _answer(made, "image/png", _FOR_A_DAY if is_over else _FOR_A_MOMENT)


@operations.get("/api/tables/{id}/animation", text_response("image/gif", 404, 409))
async def animation(request: Request, id: Id) -> Response:
    """The end of a finished game as an animated picture."""
    address, pictures = await _admitted(request)
    async with (await registry_of(request).room(id)).exclusive() as state:
        finished.finished(state)
    made = pictures.known(f"animation {id}") or await _animated(state, pictures, address)
    return _answer(made, "image/gif", _FOR_A_DAY)


async def _animated(state: RoomState, pictures: Pictures, address: str) -> bytes:
    svgs = await asyncio.to_thread(drawings.last_part, state)
    return await pictures.of(svgs, f"animation {state.id}", address)


async def _admitted(request: Request) -> tuple[str, Pictures]:
    """Return the address of a client and the pictures. Raises RoomError if it asks for too many."""
    registry: Registry = registry_of(request)
    address = client_address(request)
    registry.limits.pictures.check(address)
    found: Pictures = request.app.state.pictures
    return address, found


def _answer(content: bytes, media: str, kept: str) -> Response:
    # Other sites may show a picture, unlike anything else of this server.
    headers = {"cache-control": kept, "cross-origin-resource-policy": "cross-origin"}
    return Response(content, media_type=media, headers=headers)
