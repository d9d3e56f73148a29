"""A real server in its own process, on loopback and with a real store, and websocket clients for it."""

from __future__ import annotations

import json
import random
import signal
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection

from quadriga.server.protocol.server_messages import ServerMessage
from server.support import services
from server.support.processes import ServerProcess

MUCH = 1_000_000
QUICK = {  # settings: the limits do not hold for tests that are not about them
    **dict.fromkeys(
        ("rate", "burst", "requests", "request_burst", "chats", "chat_burst", "looks", "look_burst"), MUCH
    ),
    **dict.fromkeys(
        (
            "new_chats",
            "new_chat_burst",
            "changes",
            "change_burst",
            "hints",
            "hint_burst",
            "creates",
            "create_burst",
        ),
        MUCH,
    ),
    **dict.fromkeys(("joins", "join_burst", "replays", "replay_burst", "uploads", "upload_burst"), MUCH),
    **dict.fromkeys(("connections", "connections_each", "sockets", "sockets_each", "tables_each"), MUCH),
    "hello": 300.0,
    "head_seconds": 300.0,
    "body_seconds": 300.0,
    "window_beat": 0.0,
    "order_delay": 0.0,
}
# The machine may be busy. A client that does not read keeps what it gets, so that it can still close at once.
PATIENT: dict[str, Any] = {"open_timeout": 300, "ping_interval": None, "max_queue": None}

SENT = msgspec.json.Decoder(ServerMessage)

OPEN: set[Client] = set()  # the clients of the running test that are not closed


async def close_all() -> None:
    """Close all clients that a test has left open."""
    while OPEN:
        await OPEN.pop().close()


class Server:
    """One server; it can be killed and started again on the same store and port."""

    process: ServerProcess
    clock: Path | str = ""  # the file of a SharedClock that it goes by; empty: the true time

    def __init__(self, store: Path | str, **settings: Any) -> None:
        self.store: Any = services.store_for(store)
        self.settings = {**QUICK, **settings}
        self.port = 0

    def start(self) -> Server:
        services.create_file(self.store)
        self.process = ServerProcess(self.port, str(self.store), self.settings, str(self.clock))
        line = self.process.output.readline()
        assert line.startswith("The table is at"), line
        self.port = int(line.rsplit(":", 1)[1])
        return self

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self, how: int = signal.SIGKILL) -> None:
        self.process.end(how)

    def open(self, request: urllib.request.Request) -> Any:
        return urllib.request.urlopen(request)

    def call(self, method: str, path: str, body: object = None, token: str | None = None) -> tuple[int, Any]:
        """Send a request; return the status and the body, decoded if it is JSON."""
        headers = {"content-type": "application/json"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        raw = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, raw, headers, method=method)
        try:
            with self.open(request) as answer:
                status, content = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            with refused:
                status, content = refused.code, refused.read()
        try:
            return status, json.loads(content)
        except ValueError:
            return status, content.decode()

    def get(self, path: str, token: str | None = None) -> Any:
        status, found = self.call("GET", path, token=token)
        assert status == 200, (status, found)
        return found

    def create(self, game: str, seats: str = "me bot", **more: Any) -> tuple[str, str]:
        """Create a table; return its id and the host's token."""
        chairs = [{"kind": kind} for kind in seats.split()]
        body = {"game": game, "name": "Ann", "seats": chairs, "pace": 0, "start": "open" not in seats, **more}
        status, made = self.call("POST", "/api/tables", body)
        assert status == 201, made
        return made["table"]["id"], made["token"]

    def join(self, table: str, name: str = "Bob", **more: Any) -> str:
        status, joined = self.call("POST", f"/api/tables/{table}/join", {"name": name, **more})
        assert status == 200, joined
        return joined["token"]

    async def connect(self, table: str, token: str | None = None, **hello: Any) -> Client:
        socket = await websockets.connect(
            f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket", max_size=None, compression=None, **PATIENT
        )
        client = Client(socket)
        await client.say(type="hello", token=token, **hello)
        return client


class Client:
    """One websocket. It keeps what it has received."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        OPEN.add(self)
        self.number = 0
        self.legal: list[dict[str, Any]] | None = None
        self.view: dict[str, Any] = {}
        self.news: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.heard: list[str] = []
        self.events: list[dict[str, Any]] = []
        self.refused: list[dict[str, Any]] = []
        self.done: list[str | None] = []

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, loose: bool = False) -> dict[str, Any]:
        """Receive a message and update what the client knows. `loose` allows events that the client has already."""
        text = await self.socket.recv()
        assert isinstance(text, str)
        SENT.decode(text)  # raises for a message that the protocol does not define
        self.heard.append(text)
        said: dict[str, Any] = json.loads(text)
        match said["type"]:
            case "welcome" | "table":
                self.table = said["table"]
            case "view" | "news":
                if said["type"] == "view":
                    self.events = []
                elif self.number and not loose:
                    assert [e["number"] for e in said["events"]] == list(range(self.number + 1, said["number"] + 1))
                self.number, self.legal, self.view, self.news = said["number"], said["legal"], said["view"], said
                self.events += said["events"]
            case "refused":
                self.refused.append(said)
            case "done":
                self.done.append(said["ref"])
        return said

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Receive until a message of this kind, with these fields, comes; return it."""
        while True:
            said = await self.hear()
            if said["type"] == kind and all(said[name] == value for name, value in fields.items()):
                return said

    async def act(self, action: str, **more: Any) -> None:
        await self.say(type="act", number=self.number, action=action, **more)

    @property
    def over(self) -> bool:
        return self.table.get("status") in ("over", "ended")

    async def play(self, rng: random.Random, moves: int = 10**9, answers: bool = True) -> int:
        """Play random legal actions until the game is over or `moves` were made; return how many were made.

        Without `answers` this person does nothing in timed windows.
        """
        made = 0
        while not self.over and made < moves:
            if self.legal and (answers or self.news["answer_ms"] is None):
                choice = rng.choice([each["text"] for each in self.legal if not each.get("family")])
                self.legal = None
                await self.act(choice)
                made += 1
            await self.hear()
        return made

    async def close(self) -> None:
        OPEN.discard(self)
        await self.socket.close()
