"""A connection: uvicorn's HTTP protocol with limits on who may connect and how long a request may be half-sent.

Uvicorn limits how long a connection may be idle between two requests, and nothing else. Here the head of a request
has a time and a size, its body has a time, and there are so many connections in all and from one address. A
connection that becomes a websocket counts until it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from quadriga.server import metrics
from quadriga.server.limits import Bucket, Crowd
from quadriga.server.present.frames import encoded
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.proxy import Proxies, counted
from quadriga.server.settings import Settings


@runtime_checkable
class UpgradedConnection(Protocol):
    """A websocket that this connection has become, if it tells its end and limits its pings."""

    release: Callable[[], None] | None
    pings: Bucket | None


class Connection(HttpToolsProtocol):
    """One connection; `limited` makes the class for a server."""

    settings: Settings
    crowd: Crowd
    proxies: Proxies

    _counted = False
    _address: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _head = 0  # bytes of a head that is not complete
    _in_head = _in_body = False  # of a request that has begun

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects: there is room for him, or he is told that there is none."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self._address = None if self.proxies.trusts(host) else counted(host)
        if not self.crowd.come(self._address):
            self._refuse(RoomError("wire.connections", 503))
            return
        self._counted = True
        self._wait(self.settings.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._stop()
        self.release()
        super().connection_lost(exc)

    def release(self) -> None:
        """It counts no more."""
        if self._counted:
            self._counted = False
            self.crowd.go(self._address)

    def data_received(self, data: bytes) -> None:
        """Something has come; where that is not the whole of a request, the rest has to come in time."""
        if self.transport.is_closing() or self.parser is None:
            return
        if not self._in_body:
            self._head += len(data)
        super().data_received(data)
        if self._timer is None and (self._in_head or not (self._in_body or self._answering)):
            self._wait(self.settings.head_seconds)
        if self._in_head and self._head > self.settings.head_bytes and not self.transport.is_closing():
            self._refuse(RoomError("wire.head", 431, most=self.settings.head_bytes))

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is complete; its body has its own time."""
        self._head = 0
        self._in_head, self._in_body = False, True
        self._wait(self.settings.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._in_body = False
        self._stop()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From now on this is a websocket, which tells when it ends."""
        self._stop()
        super().handle_websocket_upgrade()
        line = self.transport.get_protocol()
        if isinstance(line, UpgradedConnection):
            line.release = self.release
            line.pings = Bucket(self.settings.rate, self.settings.burst)

    def _unsupported_upgrade_warning(self) -> None:
        """Another protocol was asked for: the parser is at its end, and so is the connection."""
        self._refuse(RoomError("wire.http", 400))

    @property
    def _answering(self) -> bool:
        """Whether a request that has come is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, self._late)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        """The rest of a request has not come in time."""
        self._timer = None
        if self.transport.is_closing():
            return
        if self._in_body and self.cycle is not None and self.cycle.response_started:
            self.transport.close()
        elif not self._in_body and self._answering:
            self._wait(self.settings.head_seconds)  # the next one is looked at when this one is answered
        elif self._in_body or self._in_head:
            self._refuse(RoomError("wire.late", 408))
        else:
            self.transport.close()  # nothing was asked for: nothing is answered

    def _refuse(self, fault: RoomError) -> None:
        """Answer without the application, and hang up."""
        metrics.refusals.labels(fault.code).inc()
        body = encoded(texts.refusal(fault))
        head = [
            STATUS_LINE[fault.status],
            b"content-type: application/json\r\nconnection: close\r\n",
            b"content-length: " + str(len(body)).encode("ascii") + b"\r\n\r\n",
        ]
        self.transport.write(b"".join([*head, body]))
        self.transport.close()


def limited(settings: Settings, proxies: Proxies) -> type[Connection]:
    """The connections of one server."""
    crowd = Crowd(settings.connections, settings.connections_each)
    own: dict[str, Any] = {"settings": settings, "crowd": crowd, "proxies": proxies}
    return type("OwnConnection", (Connection,), own)
