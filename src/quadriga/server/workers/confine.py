"""Limit the memory and the processor time of a process that parses uploads."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

if sys.platform != "win32":
    import resource

_PAGE_BYTES = 4096


def limit_memory(megabytes: int) -> None:
    """Limit this process to this much more address space than now. Beyond it allocations raise MemoryError."""
    if sys.platform == "win32":
        return
    limit = _address_space() + megabytes * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard not in (resource.RLIM_INFINITY, -1):
        limit = min(limit, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (OSError, ValueError):  # the system has no such limit; the time limit remains
        return


def limit_time(seconds: float) -> None:
    """Limit this process to this many more seconds of processor time. Beyond them the system ends it."""
    if sys.platform == "win32":
        return
    soft = math.ceil(time.process_time() + seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard not in (resource.RLIM_INFINITY, -1):
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _address_space() -> int:
    """Return the address space of this process in bytes; 0 if it is not known."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * _PAGE_BYTES
    except (OSError, ValueError):
        return 0
