"""Behind a proxy: a real nginx with the documented configuration, wss, uploads, and forged headers."""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets import Origin

from quadriga.engine.errors import OptionError
from quadriga.server.proxy import FORWARDED, Proxies, limit_key, networks
from server.support.command_line import CommandLineServer
from server.support.harness import PATIENT, Client
from server.support.nginx import Proxy, nginx_before
from soak import count

FAST = [f"--limit={name}=1000000" for name in ("requests", "request_burst", "rate", "burst")]


class Through:
    """Sends requests over TLS through the proxy, from a loopback address."""

    def __init__(self, proxy: Proxy, source: str = "127.0.0.1") -> None:
        self.proxy, self.source = proxy, source

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPSConnection(
            "localhost", self.proxy.port, context=self.proxy.trust, source_address=(self.source, 0)
        )
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["content-type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = connection.getresponse()
        answer.content = answer.read()  # type: ignore[attr-defined]
        connection.close()
        return answer

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        answer = self.ask(method, path, body, **headers)
        content = answer.content  # type: ignore[attr-defined]
        try:
            return answer.status, json.loads(content)
        except ValueError:
            return answer.status, content.decode()


@pytest.fixture(scope="module")
def through(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Through, CommandLineServer]]:
    folder = tmp_path_factory.mktemp("proxy")
    server = CommandLineServer(folder, "--trusted-proxy", "127.0.0.1", *FAST).start()
    try:
        with nginx_before(server.port, folder) as proxy:
            yield Through(proxy), server
    finally:
        server.kill()


async def test_a_game_is_played_over_wss_and_its_record_uploaded(through: tuple[Through, CommandLineServer]):
    proxied, _ = through
    host = proxied.proxy.host
    setup = {"game": "ur", "name": "Ann", "options": {"rules": "blitz", "markers": 2}, "pace": 0, "start": True}
    setup["seats"] = [{"kind": "me"}, {"kind": "bot"}]
    assert proxied.call("POST", "/api/tables", setup, origin="https://elsewhere.example")[0] == 403
    status, made = proxied.call("POST", "/api/tables", setup, origin=f"https://{host}")
    assert status == 201
    url = f"wss://{host}/api/tables/{made['table']['id']}/socket"
    socket = await websockets.connect(
        url, ssl=proxied.proxy.trust, origin=Origin(f"https://{host}"), compression=None, max_size=None, **PATIENT
    )
    client = Client(socket)
    await client.say(type="hello", token=made["token"])
    await client.play(random.Random(5))
    assert client.table["status"] == "over"
    status, record = proxied.call("GET", f"/api/tables/{made['table']['id']}/record")
    assert status == 200
    status, found = proxied.call("POST", "/api/records", {"record": record + "\n" * 3 * 2**20})
    assert (status, found["game"]) == (200, "ur")
    deck = files("quadriga.games.benhvrt").joinpath("data", "deck.toml").read_text("utf-8")
    status, read = proxied.call("POST", "/api/games/ben-hvrt/files/deck", {"name": "deck.toml", "text": deck})
    assert status == 200
    setup |= {"game": "ben-hvrt", "options": {"deck": read["document"]}, "start": False}
    assert proxied.call("POST", "/api/tables", setup)[0] == 201


def test_browsers_are_told_to_use_tls(through: tuple[Through, CommandLineServer]):
    proxied, server = through
    secure = proxied.ask("GET", "/api/health")
    assert secure.headers["strict-transport-security"] == "max-age=31536000"
    plain = http.client.HTTPConnection("127.0.0.1", server.port)
    plain.request("GET", "/api/health")
    with plain.getresponse() as answer:
        assert "strict-transport-security" not in answer.headers
    plain.close()


def test_metrics_are_refused_through_the_proxy(through: tuple[Through, CommandLineServer]):
    proxied, server = through
    assert proxied.call("GET", "/metrics")[0] == 403
    assert proxied.call("GET", "/metrics", x_forwarded_for="127.0.0.1")[0] == 403
    assert server.call("GET", "/metrics")[0] == 200


def statuses(ask: Any, count: int) -> list[int]:
    return [ask(number) for number in range(count)]


