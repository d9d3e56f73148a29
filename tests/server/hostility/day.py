"""What people and attackers of a day share: the server, the tables at which people play, what was counted."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Any

import websockets

from server.hostility.requests import Answer, ask
from server.support.command_line import CommandLineServer
from server.support.harness import PATIENT
from server.support.nginx import free_port


class SteadyServer(CommandLineServer):
    """A server with its usual limits, which listens at the same port after it was killed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.own_port = free_port()

    def command(self) -> list[str]:
        return [*super().command(), "--port", str(self.own_port)]


class Day:
    """A day at a server."""

    def __init__(self, folder: Path) -> None:
        self.server = SteadyServer(folder)
        self.is_over = asyncio.Event()
        self.tables: set[str] = set()  # at which people play
        self.counts: Counter[str] = Counter()  # requests and messages of attackers, by kind and answer
        self.kills: list[float] = []  # when the server was killed, and when it was back
        self.megabytes: list[tuple[float, int]] = []  # memory of the server, with the number of its tables
        self.moves: Counter[int] = Counter()  # acknowledged since the server was started last, by room
        self.times: list[float] = []  # seconds from a person's move to its acknowledgement
        self.broken = 0  # connections of people that ended though the server was not killed

    async def ask(self, source: str, method: str, path: str, body: object = None, **more: str) -> Answer:
        return await ask(self.server.own_port, source, method, path, body, **more)

    async def connect(self, source: str, table: str, cookie: str = "") -> websockets.ClientConnection:
        return await websockets.connect(
            f"ws://127.0.0.1:{self.server.own_port}/api/tables/{table}/socket",
            max_size=None,
            compression=None,
            local_addr=(source, 0),
            additional_headers={"cookie": cookie} if cookie else {},
            **PATIENT,
        )

    async def wait(self, seconds: float) -> None:
        """Wait, or until the day is over."""
        try:
            await asyncio.wait_for(self.is_over.wait(), seconds)
        except TimeoutError:
            return

    async def kill(self) -> None:
        """Kill the server as a failing machine would, and start it again."""
        self.kills.append(time.monotonic())
        await asyncio.to_thread(self.server.kill, 9)
        self.moves.clear()
        await asyncio.to_thread(self.server.start)
        self.kills.append(time.monotonic())

    def is_killed(self) -> bool:
        """Return whether the server was killed just now."""
        return len(self.kills) % 2 == 1 or (bool(self.kills) and time.monotonic() - self.kills[-1] < 5.0)

    async def measure(self) -> None:
        """Note the server's memory."""
        answer = await self.ask("127.0.0.1", "GET", "/api/health")
        if answer.status == 200:
            pages = int(Path(f"/proc/{self.server.running.pid}/statm").read_text().split()[1])
            self.megabytes.append((pages * 4096 / 2**20, int(answer.body["tables"])))

    def figures(self) -> dict[str, Any]:
        """Return what a report says of the day."""
        times = sorted(self.times) or [0.0]
        return {
            "moves": len(self.times),
            "p50_ms": round(times[len(times) // 2] * 1000, 1),
            "p99_ms": round(times[int(len(times) * 0.99)] * 1000, 1),
            "kills": len(self.kills) // 2,
            "megabytes": round(max(each for each, _ in self.megabytes)),
            "tables": max(each for _, each in self.megabytes),
            "log_bytes": self.server.log.stat().st_size,
            "attacks": dict(sorted(self.counts.items())),
        }
