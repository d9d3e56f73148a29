"""The addresses of this machine on the home network."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

_ANY_ADDRESS = ("0.0.0.0", "::", "")


def is_shared(host: str) -> bool:
    """Return whether a server that listens on this host can be reached from other machines."""
    if host in _ANY_ADDRESS:
        return True
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def addresses(port: int) -> list[str]:
    """Return the addresses of the server for other machines."""
    return [f"http://{each}:{port}" for each in own_addresses()]


def own_addresses() -> list[str]:
    """Return the address from which this machine sends to others. Nothing is sent, and no name is resolved."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        own = probe.getsockname()[0]
        return [] if ipaddress.ip_address(own).is_loopback else [own]
    return []
