"""Requests that are sent before earlier ones are answered: a few are kept, and answered in order."""

from __future__ import annotations

import re
import socket

from quadriga.server.http.uvicorn_private import PIPELINED
from server.support.harness import Server

HEALTH = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def pipelined(server: Server, content: bytes) -> bytes:
    """Send requests at once, and return all answers."""
    with socket.create_connection(("127.0.0.1", server.port)) as made:
        made.settimeout(300)
        made.sendall(content)
        found = b""
        while piece := made.recv(65536):
            found += piece
        return found


def test_pipelined_requests_are_answered_in_order(server: Server):
    other, last = HEALTH.replace(b"health", b"nothing"), HEALTH[:-2] + b"Connection: close\r\n\r\n"
    posted = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nwrong"
    answers = pipelined(server, b"".join([HEALTH, other, posted, HEALTH, posted, other, last]))
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200", b"404", b"400", b"200", b"400", b"404", b"200"]


def test_a_pipelined_body_is_read_when_its_turn_comes(server: Server):
    size = 200_000
    head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size
    answers = pipelined(server, HEALTH * 8 + head + b"x" * size)
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200"] * 8 + [b"400"]


def test_too_many_pipelined_requests_are_not_kept(server: Server):
    """A few are answered, and the last of them says that the connection is closed."""
    posted = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n" + b"x" * 500
    for request, status in ((HEALTH, b"HTTP/1.1 200"), (posted, b"HTTP/1.1 400")):
        answers = pipelined(server, request * 100)
        assert answers.count(status) == 1 + PIPELINED
        assert answers.count(b"connection: close") == 1
        assert b"connection: close" in answers.rpartition(status)[2]
