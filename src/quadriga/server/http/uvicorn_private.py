"""Connections: uvicorn's protocols with limits. What is private of uvicorn is used here only.

Uvicorn only limits how long a connection may be idle between two requests. Here the head of a request has a limited
time and size and its body has a limited time. The number of connections is limited, in all and from one address. A
connection that becomes a websocket counts until it ends.

A client may send requests before earlier ones are answered (pipelining). Uvicorn reads on after each answer and
keeps all that it finds. Here nothing is read while a request waits for the one before it, and only a few may wait.

A websocket tells when it ends, may send a limited number of pings, and frees its memory at once.

`pyproject.toml` limits the versions of uvicorn and websockets for that reason. `faults` says what a version lacks.
If there is anything, uvicorn's own protocols serve, without these limits: a proxy in front has to have them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sized
from functools import cache, partial
from importlib.metadata import version
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State
from websockets.server import ServerProtocol

from quadriga.engine.inherited import missing_members
from quadriga.server import metrics
from quadriga.server.gc_tuning import GC_TUNING
from quadriga.server.limits import Bucket, ConnectionLimit
from quadriga.server.messages.game_messages import encoded
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.proxy import Proxies, limit_key
from quadriga.server.settings import Settings

BOUNDS = {"uvicorn": (0, 55), "websockets": (18,)}  # of pyproject.toml: below them the tests have run
PIPELINED = 16  # requests that may wait for the answers to earlier ones
_POLICY = 1008  # a close code


class Flow(FlowControl):
    """Backpressure for pipelining: reads from a connection only while no request waits for an earlier answer."""

    _waiting: Sized

    def __init__(self, transport: asyncio.Transport, waiting: Sized) -> None:
        super().__init__(transport)
        self._waiting = waiting

    def resume_reading(self) -> None:
        """Resume reading, unless pipelined requests wait."""
        if not self._waiting:
            super().resume_reading()


class Transport(WebSocketsSansIOProtocol):
    """One websocket connection."""

    release: Callable[[], None] | None = None  # called when the connection has ended
    pings: Bucket | None = None  # limits the pings of the websocket protocol

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection, and tell the owner of `release`.

        Break the reference cycles of the connection, so that its memory is free at once.
        """
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator that refers to the connection
        self.conn.parser_exc = None  # with a traceback that does
        GC_TUNING.ended(self, self.conn)
        if self.release is not None:
            self.release()

    def handle_ping(self) -> None:
        """Answer a ping of the websocket protocol; disconnect a client that sends too many."""
        if self.close_sent:
            return
        if self.pings is None or self.pings.take():
            super().handle_ping()
        else:
            self.frames = []
            if self.conn.state is State.OPEN:
                self.conn.send_close(_POLICY)
            self.handle_parser_exception()


