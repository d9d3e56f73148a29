"""Map chunks over a Ray cluster. Chunks of lost workers and nodes run again elsewhere.

Ray's own retries (`max_retries`) are off: Ray does not say how often a task ran, and repeats one that runs out of
memory without end. Here a chunk is tried a few times, then named, and the rest of the games is kept.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from quadriga.engine.errors import ClusterError
from quadriga.engine.kernels.compiler import Report
from quadriga.lab.executors.chunks import Chunk, Failure, Job
from quadriga.lab.executors.connection import connect
from quadriga.lab.executors.versions import Versions, difference, own_versions, version_reader
from quadriga.lab.executors.worker import OtherVersions, Refused, prepare, work

R = TypeVar("R")

_TRIES = 4  # of a chunk
_CHUNKS_PER_WORKER = 16  # so that the last chunks keep all workers busy to within a sixteenth of the time
_MOST_UNITS = 256  # in a chunk: what is lost when a chunk fails
_WAITING_PER_WORKER = 16  # results that wait for an earlier chunk, so that a lost node does not stop the others
_TICK_S = 0.5
_RECOUNT_S = 5.0  # between two counts of the workers
_WITHOUT_WORKERS_S = 60.0  # before a cluster that has lost all workers is given up


class ClusterExecutor:
    """The cores of a cluster. A worker is a core."""

    def __init__(self, address: str) -> None:
        self._ray = connect(address)
        self._address = address
        self._counted, self._workers = 0.0, 0
        self._prepared: set[type] = set()  # kinds of jobs that all nodes have compiled
        self.repeated = 0  # chunks that ran again

    @property
    def workers(self) -> int:
        """The number of cores now; it is counted every few seconds."""
        if time.monotonic() > self._counted + _RECOUNT_S or not self._workers:
            self._workers = int(sum(node["Resources"].get("CPU", 0) for node in self._nodes()))
            self._counted = time.monotonic()
        return self._workers

    def start(self, job: Job[R], report: Report | None = None) -> ClusterRun[R]:
        """Check the versions of all nodes, send them the job, and let each compile what it lacks."""
        run = ClusterRun(self, self._ray, job)
        if type(job) not in self._prepared:  # a node that joins later checks its versions and compiles by itself
            self._check_versions()
            run.prepare([node["NodeID"] for node in self._nodes()], report)
            self._prepared.add(type(job))
        return run

    def chunk_size(self, total: int, unit: int) -> int:
        """Return a chunk size large enough to be worth sending, and small enough to keep all workers busy."""
        units = total // (unit * _CHUNKS_PER_WORKER * max(self.workers, 1))
        return unit * min(max(units, 1), _MOST_UNITS)

    def close(self) -> None:
        """Leave the cluster, which ends what runs there for this process."""
        self._ray.shutdown()

    def _nodes(self) -> list[dict[str, Any]]:
        """Return the nodes that take work."""
        return [each for each in self._ray.nodes() if each["Alive"] and each["Resources"].get("CPU", 0) >= 1]

    def _check_versions(self) -> None:
        nodes = self._nodes()
        if not nodes:
            raise ClusterError("cluster.empty", address=self._address)
        read = self._ray.remote(version_reader())
        asked = [read.options(**on_node(each["NodeID"])).remote() for each in nodes]
        for node, answer in zip(nodes, asked, strict=True):
            try:
                found = self._ray.get(answer)
            except self._ray.exceptions.RayError:  # lost since
                continue
            refuse_difference(found, node["NodeManagerAddress"])


def on_node(node: str) -> dict[str, Any]:
    """Return the options of a short task that runs on one node, also where all cores are busy."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return {"num_cpus": 0, "max_retries": 0, "scheduling_strategy": NodeAffinitySchedulingStrategy(node, False)}


def refuse_difference(versions: Versions, node: str) -> None:
    """Raise ClusterError if a node has other versions than this process."""
    if found := difference(own_versions(), versions):
        name, own, other = found
        raise ClusterError("cluster.versions", node=node, program=name, other=other or "-", own=own or "-")


