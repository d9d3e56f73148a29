"""Half-sent bodies take little memory, are released at once, and leave room for other clients."""

from __future__ import annotations

import json
import re
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

from server.support.harness import Server

KB = 1024
RECORDS, REVIEWS = "/api/records", "/api/reviews"
WITH_BODY = [RECORDS, "/api/records/replay", "/api/records/fairness", REVIEWS, "/api/tables"]
WITH_PLACES = [  # these take a place before they read, of the limit with this name
    (RECORDS, "record_each", "upload.yours"),
    ("/api/records/replay", "record_each", "upload.yours"),
    ("/api/records/fairness", "record_each", "upload.yours"),
    (REVIEWS, "review_each", "review.yours"),
    ("/api/games/ben-hvrt/files/deck", "upload_each", "upload.yours"),
]


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    server = Server(folder / "tables.sqlite", **settings).start()
    try:
        yield server
    finally:
        server.kill()
        while Sender.open:
            Sender.open.pop().close()


class Sender:
    """A client that sends a request as slowly as a test wants, from an address of its own."""

    open: ClassVar[list[socket.socket]] = []

    def __init__(
        self, server: Server, path: str, size: int | None, source: str = "127.0.0.1", **headers: str
    ) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), source_address=(source, 0))
        self.open.append(self.socket)
        self.socket.settimeout(300)  # a test that fails should not hang
        self.is_chunked = size is None
        length = "Transfer-Encoding: chunked" if size is None else f"Content-Length: {size}"
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        self.socket.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{length}\r\n{more}\r\n".encode())

    def send(self, size: int) -> Sender:
        part = b"x" * size
        self.socket.sendall(b"%x\r\n%s\r\n" % (size, part) if self.is_chunked else part)
        return self

    def answer(self) -> tuple[int, dict[str, str], Any]:
        """Return the status, the headers and the body of the answer."""
        found = b""
        while b"\r\n\r\n" not in found or not _is_whole(found):
            piece = self.socket.recv(65536)
            assert piece, found
            found += piece
        head, _, rest = found.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        return int(first.split()[1]), headers, json.loads(_content(headers, rest))

    def code(self) -> tuple[int, str]:
        status, _, said = self.answer()
        return status, said["code"]

    def close(self) -> None:
        self.socket.close()


def _is_whole(answer: bytes) -> bool:
    head, _, rest = answer.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    return len(rest) >= int(length[1]) if length else rest.endswith(b"0\r\n\r\n")


def _content(headers: dict[str, str], rest: bytes) -> bytes:
    return rest if "content-length" in headers else rest.partition(b"\r\n")[2].rpartition(b"\r\n0\r\n")[0]


def answered(senders: list[Sender]) -> list[Sender]:
    """Return the clients for which there is an answer."""
    readable, _, _ = select.select([each.socket for each in senders], [], [], 0)
    return [each for each in senders if each.socket in readable]


def held(server: Server) -> int:
    """Return how many bytes of bodies a server holds."""
    found = re.search(r"^quadriga_body_bytes (\S+)$", server.get("/metrics"), re.M)
    assert found
    return int(float(found[1]))


def until_held(server: Server, size: int) -> None:
    while held(server) != size:
        continue


def test_half_sent_uploads_of_an_address_hold_no_more_than_its_share(tmp_path: Path):
    with serving(tmp_path, body_bytes_each=400 * KB, record_each=100) as server:
        elsewhere = Sender(server, RECORDS, 1000 * KB, "127.0.0.2").send(350 * KB)
        until_held(server, 350 * KB)
        senders = [Sender(server, RECORDS, 1000 * KB).send(300 * KB) for _ in range(20)]
        while len(refused := answered(senders)) < 19:  # one may stay
            continue
        for each in refused:
            status, headers, said = each.answer()
            assert (status, said["code"]) == (429, "body.yours")
            assert headers["retry-after"]
            assert said["with"] == {"most": 400 * KB}
            assert all(str(400 * KB) in said["text"][language] for language in ("en", "fr"))
        until_held(server, 650 * KB)
        assert len(refused) == 19
        assert answered([elsewhere, *senders]) == []
        for each in (elsewhere, *senders):
            each.close()
        until_held(server, 0)


@pytest.mark.parametrize("path", WITH_BODY)
@pytest.mark.parametrize("size", [200 * KB, None], ids=["length", "chunked"])
def test_every_body_counts_and_is_released_when_the_client_hangs_up(tmp_path: Path, path: str, size: int | None):
    with serving(tmp_path) as server:
        sender = Sender(server, path, size).send(100 * KB)
        until_held(server, 100 * KB)
        sender.close()
        until_held(server, 0)


