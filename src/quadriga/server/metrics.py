"""Metrics for Prometheus. Hidden passes are not counted: a count would reveal them."""

from __future__ import annotations

from collections import Counter as Counts
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_BATCH = 256  # moves that are collected before they go into the counters
_BUCKETS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)

REGISTRY = CollectorRegistry()
tables = Gauge("quadriga_tables", "Tables in memory, by status", ["status"], registry=REGISTRY)
seats = Gauge("quadriga_seats", "Seats at these tables, by who sits there", ["kind"], registry=REGISTRY)
sockets = Gauge("quadriga_sockets", "Open websockets", registry=REGISTRY)
listeners = Gauge("quadriga_listeners", "Open websockets of pages outside of a table", registry=REGISTRY)
body_bytes = Gauge("quadriga_body_bytes", "Bytes of request bodies in memory", registry=REGISTRY)
moves = Counter("quadriga_moves", "Moves that everybody may know of", ["game", "by"], registry=REGISTRY)
refusals = Counter("quadriga_refusals", "Refused requests and messages, by code", ["code"], registry=REGISTRY)
commits = Counter("quadriga_store_commits", "Transactions of the store", registry=REGISTRY)
rows = Counter("quadriga_store_writes", "Writes in these transactions", registry=REGISTRY)
commit_seconds = Histogram("quadriga_store_commit_seconds", "Of a group", buckets=_BUCKETS_S, registry=REGISTRY)
store_failing = Gauge("quadriga_store_failing", "1 while nothing can be stored", registry=REGISTRY)
leases = Gauge("quadriga_leases", "Tables whose bots and clocks this process leads", registry=REGISTRY)
hints = Counter("quadriga_pubsub_hints", "Messages to other processes that a log has grown", registry=REGISTRY)
followed = Counter("quadriga_followed", "Events that other processes have written", registry=REGISTRY)
stale = Counter("quadriga_stale_writes", "Writes that another process has forestalled", registry=REGISTRY)
notices = Counter(
    "quadriga_notices", "Notices that were sent, by channel and result", ["channel", "result"], registry=REGISTRY
)
backup_times = Gauge(
    "quadriga_backup_timestamp_seconds",
    "When the last backup was made and was restored to try it; 0: never",
    ["kind"],
    registry=REGISTRY,
)
archived = Counter("quadriga_archived", "Finished games whose logs were packed", registry=REGISTRY)
notices_waiting = Gauge("quadriga_notices_waiting", "Notices that are still to be sent", registry=REGISTRY)
delay_seconds = Histogram(
    "quadriga_told_seconds", "From an act's arrival to everybody's queue", buckets=_BUCKETS_S, registry=REGISTRY
)
_move_counter = cache(moves.labels)  # looking a counter up takes longer than counting


class MoveMetrics:
    """Collect the metrics of moves and commits, and count them in batches."""

    def __init__(self) -> None:
        self._moves: list[tuple[str, str]] = []
        self._seconds: list[float] = []
        self._commits: list[tuple[int, float]] = []

    def add_move(self, game: str, by: str) -> None:
        """Collect a public move."""
        self._moves.append((game, by))
        if len(self._moves) >= _BATCH:
            self.count()

    def add_delay(self, seconds: float) -> None:
        """Collect the time from the arrival of a move to the queues of all viewers."""
        self._seconds.append(seconds)
        if len(self._seconds) >= _BATCH:
            self.count()

    def add_commit(self, writes: int, seconds: float) -> None:
        """Collect a transaction of the store."""
        self._commits.append((writes, seconds))
        if len(self._commits) >= _BATCH:
            self.count()

    def count(self) -> None:
        """Move everything collected into the counters."""
        for kind, number in Counts(self._moves).items():
            _move_counter(*kind).inc(number)
        for each in self._seconds:
            delay_seconds.observe(each)
        for number, seconds in self._commits:
            rows.inc(number)
            commit_seconds.observe(seconds)
        commits.inc(len(self._commits))
        self._moves.clear()
        self._seconds.clear()
        self._commits.clear()


collected = MoveMetrics()


def text() -> bytes:
    """Return all metrics in the format of Prometheus."""
    collected.count()
    return generate_latest(REGISTRY)
