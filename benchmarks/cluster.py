"""Ray beside our own pool for the same work: overhead, two nodes, start, memory, and what is sent."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from measure import Row, number
from quadriga.games import find
from quadriga.games.ur.bots.network import packaged_network
from quadriga.games.ur.bots.training.train import SelfPlayJob, known
from quadriga.lab.arena.pool import ArenaJob, ArenaPlan
from quadriga.lab.executors.chunks import Chunk, Executor, cut
from quadriga.lab.executors.cluster import ClusterExecutor
from quadriga.lab.executors.local import LocalExecutor
from quadriga.lab.simulate import SimulationJob, SimulationPlan, simulate
from quadriga.players.compiled_match import bot

TITLE = "Clusters"
GAMES = int(os.environ.get("QUADRIGA_BENCH_GAMES", "300000"))  # about half a minute of one core
STORE_BYTES = 100 * 2**20
EMPTY = 4000  # chunks
ABOUT = f"""
{GAMES:,} random races of Ave Caesar with three players: about {GAMES / 10_000:.0f} seconds of one core. The left
column is our own pool with two workers, and the peer is Ray on the same machine. The pool does half of the work
before Ray and half after it. A node is a raylet with its own workers. Efficiency is the speed of two nodes with
one core each against twice that of one such node, which does half of the work. An empty chunk does nothing: its
time is that of the driver and of Ray. Processor seconds are of all processes together; they are the better
measure where the machine is loaded, and the first row says how much it was.
"""


@contextmanager
def cluster(*cores: int) -> Iterator[tuple[ClusterExecutor, float]]:
    """Start a cluster of nodes with these numbers of cores; yield its executor, and the seconds to connect."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    store = {"object_store_memory": STORE_BYTES}
    found = Cluster(
        initialize_head=True, head_node_args={"num_cpus": cores[0], "include_dashboard": False, **store}
    )
    for each in cores[1:]:
        found.add_node(num_cpus=each, **store)
    began = time.perf_counter()
    with closing(ClusterExecutor(found.address)) as executor:
        yield executor, time.perf_counter() - began
    found.shutdown()


def processes() -> list[tuple[int, str, float, int]]:
    """Return number, title, processor seconds and memory in bytes of this process and all below it."""
    rows = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,rss=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = {int(row.split()[0]): row.split(None, 3) for row in rows}
    own = {os.getpid()}
    while more := {pid for pid, row in found.items() if int(row[1]) in own} - own:
        own |= more
    ticks = os.sysconf("SC_CLK_TCK")

    def seconds(pid: int) -> float:
        stat = Path(f"/proc/{pid}/stat").read_text()
        return sum(map(int, stat.rpartition(")")[2].split()[11:15])) / ticks

    return [(pid, found[pid][3], seconds(pid), 1024 * int(found[pid][2])) for pid in own if _is_alive(pid)]