def test_a_sender_that_stalls_is_refused_and_releases_what_it_held(tmp_path: Path):
    with serving(tmp_path, body_seconds=0.5, record_each=1) as server:
        assert Sender(server, RECORDS, 1000 * KB).send(900 * KB).code() == (408, "wire.late")
        until_held(server, 0)
        assert server.call("POST", RECORDS, {"record": "x"})[0] == 400  # its place is free again


@pytest.mark.parametrize(("path", "limit", "code"), WITH_PLACES)
def test_an_address_takes_its_place_before_its_body_is_read(tmp_path: Path, path: str, limit: str, code: str):
    with serving(tmp_path, **{limit: 1}) as server:
        first = Sender(server, path, 200 * KB).send(100 * KB)
        until_held(server, 100 * KB)
        status, headers, said = Sender(server, path, 200 * KB, expect="100-continue").answer()
        assert (status, said["code"], said["with"]) == (429, code, {"most": 1})
        assert headers["retry-after"]
        assert set(said["text"]) == {"en", "fr"}
        other = Sender(server, path, 200 * KB, "127.0.0.2").send(50 * KB)
        until_held(server, 150 * KB)
        first.close()
        until_held(server, 50 * KB)
        Sender(server, path, 200 * KB).send(30 * KB)
        until_held(server, 80 * KB)
        other.close()


def test_the_largest_half_sent_body_gives_way_when_the_memory_is_full(tmp_path: Path):
    with serving(tmp_path, body_bytes=900 * KB, body_bytes_each=500 * KB) as server:
        smaller = Sender(server, RECORDS, 1000 * KB, "127.0.0.2").send(400 * KB)
        larger = Sender(server, RECORDS, 1000 * KB, "127.0.0.3").send(450 * KB)
        until_held(server, 850 * KB)
        newcomer = Sender(server, "/api/tables", 100 * KB, "127.0.0.4").send(90 * KB)
        status, headers, said = larger.answer()
        assert (status, said["code"]) == (503, "body.crowded")
        assert headers["retry-after"]
        assert set(said["text"]) == {"en", "fr"}
        until_held(server, 490 * KB)
        assert newcomer.send(10 * KB).code() == (400, "wire.json")
        assert Sender(server, RECORDS, 1000 * KB, "127.0.0.5").send(450 * KB).send(200 * KB).code()[0] in (429, 503)
        until_held(server, 400 * KB)
        smaller.close()


def test_a_small_request_goes_through_while_its_address_sends_all_that_it_may(tmp_path: Path):
    with serving(tmp_path, body_bytes_each=100 * KB) as server:
        large = Sender(server, RECORDS, 200 * KB).send(100 * KB)
        until_held(server, 100 * KB)
        assert server.create("ur", "me bot")
        small = Sender(server, "/api/tables", 50 * KB).send(20 * KB)  # in two parts: the larger one gives way
        assert large.code() == (429, "body.yours")
        assert small.send(30 * KB).code() == (400, "wire.json")


def test_a_refused_upload_is_answered_while_the_client_still_sends(tmp_path: Path):
    """The rest is received and thrown away, so that a client that reads only afterwards gets the answer."""
    with serving(tmp_path, body_bytes_each=100 * KB) as server:
        sender = Sender(server, RECORDS, 4000 * KB)
        for _ in range(40):
            sender.send(100 * KB)
        assert sender.code() == (429, "body.yours")
        assert held(server) == 0


def test_clients_behind_a_trusted_proxy_have_shares_of_their_own(tmp_path: Path):
    with serving(tmp_path, proxies=["127.0.0.1"], body_bytes_each=100 * KB, record_each=1) as server:
        first, second = (
            Sender(server, RECORDS, 200 * KB, x_forwarded_for=f"198.51.100.{last}").send(90 * KB) for last in (1, 2)
        )
        until_held(server, 180 * KB)
        again = Sender(server, RECORDS, 200 * KB, x_forwarded_for="198.51.100.1")
        assert again.code() == (429, "upload.yours")
        forged = Sender(server, RECORDS, 200 * KB, "127.0.0.9", x_forwarded_for="198.51.100.1").send(90 * KB)
        until_held(server, 270 * KB)
        assert first.send(50 * KB).code() == (429, "body.yours")
        for each in (second, forged):
            each.close()
        until_held(server, 0)
