"""Whatever comes over the wire gets a code, and the game goes on."""

from __future__ import annotations

import asyncio
import json
import random
import urllib.request
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import websockets
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance
from websockets.exceptions import ConnectionClosed

from quadriga.engine.errors import FileError
from quadriga.engine.match import options as opts
from quadriga.games import find
from server.harness import Client, Server, close_all
from soak import count

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
TYPES = [
    "act",
    "roll",
    "undo",
    "look",
    "stops",
    "word",
    "chat",
    "mute",
    "vote",
    "hint",
    "why",
    "back",
    "ping",
    "hello",
    "zzz",
]
FIELDS = ["number", "action", "seat", "ref", "after", "windows", "word", "text", "name", "on", "kind", "token"]
SMALL = (
    st.none()
    | st.integers(-3, 13)
    | st.sampled_from(["0-1", "pass", "pause", "remove", "end", "RO"])
    | st.booleans()
)
MESSAGES = st.one_of(
    JSON.map(json.dumps),
    st.text(max_size=60),
    st.builds(
        lambda kind, rest: json.dumps({"type": kind, **rest}),
        st.sampled_from(TYPES),
        st.dictionaries(st.sampled_from(FIELDS), SMALL | JSON, max_size=5),
    ),
)


@pytest.fixture(scope="module")
def table(server: Server) -> tuple[str, str]:
    return server.create("ur", "me me")


async def alive(client: Client) -> None:
    await client.say(type="ping", ref="alive?")
    await client.until("pong", ref="alive?")


@settings(
    max_examples=count(60, 2000), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(said=st.lists(MESSAGES, min_size=1, max_size=6), watching=st.booleans())
def test_garbage_gets_a_code_and_the_game_goes_on(
    server: Server, table: tuple[str, str], said: list[str], watching: bool
):
    async def run() -> None:
        client = await server.connect(table[0], None if watching else table[1])
        await client.until("welcome")
        for text in said:
            await client.socket.send(text)
        client.number = 0
        await client.say(type="ping", ref="alive?")
        while (heard := await client.hear())["type"] != "pong" or heard["ref"] != "alive?":
            client.number = 0
        assert all(refused["code"] and set(refused["text"]) == {"en", "fr"} for refused in client.refused)
        assert not any(refused["code"] == "wire.fault" for refused in client.refused)
        await close_all()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "wire.json"),
        ("{", "wire.json"),
        ("[1, 2]", "wire.field"),
        ('{"type": "no"}', "wire.type"),
        ("{}", "wire.type"),
        ('{"type": "act", "number": -1, "action": "x"}', "wire.field"),
        ('{"type": "act", "number": 1, "action": "x", "more": 1}', "wire.field"),
        ('{"type": "chat", "text": "' + "x" * 9000 + '"}', "wire.size"),
        ('{"type": "chat", "text": "' + "x" * 600 + '"}', "wire.field"),
        ("[" * 3000 + "]" * 3000, "wire.field"),
        ('{"type": "act", "number": 0, "action": "x", "seat": 7}', "act.not-yours"),
        ('{"type": "chat", "text": " \\n "}', "chat.empty"),
    ],
)
async def test_each_fault_has_its_code(server: Server, table: tuple[str, str], text: str, code: str):
    client = await server.connect(table[0], table[1])
    await client.until("welcome")
    await client.socket.send(text)
    assert (await client.until("refused"))["code"] == code
    await alive(client)


async def test_bytes_that_are_no_text_are_refused(server: Server, table: tuple[str, str]):
    client = await server.connect(table[0], table[1])
    await client.until("welcome")
    await client.socket.send(b"\xff\xfe\x00")
    assert (await client.until("refused"))["code"] == "wire.json"
    await alive(client)


async def test_a_huge_frame_ends_its_connection_and_no_other(server: Server, table: tuple[str, str]):
    good = await server.connect(table[0], table[1])
    await good.until("welcome")
    bad = await server.connect(table[0])
    await bad.until("welcome")
    await bad.socket.send("x" * 200_000)
    with pytest.raises(ConnectionClosed) as closed:
        await bad.until("never")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    await alive(good)


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"type": "hello", "token": "forged.token"}, 4401),
        ({"type": "hello", "seat": 0}, 4401),
        ({"type": "ping"}, 1008),
        ({"nothing": 1}, 1008),
    ],
)
async def test_who_does_not_greet_rightly_is_not_talked_to(
    server: Server, table: tuple[str, str], hello, code: int
):
    async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/tables/{table[0]}/socket") as socket:
        await socket.send(json.dumps(hello))
        assert json.loads(await socket.recv())["type"] == "refused"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd.code == code


