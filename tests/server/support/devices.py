"""Browsers that keep their cookies: each is a device of somebody."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any

import websockets

from server.support.harness import PATIENT, Client, Server


class Device:
    """A browser of somebody at a server."""

    def __init__(self, server: Server, **headers: str) -> None:
        self.server, self.headers = server, headers
        self.jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    @property
    def secret(self) -> str:
        """The cookie that says whose device this is; empty without one."""
        return next((each.value or "" for each in self.jar), "")

    @property
    def cookie(self) -> str:
        return "; ".join(f"{each.name}={each.value}" for each in self.jar)

    def raw(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        """Send a request; return the status, the body and the headers of the answer."""
        raw = None if body is None else json.dumps(body).encode()
        sent = {"content-type": "application/json", **self.headers, **headers}
        request = urllib.request.Request(self.server.address + path, raw, sent, method=method)
        try:
            with self._opener.open(request) as answer:
                return answer.status, answer.read(), dict(answer.headers)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read(), dict(refused.headers)

    async def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Send a request from a thread; return the status and the decoded body."""
        status, content, _ = await asyncio.to_thread(self.raw, method, path, body, **headers)
        return status, json.loads(content)

    async def post(self, path: str, body: object = None, **headers: str) -> Any:
        """Send a request that succeeds; return the decoded body."""
        status, found = await self.call("POST", path, body or {}, **headers)
        assert status in (200, 201), found
        return found

    async def get(self, path: str) -> Any:
        """Send a request that succeeds; return the decoded body."""
        status, found = await self.call("GET", path)
        assert status == 200, found
        return found

    async def member(self, name: str) -> str:
        """Become a member; return the recovery code."""
        await self.post("/api/me", {"label": "test"})
        kept = await self.post("/api/me/keep", {"name": name})
        return str(kept["recovery"])

    async def table(self, game: str = "ur", seats: str = "me open", **more: Any) -> str:
        """Create a table; return its id."""
        chairs = [{"kind": kind} for kind in seats.split()]
        body = {"game": game, "name": "Ann", "seats": chairs, "pace": 0, "start": "open" not in seats, **more}
        return str((await self.post("/api/tables", body))["table"]["id"])

    async def connect(self, table: str, **hello: Any) -> Client:
        """Open a socket as browsers do: with the cookies, and without a token."""
        socket = await websockets.connect(
            f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/socket",
            max_size=None,
            compression=None,
            additional_headers={"cookie": self.cookie} if self.cookie else {},
            **PATIENT,
        )
        client = Client(socket)
        await client.say(type="hello", **hello)
        return client
