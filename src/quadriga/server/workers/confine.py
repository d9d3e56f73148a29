"""Limits of a process that works on what a stranger has sent: memory, and processor time for each task."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

if sys.platform != "win32":
    import resource

_PAGE = 4096


def limit_memory(megabytes: int) -> None:
    """Allow this process so much address space beyond what it has now; more than that is a `MemoryError`."""
    if sys.platform == "win32":
        return
    most = _address_space() + megabytes * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard not in (resource.RLIM_INFINITY, -1):
        most = min(most, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (OSError, ValueError):  # a system that has no such limit: the clock is left
        return


def limit_time(seconds: float) -> None:
    """Allow this process so many more seconds of the processor; beyond that the system ends it."""
    if sys.platform == "win32":
        return
    soft = math.ceil(time.process_time() + seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard not in (resource.RLIM_INFINITY, -1):
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _address_space() -> int:
    """What this process has of it, in bytes; nothing where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * _PAGE
    except (OSError, ValueError):
        return 0