class ClusterRun(Generic[R]):
    """A job under way on a cluster."""

    def __init__(self, executor: ClusterExecutor, ray: Any, job: Job[R]) -> None:
        self._executor, self._ray = executor, ray
        self._job = uuid.uuid4().hex, [ray.put(job)], own_versions()
        self._work = ray.remote(num_cpus=1, max_retries=0)(work)
        self._running: dict[Any, tuple[int, Chunk, int]] = {}  # by reference: number, chunk, tries

    def prepare(self, nodes: list[str], report: Report | None) -> None:
        """Let every node compile what the job needs, and wait for them."""
        began = time.monotonic()
        task = self._ray.remote(prepare)
        left = [task.options(**on_node(node)).remote(*self._job) for node in nodes]
        while left:
            ready, left = self._ray.wait(left, timeout=_TICK_S)
            for each in ready:
                try:
                    self._checked(self._ray.get(each))
                except self._ray.exceptions.RayError:  # the node is lost; one that comes later prepares itself
                    continue
            if report and left:
                report(len(nodes) - len(left), len(nodes), time.monotonic() - began)

    def map(self, chunks: Iterable[Chunk]) -> Iterator[R | Failure]:
        """Yield the results of the chunks in order."""
        source = enumerate(chunks)
        done: dict[int, R | Failure] = {}
        number, sent = 0, 0
        is_exhausted = False
        seen = time.monotonic()
        try:
            while True:
                workers = self._executor.workers
                seen = time.monotonic() if workers else seen
                if time.monotonic() > seen + _WITHOUT_WORKERS_S:
                    raise ClusterError("cluster.lost", seconds=round(_WITHOUT_WORKERS_S))
                while (
                    not is_exhausted
                    and len(self._running) < 2 * workers + 2
                    and sent - number < (2 + _WAITING_PER_WORKER) * workers + 2
                ):
                    if (following := next(source, None)) is None:
                        is_exhausted = True
                    else:
                        self._send(*following, 1)
                        sent += 1
                if not self._running and not done:
                    return
                done.update(self._finished())
                while number in done:
                    yield done.pop(number)
                    number += 1
        finally:
            self.close()

    def close(self, *, wait: bool = True) -> None:
        """Drop what is under way. It ends when this process leaves the cluster.

        Ray's `cancel` is not used: it aborts this process if a task completes at the same moment.
        """
        self._running.clear()

    def _send(self, number: int, chunk: Chunk, tries: int) -> None:
        self._running[self._work.remote(*self._job, chunk)] = number, chunk, tries

    def _finished(self) -> Iterator[tuple[int, R | Failure]]:
        """Wait up to a tick; yield the results that have arrived with their numbers, and resend lost chunks."""
        if not self._running:
            return
        waiting = list(self._running)
        ready, _ = self._ray.wait(waiting, timeout=_TICK_S)
        if ready:
            ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        for each in ready:
            number, chunk, tries = self._running.pop(each)
            try:
                result: R = self._checked(self._ray.get(each))
            except self._ray.exceptions.RayError as fault:
                if tries < _TRIES:
                    self._executor.repeated += 1
                    self._send(number, chunk, tries + 1)
                else:
                    yield number, Failure(chunk.first, chunk.first + chunk.count - 1, tries, _reason(fault))
            else:
                yield number, result

    def _checked(self, answer: Any) -> Any:
        """Return a node's answer. Raise the error in it if another try would fail in the same way."""
        if isinstance(answer, OtherVersions):
            refuse_difference(answer.versions, answer.node)
        if isinstance(answer, Refused):
            raise answer.fault
        return answer


def _reason(fault: Exception) -> str:
    """Return why a chunk failed, in one line: the error of the chunk, or that its worker was lost."""
    cause = getattr(fault, "cause", None)
    lines = str(cause or fault).strip().splitlines()
    return f"{type(cause or fault).__name__}: {lines[0]}" if lines else type(cause or fault).__name__