class Connection(HttpToolsProtocol):
    """One connection; `connection_class` makes the class for a server."""

    settings: Settings
    limit: ConnectionLimit
    proxies: Proxies

    _is_counted = False
    _address: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _head_bytes = 0  # of a head that is not complete
    _in_head = _in_body = False  # the part of a request that is being received
    _is_full = False  # too many requests wait: the rest is ignored

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it if there are too many."""
        super().connection_made(transport)
        self.flow = Flow(transport, self.pipeline)
        host = self.client[0] if self.client else ""
        self._address = None if self.proxies.trusts(host) else limit_key(host)
        if not self.limit.acquire(self._address):
            self._refuse(RoomError("wire.connections", 503))
            return
        self._is_counted = True
        self._start_timer(self.settings.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up after the end of the connection."""
        self._stop_timer()
        self.release()
        super().connection_lost(exc)
        GC_TUNING.ended(self)

    def release(self) -> None:
        """Stop counting the connection."""
        if self._is_counted:
            self._is_counted = False
            self.limit.release(self._address)

    def data_received(self, data: bytes) -> None:
        """Receive data, and limit the time for the rest of a request that is not complete."""
        if self.transport.is_closing() or self.parser is None or self._is_full:
            return
        if not self._in_body:
            self._head_bytes += len(data)
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it is a websocket now, with limits of its own
            self.parser = None  # type: ignore[assignment]  # a cycle
            return
        if self._is_full:
            self._stop_timer()
            FlowControl.resume_reading(
                self.flow
            )  # an answer may be lost if data is left when the connection closes
            return
        if self._timer is None and (self._in_head or not (self._in_body or self._is_answering)):
            self._start_timer(self.settings.head_seconds)
        if self._in_head and self._head_bytes > self.settings.head_bytes and not self.transport.is_closing():
            self._refuse(RoomError("wire.head", 431, most=self.settings.head_bytes))

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note that the head is complete, and start the time for the body."""
        self._head_bytes = 0
        self._in_head, self._in_body = False, True
        self._start_timer(self.settings.body_seconds)
        if len(self.pipeline) >= PIPELINED:
            self._is_full = True
            self.cycle.keep_alive = False  # the connection is closed after the answer to the last that waits
        if not self._is_full:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, unless it is of a request that is ignored."""
        if not self._is_full:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self._in_body = False
        self._stop_timer()
        if not self._is_full:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the websocket protocol, which tells when it ends."""
        self._stop_timer()
        super().handle_websocket_upgrade()
        socket = self.transport.get_protocol()
        if isinstance(socket, Transport):
            if self._is_counted:  # a bound method of this object would keep all of it in memory
                self._is_counted, socket.release = False, partial(self.limit.release, self._address)
            socket.pings = Bucket(self.settings.rate, self.settings.burst)

    def _unsupported_upgrade_warning(self) -> None:
        """Refuse an upgrade to another protocol. The parser cannot go on after it."""
        self._refuse(RoomError("wire.http", 400))

    @property
    def _is_answering(self) -> bool:
        """True while a complete request is not answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._on_timeout)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timeout(self) -> None:
        """Refuse a request that is not complete in time."""
        self._timer = None
        if self.transport.is_closing():
            return
        if self._in_body and self.cycle is not None and self.cycle.response_started:
            self.transport.close()
        elif not self._in_body and self._is_answering:
            self._start_timer(self.settings.head_seconds)  # the next request is looked at when this one is answered
        elif self._in_body or self._in_head:
            self._refuse(RoomError("wire.late", 408))
        else:
            self.transport.close()  # nothing was asked, so there is no answer

    def _refuse(self, fault: RoomError) -> None:
        """Answer without the application, and close the connection."""
        metrics.refusals.labels(fault.code).inc()
        body = encoded(texts.refusal(fault))
        head = [
            STATUS_LINE[fault.status],
            b"content-type: application/json\r\nconnection: close\r\n",
            b"content-length: " + str(len(body)).encode("ascii") + b"\r\n\r\n",
        ]
        self.transport.write(b"".join([*head, body]))
        self.transport.close()


def connection_class(settings: Settings, proxies: Proxies) -> type[Connection]:
    """Return the class of the connections of one server."""
    limit = ConnectionLimit(settings.connections, settings.connections_each)
    own: dict[str, Any] = {"settings": settings, "limit": limit, "proxies": proxies}
    return type("OwnConnection", (Connection,), own)


@cache
def is_usable() -> bool:
    """Return whether these classes fit: to known versions, or to others in which nothing is missing."""
    return all(_release(name) < bound for name, bound in BOUNDS.items()) or not faults()


def faults() -> list[str]:
    """Return what the versions of uvicorn and websockets lack."""
    parts = {"cycle": RequestResponseCycle, "flow": FlowControl}
    return [
        *missing_members(Connection, HttpToolsProtocol, own=["release"], parts=parts),
        *missing_members(Flow, FlowControl),
        *missing_members(Transport, WebSocketsSansIOProtocol, parts={"conn": ServerProtocol}),
    ]


def _release(library: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version(library).split(".")[:2])
