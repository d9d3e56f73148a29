"""The log stays short: thousands of bad requests give a few lines of each kind."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Iterator

import pytest

from quadriga.server.logs import RateLimit, ShortFormatter, safe
from server.support.command_line import CommandLineServer
from soak import count

EACH = count(100, 500)
AT_ONCE = 50
FREE = ("requests", "request_burst", "rate", "burst", "connections_each", "sockets_each", "watchers", "tables_each")


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommandLineServer]:
    limits = [part for name in FREE for part in ("--limit", f"{name}=1000000")]
    server = CommandLineServer(tmp_path_factory.mktemp("log"), *limits).start()
    yield server
    server.kill()


def upgrade(table: str, more: str = "") -> bytes:
    head = f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\n"
    head += "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    return f"{head}{key}{more}\r\n".encode()


def frame(first: int, content: bytes, masked: bool = True) -> bytes:
    mask = b"\0\0\0\0" if masked else b""
    return bytes([first, len(content) | (0x80 if masked else 0)]) + mask + content


def post(path: str, length: int, content: bytes) -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode() + content


def get(path: bytes, headers: bytes = b"Host: localhost\r\n") -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + headers + b"Connection: close\r\n\r\n"


HELLO = frame(0x81, b'{"type":"hello"}')
SENT = {
    "a path of no text": get(b"/%ff%fe%00%0a"),
    "a path of raw bytes": get(b"/\xff\xfe\x80"),
    "a path of the interface": get(b"/api/tables/%ff%fe/socket%0d%0aX"),
    "a long path": get(b"/" + b"a" * 5_000),
    "a long path of many parts": get(b"/" + b"/".join([b"b" * 300] * 20)),
    "a long name": get(b"/assets/" + b"%F0%9F%98%80" * 200 + b".js"),
    "a long id": get(b"/api/tables/" + b"c" * 4_000),
    "a long query": get(b"/api/games/ur/geometry?options=" + b"[" * 50_000),
    "an aborted upload": post("/api/games/ben-hvrt/files/deck", 1_000, b'{"name": "x'),
    "an aborted record": post("/api/records", 100_000, b'{"record": "'),
    "an aborted head": b"GET /api/health HTTP/1.1\r\nHost: local",
    "a chunk that is none": b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(64) + b"\r\n\r\n",
    "a bad header": get(b"/", b"Host: localhost\r\nA\x00B: \x01\x02\r\n"),
    "a bad host": get(b"/", b"Host: \xff\xfe\x0b\r\n"),
    "bytes that are no JSON": post("/api/tables", 4, b"\xff\xfe\xfd\xfc"),
    "another protocol": get(b"/", b"Host: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n"),
    "a handshake without a key": upgrade("x").replace(b"Sec-WebSocket-Key", b"X-Key"),
    "a handshake with a bad key": upgrade("x").replace(b"dGhl", b"\xff\xff"),
    "a handshake with a bad path": upgrade("x").replace(b"/api/tables/x", b"/\xff\xfe%ff"),
    "a handshake elsewhere": upgrade("x").replace(b"/api/tables/x", b"/nowhere"),
    "a handshake with a bad header": upgrade("x", "Sec-WebSocket-Extensions: ;;;,=\r\n"),
    "a hello of no text": upgrade("TABLE") + frame(0x81, b"\xff\xfe"),
    "a text of no text": upgrade("TABLE") + HELLO + frame(0x81, b"\xff\xfe\x80"),
    "half a text": upgrade("TABLE") + HELLO + frame(0x01, b"\xe2\x82") + frame(0x80, b"\xff"),
    "a frame without a mask": upgrade("TABLE") + HELLO + frame(0x81, b"{}", masked=False),
    "a frame of no kind": upgrade("TABLE") + HELLO + frame(0x8B, b"?"),
    "a bad close": upgrade("TABLE") + HELLO + frame(0x88, b"\x00"),
    "a bad reason": upgrade("TABLE") + HELLO + frame(0x88, b"\x03\xe8\xff\xfe"),
}


async def send(port: int, content: bytes) -> None:
    """Send the content, read a little of the answer, and hang up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head, _, frames = content.partition(b"\r\n\r\n") if b"websocket" in content else (content, b"", b"")
        writer.write(head + b"\r\n\r\n" if frames else content)
        if b"\r\n\r\n" in content and b"Content-Length: 1" not in content:
            await reader.read(1_000)
        if frames:  # after the handshake has been answered; then all until the server hangs up
            writer.write(frames)
            while await reader.read(65536):
                pass
        writer.transport.abort()
    except (ConnectionError, OSError):
        writer.transport.abort()


async def flood(port: int, content: bytes) -> None:
    turn = asyncio.Semaphore(AT_ONCE)

    async def one() -> None:
        async with turn:
            await send(port, content)

    await asyncio.gather(*(one() for _ in range(EACH)))


@pytest.fixture(scope="module")
def table(noisy: CommandLineServer) -> str:
    return noisy.create("ur", "me bot")[0]


@pytest.mark.parametrize("kind", SENT)
async def test_thousands_of_bad_requests_are_a_few_short_lines(noisy: CommandLineServer, table: str, kind: str):
    before, began = len(noisy.lines()), time.monotonic()
    await flood(noisy.port, SENT[kind].replace(b"TABLE", table.encode()))
    assert noisy.call("GET", "/api/health")[0] == 200  # it is alive, and has heard all of that
    lines = noisy.lines()[before:]
    minutes = 1 + int((time.monotonic() - began) // 60) + 1
    assert len(lines) <= 2 * 5 * minutes, lines[:20]
    assert all(len(line) <= 700 and line.isprintable() for line in lines)
    assert not any("Traceback" in line or "  File " in line for line in lines), lines


async def test_the_whole_log_is_short(noisy: CommandLineServer):
    lines = noisy.lines()
    assert len(lines) < 200
    assert not any("Traceback" in line for line in lines)


def test_a_line_has_no_control_characters_and_a_limited_length():
    assert safe("a\nb\x1b[31m\x00\ud800") == "a\\nb\\x1b[31m\\x00\\ud800"
    assert len(safe("x" * 10_000)) == 300


def test_omitted_lines_are_counted_in_the_next_minute():
    rations, short = RateLimit(2), ShortFormatter()

    def line(at: float) -> str | None:
        record = logging.LogRecord("uvicorn.error", logging.WARNING, "file.py", 7, "bad %s", ("x\n",), None)
        record.created = at
        return short.format(record) if rations.filter(record) else None

    first = [line(1_000.0 + number) for number in range(10)]
    assert [text is not None for text in first] == [True, True] + [False] * 8
    assert "not shown" in (first[1] or "")
    assert "(and 8 more before)" in (line(1_061.0) or "")


def test_an_error_of_the_server_keeps_its_traceback():
    try:
        raise RuntimeError("ours")
    except RuntimeError as fault:
        about = (type(fault), fault, fault.__traceback__)
    for name, traced in (("quadriga.server", True), ("uvicorn.error", False)):
        record = logging.LogRecord(name, logging.ERROR, "file.py", 7, "fault", (), about)
        assert ("Traceback" in ShortFormatter().format(record)) is traced
