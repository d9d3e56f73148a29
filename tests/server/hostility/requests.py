"""Requests from any loopback address: to the server each of them is another client."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

PATIENCE_S = 120.0  # the machine may be busy


class Answer(NamedTuple):
    """An answer; the status is 0 if the server hung up."""

    status: int
    body: Any
    cookie: str


async def ask(
    port: int, source: str, method: str, path: str, body: object = None, *, cookie: str = "", token: str = ""
) -> Answer:
    """Send a request on a connection of its own."""
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    head += f"Cookie: {cookie}\r\n" if cookie else ""
    head += f"Authorization: Bearer {token}\r\n" if token else ""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    except OSError:
        return Answer(0, None, cookie)
    try:
        writer.write(f"{head}\r\n".encode() + content)
        return _parsed(await asyncio.wait_for(reader.read(), PATIENCE_S), cookie)
    except OSError:  # also when nothing came in time
        return Answer(0, None, cookie)
    finally:
        writer.close()


def _parsed(raw: bytes, cookie: str) -> Answer:
    head, _, content = raw.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    if not lines[0].startswith("HTTP/1.1 "):
        return Answer(0, None, cookie)
    for line in lines[1:]:
        name, _, value = line.partition(":")
        if name.lower() == "set-cookie":
            cookie = value.strip().partition(";")[0]
    try:
        return Answer(int(lines[0].split()[1]), json.loads(content), cookie)
    except ValueError:
        return Answer(int(lines[0].split()[1]), None, cookie)
