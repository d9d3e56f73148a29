"""Guard the application: accepted hosts and origins, sizes, rates, and the security headers of answers."""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quadriga.server import metrics
from quadriga.server.http.bodies import Bodies, Body
from quadriga.server.limits import Buckets
from quadriga.server.messages.game_messages import encoded
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import BODY_BYTES, RECORD_BYTES
from quadriga.server.proxy import FORWARDED, Proxies, address_of, networks, parsed, within
from quadriga.server.settings import Settings

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
_RECORD_PATHS = frozenset({"/api/records", "/api/records/replay", "/api/records/fairness", "/api/reviews"})


def without_port(host: str) -> str:
    """Return the name of a host without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


@cache
def _own_names() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})


def is_known_host(host: str, settings: Settings) -> bool:
    """Return whether a host is an address or a known name of this machine.

    Other names are refused because of DNS rebinding: a foreign page could reach this server under its own name.
    """
    if not _HOST.fullmatch(host):
        return False
    name = without_port(host)
    if name in _own_names() or name in settings.hosts:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_same_origin(headers: Headers) -> bool:
    """Return whether a request comes from the server's own page; only browsers send an origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest.lower() == headers.get("host", "").lower()


def may_read_metrics(scope: Scope, settings: Settings) -> bool:
    """Return whether a request may read the metrics: from this machine itself, or from an allowed address."""
    client = scope.get("client")
    address = parsed(client[0]) if client else None
    return within(address, networks(settings.metrics)) or is_local(scope)


def is_local(scope: Scope) -> bool:
    """Return whether a request comes from this machine itself, and not through a proxy."""
    client = scope.get("client")
    address = parsed(client[0]) if client else None
    return address is not None and address.is_loopback and FORWARDED not in scope


def policy(host: str) -> str:
    """Return the content security policy of the page."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; "
        f"connect-src 'self' ws://{host} wss://{host}; "
        "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Guard:
    """Check every request before the application sees it, and add security headers to the answer."""

    def __init__(self, app: ASGIApp, settings: Settings, proxies: Proxies) -> None:
        self.app, self.settings, self.proxies = app, settings, proxies
        self._requests = Buckets(settings.requests, settings.request_burst)
        self._openings = Buckets(settings.requests, settings.request_burst)
        self._bodies = Bodies(settings.body_bytes, settings.body_bytes_each)
        self.rates = {"requests": self._requests, "openings": self._openings}  # these hold over all processes

    async def drain(self) -> None:
        """Tell all clients to connect again, and open no more sockets."""
        await self.app.state.registry.drain()  # type: ignore[attr-defined]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request. `ws/connection.py` checks the host and origin of a websocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        self.proxies.unwrap(scope)
        if scope["type"] == "websocket":
            if self._openings.take(address_of(scope)):
                await self.app(scope, receive, send)
            else:
                await receive()
                await refuse(RoomError("wire.rate", 429), send, "websocket.http.response")
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        fault = self._fault(scope, headers, host)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", []))
                names = {name for name, _ in own}  # a report has a policy of its own
                added = _headers(scope, host if fault is None else "")
                message["headers"] = own + [each for each in added if each[0] not in names]
            await send(message)

        if fault is not None:
            await refuse(fault, sent)
            return
        body = Body(self._bodies, address_of(scope), receive, most_bytes(scope["path"]))
        try:
            await self.app(scope, body.receive, sent)
        finally:
            body.release()

    def _fault(self, scope: Scope, headers: Headers, host: str) -> RoomError | None:
        if not is_known_host(host, self.settings):
            return RoomError("wire.host", 400)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not is_same_origin(headers):
            return RoomError("wire.origin", 403)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdecimal() or int(length[:12]) > most_bytes(scope["path"]):
            return RoomError("wire.size", 413, most=most_bytes(scope["path"]))
        if not self._requests.take(address_of(scope)):
            return RoomError("wire.rate", 429)
        return None


def most_bytes(path: str) -> int:
    """Return how large the body of a request may be; records are larger than anything else."""
    return RECORD_BYTES if path in _RECORD_PATHS else BODY_BYTES


def _headers(scope: Scope, host: str) -> list[tuple[bytes, bytes]]:
    secure = [(b"strict-transport-security", b"max-age=31536000")] if scope["scheme"] == "https" else []
    return [
        *secure,
        (b"content-security-policy", policy(host).encode("ascii", "replace")),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    ]


async def refuse(fault: RoomError, send: Send, kind: str = "http.response") -> None:
    """Answer with an error."""
    metrics.refusals.labels(fault.code).inc()
    headers = [(b"content-type", b"application/json")]
    if fault.status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": f"{kind}.start", "status": fault.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": encoded(texts.refusal(fault))})
