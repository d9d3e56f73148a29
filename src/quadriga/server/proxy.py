"""The client's address behind a trusted proxy. Forwarded headers from anywhere else do not count."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Any

from starlette.types import Scope

from quadriga.engine.errors import OptionError
from quadriga.server.logs import LOGGER

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
FORWARDED = "quadriga.forwarded"  # in a scope: whether the request has forwarded headers
_HEADERS = (b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded")
_IPV6_PREFIX = 64  # bits of an IPv6 address that identify a customer


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return addresses and networks from the command line. Raises OptionError for anything else."""
    found = []
    for text in texts:
        try:
            found.append(ipaddress.ip_network(text.strip()))
        except ValueError:
            allowed = "127.0.0.1, 10.0.0.0/8, ::1, ..."
            raise OptionError("option.value", name="ADDRESS", value=text, allowed=allowed) from None
    return tuple(found)


def parsed(text: str) -> Address | None:
    """Return an address without its port, None for anything else. An IPv4 address in IPv6 form becomes IPv4."""
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
    """Return whether an address is in one of the networks."""
    return address is not None and any(address in network for network in known)


def limit_key(host: str) -> str:
    """Return the key that limits count by: an IPv4 address, or the IPv6 network of one customer."""
    found = parsed(host)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, _IPV6_PREFIX), strict=False))
    return host if found is None else str(found)


def address_of(scope: Scope) -> str:
    """Return the client address that the limits of a request count for."""
    client = scope.get("client")
    return limit_key(client[0]) if client else ""


class Proxies:
    """The trusted proxies of a server."""

    def __init__(self, trusted: Sequence[str]) -> None:
        self._trusted = networks(trusted)
        self._warned = False

    def trusts(self, host: str) -> bool:
        """Return whether an address is a trusted proxy."""
        return within(parsed(host), self._trusted)

    def unwrap(self, scope: Scope) -> None:
        """Replace client, scheme and host of a scope by those that a trusted proxy forwards."""
        found: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            if name in _HEADERS:
                found.setdefault(name, []).append(value)
        if not found:
            return
        scope[FORWARDED] = True
        client = scope.get("client")
        if client is None or not self.trusts(client[0]):
            self._warn(client[0] if client else "")
            return
        headers = {name: b",".join(values).decode("latin-1") for name, values in found.items()}
        if b"x-forwarded-for" in headers:  # the proxy writes these, so `Forwarded` may come from the client
            chain = headers[b"x-forwarded-for"].split(",")
            scheme = headers.get(b"x-forwarded-proto", "").rpartition(",")[2].strip().lower()
            host = headers.get(b"x-forwarded-host", "").rpartition(",")[2].strip()
        else:
            chain, scheme, host = _forwarded(headers.get(b"forwarded", ""))
        if chain:
            scope["client"] = (self._client(chain, client[0]), 0)
        if scheme in ("http", "https", "ws", "wss"):
            is_secure = scheme in ("https", "wss")
            kind = "ws" if scope["type"] == "websocket" else "http"
            scope["scheme"] = kind + "s" * is_secure
        if host:
            kept: list[Any] = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*kept, (b"host", host.encode("latin-1"))]

    def _client(self, chain: list[str], nearest: str) -> str:
        """Return the last address of the chain that is no trusted proxy. A client can forge all before it."""
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
            LOGGER.warning("%s sends forwarded headers, which are ignored: see --trusted-proxy", host)


def _forwarded(text: str) -> tuple[list[str], str, str]:
    """Return the addresses of a `Forwarded` header, and the scheme and the host of its last part."""
    chain, scheme, host = [], "", ""
    for element in text.split(",") if text else []:
        pairs = dict(pair.strip().partition("=")[::2] for pair in element.split(";"))
        lower = {name.lower(): value.strip().strip('"') for name, value in pairs.items()}
        chain.append(lower.get("for", ""))
        scheme, host = lower.get("proto", ""), lower.get("host", "")
    return chain, scheme, host
