"""The websocket of a page outside of a table, from the handshake to the end."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket

from quadriga.engine.errors import QuadrigaError
from quadriga.server import metrics
from quadriga.server.limits import Bucket
from quadriga.server.lobby.listener import Listener
from quadriga.server.lobby.lobby import Lobby
from quadriga.server.protocol import texts
from quadriga.server.protocol.client_messages import Ping
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.protocol.fields import MESSAGE_BYTES
from quadriga.server.protocol.lobby import LIVE_DECODER, CancelQuick, LiveClientMessage, Quick
from quadriga.server.protocol.server_messages import Pong
from quadriga.server.proxy import address_of
from quadriga.server.rooms.registry import Registry
from quadriga.server.ws.connection import HOUSE, POLICY, TRY_LATER, admit, close, receive, send, write_queue

_MOST_EXCESS = 200  # messages above the rate, after which the client is disconnected
_FLUSH_S = 2.0  # for the messages that are still queued when a connection ends


async def live_socket(socket: WebSocket) -> None:
    """Serve one websocket of a page outside of tables."""
    registry: Registry = socket.app.state.registry
    address = address_of(socket.scope)
    await admit(
        socket,
        registry,
        registry.limits.listeners,
        metrics.listeners,
        lambda: _serve(socket, registry, socket.app.state.lobby, address),
    )


async def _serve(socket: WebSocket, registry: Registry, lobby: Lobby, address: str) -> None:
    try:
        secret = socket.cookies.get(registry.people.cookie)
        visitor = await registry.people.devices.visitor(secret)
        person = None if visitor is None else visitor.person
        registry.house.check_ban(None if person is None else person.id, secret=secret)
        registry.house.check_stranger(person, address)
        registry.house.check_watcher(person)
    except QuadrigaError as error:
        metrics.refusals.labels(error.code).inc()
        await send(socket, texts.refused(error))
        await close(socket, HOUSE if error.code.startswith("house.") else TRY_LATER)
        return
    listener = Listener(visitor, address, registry.settings.queue)
    writing = asyncio.create_task(write_queue(socket, listener))
    try:
        try:
            await lobby.enter(listener)
        except QuadrigaError as error:  # the store cannot be read now
            listener.send_message(texts.refused(error))
            listener.close(TRY_LATER)
        else:
            await _read_messages(socket, registry, lobby, listener)
        with suppress(TimeoutError):
            await asyncio.wait_for(writing, _FLUSH_S)
    finally:
        writing.cancel()
        lobby.leave(listener)
        await asyncio.shield(lobby.quick.gone(listener))


async def _read_messages(socket: WebSocket, registry: Registry, lobby: Lobby, listener: Listener) -> None:
    bucket = Bucket(registry.settings.rate, registry.settings.burst)
    excess = 0
    while listener.close_code is None:
        raw = await receive(socket)
        if not bucket.take():
            excess += 1
            if excess > _MOST_EXCESS:
                listener.close(POLICY)
            elif excess == 1:
                _refuse(listener, None, RoomError("wire.rate", 429))
            continue
        excess = 0
        try:
            message = _decoded(raw)
        except QuadrigaError as error:
            _refuse(listener, None, error)
            continue
        try:
            await _handle(registry, lobby, listener, message)
        except QuadrigaError as error:
            _refuse(listener, message.ref, error)
        except StaleError:
            _refuse(listener, message.ref, RoomError("store.failing", 503, reason=""))


async def _handle(registry: Registry, lobby: Lobby, listener: Listener, message: LiveClientMessage) -> None:
    match message:
        case Quick():
            registry.limits.joins.check(listener.address)
            registry.limits.check_create(listener.address, registry.rooms)  # a pair gets a table
            registry.check_crowded()
            registry.house.check_player(listener.person)
            registry.house.check_name(message.name)
            await lobby.quick.seek(listener, message, listener.hidden)
        case CancelQuick():
            await lobby.quick.cancel(listener)
        case Ping():
            listener.send_message(Pong(message.ref))


def _refuse(listener: Listener, ref: str | None, error: QuadrigaError) -> None:
    metrics.refusals.labels(error.code).inc()
    listener.send_message(texts.refused(error, ref))


def _decoded(raw: bytes) -> LiveClientMessage:
    """Return a client's message; raise RoomError if it is not one."""
    if len(raw) > MESSAGE_BYTES:
        raise RoomError("wire.size", 413, most=MESSAGE_BYTES)
    try:
        return LIVE_DECODER.decode(raw)
    except msgspec.ValidationError as error:
        raise RoomError("wire.field", 422, reason=str(error)[:200]) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RoomError("wire.json", 400, reason=str(error)[:200]) from None
