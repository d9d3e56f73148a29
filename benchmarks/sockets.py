"""A minimal websocket client for measurements, without a library in between."""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import Callable
from typing import cast

_MASK = b"\0\0\0\0"


class Peer(asyncio.Protocol):
    """One socket. It calls `heard` with every frame."""

    def __init__(self, path: str, heard: Callable[[Peer, bytes], None]) -> None:
        self.path, self.heard = path, heard
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()
        self._upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop has a class of its own
        key = os.urandom(16).hex()[:22] + "=="
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, fault: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("refused"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded:
            head, found, rest = bytes(self._buffer).partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.splitlines()[0]:
                raise ConnectionError(head.decode())
            self._upgraded, self._buffer = True, bytearray(rest)
            self.opened.set_result(None)
        while self._frame():
            pass

    def _frame(self) -> bool:
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        size, at = buffer[1] & 127, 2
        if size == 126:
            if len(buffer) < 4:
                return False
            size, at = struct.unpack_from(">H", buffer, 2)[0], 4
        elif size == 127:
            if len(buffer) < 10:
                return False
            size, at = struct.unpack_from(">Q", buffer, 2)[0], 10
        if len(buffer) < at + size:
            return False
        kind, content = buffer[0] & 15, bytes(buffer[at : at + size])
        del buffer[: at + size]
        if kind == 1:
            self.heard(self, content)
        elif kind == 9:
            self._send(0x8A, content)
        return True

    def say(self, text: bytes) -> None:
        self._send(0x81, text)

    def _send(self, kind: int, text: bytes) -> None:
        size = len(text)
        head = bytes([kind, 128 | size]) if size < 126 else struct.pack(">BBH", kind, 254, size)
        if not self.transport.is_closing():
            self.transport.write(head + _MASK + text)

    def close(self) -> None:
        self.transport.abort()


async def connected(port: int, path: str, heard: Callable[[Peer, bytes], None]) -> Peer:
    """Open a socket."""
    loop = asyncio.get_running_loop()
    _, peer = await loop.create_connection(lambda: Peer(path, heard), "127.0.0.1", port)
    await peer.opened
    return peer
