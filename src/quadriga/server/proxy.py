"""Who really asks: the address behind a trusted proxy. Nobody else's forwarded headers count."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Any

from starlette.types import Scope

from quadriga.engine.errors import OptionError
from quadriga.server.logs import LOGGER

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
FORWARDED = "quadriga.forwarded"  # in a scope: whether somebody says that he asks for somebody else
_HEADERS = (b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded")
_V6 = 64  # bits of an IPv6 address that tell one customer from another


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Addresses and networks of the command line."""
    found = []
    for text in texts:
        try:
            found.append(ipaddress.ip_network(text.strip()))
        except ValueError:
            allowed = "127.0.0.1, 10.0.0.0/8, ::1, ..."
            raise OptionError("option.value", name="ADDRESS", value=text, allowed=allowed) from None
    return tuple(found)


def parsed(text: str) -> Address | None:
    """An address, with or without a port; one of IPv4 in the form of IPv6 is one of IPv4."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def within(address: Address | None, known: Sequence[Network]) -> bool:
    """Whether an address is in one of the networks."""
    return address is not None and any(address in network for network in known)


def counted(host: str) -> str:
    """What limits are counted by: an address, or the network that one customer has of IPv6."""
    found = parsed(host)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, _V6), strict=False))
    return host if found is None else str(found)


def address_of(scope: Scope) -> str:
    """Whom a request counts for."""
    client = scope.get("client")
    return counted(client[0]) if client else ""


class Proxies:
    """The trusted proxies of a server."""

    def __init__(self, trusted: Sequence[str]) -> None:
        self._trusted = networks(trusted)
        self._warned = False

    def trusts(self, host: str) -> bool:
        """Whether an address is one of them."""
        return within(parsed(host), self._trusted)

    def unwrap(self, scope: Scope) -> None:
        """Put who really asks into a scope, where a trusted proxy tells it."""
        said: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            if name in _HEADERS:
                said.setdefault(name, []).append(value)
        if not said:
            return
        scope[FORWARDED] = True
        client = scope.get("client")
        if client is None or not self.trusts(client[0]):
            self._warn(client[0] if client else "")
            return
        told = {name: b",".join(values).decode("latin-1") for name, values in said.items()}
        if b"x-forwarded-for" in told:  # then the proxy writes these, and `Forwarded` may be anybody's
            chain = told[b"x-forwarded-for"].split(",")
            scheme = told.get(b"x-forwarded-proto", "").rpartition(",")[2].strip().lower()
            host = told.get(b"x-forwarded-host", "").rpartition(",")[2].strip()
        else:
            chain, scheme, host = _forwarded(told.get(b"forwarded", ""))
        if chain:
            scope["client"] = (self._client(chain, client[0]), 0)
        if scheme in ("http", "https", "ws", "wss"):
            secure = scheme in ("https", "wss")
            kind = "ws" if scope["type"] == "websocket" else "http"
            scope["scheme"] = kind + "s" * secure
        if host:
            kept: list[Any] = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*kept, (b"host", host.encode("latin-1"))]

    def _client(self, chain: list[str], nearest: str) -> str:
        """The last in the chain that is not one of ours: what stands before it anybody can write."""
        for each in reversed(chain):
            address = parsed(each)
            if address is None:
                return nearest
            if not within(address, self._trusted):
                return str(address)
            nearest = str(address)
        return nearest

    def _warn(self, host: str) -> None:
        if not self._warned:
            self._warned = True
            LOGGER.warning("%s sends forwarded headers, which do not count: see --trusted-proxy", host)


def _forwarded(text: str) -> tuple[list[str], str, str]:
    """The addresses of a `Forwarded` header, and the scheme and the host of its last part."""
    chain, scheme, host = [], "", ""
    for element in text.split(",") if text else []:
        pairs = dict(pair.strip().partition("=")[::2] for pair in element.split(";"))
        lower = {name.lower(): value.strip().strip('"') for name, value in pairs.items()}
        chain.append(lower.get("for", ""))
        scheme, host = lower.get("proto", ""), lower.get("host", "")
    return chain, scheme, host
