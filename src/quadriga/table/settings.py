"""How a server is set up: where it listens, what it keeps, and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


def default_store() -> Path:
    """Where the host's tables are kept unless told otherwise."""
    own = os.environ.get("QUADRIGA_STORE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "quadriga" / "tables.sqlite"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """One server."""

    host: str = "127.0.0.1"
    port: int = 8000
    store: Path = field(default_factory=default_store)
    hosts: tuple[str, ...] = ()  # names, beside those of this machine, that it may be called by
    grace: float = 60.0  # seconds until a bot plays for who has gone
    long_gone: float = 300.0  # seconds away after which somebody does not count in votes, nor as the host
    tick: float = 0.25  # seconds that a bot takes in a reaction window, whatever it holds
    window_beat: float = 1.5  # seconds that a person among people has in a reaction window; 0 waits for the answer
    idle: float = 120.0  # seconds that a table without anybody stays in memory
    rate: float = 20.0  # messages of a socket a second,
    burst: float = 60.0  # ... and at once
    requests: float = 40.0  # requests of an address a second,
    request_burst: float = 120.0  # ... and at once
    reviews: float = 0.2  # reviews that an address may begin a second,
    review_burst: float = 10.0  # ... and at once
    records: float = 1.0  # quarters of a megabyte, of others' records, that are read for an address a second,
    record_burst: float = 80.0  # ... and at once
    sockets: int = 20_000  # at once
    sockets_each: int = 64  # from one address, the machine itself excepted
    hello: float = 10.0  # seconds for the first message
    queue: int = 256  # frames that a slow reader may be behind
