"""Server processes to measure: Quadriga, and a bare broadcast."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

# Limits on strangers do not limit a benchmark, in which everybody comes from one address.
SERVE = """
import sys
from pathlib import Path
from quadriga.engine.text import catalogues
from quadriga.server.run import run
from quadriga.server.settings import Settings
most = 1e9
names = ("rate", "burst", "requests", "request_burst", "creates", "create_burst", "joins", "join_burst", "tables")
names += ("tables_each", "connections", "connections_each", "sockets", "sockets_each", "watchers", "looks")
names += ("look_burst", "hints", "hint_burst", "replays", "replay_burst", "hint_queue", "hint_each", "listeners")
names += ("listeners_each",)
settings = Settings(port=0, store=Path(sys.argv[1]), **dict.fromkeys(names, most))
run(settings, catalogues.of("en", "quadriga.server"), exact=True, browser=False)
"""
BARE = """
import sys, socket, asyncio
import msgspec, uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
rooms = {}
class Said(msgspec.Struct):
    number: int
    action: str
class Told(msgspec.Struct):
    number: int
    filling: str
decode = msgspec.json.Decoder(Said).decode
encode = msgspec.json.Encoder().encode
filling = "x" * int(sys.argv[1])
async def play(ws):
    await ws.accept()
    room = rooms.setdefault(ws.path_params["room"], [])
    room.append(ws)
    try:
        while True:
            said = decode(await ws.receive_text())
            frame = {"type": "websocket.send", "text": encode(Told(said.number, filling)).decode()}
            for each in room:
                await each.send(frame)
    except Exception:
        room.remove(ws)
app = Starlette(routes=[WebSocketRoute("/{room}", play)])
bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
bound.bind(("127.0.0.1", 0))
bound.listen(2048)
print("bare", "http://127.0.0.1:%d" % bound.getsockname()[1], flush=True)
config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", ws_per_message_deflate=False)
uvicorn.Server(config).run([bound])
"""
_TICKS = os.sysconf("SC_CLK_TCK")


class Served:
    """A server process. `source` is the `src` folder of another version, to compare two in one run."""

    def __init__(self, code: str, *arguments: str, source: Path | None = None, core: int | None = None) -> None:
        own = {**os.environ, "PYTHONPATH": str(source)} if source is not None else None
        command = [sys.executable, "-c", code, *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=own, stdin=pipe, stdout=pipe, text=True)
        if core is not None and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self.process.pid, {core})
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.link = HTTPConnection("127.0.0.1", self.port)

    def seconds(self) -> float:
        """Processor time so far, of the process and its children, those that have ended included."""
        return processor_seconds(self.process.pid)

    def memory(self) -> int:
        """Resident bytes of the process itself."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def post(self, path: str, body: object, token: str = "") -> dict[str, Any]:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.link.request("POST", path, json.dumps(body), headers)
        return json.load(self.link.getresponse())

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def processor_seconds(process: int) -> float:
    """Processor time so far of a process and its children, those that have ended included."""
    return sum(sum(_stat(pid)[11:15]) for pid in _family(process)) / _TICKS


def _family(process: int) -> list[int]:
    found = [process]
    for pid in found:
        with suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def _stat(pid: int) -> list[int]:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return [0] * 20
    return [0, *(int(field) for field in fields[1:])]
