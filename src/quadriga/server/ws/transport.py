"""The websocket transport: uvicorn's protocol with limits on what a client may send, and direct output.

Through the application's `send` a frame passes a dozen layers of uvicorn and Starlette. `push` writes it to the
socket at once. Where it cannot (the connection is not open, or the socket's buffer is full) it returns False, and
the viewer queues the frame for `send`, which waits.

Uvicorn pings every client every 20 s. A person at a table sends something more often than that, which shows as well
that the connection is alive: only clients that are silent are pinged.

This module uses private attributes of uvicorn's `WebSocketsSansIOProtocol`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from quadriga.server.gc_tuning import GC_TUNING
from quadriga.server.limits import Bucket

EXTENSION = "quadriga.transport"  # the key of the transport among the extensions of a websocket's scope
_READ_AHEAD = 8  # messages that may wait before reading from the client is paused
_MARGIN_S = 1.0  # a ping that is due so soon is sent at once
_TEXT = 0x81  # the first byte of a text message in one frame
_INVALID_TEXT, _POLICY = 1007, 1008  # close codes


class Transport(WebSocketsSansIOProtocol):
    """One websocket connection."""

    release: Callable[[], None] | None = None  # called when the connection has ended
    pings: Bucket | None = None  # limits the pings of the websocket protocol
    _heard_at = 0.0  # when the client last sent something

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection, and tell the owner of `release`.

        Break the reference cycles of the connection, so that its memory is free at once.
        """
        super().connection_lost(exc)
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(EXTENSION, None)
        self.conn.parser.close()  # a generator that refers to the connection
        self.conn.parser_exc = None  # with a traceback that does
        GC_TUNING.ended(self, self.conn)
        if self.release is not None:
            self.release()

    def handle_connect(self, event: Request) -> None:
        """Handle the opening handshake, and give the application this transport with the request."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        """Queue a message for the application; reading goes on until a few wait, not just one."""
        has_room, was_paused = self.queue.qsize() < _READ_AHEAD, self.read_paused
        if self.curr_msg_data_type == "text" and not _is_utf8(self.frames):
            self._disconnect(_INVALID_TEXT)
            return
        if has_room:
            self.read_paused = True  # so that uvicorn does not pause reading
        super().send_receive_event_to_app()
        if has_room:
            self.read_paused = was_paused

    def data_received(self, data: bytes) -> None:
        """Handle what a client sends, and note the time."""
        self._heard_at = self.loop.time()
        super().data_received(data)

    def send_keepalive_ping(self) -> None:
        """Ping a client that has been silent for as long as the interval; wait for the rest of it otherwise."""
        left_s = self._heard_at + (self.ping_interval or 0.0) - self.loop.time()
        if left_s > _MARGIN_S:
            self.ping_timer = self.loop.call_later(left_s, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def handle_ping(self) -> None:
        """Answer a ping of the websocket protocol; disconnect a client that sends too many."""
        if self.close_sent:
            return
        if self.pings is None or self.pings.take():
            super().handle_ping()
        else:
            self._disconnect(_POLICY)

    def _disconnect(self, code: int) -> None:
        """Close the connection because of what a client has sent."""
        self.frames = []
        if self.conn.state is State.OPEN:
            self.conn.send_close(code)
        self.handle_parser_exception()

    def push(self, *texts: bytes) -> bool:
        """Send texts at once in one write; return False if that is not possible now."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if self.conn.state is not State.OPEN:
            return False
        self.transport.write(b"".join([_header(len(text)) + text for text in texts]))
        return True


def _header(size: int) -> bytes:
    """Return the header of a text frame of a size."""
    if size < 126:
        return struct.pack(">BB", _TEXT, size)
    return struct.pack(">BBH", _TEXT, 126, size) if size < 1 << 16 else struct.pack(">BBQ", _TEXT, 127, size)


def _is_utf8(pieces: list[bytes]) -> bool:
    try:
        b"".join(pieces).decode()
    except UnicodeDecodeError:
        return False
    return True
