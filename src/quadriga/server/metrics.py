"""What the server counts, for Prometheus. Hidden passes are not among it: a count would betray them."""

from __future__ import annotations

from collections import Counter as Counts
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_MUCH = 256
_FINE = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)

REGISTRY = CollectorRegistry()
tables = Gauge("quadriga_tables", "Tables in memory, by status", ["status"], registry=REGISTRY)
seats = Gauge("quadriga_seats", "Seats at these tables, by who sits there", ["kind"], registry=REGISTRY)
sockets = Gauge("quadriga_sockets", "Open websockets", registry=REGISTRY)
moves = Counter("quadriga_moves", "Moves that everybody may know of", ["game", "by"], registry=REGISTRY)
refusals = Counter("quadriga_refusals", "Refused requests and messages, by code", ["code"], registry=REGISTRY)
commits = Counter("quadriga_store_commits", "Transactions of the store", registry=REGISTRY)
rows = Counter("quadriga_store_writes", "Writes in these transactions", registry=REGISTRY)
commit_seconds = Histogram("quadriga_store_commit_seconds", "Of a group", buckets=_FINE, registry=REGISTRY)
told_seconds = Histogram(
    "quadriga_told_seconds", "From an act's arrival to everybody's queue", buckets=_FINE, registry=REGISTRY
)
_moved = cache(moves.labels)  # the counter of a game and of who moves, looked up once


class Noted:
    """What happens with every move: noted down, and counted when there is much of it, or when somebody asks."""

    def __init__(self) -> None:
        self._moves: list[tuple[str, str]] = []
        self._seconds: list[float] = []

    def moved(self, game: str, by: str) -> None:
        """A move that everybody may know of."""
        self._moves.append((game, by))
        if len(self._moves) >= _MUCH:
            self.count()

    def told(self, seconds: float) -> None:
        """From an act's arrival to everybody's queue."""
        self._seconds.append(seconds)
        if len(self._seconds) >= _MUCH:
            self.count()

    def count(self) -> None:
        """Put it into the counters."""
        for kind, number in Counts(self._moves).items():
            _moved(*kind).inc(number)
        for each in self._seconds:
            told_seconds.observe(each)
        self._moves.clear()
        self._seconds.clear()


noted = Noted()


def text() -> bytes:
    """All counts, as Prometheus reads them."""
    noted.count()
    return generate_latest(REGISTRY)
