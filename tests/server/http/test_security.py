"""Security of the HTTP interface: origins, hosts, headers, and no internals in answers."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from server.support.harness import Server
from support import there


@pytest.fixture(scope="module")
def table(server: Server) -> tuple[str, str]:
    return server.create("ur", "me me")


async def test_pages_of_other_origins_may_not_open_sockets_or_post(server: Server, table: tuple[str, str]):
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table[0]}/socket"
    async with websockets.connect(url, additional_headers={"origin": "http://elsewhere.example"}) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert there(closed.value.rcvd).code == 4409
    for headers, expected in (
        ({"origin": "http://elsewhere.example"}, 403),
        ({"host": "elsewhere.example"}, 400),
        ({"origin": server.address}, 422),
    ):
        request = urllib.request.Request(f"{server.address}/api/tables", b"{}", headers)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        with refused.value:
            assert refused.value.code == expected


def test_answers_carry_security_headers(server: Server):
    with urllib.request.urlopen(f"{server.address}/api/health") as answer:
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers


def test_no_stack_trace_reaches_a_client(server: Server):
    for path in (
        "/api/nowhere",
        "/api/tables/%00",
        "/api/tables/" + "x" * 80,
        "/..%2f..%2fpyproject.toml",
        "/%00.js",
    ):
        status, body = server.call("GET", path)
        assert status in (404, 422), path
        assert "Traceback" not in str(body)


def test_this_machine_may_read_the_metrics(server: Server):
    text = server.call("GET", "/metrics")[1]
    for name in (
        "tables",
        "seats",
        "sockets",
        "moves_total",
        "refusals_total",
        "store_commits_total",
        "told_seconds",
    ):
        assert f"quadriga_{name}" in text
