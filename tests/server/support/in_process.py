"""A server in the test's own event loop, so that a test can read and change its rooms."""

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
from server.support import services
from server.support.harness import QUICK, Server


class InProcessServer(Server):
    """Takes requests and websockets like a server process, and shows its application and rooms."""

    registry: Registry
    app: Any  # the Starlette application
    serving: uvicorn.Server

    async def fetch(self, method: str, path: str, body: object = None, token: str | None = None) -> tuple[int, Any]:
        """Send a request from a thread, and return the status and the decoded body."""
        return await asyncio.to_thread(self.call, method, path, body, token)


class SignalFree(uvicorn.Server):
    """A uvicorn server that installs no signal handlers."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def in_process(store: Path | str, ws: Any = None, **settings: Any) -> AsyncIterator[InProcessServer]:
    """Serve while the block lasts. Another websocket protocol (`ws`) than ours sends through the queue only."""
    address = services.store_for(store)
    services.create_file(address)
    own = Settings(port=0, store=address, **{**QUICK, **settings})
    guard = application(own)
    bound = listening("127.0.0.1", 0, exact=True)
    serving = SignalFree(configured(guard, own, ws))
    task = asyncio.create_task(serving.serve([bound]))
    while not serving.started:
        await asyncio.sleep(0.01)
    found = InProcessServer(store)
    found.port = bound.getsockname()[1]
    found.app, found.serving = guard.app, serving
    found.registry = found.app.state.registry
    try:
        yield found
    finally:
        serving.should_exit = True
        await task
