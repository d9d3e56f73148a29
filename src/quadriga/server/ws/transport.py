"""The line to one client: uvicorn's websocket protocol, with short ways in and out.

Through the application's `send` a frame passes a dozen layers, each of which looks whether it may concern it.
`push` writes it where all of them would write it in the end. Where it cannot (the connection is not open, or its
buffer is full) it says so, and the frame goes the long way, which waits. The other way round `hear`, where the
application has set it, is asked first about a text that has come whole and in one piece; what it does not take, and
whatever else comes, goes through the queue; after a message in pieces, which clients hardly ever send, all does.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from quadriga.server.limits import Bucket

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform for which there is no compiled one
    from websockets.utils import apply_mask

LINE = "quadriga.line"
Push = Callable[..., bool]
Hear = Callable[[bytes], bool]
_AHEAD = 8  # messages that may wait before a client is made to wait
_TEXT = 0x81  # one whole frame of text
_WHOLE = 0x80  # the bit of a frame that nothing is to be added to
_KIND = 0x0F  # the bits that say what it is: none where it is added to another
_MASKED = 0x80  # the bit of a client's frame, beside its size


class Transport(WebSocketsSansIOProtocol):
    """One connection."""

    hear: Hear | None = None
    release: Callable[[], None] | None = None  # called when the connection has ended
    pings: Bucket | None = None  # how many pings of the protocol may come
    _whole = True  # every frame so far has come in one piece

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        if self._whole and self.handshake_initiated:
            text = _text(data)
            if text is None:
                self._whole = _ends(data)
            elif self.hear is not None and self._at_rest and self.hear(text):
                return
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        if self.release is not None:
            self.release()

    @property
    def _at_rest(self) -> bool:
        """Whether nothing waits, and nobody is going."""
        return self.queue.empty() and self.conn.state is State.OPEN and not self.close_sent

    def handle_connect(self, event: Request) -> None:
        """A handshake: the application gets the short way with the request."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        """A message has come: the client is heard on until a few wait, not paused after each."""
        few, paused = self.queue.qsize() < _AHEAD, self.read_paused
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self._hang_up(1007)
            return
        if few:
            self.read_paused = True  # so that it is not paused
        super().send_receive_event_to_app()
        if few:
            self.read_paused = paused

    def handle_ping(self) -> None:
        """A ping of the protocol: answered, unless there are too many."""
        if self.close_sent:
            return
        if self.pings is None or self.pings.take():
            super().handle_ping()
        else:
            self._hang_up(1008)

    def _hang_up(self, code: int) -> None:
        """End the connection for what a client has sent."""
        self.frames = []
        if self.conn.state is State.OPEN:
            self.conn.send_close(code)
        self.handle_parser_exception()

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


def _text(data: bytes) -> bytes | None:
    """The text in what has come, if it is that: one whole frame with nothing before or after it."""
    if len(data) < 6 or data[0] != _TEXT or not data[1] & _MASKED:
        return None
    size, at = data[1] & 127, 2
    if size == 127:  # one that long takes the long way
        return None
    if size == 126:
        size, at = data[2] << 8 | data[3], 4
    return apply_mask(data[at + 4 :], data[at : at + 4]) if len(data) == at + 4 + size else None


def _is_text(pieces: list[bytes]) -> bool:
    """Whether a message that says that it is text is some."""
    try:
        b"".join(pieces).decode()
    except UnicodeDecodeError:
        return False
    return True


def _ends(data: bytes) -> bool:
    """Whether what has come ends where a message ends."""
    at = 0
    while len(data) - at >= 2:
        if not data[at] & _WHOLE or not data[at] & _KIND:
            return False
        size, head = data[at + 1] & 127, 2
        if size >= 126:
            head = 4 if size == 126 else 10
            size = int.from_bytes(data[at + 2 : at + head], "big")
        at += head + (4 if data[at + 1] & _MASKED else 0) + size
    return at == len(data)
