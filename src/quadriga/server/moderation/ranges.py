"""Ranges of addresses. Addresses of people are not stored: a range is proposed only while somebody is connected."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from quadriga.server.moderation.acts import Network

_PROPOSED = {4: 24, 6: 48}  # the prefix of the range that is proposed for an address


def of_somebody_here(addresses: Iterable[str]) -> str | None:
    """Return the range of the address from which somebody is connected; None if they are not."""
    for address in sorted(set(addresses)):
        try:
            network = ipaddress.ip_network(address, strict=False)
        except ValueError:
            continue
        prefix = min(network.prefixlen, _PROPOSED[network.version])
        return str(network.supernet(new_prefix=prefix))
    return None


def has(banned: Network, address: str) -> bool:
    """Return whether an address is in a range."""
    try:
        network = ipaddress.ip_network(address, strict=False)
    except ValueError:
        return False
    return banned.version == network.version and banned.overlaps(network)
