"""A server in the test's own loop, so that a test can reach behind it and change the world."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from quadriga.server.app import application
from quadriga.server.rooms.registry import Registry
from quadriga.server.run import configured, listening
from quadriga.server.settings import Settings
from quadriga.server.ws.transport import Transport
from server.harness import QUICK, Server


class Inside(Server):
    """The same requests and sockets as of a server outside, and its house."""

    registry: Registry
    house_app: Any  # the application itself

    async def fetch(self, method: str, path: str, body: object = None, token: str | None = None) -> tuple[int, Any]:
        return await asyncio.to_thread(self.call, method, path, body, token)


class Quiet(uvicorn.Server):
    """Leaves signals to the test."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def inside(store: Path, ws: Any = Transport, **settings: Any) -> AsyncIterator[Inside]:
    """A server while the block lasts; with another kind of line everything goes the long way."""
    own = Settings(port=0, store=store, **{**QUICK, **settings})
    guard = application(own)
    bound = listening("127.0.0.1", 0, exact=True)
    serving = Quiet(configured(guard, own, ws))
    task = asyncio.create_task(serving.serve([bound]))
    while not serving.started:
        await asyncio.sleep(0.01)
    found = Inside(store)
    found.port = bound.getsockname()[1]
    found.house_app = guard.app
    found.registry = found.house_app.state.registry
    try:
        yield found
    finally:
        serving.should_exit = True
        await task
