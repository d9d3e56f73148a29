"""Compile kernels in several processes, which hand each other their results through the disk cache.

The processes are started with `subprocess`, so a program that uses Quadriga needs no `if __name__ == "__main__"`.
They end when this process ends, however it does. `QUADRIGA_JOBS` sets their number; 0 compiles in this process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue

from quadriga.engine.kernels import compiler
from quadriga.engine.kernels.compiler import Report, Request
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.link import Node, callees_first, entry_parts, parts, resolve

_FEWEST = 8  # kernels for which other processes are worth their start
_MOST_JOBS = 8
_TICK_S = 0.5  # between two reports while a kernel is compiled
_WORKER = "from quadriga.engine.kernels.compile_worker import main; main()"


@dataclass
class Task:
    """One kernel to compile: as a callee, or as an entry point."""

    label: str
    request: int  # the number of the request that it belongs to
    is_entry: bool
    parts: int
    needs: set[str] = field(default_factory=set)  # the labels of the tasks that it depends on
    height: int = 0  # the cost in parts of the longest path to an entry point


def jobs() -> int:
    """Return the number of processes to compile in."""
    chosen = os.environ.get("QUADRIGA_JOBS", "")
    if chosen.isdecimal():
        return min(int(chosen), _MOST_JOBS)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST_JOBS)


def compile_missing(requests: Sequence[Request], disk: DiskCache, report: Report) -> bool:
    """Compile what the disk cache lacks; return whether the entry points are there now."""
    tasks = _tasks(requests, disk)
    if not any(task.is_entry for task in tasks.values()):
        return True
    count = min(jobs(), len(tasks) // 2)
    if count == 0 or len(tasks) < _FEWEST or type(disk) is not DiskCache or not disk.is_writable():
        return False
    try:
        setup = pickle.dumps((list(requests), str(disk.folder)))
    except (pickle.PicklingError, AttributeError, TypeError):  # a kernel that no other process can import
        return False
    with _started(count, setup) as workers:
        return _Pool(workers, tasks, report).run()


def _tasks(requests: Sequence[Request], disk: DiskCache) -> dict[str, Task]:
    """Return a task, by label, for every entry point and callee that the disk cache lacks."""
    tasks: dict[str, Task] = {}
    for number, request in enumerate(requests):
        node = resolve(request.function, request.bindings)
        path = compiler.entry_path(node, request, disk)
        if path.exists():
            continue
        missing = [each for each in callees_first(node) if _is_missing(each, request, disk)]
        entry = Task(f"entry {path.name}", number, True, entry_parts(node), {_label(e, request) for e in missing})
        entry.height = entry.parts
        tasks[entry.label] = entry
        for each in reversed(missing):  # callers before callees
            label = _label(each, request)
            callers = [c for c in missing if any(_label(k, request) == label for k in c.callees.values())]
            above = max(
                (tasks[_label(c, request)].height for c in callers if _label(c, request) in tasks), default=0
            )
            task = tasks.setdefault(label, Task(label, number, False, parts(each)))
            task.height = max(task.height, task.parts + max(above, entry.height))
            task.needs |= {_label(k, request) for k in each.callees.values() if _is_missing(k, request, disk)}
    return tasks


def _label(node: Node, request: Request) -> str:
    return f"{node.digest} {request.boundscheck}"


def _is_missing(node: Node, request: Request, disk: DiskCache) -> bool:
    key = compiler.entry_key(node, request.boundscheck)
    return node.mark == "kernel" and not disk.path(compiler.callee_file(node), key).exists()


class _Pool:
    """Schedules tasks on workers: the longest critical path first among those whose dependencies are compiled."""

    def __init__(self, workers: list[subprocess.Popen[bytes]], tasks: dict[str, Task], report: Report) -> None:
        self.workers = workers
        self.left = dict(tasks)
        self.total = sum(task.parts for task in tasks.values())
        self.report = report
        self.done: set[str] = set()
        self.answers: SimpleQueue[tuple[int, str]] = SimpleQueue()

    def run(self) -> bool:
        """Run all tasks; return whether everything was compiled."""
        began, finished = time.monotonic(), 0
        busy: dict[int, Task] = {}
        idle = list(range(len(self.workers)))
        parts = {label: task.parts for label, task in self.left.items()}
        while self.left or busy:
            for worker, task in zip(list(idle), self._ready(), strict=False):
                idle.remove(worker)
                busy[worker] = self.left.pop(task.label)
                threading.Thread(target=self._ask, args=(worker, task), daemon=True).start()
            if not busy:
                return False
            with contextlib.suppress(Empty):
                worker, answer = self.answers.get(timeout=_TICK_S)
                label = busy.pop(worker).label
                if answer != label:
                    return False
                idle.append(worker)
                self.done.add(label)
                finished += parts[label]
            self.report(finished, self.total, time.monotonic() - began)
        return True

    def _ready(self) -> list[Task]:
        ready = [task for task in self.left.values() if not task.needs & self.left.keys() and self._is_free(task)]
        return sorted(ready, key=lambda task: -task.height)

    def _is_free(self, task: Task) -> bool:
        """Return whether all dependencies of a task are compiled."""
        return all(label in self.done for label in task.needs)

    def _ask(self, number: int, task: Task) -> None:
        """Send a task to a worker, and put its answer into the queue; "" if the worker has ended."""
        worker = self.workers[number]
        try:
            assert worker.stdin is not None
            assert worker.stdout is not None
            pickle.dump((task.label, task.request, task.is_entry), worker.stdin)
            worker.stdin.flush()
            self.answers.put((number, pickle.load(worker.stdout)))
        except (OSError, EOFError, pickle.UnpicklingError, ValueError):
            self.answers.put((number, ""))  # the worker has ended


@contextlib.contextmanager
def _started(count: int, setup: bytes) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start workers for the block, and end them after it."""
    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    environment = {**os.environ, "PYTHONPATH": path}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # an interrupt from the terminal is for this process alone
        )
        for _ in range(count)
    ]
    try:
        for worker in workers:
            assert worker.stdin is not None
            with contextlib.suppress(OSError):
                worker.stdin.write(setup)
                worker.stdin.flush()
        yield workers
    finally:
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.wait()
            for stream in (worker.stdin, worker.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
