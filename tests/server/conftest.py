"""Fixtures: one server for all tests of a module, or a new one for each test. Tests may be coroutines."""

from __future__ import annotations

import asyncio
import inspect
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.support.harness import Server, close_all


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
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
            await asyncio.wait_for(pyfuncitem.obj(**wanted), 900)
        finally:
            await close_all()

    asyncio.run(run())
    return True
