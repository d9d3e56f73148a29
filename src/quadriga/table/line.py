"""The line to one client: uvicorn's websocket protocol, with a short way for frames that are ready to be sent.

Through the application's `send` a frame passes a dozen layers, each of which looks whether it may concern it. `push`
writes it where all of them would write it in the end. Where it cannot (the connection is not open, or its buffer is
full) it says so, and the frame goes the long way, which waits.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

PUSH = "quadriga.push"
Push = Callable[[bytes], bool]
_TEXT = 0x81  # one whole frame of text


class Line(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Request) -> None:
        """A handshake: the application gets the short way with the request."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][PUSH] = self.push  # type: ignore[index,typeddict-unknown-key]

    def push(self, frame: bytes) -> bool:
        """Send a text at once; False where that cannot be done now."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if self.conn.state is not State.OPEN:
            return False
        size = len(frame)
        if size < 126:
            head = struct.pack(">BB", _TEXT, size)
        elif size < 1 << 16:
            head = struct.pack(">BBH", _TEXT, 126, size)
        else:
            head = struct.pack(">BBQ", _TEXT, 127, size)
        self.transport.write(head + frame)
        return True