def _is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").exists()


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds by the clock and by the processor, of all processes."""
    before, began = sum(each[2] for each in processes()), time.perf_counter()
    work()
    return time.perf_counter() - began, sum(each[2] for each in processes()) - before


def played(executor: Executor, games: int) -> tuple[float, float]:
    """Return the seconds of a simulation."""
    game = find("ave-caesar")
    options, seats = game.resolve_options({}, 3)
    return timed(lambda: simulate(game, options, seats, games=games, seed=1, executor=executor))


class EmptyJob:
    """Does nothing."""

    is_compiled = False

    def start(self, report: object = None) -> Callable[[Chunk], int]:
        """Return a function that returns at once."""
        return lambda chunk: chunk.first


def shared_memory(pid: int) -> int:
    """Return the memory of a process, with pages that it shares divided among their users."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def rows() -> Iterator[Row]:
    yield Row("load of the machine before the run, over one minute", f"{os.getloadavg()[0]:.1f}")
    local = LocalExecutor(2)
    played(local, 4096)
    before = played(local, GAMES // 2)
    with cluster(2) as (ray, connected):
        first = played(ray, 4096)[0]
        later = played(ray, 4096)[0]
        clock, processor = played(ray, GAMES)
        after = played(local, GAMES - GAMES // 2)
        own_clock, own_processor = before[0] + after[0], before[1] + after[1]
        yield Row(
            "the work on two cores, by the clock",
            f"{own_clock:.1f} s",
            f"{clock:.1f} s",
            f"{clock / own_clock:.2f}×",
        )
        ratio = f"{processor / own_processor:.2f}×"
        yield Row("... processor", f"{own_processor:.1f} s", f"{processor:.1f} s", ratio)
        yield Row("connect to a cluster", "", f"{connected:.1f} s")
        yield Row("first chunk of a command, kernels in the node's cache", "", f"{first:.1f} s")
        yield Row("first chunk of the next job", "", f"{later:.2f} s")
        workers = [each for each in processes() if each[1].startswith("ray::") and "Agent" not in each[1]]
        resident = max(each[3] for each in workers) / 2**20
        private = max(shared_memory(each[0]) for each in workers) / 2**20
        yield Row(
            "memory of a worker: resident; with shared pages divided", "", f"{resident:.0f} MB; {private:.0f} MB"
        )
        yield from empty_chunks(ray)
    with cluster(1) as (ray, _):
        played(ray, 4096)
        half = played(ray, GAMES // 2)
    with cluster(1, 1) as (ray, _):
        played(ray, 4096)
        both = played(ray, GAMES)
    yield Row(
        "two nodes with one core each, by the clock",
        f"{own_clock:.1f} s",
        f"{both[0]:.1f} s",
        f"{both[0] / own_clock:.2f}×",
    )
    yield Row("... processor", f"{own_processor:.1f} s", f"{both[1]:.1f} s", f"{both[1] / own_processor:.2f}×")
    yield Row(
        "... efficiency against one node, by the clock; by the processor",
        "",
        f"{half[0] / both[0]:.0%}; {2 * half[1] / both[1]:.0%}",
    )
    yield from sizes()


def empty_chunks(ray: ClusterExecutor) -> Iterator[Row]:
    """Measure what the driver does for a chunk."""
    run = ray.start(EmptyJob())
    list(run.map(cut(0, 100, 1)))
    began, spent = time.perf_counter(), time.process_time()
    list(run.map(cut(0, EMPTY, 1)))
    clock, driver = time.perf_counter() - began, time.process_time() - spent
    yield Row("empty chunks", "", f"{number(EMPTY / clock)} /s")
    yield Row("... processor of the driver for one", "", f"{1e3 * driver / EMPTY:.2f} ms")


def sizes() -> Iterator[Row]:
    """Measure what is sent: the job once to each node, a chunk to a worker, and its result back."""
    ur, caesar = find("ur"), find("ave-caesar")
    jobs: list[tuple[str, Any, Chunk]] = [
        (
            "sim",
            SimulationJob(SimulationPlan("ave-caesar", *caesar.resolve_options({}, 3), 1, GAMES), True),
            Chunk(0, 4096),
        ),
        (
            "arena, 64 games",
            ArenaJob(
                ArenaPlan("ur", *ur.resolve_options({}, 2), ["greedy", "random"], 1, 64),
                [each for name in ("greedy", "random") if (each := bot(name, ur))],
            ),
            Chunk(0, 64, (0, 1)),
        ),
        ("train, 64 games", SelfPlayJob(known("ben", packaged_network("ben")), 1, 240, 7, True), Chunk(0, 64)),
    ]
    for name, job, chunk in jobs:
        result = job.start()(chunk)
        sent = [f"{len(pickle.dumps(each, 5)):,}" for each in (job, chunk, result)]
        yield Row(f"bytes of {name}: job, chunk, result", " / ".join(sent))


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ", file=sys.stderr, flush=True)
