"""What people on the first page cost the server: a socket each, and changes that all of them are told.

    python benchmarks/lobby.py [--people N] [--seconds S] [--changes PER_SECOND]

Prints the processor time of the server as a share of one core, without changes and with them, and its memory. The
clients run in the same machine and are not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from served import SERVE, Served
from sockets import Peer, connected

_AT_ONCE = 50  # sockets that are opened together


class Heard:
    """Counts the messages that all pages have received."""

    def __init__(self) -> None:
        self.messages = self.size = 0

    def __call__(self, peer: Peer, message: bytes) -> None:
        self.messages += 1
        self.size += len(message)


async def measure(served: Served, people: int, seconds: float, changes: float) -> None:
    """Open the sockets, and print what they cost."""
    heard = Heard()
    before = served.memory()
    peers: list[Peer] = []
    for first in range(0, people, _AT_ONCE):
        group = (connected(served.port, "/api/live", heard) for _ in range(min(_AT_ONCE, people - first)))
        peers += await asyncio.gather(*group)
    await asyncio.sleep(3)
    print(f"{len(peers)} people: {(served.memory() - before) / 1e6:.0f} MB")
    for rate in (0.0, changes):
        used, messages, size = served.seconds(), heard.messages, heard.size
        end = time.monotonic() + seconds
        made = 0
        while (left := end - time.monotonic()) > 0:
            if rate:
                await asyncio.to_thread(_open_table, served)
                made += 1
            await asyncio.sleep(min(left, 1 / rate) if rate else left)
        share = (served.seconds() - used) / seconds
        told, told_bytes = heard.messages - messages, heard.size - size
        mean = f", {told_bytes / told:.0f} bytes each" if told else ""
        print(f"{made / seconds:.1f} new tables a second: {share:.3f} of a core, {told} messages{mean}")
    for peer in peers:
        peer.close()


def _open_table(served: Served) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    served.post("/api/tables", {"game": "ur", "name": "Ann", "seats": seats, "public": True})


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--changes", type=float, default=2.0, help="new tables a second")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        served = Served(SERVE, str(Path(folder) / "tables.sqlite"))
        try:
            asyncio.run(measure(served, asked.people, asked.seconds, asked.changes))
        finally:
            served.stop()


if __name__ == "__main__":
    main()
