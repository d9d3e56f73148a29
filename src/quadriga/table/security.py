"""What keeps strangers out and friends safe: who may call us, how often, how much, and what the page may load."""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections import OrderedDict
from functools import cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quadriga.table import messages, metrics
from quadriga.table.frames import encoded
from quadriga.table.refusals import TableError
from quadriga.table.settings import Settings
from quadriga.table.wire import BODY_BYTES, RECORD_BYTES

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
_ADDRESSES = 10_000  # that are remembered
_RECORDS = frozenset({"/api/records", "/api/records/replay", "/api/records/fairness", "/api/reviews"})


class Bucket:
    """So many at once, and so many a second."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left = burst
        self._at = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        """Whether there is one left."""
        moment = time.monotonic()
        self._left = min(self.burst, self._left + (moment - self._at) * self.rate)
        self._at = moment
        if self._left < cost:
            return False
        self._left -= cost
        return True


class Buckets:
    """One bucket an address; the longest unseen is forgotten."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._by: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Whether this address may."""
        bucket = self._by.pop(address, None) or Bucket(self._rate, self._burst)
        self._by[address] = bucket
        if len(self._by) > _ADDRESSES:
            self._by.popitem(last=False)
        return bucket.take(cost)


def bare(host: str) -> str:
    """The name of a host without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


@cache
def _own_names() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})


def known_host(host: str, settings: Settings) -> bool:
    """Whether a request was meant for us: an address, or a name of this machine (against rebinding of names)."""
    if not _HOST.fullmatch(host):
        return False
    name = bare(host)
    if name in _own_names() or name in settings.hosts:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(headers: Headers) -> bool:
    """Whether a browser sends this from our own page; others than browsers send no origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest.lower() == headers.get("host", "").lower()


def loopback(scope: Scope) -> bool:
    """Whether a request comes from this machine."""
    client = scope.get("client")
    if client is None:
        return False
    try:
        return ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


def policy(host: str) -> str:
    """The content security policy of our page."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; "
        f"connect-src 'self' ws://{host} wss://{host}; "
        "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Guard:
    """Stands before everything: hosts, origins, sizes and rates; and adds the headers that browsers obey."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self._requests = Buckets(settings.requests, settings.request_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; sockets are looked at where they are opened."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        fault = self._fault(scope, headers, host)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_headers(host if fault is None else "")]
            await send(message)

        if fault is not None:
            await refuse(fault, sent)
            return
        await self.app(scope, _limited(receive, most_bytes(scope["path"])), sent)

    def _fault(self, scope: Scope, headers: Headers, host: str) -> TableError | None:
        if not known_host(host, self.settings):
            return TableError("wire.host", 400)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not same_origin(headers):
            return TableError("wire.origin", 403)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdecimal() or int(length[:12]) > most_bytes(scope["path"]):
            return TableError("wire.size", 413, most=most_bytes(scope["path"]))
        client = scope.get("client")
        if scope["path"].startswith("/api/") and not self._requests.take(client[0] if client else ""):
            return TableError("wire.rate", 429)
        return None


class TooLargeError(Exception):
    """A body without a length that went on and on."""


def most_bytes(path: str) -> int:
    """How large the body of a request may be: records are larger than all else."""
    return RECORD_BYTES if path in _RECORDS else BODY_BYTES


def _limited(receive: Receive, most: int) -> Receive:
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLargeError
        return message

    return limited


def _headers(host: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-security-policy", policy(host).encode("ascii", "replace")),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    ]


async def refuse(fault: TableError, send: Send) -> None:
    """Answer with an error and nothing else."""
    metrics.refusals.labels(fault.code).inc()
    headers = [(b"content-type", b"application/json")]
    if fault.status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": fault.status, "headers": headers})
    await send({"type": "http.response.body", "body": encoded(messages.refusal(fault))})
