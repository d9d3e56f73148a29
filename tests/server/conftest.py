"""Fixtures: one server for all tests of a module, or a new one for each test. Tests may be coroutines."""

from __future__ import annotations

import asyncio
import inspect
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.support import services
from server.support.harness import Server, close_all
from soak import count, only_in_soak

# Tests that look into the file of SQLite; all others run on PostgreSQL in a soak, and those of `_BOTH` always.
_SQLITE_ONLY = (
    "storage",
    "state",
    "cluster",
    "bots",
    "workers",
    "review",
    "protocol",
    "upkeep",
    "hostility",
    "notices/test_kills.py",
)
_BOTH = (
    "rooms/test_room.py",
    "rooms/days/test_deadlines.py",
    "rooms/days/test_kills.py",
    "notices/test_notices.py",
    "people/test_oidc.py",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of rooms on both stores."""
    folder = Path(__file__).parent
    path = metafunc.definition.path
    if any(path.is_relative_to(folder / each) for each in _SQLITE_ONLY) or path.parent == folder:
        return
    is_short = any(path.is_relative_to(folder / each) for each in _BOTH)
    postgres = "postgres" if is_short else only_in_soak("postgres")
    metafunc.parametrize("_store_kind", ["sqlite", postgres], indirect=True, scope="module")


@pytest.fixture(autouse=True, scope="module")
def _store_kind(request: pytest.FixtureRequest) -> Iterator[None]:
    services.StoreKind.is_postgres = getattr(request, "param", "sqlite") == "postgres"
    yield
    services.StoreKind.is_postgres = False


@pytest.fixture(scope="module")
def server(_store_kind: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("store") / "tables.sqlite").start()
    yield started
    started.kill(signal.SIGTERM)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path / "tables.sqlite").start()
    yield started
    started.kill()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, with a limit of time."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    async def run() -> None:
        try:
            await asyncio.wait_for(pyfuncitem.obj(**wanted), count(900, 4 * 3600))
        finally:
            await close_all()

    asyncio.run(run())
    return True
