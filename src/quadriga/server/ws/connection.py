"""A websocket connection: one viewer of one room, from the handshake to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import get_args

import msgspec
from prometheus_client import Gauge
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.server import metrics
from quadriga.server.http.security import is_known_host, is_same_origin
from quadriga.server.limits import Bucket, ConnectionLimit
from quadriga.server.logs import LOGGER
from quadriga.server.people.codes import is_secret
from quadriga.server.people.person import Person
from quadriga.server.protocol import texts
from quadriga.server.protocol.client_messages import DECODER, ClientMessage, Hello
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import MESSAGE_BYTES
from quadriga.server.protocol.parts import ChatLine
from quadriga.server.protocol.server_messages import Welcome
from quadriga.server.proxy import address_of
from quadriga.server.rooms import audience
from quadriga.server.rooms.blocks import read_blocks
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.seats.outbox import CLOSED, Outbox
from quadriga.server.seats.tokens import Bearer
from quadriga.server.seats.viewers import Viewer
from quadriga.server.ws import handlers

# Close codes.
POLICY, RESTART, TRY_LATER, NO_ROOM, BAD_TOKEN, BAD_ORIGIN, DAMAGED = 1008, 1012, 1013, 4404, 4401, 4409, 4503
_CLOSE_CODES = {
    "table.damaged": DAMAGED,
    "table.newer": RESTART,
    "store.full": TRY_LATER,
    "store.failing": TRY_LATER,
}
HOUSE = CLOSED  # for somebody who is banned, or who may not see what is played here
_FLUSH_S = 2.0  # for the messages that are still queued when a connection ends
_MOST_EXCESS = 200  # messages above the rate in a row, after which the client is disconnected
_REFUSE_EVERY = 10  # such messages: a client that floods is not flooded back


async def table_socket(socket: WebSocket) -> None:
    """Serve one websocket of a table."""
    registry: Registry = socket.app.state.registry
    if socket.path_params["id"] in registry.newer.ids:
        await decline(socket)
        return
    await admit(socket, registry, registry.limits.sockets, metrics.sockets, lambda: _serve(socket, registry))


async def admit(
    socket: WebSocket,
    registry: Registry,
    limit: ConnectionLimit,
    gauge: Gauge,
    serve: Callable[[], Awaitable[None]],
) -> None:
    """Accept a websocket of our own page within a limit on connections, and serve it until it ends."""
    if registry.is_draining:
        await decline(socket)
        return
    await socket.accept()
    if not is_known_host(socket.headers.get("host", ""), registry.settings) or not is_same_origin(socket.headers):
        await close(socket, BAD_ORIGIN)
        return
    address = address_of(socket.scope)
    if not limit.acquire(address):
        await close(socket, POLICY)
        return
    gauge.inc()
    try:
        await serve()
    except WebSocketDisconnect:
        pass
    finally:
        gauge.dec()
        limit.release(address)


async def decline(socket: WebSocket) -> None:
    """Refuse a websocket before it is open, so that a proxy tries another process."""
    await socket.send_denial_response(Response(status_code=503))


async def _serve(socket: WebSocket, registry: Registry) -> None:
    if await _find_room(socket, registry) is None:
        return
    hello = await _receive_hello(socket, registry)
    if hello is None:
        return
    room = await _find_room(socket, registry)  # the first one may have been unloaded meanwhile
    if room is None:
        return
    try:
        secret = socket.cookies.get(registry.people.cookie)
        viewer, bearer = await _new_viewer(registry, room, hello, secret, address_of(socket.scope))
    except QuadrigaError as error:
        await send(socket, texts.refused(error, hello.ref))
        await close(socket, _refusal_code(error))
        return
    room.presence.arriving.add(viewer)
    writing = asyncio.create_task(write_queue(socket, viewer))
    try:
        if await _has_entered(registry, room, viewer, bearer, hello):
            await _read_messages(socket, registry, room, viewer)
        with suppress(TimeoutError):  # send what is queued, with the reason of the end
            await asyncio.wait_for(writing, _FLUSH_S)
    finally:
        writing.cancel()
        audience.leave(room, viewer)


async def _has_entered(registry: Registry, room: Room, viewer: Viewer, bearer: Bearer | None, hello: Hello) -> bool:
    """Welcome a viewer to a room; if it cannot enter, tell it, close it, and return False."""
    try:
        try:
            if viewer.holder is not None:  # nobody can block somebody else
                await read_blocks(room)
            async with room.exclusive():
                if viewer.close_code is not None:  # banned meanwhile, or the server stops
                    return False
                viewer.take([] if bearer is None else room.state.seats_of(bearer.holder))  # may have changed
                viewer.send_message(_welcome(registry, room, viewer, bearer))
                if registry.store.fault is not None:
                    viewer.send_message(texts.storage(registry.store.fault))
                await audience.enter(room, viewer, hello.after)
        except RoomError as error:
            if error.code != "table.again":
                raise
            await audience.take_back(room, viewer)  # another process was faster, and the viewer has seen it
    except QuadrigaError as error:  # the room cannot be read any more, or cannot be written now
        viewer.send_message(texts.refused(error, hello.ref))
        viewer.close(_close_code(error))
        return False
    return True


async def _find_room(socket: WebSocket, registry: Registry) -> Room | None:
    """Return the room that a client asks for; if it is refused, tell the client, close, and return None."""
    try:
        return await registry.room(socket.path_params["id"])
    except QuadrigaError as error:
        metrics.refusals.labels(error.code).inc()
        await send(socket, texts.refused(error))
        await close(socket, _close_code(error))
        return None


def _close_code(error: QuadrigaError) -> int:
    """Return the close code for a room that is refused."""
    return {
        "table.damaged": DAMAGED,
        "table.newer": RESTART,
        "store.full": TRY_LATER,
        "store.failing": TRY_LATER,
    }.get(error.code, NO_ROOM)


async def _receive_hello(socket: WebSocket, registry: Registry) -> Hello | None:
    """Return the first message; if it is no hello or comes too late, close and return None."""
    try:
        async with asyncio.timeout(registry.settings.hello):
            raw = await receive(socket)
        message = decoded(raw)
    except TimeoutError:
        await close(socket, POLICY)
        return None
    except QuadrigaError as error:
        metrics.refusals.labels(error.code).inc()
        await send(socket, texts.refused(error))
        await close(socket, POLICY)
        return None
    if not isinstance(message, Hello):
        await send(socket, texts.refused(RoomError("wire.hello", 400), message.ref))
        await close(socket, POLICY)
        return None
    return message


def _refusal_code(error: QuadrigaError) -> int:
    """Return the close code for a client that is not let in."""
    if error.code.startswith("house."):
        return HOUSE
    return POLICY if isinstance(error, RoomError) and error.status == 429 else BAD_TOKEN


async def _who(
    registry: Registry, room: Room, token: str | None, secret: str | None
) -> tuple[Bearer | None, Person | None]:
    """Return who opens a socket: by the token for this room, and as the owner of a device or bot."""
    has_token = token is not None and not is_secret(token)
    visitor = await registry.people.devices.visitor(secret if has_token else token or secret)
    person = None if visitor is None else visitor.person
    registry.house.check_ban(None if person is None else person.id, secret=secret)
    if has_token:
        return await registry.bearer(token, room.state.id), person
    holder = None if visitor is None else await registry.playing_holder(visitor, room)
    return (None if holder is None else registry.tokens.bearer(room.state.id, holder)), person


async def _new_viewer(
    registry: Registry, room: Room, hello: Hello, secret: str | None, address: str
) -> tuple[Viewer, Bearer | None]:
    bearer, person = await _who(registry, room, hello.token, secret)
    registry.house.check_stranger(person, address)
    seats = [] if bearer is None else room.state.seats_of(bearer.holder)
    if not seats:
        registry.house.check_watcher(person)
    seat = hello.seat if hello.seat is not None else (seats[0] if seats else NOBODY)
    if seat != NOBODY and seat not in seats:
        raise RoomError("look.not-yours", 403)
    _check_viewers(registry, room, seats, bearer)
    viewer = Viewer(
        None if bearer is None else bearer.holder,
        seats,
        seat,
        explain=hello.explain,
        name=hello.name or "",
        most=registry.settings.queue,
    )
    viewer.person, viewer.address = person, address
    if bearer is not None:
        viewer.muted = room.state.muted.setdefault(bearer.holder, set())
    return viewer, bearer


def _check_viewers(registry: Registry, room: Room, seats: list[int], bearer: Bearer | None) -> None:
    """Raise RoomError if a guest has too many sockets, or if too many people watch."""
    presence = room.presence
    if bearer is not None:
        own = sum(viewer.holder == bearer.holder for viewer in presence.viewers | presence.arriving)
        if own >= registry.settings.sockets_guest:
            raise RoomError("socket.many", 429, most=registry.settings.sockets_guest)
    watching = presence.watching + sum(not viewer.seats for viewer in presence.arriving)
    if not seats and watching >= registry.settings.watchers:
        raise RoomError("table.watched", 429, most=registry.settings.watchers)


def _welcome(registry: Registry, room: Room, viewer: Viewer, bearer: Bearer | None) -> Welcome:
    session, own = room.state.session, room.broadcaster.own_seats(room.state, viewer)
    return Welcome(
        seats=own.seats,
        seat=own.seat,
        former=own.former,
        stops=own.stops,
        skip=own.skip,
        deal=own.deal,
        asks=own.asks,
        react=own.react,
        token=None if bearer is None else registry.tokens.renewed(bearer),
        number=session.numbers[viewer.seat + 1] if session is not None else 0,
        table=room.summary(),
        chat=[
            ChatLine(**message._asdict()) for message in room.log.chat if viewer.hears(message.seat, message.name)
        ],
        muted=sorted(viewer.muted)[: registry.settings.mutes],
    )


async def _read_messages(socket: WebSocket, registry: Registry, room: Room, viewer: Viewer) -> None:
    """Handle one message after the other until the connection ends."""
    bucket = Bucket(registry.settings.rate, registry.settings.burst)
    excess = 0  # messages above the rate since the last one within it
    while viewer.close_code is None:
        raw = await receive(socket)
        if not bucket.take():
            excess += 1
            if excess > _MOST_EXCESS:
                viewer.close(POLICY)
                return
            await asyncio.sleep(0)
            if excess % _REFUSE_EVERY == 1:
                await _refuse(room, viewer, None, RoomError("wire.rate", 429))
            continue
        excess = 0
        try:
            message = decoded(raw)
        except QuadrigaError as error:
            await _refuse(room, viewer, None, error)
            continue
        await _handle(registry, room, viewer, message)


async def _handle(registry: Registry, room: Room, viewer: Viewer, message: ClientMessage) -> None:
    try:
        await handlers.handle(registry, room, viewer, message)
    except QuadrigaError as error:
        await _refuse(room, viewer, message.ref, error)
    except Exception:
        LOGGER.exception("cannot handle a message in room %s", room.state.id)
        await _refuse(room, viewer, message.ref, RoomError("wire.fault", 500))


async def _refuse(room: Room, viewer: Viewer, ref: str | None, error: QuadrigaError) -> None:
    """Send a refusal with the open question. The lock is held, so that no event is shown that is being written."""
    metrics.refusals.labels(error.code).inc()
    async with room.lock:
        viewer.send_message(texts.refused(error, ref, *handlers.question(room, viewer)))


def decoded(raw: bytes) -> ClientMessage:
    """Return a client's message; raise RoomError if it is not one."""
    if len(raw) > MESSAGE_BYTES:
        raise RoomError("wire.size", 413, most=MESSAGE_BYTES)
    try:
        return DECODER.decode(raw)
    except msgspec.ValidationError as error:
        code = "wire.type" if _has_unknown_type(raw) else "wire.field"
        raise RoomError(code, 422, reason=str(error)[:200]) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RoomError("wire.json", 400, reason=str(error)[:200]) from None


