"""Invalid messages get an error code, and the game goes on."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import suppress

import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from server.support.harness import Client, Server, close_all
from soak import count
from support import there

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
    "coach",
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
def test_random_messages_get_a_code_and_the_game_goes_on(
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
async def test_each_error_has_its_code(server: Server, table: tuple[str, str], text: str, code: str):
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
    assert there(closed.value.rcvd).code == 1009
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
async def test_a_client_with_a_wrong_hello_is_disconnected(
    server: Server, table: tuple[str, str], hello, code: int
):
    async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/tables/{table[0]}/socket") as socket:
        await socket.send(json.dumps(hello))
        assert json.loads(await socket.recv())["type"] == "refused"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert there(closed.value.rcvd).code == code


async def test_an_unknown_table_is_refused(server: Server):
    async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/tables/nowhere/socket") as socket:
        assert json.loads(await socket.recv())["code"] == "table.unknown"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert there(closed.value.rcvd).code == 4404


def test_floods_are_rationed(tmp_path):
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
            assert there(closed.value.rcvd).code == 1008
            await close_all()

        asyncio.run(run())
    finally:
        strict.kill()


async def test_a_refusal_repeats_the_open_question(server: Server):
    """A client that only listens can so try again, whatever was refused: a roll or an action."""
    table, token = server.create("ur", "me bot", rolls="hand")
    client = await server.connect(table, token)
    found: set[bool] = set()
    while len(found) < 2:
        asked = await client.hear()
        if not (asked.get("roll") or asked.get("legal")):
            continue
        await client.say(type="nonsense")
        refused = await client.until("refused")
        assert [refused[part] for part in ("number", "roll", "legal")] == [
            asked[part] for part in ("number", "roll", "legal")
        ]
        found.add(asked["roll"])
        if asked["roll"]:
            await client.say(type="roll", number=asked["number"])
        else:
            await client.act(asked["legal"][0]["text"])


async def test_a_whole_game_is_played_while_others_send_nonsense(server: Server):
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
