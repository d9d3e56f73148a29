"""Connect to a Ray cluster. Only this package imports Ray, an optional extra."""

from __future__ import annotations

import importlib.util
import os
import socket
from typing import Any

from quadriga.engine.errors import ClusterError, MissingExtraError
from quadriga.lab.executors import ray_private

_CONNECT_S = 5.0
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # and empty settings
_LONGEST = 400  # characters of an error of Ray
_SETTINGS = 4  # the type of an HTTP/2 frame


def import_ray() -> Any:
    """Return the module of Ray. Raises MissingExtraError if it is not installed."""
    if importlib.util.find_spec("ray") is None:
        raise MissingExtraError("extra.missing", extra="cluster", what="Ray")
    import ray

    ray_private.silence()
    return ray


def connect(address: str) -> Any:
    """Connect this process to a cluster and return the module of Ray. Raises ClusterError if that fails."""
    ray = import_ray()
    if address != "auto":
        _check_address(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError, OSError, SystemExit) as fault:
        raise ClusterError("cluster.connect", address=address, reason=_in_one_line(fault)) from fault
    return ray


def _check_address(address: str) -> None:
    """Raise ClusterError if the address cannot be a cluster's. Ray itself tries for minutes, and ends the process.

    The greeting of HTTP/2 tells a cluster from any other server at once. Ray 2.60 was still trying the address of a
    web server after 200 seconds, with warnings on standard error.
    """
    host, colon, port = address.rpartition(":")
    is_port = port.isascii() and port.isdecimal() and 0 < int(port) < 65536
    if not colon or not host or "/" in address or not is_port:
        raise ClusterError("cluster.address", address=address)
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _CONNECT_S) as line:
            if os.environ.get("RAY_USE_TLS", "0") == "1":
                return
            line.settimeout(_CONNECT_S)
            line.sendall(_PREFACE)
            answer = line.recv(9)
    except OSError as fault:
        raise ClusterError("cluster.connect", address=address, reason=fault.strerror or str(fault)) from None
    if len(answer) < 4 or answer[3] != _SETTINGS:  # Ray answers by gRPC, which is HTTP/2
        raise ClusterError("cluster.other", address=address)


def _in_one_line(fault: BaseException) -> str:
    """Return the text of an error of Ray, such as other versions of Ray or Python on the cluster."""
    return " ".join(str(fault).split())[:_LONGEST] or type(fault).__name__
