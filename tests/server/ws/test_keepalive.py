"""Keepalive: a client that sends something is known to be there; a silent one is pinged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.protocol import State

from quadriga.server.ws.transport import Transport

INTERVAL_S = 20.0


class Clock:
    """An event loop as far as a keepalive needs one."""

    def __init__(self) -> None:
        self.now = 100.0
        self.delays: list[float] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, function: Callable[[], None]) -> None:
        self.delays.append(delay)


class Wire:
    """A socket that remembers what was written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return False


@pytest.fixture
def line() -> tuple[Transport, Clock, Wire]:
    pings = {"ws_ping_interval": INTERVAL_S, "ws_ping_timeout": INTERVAL_S}
    config = uvicorn.Config("none:app", log_config=None, interface="asgi3", **pings)
    config.loaded, config.loaded_app = True, None  # no application is called
    clock, wire = Clock(), Wire()
    transport = Transport(config, ServerState(), {}, clock)  # type: ignore[arg-type]
    transport.transport = wire  # type: ignore[assignment]
    transport.conn.state = State.OPEN
    return transport, clock, wire


def test_a_client_that_has_sent_something_is_not_pinged_until_it_is_silent_for_the_interval(line):
    transport, clock, wire = line
    transport.data_received(b"G")
    clock.now += 8.0
    transport.send_keepalive_ping()
    assert wire.written == []
    assert clock.delays == [INTERVAL_S - 8.0]


def test_a_silent_client_is_pinged_and_has_a_time_to_answer(line):
    transport, clock, wire = line
    transport.data_received(b"G")
    clock.now += INTERVAL_S
    transport.send_keepalive_ping()
    assert [each[0] for each in wire.written] == [0x89]
    assert clock.delays == [INTERVAL_S]
    assert transport.pending_ping_payload is not None
