"""Where this machine is found on the home network."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

_ANY = ("0.0.0.0", "::", "")


def shared(host: str) -> bool:
    """Whether a server that is bound here can be reached from other machines."""
    if host in _ANY:
        return True
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def addresses(port: int) -> list[str]:
    """The addresses of this machine that others may use."""
    return [f"http://{each}:{port}" for each in _found()]


def _found() -> list[str]:
    """The address by which this machine would send to others; nothing is sent, and no name is asked for."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        own = probe.getsockname()[0]
        return [] if ipaddress.ip_address(own).is_loopback else [own]
    return []
