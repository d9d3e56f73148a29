"""The live socket: one viewer of one table. What it says is checked; whatever it says, the game goes on."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.server import metrics
from quadriga.server.http.security import is_known_host, is_same_origin
from quadriga.server.limits import Bucket
from quadriga.server.present import room_summary
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import MESSAGE_BYTES
from quadriga.server.protocol.messages import MESSAGES, Hello, Message, Sent, Welcome
from quadriga.server.protocol.parts import ChatLine
from quadriga.server.proxy import address_of
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.tasks import LOGGER
from quadriga.server.rooms.viewers import Viewer
from quadriga.server.seats.tokens import Bearer
from quadriga.server.ws import handlers
from quadriga.server.ws.fast_path import FastPath
from quadriga.server.ws.transport import LINE, Transport

POLICY, NO_TABLE, BAD_TOKEN, BAD_ORIGIN, DAMAGED, LATER = 1008, 4404, 4401, 4409, 4503, 1013
_FAREWELL = 2.0  # seconds
_PATIENCE = 200  # messages too many, after which we hang up


async def table_socket(socket: WebSocket) -> None:
    """One socket from its opening to its end."""
    registry: Registry = socket.app.state.registry
    await socket.accept()
    if not is_known_host(socket.headers.get("host", ""), registry.settings) or not is_same_origin(socket.headers):
        await _hang_up(socket, BAD_ORIGIN)
        return
    crowd = registry.limits.sockets
    address = address_of(socket.scope)
    if not crowd.come(address):
        await _hang_up(socket, POLICY)
        return
    metrics.sockets.inc()
    try:
        await _visit(socket, registry)
    except WebSocketDisconnect:
        pass
    finally:
        metrics.sockets.dec()
        crowd.go(address)


async def _visit(socket: WebSocket, registry: Registry) -> None:
    room = await _room(socket, registry)
    if room is None:
        return
    hello = await _hello(socket, registry)
    if hello is None:
        return
    room = await _room(socket, registry)  # it may have been swept away meanwhile
    if room is None:
        return
    line: Transport | None = socket.scope.get("extensions", {}).get(LINE)
    try:
        viewer, bearer = _viewer(registry, room, hello, line)
    except QuadrigaError as fault:
        await _say(socket, texts.refused(fault, hello.ref))
        await _hang_up(socket, POLICY if isinstance(fault, RoomError) and fault.status == 429 else BAD_TOKEN)
        return
    viewer.address = address_of(socket.scope)
    writing = asyncio.create_task(_write(socket, viewer))
    try:
        try:
            async with room.turn():
                viewer.take([] if bearer is None else room.state.seats_of(bearer.holder))  # as it is by now
                viewer.send_message(_welcome(registry, room, viewer, bearer))
                if registry.store.fault is not None:
                    viewer.send_message(texts.storage(registry.store.fault))
                await room.enter(viewer, hello.after)
        except QuadrigaError as fault:  # the room cannot be read any more, or written now
            viewer.send_message(texts.refused(fault, hello.ref))
            viewer.close(_code(fault))
        else:
            await _listen(socket, registry, room, viewer, line)
        with suppress(TimeoutError):  # what is still in the queue, and why we hang up
            await asyncio.wait_for(writing, _FAREWELL)
    finally:
        writing.cancel()
        room.leave(viewer)


async def _room(socket: WebSocket, registry: Registry) -> Room | None:
    """The room that a socket asks for; None where it is refused, and told so."""
    try:
        return await registry.room(socket.path_params["id"])
    except QuadrigaError as fault:
        metrics.refusals.labels(fault.code).inc()
        await _say(socket, texts.refused(fault))
        await _hang_up(socket, _code(fault))
        return None


def _code(fault: QuadrigaError) -> int:
    """The close code after a room was refused."""
    return {"table.damaged": DAMAGED, "store.full": LATER, "store.failing": LATER}.get(fault.code, NO_TABLE)


async def _hello(socket: WebSocket, registry: Registry) -> Hello | None:
    """The first message; who does not greet is not talked to."""
    try:
        raw = await asyncio.wait_for(_receive(socket), registry.settings.hello)
        said = decoded(raw)
    except TimeoutError:
        await _hang_up(socket, POLICY)
        return None
    except QuadrigaError as fault:
        metrics.refusals.labels(fault.code).inc()
        await _say(socket, texts.refused(fault))
        await _hang_up(socket, POLICY)
        return None
    if not isinstance(said, Hello):
        await _say(socket, texts.refused(RoomError("wire.hello", 400), said.ref))
        await _hang_up(socket, POLICY)
        return None
    return said


def _viewer(registry: Registry, room: Room, hello: Hello, line: Transport | None) -> tuple[Viewer, Bearer | None]:
    bearer = None if hello.token is None else registry.bearer(hello.token, room.state.id)
    seats = [] if bearer is None else room.state.seats_of(bearer.holder)
    seat = hello.seat if hello.seat is not None else (seats[0] if seats else NOBODY)
    if seat != NOBODY and seat not in seats:
        raise RoomError("look.not-yours", 403)
    _check_room(registry, room, seats, bearer)
    viewer = Viewer(
        None if bearer is None else bearer.holder,
        seats,
        seat,
        explain=hello.explain,
        name=hello.name or "",
        most=registry.settings.queue,
        push=None if line is None else line.push,
    )
    if bearer is not None:
        viewer.muted = room.state.muted.setdefault(bearer.holder, set())
    return viewer, bearer


def _check_room(registry: Registry, room: Room, seats: list[int], bearer: Bearer | None) -> None:
    """Refuse one more socket of a guest who has too many, or a watcher where too many watch."""
    presence = room.presence
    if bearer is not None:
        own = sum(viewer.holder == bearer.holder for viewer in presence.viewers)
        if own >= registry.settings.sockets_guest:
            raise RoomError("socket.many", 429, most=registry.settings.sockets_guest)
    if not seats and presence.watching >= registry.settings.watchers:
        raise RoomError("table.watched", 429, most=registry.settings.watchers)


def _welcome(registry: Registry, room: Room, viewer: Viewer, bearer: Bearer | None) -> Welcome:
    play, own = room.state.play, room.seats_told(viewer)
    return Welcome(
        seats=own.seats,
        seat=own.seat,
        former=own.former,
        stops=own.stops,
        token=None if bearer is None else registry.tokens.renewed(bearer),
        number=play.numbers[viewer.seat + 1] if play is not None else 0,
        table=room_summary.table(room),
        chat=[ChatLine(**said._asdict()) for said in room.talk if said.name not in viewer.muted],
        muted=sorted(viewer.muted)[: registry.settings.mutes],
    )


async def _listen(
    socket: WebSocket, registry: Registry, room: Room, viewer: Viewer, line: Transport | None
) -> None:
    bucket = Bucket(registry.settings.rate, registry.settings.burst)
    ear = FastPath(room, viewer, bucket, _refuse)
    if line is not None:
        line.hear = ear.hear
    while viewer.close_code is None:
        ear.idle = True
        raw = await _receive(socket)
        ear.idle = False
        await ear.finished()
        if not bucket.take():
            ear.excess += 1
            if ear.excess > _PATIENCE:
                viewer.close(POLICY)
                return
            await asyncio.sleep(0)
            if ear.excess % 10 == 1:  # who floods is not flooded back
                await _refused(room, viewer, None, RoomError("wire.rate", 429))
            continue
        ear.excess = 0
        try:
            said = decoded(raw)
        except QuadrigaError as fault:
            await _refused(room, viewer, None, fault)
            continue
        await _answer(registry, room, viewer, said)


async def _answer(registry: Registry, room: Room, viewer: Viewer, said: Message) -> None:
    try:
        await handlers.answer(registry, room, viewer, said)
    except QuadrigaError as fault:
        await _refused(room, viewer, said.ref, fault)
    except Exception:
        LOGGER.exception("table %s", room.state.id)
        await _refused(room, viewer, said.ref, RoomError("wire.fault", 500))


async def _refused(room: Room, viewer: Viewer, ref: str | None, fault: QuadrigaError) -> None:
    """A refusal says how things stand: what is being written does not stand yet."""
    await room.lock.acquire()
    try:
        _refuse(room, viewer, ref, fault)
    finally:
        room.lock.release()


def _refuse(room: Room, viewer: Viewer, ref: str | None, fault: QuadrigaError) -> None:
    """Within the turnstile."""
    metrics.refusals.labels(fault.code).inc()
    viewer.send_message(texts.refused(fault, ref, *handlers.standing(room, viewer)))


def decoded(raw: bytes) -> Message:
    """What somebody says, if it is something."""
    if len(raw) > MESSAGE_BYTES:
        raise RoomError("wire.size", 413, most=MESSAGE_BYTES)
    try:
        said: Message = MESSAGES.decode(raw)
    except msgspec.ValidationError as fault:
        reason = str(fault)[:200]
        if "$.type" in reason or "`type`" in reason:
            raise RoomError("wire.type", 422, reason=reason) from None
        raise RoomError("wire.field", 422, reason=reason) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise RoomError("wire.json", 400, reason=str(fault)[:200]) from None
    return said


async def _receive(socket: WebSocket) -> bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    return text.encode("utf-8", "surrogatepass") if text is not None else message.get("bytes") or b""


async def _write(socket: WebSocket, viewer: Viewer) -> None:
    """Send what is in the viewer's queue until the connection is to end."""
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        while (frame := await viewer.next()) is not None:
            await socket.send({"type": "websocket.send", "text": frame.decode()})
            viewer.sent()
        await socket.close(viewer.close_code or POLICY)


async def _say(socket: WebSocket, message: Sent) -> None:
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        await socket.send_text(msgspec.json.encode(message).decode())


async def _hang_up(socket: WebSocket, code: int) -> None:
    if socket.application_state == WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            await socket.close(code)
