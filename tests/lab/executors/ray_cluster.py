"""A real Ray cluster on this machine: a head with one core, and nodes that tests add and kill."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Any

import psutil

STORE_BYTES = 80 * 2**20  # the least that Ray accepts is 75 MB
QUICK_TO_NOTICE = {"health_check_period_ms": 500, "health_check_failure_threshold": 4}


class RayCluster:
    """A cluster for tests. Its nodes use the compile cache of the tests, unless they get another environment."""

    def __init__(self) -> None:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 1, "object_store_memory": STORE_BYTES, "_system_config": QUICK_TO_NOTICE}
        self._cluster = Cluster(initialize_head=True, head_node_args={**head, "include_dashboard": False})
        self._nodes: list[Any] = []
        self.address: str = self._cluster.address

    def add(self, cores: int = 1, **environment: str) -> Any:
        """Add a node, and wait until the cluster knows it."""
        node = self._cluster.add_node(num_cpus=cores, object_store_memory=STORE_BYTES, env_vars=environment)
        self._nodes.append(node)
        return node

    def kill(self, node: Any) -> None:
        """Kill all processes of a node, as a power failure does."""
        self._nodes.remove(node)
        for pid in [_raylet(node), *(pid for pid, _ in self._workers(node))]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._cluster.remove_node(node, allow_graceful=False)

    def kill_all(self) -> None:
        """Leave the head alone."""
        for node in list(self._nodes):
            self.kill(node)

    def chunks_on(self, node: Any) -> int:
        """Return how many chunks run on a node. Ray names a process after the function that it runs."""
        return sum(title == "ray::work" for _, title in self._workers(node))

    def _workers(self, node: Any) -> list[tuple[int, str]]:
        """Return the processes of a node by number and title."""
        found = []
        with contextlib.suppress(psutil.NoSuchProcess):
            for each in psutil.Process(_raylet(node)).children():
                with contextlib.suppress(psutil.NoSuchProcess):
                    found.append((each.pid, " ".join(each.cmdline()).partition(" ")[0]))
        return found

    def wait_until(self, is_so: Any, limit_s: float = 120) -> None:
        """Wait until something is so."""
        end = time.monotonic() + limit_s
        while not is_so():
            assert time.monotonic() < end
            time.sleep(0.2)

    @property
    def head(self) -> Any:
        """The node that cannot be killed."""
        return self._cluster.head_node

    def shutdown(self) -> None:
        """End all processes."""
        self._cluster.shutdown()


def _raylet(node: Any) -> int:
    """Return the process that starts the others of a node."""
    return int(node.all_processes["raylet"][0].process.pid)