def test_forged_headers_do_not_escape_the_limits(tmp_path: Path):
    few = ("--limit", "requests=0", "--limit", "request_burst=5")
    server = CommandLineServer(
        tmp_path, "--trusted-proxy", "127.0.0.1", "--metrics-from", "127.0.0.3", *few
    ).start()
    try:
        with nginx_before(server.port, tmp_path) as proxy:
            forger, other, allowed = (Through(proxy, f"127.0.0.{last}") for last in (2, 4, 3))

            def forged(number: int) -> int:
                lie = f"10.0.0.{number}"
                headers = {"x_forwarded_for": lie, "forwarded": f"for={lie};host=localhost;proto=http"}
                return forger.call("GET", "/api/health", **headers, x_real_ip=lie)[0]

            assert statuses(forged, 8) == [200] * 5 + [429] * 3
            assert other.call("GET", "/api/health", x_forwarded_for="127.0.0.2")[0] == 200
            assert other.call("GET", "/api/health", x_forwarded_host="elsewhere.example")[0] == 200
            assert other.call("GET", "/metrics", x_forwarded_for="127.0.0.3")[0] == 403
            assert allowed.call("GET", "/metrics")[0] == 200

            def direct(number: int) -> int:
                line = http.client.HTTPConnection("127.0.0.1", server.port, source_address=("127.0.0.5", 0))
                line.request("GET", "/api/health", headers={"x-forwarded-for": f"10.0.1.{number}"})
                with line.getresponse() as answer:
                    status = answer.status
                line.close()
                return status

            assert statuses(direct, 8) == [200] * 5 + [429] * 3
    finally:
        server.kill()


def test_without_the_option_no_headers_count_and_the_log_says_so_once(tmp_path: Path):
    server = CommandLineServer(tmp_path, "--limit", "requests=0", "--limit", "request_burst=6").start()
    try:
        with nginx_before(server.port, tmp_path) as proxy:
            one, other = Through(proxy, "127.0.0.2"), Through(proxy, "127.0.0.3")
            assert one.call("GET", "/metrics", x_forwarded_for="127.0.0.1")[0] == 403
            assert "strict-transport-security" not in one.ask("GET", "/api/health").headers
            assert [one.call("GET", "/api/health")[0] for _ in range(4)] == [200] * 4
            assert other.call("GET", "/api/health")[0] == 429  # they share one limit
    finally:
        server.kill()
    assert len([line for line in server.lines() if "--trusted-proxy" in line]) == 1


def unwrapped(trusted: list[str], peer: str, *headers: tuple[str, str]) -> dict[str, Any]:
    scope: dict[str, Any] = {"type": "http", "scheme": "http", "client": (peer, 1), "headers": [(b"host", b"h")]}
    scope["headers"] += [(name.encode(), value.encode()) for name, value in headers]
    Proxies(trusted).unwrap(scope)
    return {**scope, "host": dict(scope["headers"])[b"host"].decode()}


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        ([("x-forwarded-for", "1.1.1.1, 2.2.2.2")], "2.2.2.2"),
        ([("x-forwarded-for", "1.1.1.1, 2.2.2.2, 10.0.0.9")], "2.2.2.2"),
        ([("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "2.2.2.2")], "2.2.2.2"),
        ([("x-forwarded-for", "10.0.0.8, 10.0.0.9")], "10.0.0.8"),
        ([("x-forwarded-for", "1.1.1.1, nonsense")], "10.0.0.1"),
        ([("x-forwarded-for", "nonsense, 10.0.0.7")], "10.0.0.7"),
        ([("x-forwarded-for", "[2001:db8::1]:443")], "2001:db8::1"),
        ([("x-forwarded-for", "::ffff:3.3.3.3")], "3.3.3.3"),
        ([("forwarded", 'for=1.1.1.1;proto=http, for="[2001:db8::2]:9";proto=https')], "2001:db8::2"),
        ([("forwarded", "for=9.9.9.9"), ("x-forwarded-for", "4.4.4.4:55")], "4.4.4.4"),
        ([("forwarded", "for=unknown")], "10.0.0.1"),
    ],
)
def test_the_client_is_the_last_untrusted_address(headers: list[tuple[str, str]], client: str):
    found = unwrapped(["10.0.0.0/8"], "10.0.0.1", *headers)
    assert found["client"][0] == client
    assert found[FORWARDED]
    assert unwrapped(["10.0.0.0/8"], "7.7.7.7", *headers)["client"][0] == "7.7.7.7"


def test_scheme_and_host_come_from_the_proxy():
    said = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "play.example")]
    found = unwrapped(["10.0.0.1"], "10.0.0.1", *said, ("forwarded", "host=evil.example"))
    assert (found["scheme"], found["host"]) == ("https", "play.example")
    found = unwrapped(["10.0.0.1"], "10.0.0.2", *said)
    assert (found["scheme"], found["host"]) == ("http", "h")


def test_limits_count_ipv6_by_network():
    assert limit_key("2001:db8:1:2::3") == limit_key("2001:db8:1:2:ffff::9") != limit_key("2001:db8:1:3::3")
    assert limit_key("::ffff:1.2.3.4") == "1.2.3.4"
    with pytest.raises(OptionError):
        networks(["not an address"])


def test_invalid_options_are_refused_at_the_start(tmp_path: Path):
    wrong = [("--limit", "speed=1"), ("--trusted-proxy", "nginx"), ("--limit", "rate=fast"), ("--limit", "x")]
    for number, arguments in enumerate(wrong[: count(2, 4)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        server = CommandLineServer(folder, *arguments)
        with pytest.raises(AssertionError):
            server.start()
        server.running.communicate()
        assert server.running.returncode == 2
        assert len(server.lines()) == 1