async def test_a_table_that_is_not_there_says_so(server: Server):
    async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/tables/nowhere/socket") as socket:
        assert json.loads(await socket.recv())["code"] == "table.unknown"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd.code == 4404


async def test_other_peoples_pages_may_not_open_sockets_or_post(server: Server, table: tuple[str, str]):
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table[0]}/socket"
    async with websockets.connect(url, additional_headers={"origin": "http://elsewhere.example"}) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd.code == 4409
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


def test_floods_are_slowed_down(tmp_path):
    strict = Server(tmp_path / "tables.sqlite", rate=0.5, burst=10.0, requests=0.5, request_burst=10.0).start()
    try:
        statuses = [strict.call("GET", "/api/health")[0] for _ in range(60)]
        assert statuses.count(429) >= 10

        async def run() -> None:
            while True:
                status, made = strict.call(
                    "POST", "/api/tables", {"game": "ur", "name": "A", "seats": [{"kind": "me"}, {"kind": "bot"}]}
                )
                if status == 201:
                    break
                await asyncio.sleep(0.2)
            client = await strict.connect(made["table"]["id"], made["token"])
            await client.until("welcome")
            with suppress(ConnectionClosed):
                for _ in range(400):
                    await client.say(type="ping")
            with pytest.raises(ConnectionClosed) as closed:
                await client.until("never")
            assert any(refused["code"] == "wire.rate" for refused in client.refused)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008
            await close_all()

        asyncio.run(run())
    finally:
        strict.kill()


def test_what_browsers_are_told(server: Server):
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


def test_the_machine_itself_may_read_the_counts(server: Server):
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


def test_the_interface_keeps_to_its_description(server: Server):
    schema = schemathesis.openapi.from_url(f"{server.address}/api/openapi.json")

    for operation in schema.get_all_operations():
        api = operation.ok()

        @settings(
            max_examples=count(5, 100),
            phases=[Phase.generate],
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=api.as_strategy())
        def one(case: Any) -> None:
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        one()


async def test_a_whole_game_goes_on_while_others_talk_nonsense(server: Server):
    table, token = server.create("ur", "me bot")
    client = await server.connect(table, token)
    noise = await server.connect(table)
    stop = False

    async def shout() -> None:
        rng = random.Random(9)
        while not stop:
            await noise.socket.send(
                rng.choice(["{", '{"type":"act","number":0,"action":"0-1"}', '{"type":"vote"}', "[]"])
            )
            await noise.socket.recv()
            await asyncio.sleep(0.005)

    shouting = asyncio.create_task(shout())
    await client.play(random.Random(3))
    stop = True
    await shouting
    assert client.table["status"] == "over"


@pytest.mark.parametrize(
    ("game", "option", "name"),
    [
        ("ben-hvrt", "deck", "deck.toml"),
        ("ben-hvrt", "track", "track.toml"),
        ("ave-caesar", "course", "courses.json"),
    ],
)
def test_a_file_of_one_s_own_is_read_as_the_command_line_reads_it(
    server: Server, tmp_path: Path, game: str, option: str, name: str
):
    text = files(find(game).package).joinpath("data", name).read_text("utf-8")
    path = f"/api/games/{game}/files/{option}"
    status, read = server.call("POST", path, {"name": name, "text": text})
    assert status == 200
    setup = {"game": game, "name": "Ann", "options": {option: read["document"]}, "seats": [{"kind": "me"}] * 3}
    assert server.call("POST", "/api/tables", setup)[0] == 201

    bad = tmp_path / name
    bad.write_text(
        text.replace('window = "RO"', 'window = "XX"', 1).replace("square", "sqare").replace("{", "[", 1)
    )
    status, said = server.call("POST", path, {"name": str(bad), "text": bad.read_text()})
    assert status == 400
    with pytest.raises(FileError) as refused:
        opts.parse(find(game).options, [f"{option}={bad}"])
    assert said["text"]["en"] == refused.value.text("en")
    assert "line" in said["text"]["en"]


def test_only_options_that_take_a_file_take_one(server: Server):
    status, said = server.call("POST", "/api/games/ur/files/markers", {"name": "x.toml", "text": ""})
    assert (status, said["code"]) == (404, "file.option")
