"""A process that compiles kernels into the disk cache, one after the other, as `compile_pool` asks for them."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from quadriga.engine.kernels import compiler
from quadriga.engine.kernels.compiler import Request
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.link import Node, callees_first, resolve


def main() -> None:
    """Answer requests on standard input until it is closed."""
    gc.disable()  # it takes a fifth of the time of compiling, and this process ends soon
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a kernel's module prints does not get among the answers
    requests, folder = pickle.load(sys.stdin.buffer)
    disk = DiskCache(Path(folder))
    asked = _Asked(sys.stdin.buffer)
    nodes = [_by_label(request) for request in requests]
    while True:
        label, number, is_entry = asked.next()
        request: Request = requests[number]
        try:
            if is_entry and request.is_object:
                compiler.store_object(resolve(request.function, request.bindings), disk)
            elif is_entry:
                compiler.store_entry(resolve(request.function, request.bindings), request.boundscheck, disk)
            else:
                compiler.load_or_compile_callee(nodes[number][label], request.boundscheck, disk)
        except Exception as fault:  # the process that asked compiles it itself and gets the same error
            label = f"failed: {fault!r}"
        pickle.dump(label, answers)
        answers.flush()


def _by_label(request: Request) -> dict[str, Node]:
    node = resolve(request.function, request.bindings)
    return {f"{each.digest} {request.boundscheck}": each for each in callees_first(node)}


class _Asked:
    """The requests. A thread reads them, so that the process ends at once when its parent does."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ready = threading.Semaphore(0)
        self._waiting: list[tuple[str, int, bool]] = []
        threading.Thread(target=self._read, name="requests", daemon=True).start()

    def next(self) -> tuple[str, int, bool]:
        """Return the next request: the label of a task, the number of its request, and whether it is an entry."""
        self._ready.acquire()
        return self._waiting.pop(0)

    def _read(self) -> None:
        while True:
            try:
                self._waiting.append(pickle.load(self._stream))
            except (EOFError, OSError, pickle.UnpicklingError):
                os._exit(0)
            self._ready.release()
