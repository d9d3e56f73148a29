"""Requests about open tables: list a table, or no longer. `docs/protocol.md` describes them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply, token_of
from quadriga.server.lobby.lobby import Lobby
from quadriga.server.protocol.lobby import Opened, Opening
from quadriga.server.protocol.openapi import responses

operations = Operations()


def lobby_of(request: Request) -> Lobby:
    """Return the lobby of this server."""
    lobby: Lobby = request.app.state.lobby
    return lobby


@operations.get("/api/tables/{id}/open", responses(Opened, 404))
async def opened(request: Request, id: Id) -> Response:
    """Whether a table is listed, and when bots take its open seats."""
    registry = registry_of(request)
    registry.limits.joins.check(client_address(request))
    await registry.room(id)
    return reply(await lobby_of(request).openings.find(id))


@operations.post("/api/tables/{id}/open", responses(Opened, 401, 403, 404, 409), Opening)
async def open_table(request: Request, id: Id) -> Response:
    """The host lists a table that waits for players, or no longer."""
    registry, openings = registry_of(request), lobby_of(request).openings
    registry.limits.joins.check(client_address(request))
    asked = await read_body(request, Opening)
    room = await registry.room(id)
    holder = (await registry.bearer(token_of(request), id)).holder
    await openings.change(room, asked, holder)
    return reply(await openings.find(id))
