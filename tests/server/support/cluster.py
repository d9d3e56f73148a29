"""Several server processes on one PostgreSQL and one Redis, behind nginx with the configuration in deploy/."""

from __future__ import annotations

import random
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websockets

import programs
from server.support.harness import PATIENT, Client, Server
from server.support.nginx import AROUND, certificate, free_port
from server.support.services import Postgres, Redis
from support import ROOT

DEPLOY = ROOT / "deploy"


class Front(Server):
    """The address of nginx, with the methods of a server."""

    def __init__(self, port: int, trusted: Path) -> None:
        super().__init__("")
        self.port = port
        self.trust = ssl.create_default_context(cafile=str(trusted))
        handler = urllib.request.HTTPSHandler(context=self.trust)
        self._opener = urllib.request.build_opener(handler)

    @property
    def address(self) -> str:
        return f"https://localhost:{self.port}"

    def open(self, request: urllib.request.Request) -> Any:
        return self._opener.open(request)

    async def connect(self, table: str, token: str | None = None, **hello: Any) -> Client:
        url = f"wss://localhost:{self.port}/api/tables/{table}/socket"
        client = Client(await websockets.connect(url, max_size=None, compression=None, ssl=self.trust, **PATIENT))
        await client.say(type="hello", token=token, **hello)
        return client


class Processes:
    """Server processes that share everything, nginx before them, and the services behind them."""

    def __init__(self, servers: list[Server], front: Front, postgres: Postgres, redis: Redis) -> None:
        self.servers, self.front, self.postgres, self.redis = servers, front, postgres, redis

    def anywhere(self, rng: random.Random) -> Server:
        """Return nginx or one of the servers."""
        return rng.choice([self.front, *self.servers])


def _configured(folder: Path, port: int, servers: list[Server]) -> Path:
    """Write the configuration of deploy/ with the ports and paths of a test; return the file for nginx."""
    trusted = certificate(folder)
    lines = [line for line in (DEPLOY / "upstream.conf").read_text().splitlines() if line.startswith("server ")]
    (folder / "upstream.conf").write_text(
        "".join(re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{server.port}", lines[0]) + "\n" for server in servers)
    )
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for old, new in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("server_name play.example.org;", "server_name localhost;"),
        ("/etc/ssl/play.example.org.pem", str(trusted)),
        ("/etc/ssl/play.example.org.key", str(folder / "key.pem")),
        ("/etc/quadriga/upstream.conf", str(folder / "upstream.conf")),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = folder / "nginx.conf"
    file.write_text(AROUND.format(folder=folder, inside=text))
    return file


@contextmanager
def processes(number: int, postgres: Postgres, redis: Redis, **settings: Any) -> Iterator[Processes]:
    """Run so many servers on a new database, and nginx before them."""
    nginx = str(programs.nginx())
    database = postgres.new_database()
    own = {"pubsub": redis.url, "proxies": ["127.0.0.1"], "hosts": ["localhost"], **settings}
    servers = [Server(database, **own).start() for _ in range(number)]
    folder = Path(tempfile.mkdtemp(prefix="quadriga-nginx-"))
    port = free_port()
    file = _configured(folder, port, servers)
    with (folder / "nginx.log").open("wb") as log:
        running = subprocess.Popen(
            [nginx, "-p", str(folder), "-e", "stderr", "-c", str(file)], stdout=log, stderr=log
        )
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert running.poll() is None, (folder / "nginx.log").read_text()
        yield Processes(servers, Front(port, folder / "cert.pem"), postgres, redis)
    finally:
        running.terminate()
        running.wait()
        for server in servers:
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)
