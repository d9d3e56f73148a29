"""The line to one client: uvicorn's websocket protocol, with a short way for frames that are ready to be sent.

Through the application's `send` a frame passes a dozen layers, each of which looks whether it may concern it.
`push` writes it where all of them would write it in the end. Where it cannot (the connection is not open, or its
buffer is full) it says so, and the frame goes the long way, which waits.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

PUSH = "quadriga.push"
Push = Callable[..., bool]
_AHEAD = 8  # messages that may wait before a client is made to wait
_TEXT = 0x81  # one whole frame of text


class Line(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Request) -> None:
        """A handshake: the application gets the short way with the request."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][PUSH] = self.push  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        """A message has come: the client is heard on until a few wait, not paused after each."""
        few, paused = self.queue.qsize() < _AHEAD, self.read_paused
        if few:
            self.read_paused = True  # so that it is not paused
        super().send_receive_event_to_app()
        if few:
            self.read_paused = paused

    def push(self, *frames: bytes) -> bool:
        """Send texts at once, all in one go; False where that cannot be done now."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if self.conn.state is not State.OPEN:
            return False
        self.transport.write(b"".join([part for frame in frames for part in (_head(len(frame)), frame)]))
        return True


def _head(size: int) -> bytes:
    """What comes before a text of this size."""
    if size < 126:
        return struct.pack(">BB", _TEXT, size)
    return struct.pack(">BBH", _TEXT, 126, size) if size < 1 << 16 else struct.pack(">BBQ", _TEXT, 127, size)
