"""The part of a cluster's work that runs on its nodes. Ray calls these functions in the processes of a node."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from quadriga.engine.errors import ClusterError, QuadrigaError
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.lab.executors.chunks import Chunk, Job
from quadriga.lab.executors.versions import Versions, own_versions

_current: tuple[str, Callable[[Chunk], Any]] | None = None  # the last job of this process


class Refused:
    """An error that another try would not change. It is returned, since Ray wraps what is raised."""

    def __init__(self, fault: QuadrigaError) -> None:
        self.fault = fault


class OtherVersions:
    """The versions of a node that joined later, where they are not those of the driver."""

    def __init__(self, versions: Versions, node: str) -> None:
        self.versions, self.node = versions, node


def prepare(key: str, job: list[Any], versions: Versions) -> Refused | OtherVersions | None:
    """Compile what a job needs into the node's cache; a lock there lets one process compile and the others wait."""
    found = _function(key, job, versions)
    return None if callable(found) else found


def work(key: str, job: list[Any], versions: Versions, chunk: Chunk) -> Any:
    """Return the result of one chunk."""
    found = _function(key, job, versions)
    if not callable(found):
        return found
    try:
        return found(chunk)
    except QuadrigaError as fault:
        return Refused(fault)


def _function(key: str, job: list[Any], versions: Versions) -> Callable[[Chunk], Any] | Refused | OtherVersions:
    """Return the function of a job, started once per process; `job` is a list with a Ray reference to the job."""
    global _current
    if _current is None or _current[0] != key:
        import ray

        if own_versions() != versions:
            return OtherVersions(own_versions(), ray.util.get_node_ip_address())
        _current = None  # frees the arrays of the job before
        received: Job[Any] = ray.get(job[0])
        try:
            if received.is_compiled:
                check_cache(ray.util.get_node_ip_address())
            _current = key, received.start(_silent)
        except QuadrigaError as fault:
            return Refused(fault)
    return _current[1]


def check_cache(node: str) -> None:
    """Refuse a node that cannot keep compiled code: each of its processes would compile everything."""
    disk = DiskCache()
    if not disk.is_writable():
        raise ClusterError("cluster.cache", node=node, folder=str(disk.folder))


def _silent(done: int, total: int, seconds: float) -> None:
    logging.getLogger("quadriga").debug("compiled %s of %s in %.1f s", done, total, seconds)
