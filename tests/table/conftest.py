"""One server for all tests of a module; those that kill it start their own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.server import Server


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
