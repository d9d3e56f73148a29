"""The steps to a public server: which are done, and what to do next for each of the others."""

from __future__ import annotations

import asyncio
import ipaddress
import shlex
import socket
import ssl
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from quadriga.server import lan
from quadriga.server.mail import mail_server
from quadriga.server.moderation import rules
from quadriga.server.moderation.house import as_date
from quadriga.server.moderation.pages import PAGES, HousePages
from quadriga.server.settings import Settings, default_store
from quadriga.server.storage import backup_times
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import now

_TIMEOUT_S = 4.0  # for another machine to answer
_DAY_MS = 86_400_000
_BACKUP_DAYS, _RESTORE_DAYS = 2, 14
_CERTIFICATE_DAYS = 14  # before its end, by which it should have been renewed


class Step(NamedTuple):
    """A step: the keys of its texts are `public.KEY`, and of what to do next `public.KEY-next`."""

    key: str
    is_done: bool
    values: Mapping[str, Any] = MappingProxyType({})


async def steps(settings: Settings, name: str, host_code: str | None) -> list[Step]:
    """Look at everything that a public server needs."""
    store = await open_store(settings.store)
    try:
        backups = await backup_times.read(store)
        chosen = await store.read(rules.selected())
    finally:
        await store.close()
    stored = rules.stored(bytes(chosen[0][0])) if chosen else None
    domain, proxy, mail = await asyncio.gather(
        asyncio.to_thread(lambda: domain_step(name, addresses_of(name))),
        asyncio.to_thread(certificate_step, name),
        asyncio.to_thread(mail_step, settings.mail),
    )
    return [
        domain,
        proxy,
        mail,
        *backup_steps(backups, _option(settings.store)),
        pages_step(HousePages(settings.pages).names()),
        access_step(settings.access or (stored.access if stored else "")),
        Step("host", True) if host_code is None else Step("no-host", False, {"code": host_code}),
    ]


def addresses_of(name: str) -> list[str]:
    """Return the addresses that a name leads to; none if it is unknown."""
    try:
        found = socket.getaddrinfo(name, 443, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return sorted({str(each[4][0]) for each in found})


def is_own(address: str) -> bool:
    """Return whether an address is one of this machine."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with closing(socket.socket(family, socket.SOCK_STREAM)) as probe:
            probe.bind((address, 0))
            return True
    except OSError:
        return False


def domain_step(
    name: str,
    found: list[str],
    is_own: Callable[[str], bool] = is_own,
    own: Callable[[], list[str]] = lan.own_addresses,
) -> Step:
    """Say whether a name, which leads to some addresses, leads to this machine."""
    shown = {"name": name, "addresses": ", ".join(found), "own": ", ".join(own()) or "?"}
    if not found:
        return Step("name-unknown", False, shown)
    if not any(_is_public(each) for each in found):
        return Step("name-private", False, shown)
    if any(is_own(each) for each in found):
        return Step("name", True, shown)
    if any(_is_public(each) for each in own()):
        return Step("name-elsewhere", False, shown)
    return Step("name-router", False, shown)


def _is_public(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_global


def certificate_step(name: str, at: tuple[str, int] | None = None, trust: ssl.SSLContext | None = None) -> Step:
    """Say whether something answers at the name by HTTPS, and how long its certificate is valid."""
    try:
        with (
            socket.create_connection(at or (name, 443), _TIMEOUT_S) as line,
            (trust or ssl.create_default_context()).wrap_socket(line, server_hostname=name) as secure,
        ):
            certificate = secure.getpeercert() or {}
    except ssl.SSLCertVerificationError as fault:
        return Step("certificate-bad", False, {"name": name, "reason": fault.verify_message})
    except OSError as fault:
        return Step("proxy-silent", False, {"name": name, "reason": fault.strerror or str(fault)})
    end = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
    shown = {"name": name, "date": f"{datetime.fromtimestamp(end, UTC):%Y-%m-%d}"}
    is_late = end * 1000 < now() + _CERTIFICATE_DAYS * _DAY_MS
    return Step("certificate-late", False, shown) if is_late else Step("certificate", True, shown)


def mail_step(url: str) -> Step:
    """Say whether there is a mail server, and whether it answers."""
    if not url:
        return Step("no-mail", False)
    server = mail_server(url)
    shown = {"host": server.host, "port": server.port}
    try:
        socket.create_connection((server.host, server.port), _TIMEOUT_S).close()
    except OSError as fault:
        return Step("mail-silent", False, {**shown, "reason": fault.strerror or str(fault)})
    return Step("mail", True, shown)


def _option(store: Path | str) -> str:
    """Return the option of `quadriga backup` for a store in a file; an address may hold a password."""
    return "" if isinstance(store, str) or store == default_store() else f" --store {shlex.quote(str(store))}"


def backup_steps(times: Mapping[str, int], option: str = "") -> list[Step]:
    """Say when the last backup was made, and when one was last restored to try it."""
    found = []
    for key, kind, days in (
        ("backup", backup_times.MADE, _BACKUP_DAYS),
        ("restore", backup_times.RESTORED, _RESTORE_DAYS),
    ):
        at = times[kind]
        if not at:
            found.append(Step(f"no-{key}", False, {"option": option}))
        else:
            is_new = at > now() - days * _DAY_MS
            found.append(Step(key if is_new else f"{key}-old", is_new, {"date": as_date(at), "option": option}))
    return found


def pages_step(names: Iterable[str]) -> Step:
    """Say which of the host's pages there are."""
    missing = [each for each in PAGES if each not in set(names)]
    return (
        Step("no-pages", False, {"missing": ", ".join(f"{each}.md" for each in missing)})
        if missing
        else Step("pages", True)
    )


def access_step(access: str) -> Step:
    """Say who may play, and whether somebody has chosen that."""
    return Step(f"access-{access}", True) if access else Step("no-access", False)
