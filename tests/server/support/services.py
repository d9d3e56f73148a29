"""A real PostgreSQL and a real Redis on loopback."""

from __future__ import annotations

import asyncio
import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import ClassVar

import psutil
import psycopg

import programs
from quadriga.server.storage import journal, private
from quadriga.server.storage.address import open_store
from server.support.nginx import free_port
from support import is_running

_NUMBERS = count(1)


class Postgres:
    """One PostgreSQL server. It refuses to run as root, so root starts it as another user."""

    def __init__(self, *options: str) -> None:
        self._programs, self._options = programs.postgres(), options
        self.folder = Path(tempfile.mkdtemp(prefix="quadriga-postgres-"))
        self._as: dict[str, object] = {}
        if os.geteuid() == 0:
            user = next(
                name for name in ("postgres", "nobody") if name in {each.pw_name for each in pwd.getpwall()}
            )
            own = pwd.getpwnam(user)
            os.chown(self.folder, own.pw_uid, own.pw_gid)
            self._as = {"user": own.pw_uid, "group": own.pw_gid, "extra_groups": []}
            self._programs = self._readable(self._programs)
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "quadriga", "-E", "UTF8", "--no-sync")

    def _readable(self, bin: Path) -> Path:
        """Return the folder of the programs, or a copy, if the other user may not read it (a project in /root)."""
        asked = subprocess.run(["test", "-x", str(bin / "postgres")], **self._as)  # type: ignore[call-overload]
        if asked.returncode == 0:
            return bin
        package = bin.parents[1]  # its programs look for libraries beside it
        for each in (bin.parent, package.with_name(f"{package.name}.libs")):
            shutil.copytree(each, self.folder / each.relative_to(package.parent), symlinks=True)
        return self.folder / bin.relative_to(package.parent)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, **self._as)  # type: ignore[call-overload]

    def start(self) -> Postgres:
        """Start it, and wait until it answers."""
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": "200"}
        options = [f"-c{name}={value}" for name, value in settings.items()] + [
            f"-c{each}" for each in self._options
        ]
        command = [str(self._programs / "postgres"), "-D", f"{self.folder}/data", "-p", str(self.port), *options]
        while True:  # after a kill its processes may still hold the memory
            with (self.folder / "log").open("ab") as log:
                self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, **self._as)  # type: ignore[call-overload]
            while self.process.poll() is None:
                try:
                    psycopg.connect(self.url("postgres"), connect_timeout=5).close()
                    return self
                except psycopg.OperationalError:
                    time.sleep(0.05)

    def url(self, database: str) -> str:
        return f"postgresql://quadriga@127.0.0.1:{self.port}/{database}"

    def new_database(self, template: str = "template1") -> str:
        """Create a database, and return its address. It is empty, or a copy of another one."""
        name = f"test_{os.getpid()}_{next(_NUMBERS)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End it, and wait until its other processes, which notice the death of the first, have ended too."""
        if self.process is not None:
            others = psutil.Process(self.process.pid).children() if self.process.poll() is None else []
            self.process.send_signal(how)
            self.process.wait()
            self.process = None
            while any(map(is_running, others)):
                time.sleep(0.01)

    def close(self) -> None:
        self.kill(signal.SIGINT)  # disconnects everybody
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis:
    """One Redis server that stores nothing."""

    def __init__(self) -> None:
        self._program = str(programs.redis())
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Redis:
        import redis

        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(
            [self._program, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
        )
        with redis.Redis(port=self.port) as client:
            while True:
                try:
                    client.ping()
                    return self
                except redis.RedisError:
                    assert self.process.poll() is None
                    time.sleep(0.02)

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None


@cache
def shared_postgres() -> Postgres:
    """Return the PostgreSQL of this test process. It writes nothing through to the disk: no test cuts the power."""
    started = Postgres("fsync=off", "full_page_writes=off").start()
    atexit.register(started.close)
    return started


@cache
def shared_redis() -> Redis:
    """Return the Redis of this test process."""
    started = Redis().start()
    atexit.register(started.kill)
    return started


@contextmanager
def own_services() -> Iterator[tuple[Postgres, Redis]]:
    """Run a PostgreSQL and a Redis that a test may kill."""
    postgres, redis = Postgres().start(), Redis().start()
    try:
        yield postgres, redis
    finally:
        redis.kill()
        postgres.close()


@cache
def _migrated() -> str:
    """Return the name of a database of the shared PostgreSQL with all tables, which new ones are copies of."""
    url = shared_postgres().new_database()
    _migrate(url)
    return url.rpartition("/")[2]


@cache
def _migrated_file() -> bytes:
    """Return the file of a new store, which others are copies of: the migrations take long."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "new.sqlite")
        _migrate(path)
        return path.read_bytes()


def _migrate(address: Path | str) -> None:
    """Create a store as a server does, in a thread: this one may have an event loop."""

    async def create() -> None:
        await (await open_store(address)).close()

    with ThreadPoolExecutor(1) as own_thread:
        own_thread.submit(lambda: asyncio.run(create())).result()


def new_shared_store() -> str:
    """Return the address of a new store in the shared PostgreSQL."""
    return shared_postgres().new_database(template=_migrated())


def create_file(store: Path | str) -> None:
    """Create the file of a store where there is none and never was. A folder that cannot be used is left alone."""
    if isinstance(store, Path) and not os.path.lexists(store) and not journal.path_of(store).exists():
        with suppress(OSError):
            private.write(store, _migrated_file())


class StoreKind:
    """The kind of store that tests use where they name a file."""

    is_postgres = False
    databases: ClassVar[dict[Path, str]] = {}  # the database that stands for each file


def store_for(store: Path | str) -> Path | str:
    """Return the store that a test uses: the file that it names, or the database that stands for it."""
    if isinstance(store, str) or not StoreKind.is_postgres:
        return store
    if store not in StoreKind.databases:
        StoreKind.databases[store] = new_shared_store()
    return StoreKind.databases[store]
