"""Send requests to addresses that people have entered, and never to machines that only this server can reach.

The name is resolved once, the address is checked, and the connection goes to that very address. Redirects are not
followed, and of the answer no more than its head is read.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import h11

from quadriga.server.protocol.errors import RoomError

LONGEST_URL = 1000
_TOTAL_S = 10.0  # for a request and its answer
_MOST_HEAD = 16 * 1024  # bytes of the head of an answer
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_UNICAST = ipaddress.ip_network("2000::/3")  # all addresses of the newer kind that the internet uses
_TLS = ssl.create_default_context()
_LOOKING_UP = ThreadPoolExecutor(8, "names")  # a name whose server is slow keeps a thread from everything else

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Answer(NamedTuple):
    """The status of an answer, and after how many seconds its server wants to be asked again."""

    status: int
    retry_after: float | None = None


class NotSentError(Exception):
    """The request was not sent: nobody answers at the address, or it may not be used."""


class UnsureError(Exception):
    """The request was sent, or parts of it, and there is no answer: it may have been carried out."""


def check_url(url: str, allows_private: bool) -> SplitResult:
    """Return the parts of an address. Raises RoomError unless notices may go there, as far as its text says."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise RoomError("notice.address", 422) from None
    is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST_URL
    schemes = ("https", "http") if allows_private else ("https",)
    if not is_plain or parts.scheme not in schemes or not host or parts.username is not None or port == 0:
        raise RoomError("notice.address", 422)
    with suppress(ValueError):
        if not allows_private and not is_public(ipaddress.ip_address(host)):
            raise RoomError("notice.private", 422)
    if host == "localhost" and not allows_private:
        raise RoomError("notice.private", 422)
    return parts


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the internet, also as one of the older kind inside a newer one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
        if address not in _UNICAST:
            return False
    return address.is_global and not address.is_multicast


async def post(url: str, body: bytes, headers: Mapping[str, str], allows_private: bool) -> Answer:
    """Send a POST; return the head of the answer. Raises NotSentError or UnsureError without one."""
    try:
        parts = check_url(url, allows_private)
    except RoomError as fault:
        raise NotSentError(fault.code) from None
    host = parts.hostname or ""
    writer = None
    try:
        async with asyncio.timeout(_TOTAL_S):
            port = parts.port or (443 if parts.scheme == "https" else 80)
            address = await _resolved(host, port, allows_private)
            tls = {"ssl": _TLS, "server_hostname": host} if parts.scheme == "https" else {}
            reader, writer = await asyncio.open_connection(address, port, **tls)  # type: ignore[arg-type]
            return await _exchange(reader, writer, parts, body, headers)
    except (OSError, TimeoutError, h11.ProtocolError) as fault:
        if writer is None:
            raise NotSentError(str(fault) or "no answer") from None
        raise UnsureError(str(fault) or "no answer") from None
    finally:
        if writer is not None:
            writer.transport.abort()


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    parts: SplitResult,
    body: bytes,
    headers: Mapping[str, str],
) -> Answer:
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MOST_HEAD)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    head = {"host": parts.netloc, "content-length": str(len(body)), "connection": "close", **headers}
    request = h11.Request(method="POST", target=target, headers=list(head.items()))
    raw = [http.send(each) for each in (request, h11.Data(data=body), h11.EndOfMessage())]
    writer.write(b"".join(each for each in raw if each))
    await writer.drain()
    while True:
        event = http.next_event()
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(_MOST_HEAD))
        elif isinstance(event, h11.Response):
            found = {name.decode(): value.decode("latin-1") for name, value in event.headers}
            wait = found.get("retry-after", "")
            return Answer(event.status_code, float(wait) if wait.isascii() and wait.isdecimal() else None)
        elif not isinstance(event, h11.InformationalResponse):
            raise h11.RemoteProtocolError("the connection was closed")


async def _resolved(host: str, port: int, allows_private: bool) -> str:
    """Return an address of a host that notices may go to. Raises NotSentError if it has none."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_LOOKING_UP, look_up)
    addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    for address in addresses:
        if allows_private or is_public(address):
            return str(address)
    raise NotSentError("the address is private")