class _Typed(msgspec.Struct):
    """The type of a message whose other fields are not looked at."""

    type: object = None


_TYPED = msgspec.json.Decoder(_Typed)
_TYPES = tuple(kind.__struct_config__.tag for kind in get_args(ClientMessage))


def _has_unknown_type(raw: bytes) -> bool:
    """Return whether JSON that is no message is an object without a type, or with one that no message has."""
    try:
        return _TYPED.decode(raw).type not in _TYPES
    except msgspec.ValidationError:  # no object
        return False


async def receive(socket: WebSocket) -> bytes:
    """Return the next message of a client. Raises WebSocketDisconnect at the end."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    return text.encode("utf-8", "surrogatepass") if text is not None else message.get("bytes") or b""


async def write_queue(socket: WebSocket, viewer: Outbox) -> None:
    """Send the messages of a queue until the connection is to end."""
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        while (message := await viewer.next()) is not None:
            await socket.send({"type": "websocket.send", "text": message.decode()})
            viewer.sent()
        await socket.close(viewer.close_code or POLICY)


async def send(socket: WebSocket, message: object) -> None:
    """Send a message past the queue."""
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        await socket.send_text(msgspec.json.encode(message).decode())


async def close(socket: WebSocket, code: int) -> None:
    """Close a websocket, unless it is closed."""
    if socket.application_state == WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            await socket.close(code)
