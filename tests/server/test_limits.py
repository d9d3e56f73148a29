"""Limits on everything that a stranger can use: each is reached here, and each is documented."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from quadriga.engine.errors import OptionError
from quadriga.engine.match.match import Match
from quadriga.server.messages.hint import hint
from quadriga.server.protocol.server_messages import HintGiven
from quadriga.server.settings import LIMITS, Settings, parse_limits
from quadriga.server.state.room_state import RoomState
from quadriga.server.ws import handlers
from server.support.harness import Client, Server
from server.support.in_process import in_process
from server.support.tables import start_table
from support import ROOT

DOCS = ROOT / "docs"
HEALTH = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def strict(folder: Path, **settings: Any) -> Iterator[Server]:
    server = Server(folder / "tables.sqlite", **settings).start()
    try:
        yield server
    finally:
        server.kill()


def test_every_limit_is_documented_with_its_default():
    rows = re.findall(r"^\| `([a-z_]+)` \| ([0-9.]+) \|", (DOCS / "operations.md").read_text("utf-8"), re.M)
    assert {name: float(value) for name, value in rows} == {name: float(getattr(Settings, name)) for name in LIMITS}
    assert len(rows) == len(LIMITS)


def test_every_message_and_request_is_in_the_documented_limits():
    protocol = (DOCS / "protocol.md").read_text("utf-8")
    table = (DOCS / "operations.md").read_text("utf-8").partition("## Limits")[2]
    messages = protocol.partition("<!-- generated: client messages -->")[2].partition("<!-- end -->")[0]
    said = set(re.findall(r"^#### .*</a>`([a-z]+)`$", messages, re.M))
    assert said >= {"act", "roll", "undo", "hint", "mute", "vote"}
    for message in said - {"act", "roll", "undo", "ping"}:  # these have the limits of the socket alone
        assert f"`{message}`" in table, message
    for path in re.findall(r"^\| `POST /api/(\S+)`", protocol, re.M):
        word = next(part for part in reversed(path.split("/")) if not part.startswith("{"))
        assert f"`{word}`" in table or f"`POST /api/{word}`" in table or f"{word} " in table, path


def test_limits_are_set_by_name():
    assert parse_limits(["rate=2.5", "sockets=7"]) == {"rate": 2.5, "sockets": 7}
    given: dict[str, Any] = parse_limits(["sockets=7"])
    assert Settings(**given).sockets == 7
    for wrong in ("rate", "rate=", "rate=-1", "rate=nan", "rate=inf", "sockets=1.5", "port=1", "store=2", "x=1"):
        with pytest.raises(OptionError):
            parse_limits([wrong])
    with pytest.raises(OptionError):
        parse_limits(["rate=1", "rate=2"])


# Connections.


def line(server: Server, content: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", server.port), source_address=(source, 0))
    made.sendall(content)
    return made


def rest(connection: socket.socket) -> bytes:
    """Return everything that comes until the server hangs up."""
    found = b""
    with connection:
        while piece := _piece(connection):
            found += piece
    return found


def _piece(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except ConnectionResetError:
        return b""


def code(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["code"]


HALF_BODY = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
HALF_CHUNK = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"


def test_half_sent_requests_are_ended(tmp_path: Path):
    with strict(tmp_path, head_seconds=0.5, body_seconds=0.5) as server:
        heads = [line(server, HEALTH[:30]) for _ in range(100)]
        bodies = [line(server, part) for part in (HALF_BODY, HALF_CHUNK) for _ in range(50)]
        silent = [line(server) for _ in range(50)]
        late = [rest(each) for each in (*heads, *bodies)]
        assert {code(answer) for answer in late} == {(408, "wire.late")}
        assert {rest(each) for each in silent} == {b""}
        again = line(server, HEALTH + HEALTH[:30])  # the second of a connection
        assert rest(again).count(b"HTTP/1.1 408") == 1
        assert server.call("GET", "/api/health")[0] == 200


def trickle(connection: socket.socket, piece: bytes) -> None:
    """Send a piece now and then, and read the answers, until the server hangs up."""
    connection.settimeout(0.05)
    with connection, suppress(ConnectionResetError, BrokenPipeError):
        while True:
            connection.sendall(piece)
            with suppress(TimeoutError):
                if not connection.recv(65536):
                    return


@pytest.mark.parametrize(
    "begun", [b"\r\n", HEALTH + b"\r\n", HEALTH[:30], HALF_BODY.replace(b"100", b"100000000000"), HALF_CHUNK]
)
def test_a_request_that_comes_byte_by_byte_is_ended(tmp_path: Path, begun: bytes):
    with strict(tmp_path, head_seconds=0.5, body_seconds=0.5) as server:
        trickle(line(server, begun), b"\r\n" if begun.endswith(b"\r\n") else b"x")


@pytest.mark.parametrize("piece", [b"x", b"x" * 1000])
def test_a_refused_body_is_not_read_for_ever(tmp_path: Path, piece: bytes):
    """A body that is too large is refused at once; a client that goes on sending it is cut off."""
    with strict(tmp_path, body_seconds=0.5) as server:
        large = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"
        trickle(line(server, large), piece)


def test_a_connection_without_a_request_is_ended(tmp_path: Path):
    with strict(tmp_path, keep_seconds=0.3) as server:
        assert rest(line(server, HEALTH)).startswith(b"HTTP/1.1 200")


def test_the_size_of_a_head_is_limited(tmp_path: Path):
    with strict(tmp_path, head_bytes=10_000) as server:
        for head in (
            HEALTH[:-2] + b"X: " + b"x" * 20_000,
            b"GET /" + b"y" * 20_000,
            HEALTH[:-2] + b"a: b\r\n" * 5_000,
        ):
            assert code(rest(line(server, head))) == (431, "wire.head")
        assert server.call("GET", "/api/health")[0] == 200


def test_connections_of_an_address_are_limited(tmp_path: Path):
    with strict(tmp_path, connections_each=3) as server:
        some = [line(server) for _ in range(3)]
        assert code(rest(line(server))) == (503, "wire.connections")
        with line(server, HEALTH, "127.0.0.2") as elsewhere:
            assert b"200" in elsewhere.recv(20)
        some.pop().close()
        while (status := server.call("GET", "/api/health")[0]) == 503:  # until the server has noticed
            continue
        assert status == 200
        for each in some:
            each.close()


async def test_websockets_are_connections(tmp_path: Path):
    with strict(tmp_path, connections_each=2) as server:
        table, token = server.create("ur", "me bot")
        clients = [await server.connect(table, token) for _ in range(2)]
        for client in clients:
            await client.until("view")
        assert code(rest(line(server))) == (503, "wire.connections")
        await clients[0].close()
        while server.call("GET", "/api/health")[0] == 503:
            continue


async def test_a_websocket_outlives_the_limits_of_requests(tmp_path: Path):
    """A player stays connected for ten times as long as a request may take."""
    with strict(tmp_path, head_seconds=0.1, body_seconds=0.1, keep_seconds=0.1) as server:
        room, token = server.create("ur")
        client = await server.connect(room, token)
        for _ in range(20):
            await asyncio.sleep(0.05)
            await client.say(type="ping")
            await client.until("pong")


def test_connections_are_limited_in_all(tmp_path: Path):
    with strict(tmp_path, connections=2) as server:
        some = [line(server, source=f"127.0.0.{last}") for last in (2, 3)]
        assert code(rest(line(server, source="127.0.0.4"))) == (503, "wire.connections")
        for each in some:
            each.close()


# Sockets.


async def closed(client: Client) -> int:
    try:
        while True:
            await client.hear()
    except ConnectionClosed as ended:
        assert ended.rcvd is not None
        return ended.rcvd.code


async def opened(server: Server, table: str, token: str) -> Client:
    """Return a client that may be disconnected before its hello."""
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
    client = Client(await websockets.connect(url, compression=None))
    with suppress(ConnectionClosed):
        await client.say(type="hello", token=token)
    return client


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"sockets": 2}, None),
        ({"sockets_each": 2}, None),
        ({"sockets_guest": 2}, "socket.many"),
    ],
)
async def test_sockets_are_limited(tmp_path: Path, settings: dict[str, int], refusal: str | None):
    with strict(tmp_path, **settings) as server:
        table, token = server.create("ur", "me bot")
        for _ in range(2):
            await (await server.connect(table, token)).until("view")
        third = await opened(server, table, token)
        assert await closed(third) == 1008
        assert [each["code"] for each in third.refused] == ([] if refusal is None else [refusal])


async def test_watchers_of_a_table_are_limited(tmp_path: Path):
    with strict(tmp_path, watchers=1) as server:
        table, token = server.create("ur", "me bot")
        await (await server.connect(table)).until("view")
        second = await server.connect(table)
        assert await closed(second) == 1008
        assert second.refused[0]["code"] == "table.watched"
        await (await server.connect(table, token)).until("view")


async def test_a_client_without_a_hello_is_disconnected(tmp_path: Path):
    with strict(tmp_path, hello=0.3) as server:
        table, _ = server.create("ur", "me bot")
        async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket") as silent:
            with pytest.raises(ConnectionClosed) as ended:
                await silent.recv()
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 1008


async def test_pings_of_the_protocol_are_limited(tmp_path: Path):
    with strict(tmp_path, rate=0.0, burst=5.0) as server:
        table, token = server.create("ur", "me bot")
        client = await server.connect(table, token)
        await client.until("view")
        with suppress(ConnectionClosed):
            for _ in range(10):
                await (await client.socket.ping())
        assert await closed(client) == 1008


def test_opening_sockets_is_rationed(tmp_path: Path):
    with strict(tmp_path, requests=0.0, request_burst=2.0) as server:
        head = HEALTH[:-2] + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        head += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        openings = [line(server, head.replace(b"/api/health", b"/api/tables/x/socket")) for _ in range(3)]
        assert sorted(int(each.recv(12).split()[1]) for each in openings) == [101, 101, 429]
        for each in openings:
            each.close()


# Messages.

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("chat", {"type": "chat", "text": "salve"}),
    ("look", {"type": "look", "seat": 0}),
    ("look", {"type": "hello"}),
    ("look", {"type": "why"}),
    ("change", {"type": "stops", "windows": []}),
    ("change", {"type": "word", "word": "x"}),
    ("change", {"type": "mute", "name": "Bob"}),
    ("change", {"type": "vote", "kind": "pause", "on": False}),
    ("change", {"type": "leave"}),
    ("change", {"type": "back"}),
    ("hint", {"type": "hint", "number": 0}),
]


async def rated(client: Client, message: dict[str, Any]) -> bool:
    """Return whether a message is refused because there were too many of its kind."""
    client.refused.clear()
    client.number = 0
    await client.say(**message, ref="this")
    await client.say(type="ping", ref="after")
    while (said := await client.hear(loose=True))["type"] != "pong":
        client.number = 0
        assert said
    return any(each["ref"] == "this" and each["code"] == "wire.rate" for each in client.refused)


@pytest.fixture(scope="module")
def sparing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Server]]:
    """Servers that allow a guest two messages of a kind, and an address as many as one guest or as a thousand."""
    names = ("chat", "look", "change", "hint")
    few = {f"{name}s": 0.0 for name in names} | {f"{name}_burst": 2.0 for name in names}
    made = {}
    for kind, household in (("one", 1.0), ("many", 1000.0)):
        folder = tmp_path_factory.mktemp(kind)
        made[kind] = Server(folder / "tables.sqlite", **few, household=household)
        made[kind].start()
    yield made
    for server in made.values():
        server.kill()


@pytest.mark.parametrize(("kind", "message"), KINDS, ids=[message["type"] for _, message in KINDS])
async def test_messages_of_a_guest_are_rationed_over_all_their_sockets(
    sparing: dict[str, Server], kind: str, message: Any
):
    server = sparing["many"]
    table, token = server.create("ur", "me bot")
    clients = [await server.connect(table, token) for _ in range(3)]
    for client in clients:
        await client.until("view")
    assert [await rated(client, message) for client in clients] == [False, False, True]
    other = await server.connect(*server.create("ur", "me bot"))
    await other.until("view")
    assert not await rated(other, message)


async def test_messages_of_an_address_are_rationed_by_its_household(sparing: dict[str, Server]):
    server = sparing["one"]
    found = []
    for _ in range(3):
        client = await server.connect(*server.create("ur", "me bot"))
        await client.until("view")
        found.append(await rated(client, {"type": "chat", "text": "salve"}))
    assert found == [False, False, True]


async def test_too_many_waiting_hints_are_refused_and_the_server_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """One hint is computed, one waits, and a third is refused; of one guest, a second."""
    computed, go_on = [], asyncio.Event()

    async def slow(state: RoomState, match: Match, seat: int, ref: str | None) -> HintGiven:
        computed.append(state.id)
        await go_on.wait()
        return await hint(state, match, seat, ref)

    monkeypatch.setattr(handlers, "hint", slow)
    async with in_process(tmp_path / "tables.sqlite", hint_workers=1, hint_queue=1) as server:
        rooms = [await start_table(server, seats="me me") for _ in range(3)]
        first, second, third, again = [
            await looking(server, room, tokens[0]) for room, tokens in (*rooms, rooms[0])
        ]
        waiting = server.registry.limits._hint_guests
        for number, client in enumerate((first, second), 1):
            await client.say(type="hint", number=client.number, seat=client.view["turn"])
            while len(waiting) < number:
                await asyncio.sleep(0.001)
        for client in (third, again):
            await client.say(type="hint", number=client.number, seat=client.view["turn"])
            assert (await client.until("refused"))["code"] == "hint.busy"
        assert third.legal
        await third.act(third.legal[0]["text"], ref="meanwhile")
        await third.until("done", ref="meanwhile")
        assert computed == [rooms[0][0]]
        go_on.set()
        for client in (first, second):
            assert (await client.until("hint"))["text"]
        assert computed == [rooms[0][0], rooms[1][0]]
        await again.say(type="hint", number=again.number, seat=again.view["turn"])
        assert (await again.until("hint"))["text"]


async def looking(server: Server, table: str, token: str) -> Client:
    """Return a client with both seats that looks from the seat that is to decide."""
    client = await server.connect(table, token)
    await client.until("view")
    await client.say(type="look", seat=client.view["turn"])
    await client.until("view", seat=client.view["turn"])
    return client


async def test_muted_names_are_limited(tmp_path: Path):
    with strict(tmp_path, mutes=3) as server:
        table, token = server.create("ur", "me bot")
        for own in (token, None):
            client = await server.connect(table, own)
            await client.until("view")
            for number in range(4):
                await client.say(type="mute", name=f"{number} " + "x" * 38)
            assert (await client.until("refused"))["code"] == "mute.many"
            await client.say(type="mute", name="1 " + "x" * 38, on=False)
            await client.until("muted")
            await client.say(type="mute", name="Bob")
            assert len((await client.until("muted"))["muted"]) == 3
        again = await server.connect(table, token)
        assert len((await again.until("welcome"))["muted"]) == 3


# Tables.

NEW = {"game": "ur", "name": "Ann", "seats": [{"kind": "open"}, {"kind": "open"}]}


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"creates": 0.0, "create_burst": 2.0}, (429, "wire.rate")),
        ({"tables_each": 2}, (429, "table.yours")),
        ({"tables": 2}, (503, "table.crowded")),
    ],
)
def test_creating_tables_is_limited(tmp_path: Path, settings: dict[str, Any], refusal: tuple[int, str]):
    with strict(tmp_path, **settings) as server:
        made = [server.call("POST", "/api/tables", NEW) for _ in range(3)]
        assert [status for status, _ in made[:2]] == [201, 201]
        assert (made[2][0], made[2][1]["code"]) == refusal


def test_unloaded_tables_do_not_count(tmp_path: Path):
    with strict(tmp_path, tables_each=1, idle=0.1) as server:
        assert server.call("POST", "/api/tables", NEW)[0] == 201
        while server.get("/api/health")["tables"]:
            continue
        assert server.call("POST", "/api/tables", NEW)[0] == 201


@pytest.mark.parametrize(
    "path", ["join", "seats/0", "seats/0/invite", "seats/0/ask", "seats/0/allow", "start", "rematch"]
)
def test_joins_are_rationed(tmp_path: Path, path: str):
    with strict(tmp_path, joins=0.0, join_burst=1.0) as server:
        _, made = server.call("POST", "/api/tables", NEW)
        bodies = {"join": {"name": "Bob"}, "seats/0": {"kind": "bot"}}
        url = f"/api/tables/{made['table']['id']}/{path}"
        assert server.call("POST", url, bodies.get(path, {}), made["token"])[0] != 429
        assert server.call("POST", url, bodies.get(path, {}), made["token"])[0] == 429


@pytest.mark.parametrize("path", ["record", "fairness", "replay", "chart"])
def test_parts_of_finished_games_are_rationed(tmp_path: Path, path: str):
    with strict(tmp_path, replays=0.0, replay_burst=1.0) as server:
        table, _ = server.create("ur", "me bot")
        assert [server.call("GET", f"/api/tables/{table}/{path}")[0] for _ in range(2)] == [409, 429]


# Records and reviews; files, and records that wait, are in workers/test_uploads.

RECORD = '{"quadriga": 1, "game": "ur", "options": {}, "seats": 2}\n'


def test_records_of_an_address_are_limited(tmp_path: Path):
    with strict(tmp_path, record_each=0) as server:
        status, said = server.call("POST", "/api/records", {"record": RECORD})
        assert (status, said["code"]) == (429, "upload.yours")


def test_reviews_are_limited(tmp_path: Path):
    with strict(tmp_path, reviews=0.0, review_burst=1.0) as server:
        asked = [server.call("POST", "/api/reviews", {"record": RECORD + "\n" * n})[0] for n in range(2)]
        assert asked == [202, 429]
    with strict(tmp_path, review_queue=0) as server:
        status, said = server.call("POST", "/api/reviews", {"record": RECORD})
        assert (status, said["code"]) == (429, "review.busy")


def test_the_memory_of_a_review_is_limited(tmp_path: Path):
    with strict(tmp_path, review_memory=1) as server:
        big = RECORD + " " * 8 * 2**20
        _, job = server.call("POST", "/api/reviews", {"record": big})
        while job["state"] in ("waiting", "running"):
            _, job = server.call("GET", f"/api/reviews/{job['review']}")
        assert (job["state"], job["fault"]["code"]) == ("failed", "review.failed")
