"""A real mail server on loopback, which keeps what it is given."""

from __future__ import annotations

import queue
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from server.support.nginx import free_port

USER, PASSWORD = "quadriga", "p@ss:w/rd%"


class Mailbox:
    """The messages that the mail server was given."""

    def __init__(self) -> None:
        self.url = ""
        self._received: queue.Queue[tuple[str, EmailMessage]] = queue.Queue()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=policy.default)
        for to in envelope.rcpt_tos:
            self._received.put((to, message))
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if address.startswith("refused@"):
            return "550 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def next(self) -> tuple[str, EmailMessage]:
        """Return the next message and its receiver; wait for it."""
        return self._received.get(timeout=60)

    @property
    def is_empty(self) -> bool:
        return self._received.empty()


def _known(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
    is_known = isinstance(given, LoginPassword) and given == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_known, handled=is_known)


@contextmanager
def mailbox(tls: str = "none", folder: Path | None = None) -> Iterator[Mailbox]:
    """Run a mail server; with `starttls` or `start` it wants TLS and a password. `folder` gets its authority."""
    box = Mailbox()
    settings: dict[str, Any] = {}
    if tls != "none":
        assert folder is not None
        authority = trustme.CA()
        authority.cert_pem.write_to_path(folder / "authority.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(context)
        settings = {"authenticator": _known}
        settings |= (
            {"tls_context": context, "require_starttls": True, "auth_required": True} if tls == "starttls" else {}
        )
        settings |= {"ssl_context": context, "auth_require_tls": False} if tls == "start" else {}
    controller = Controller(box, hostname="localhost", port=free_port(), **settings)
    controller.start()
    try:
        box.url = f"smtp://localhost:{controller.port}?from=games@example.org&tls=none"
        if tls != "none":
            scheme = "smtps" if tls == "start" else "smtp"
            box.url = f"{scheme}://quadriga:p%40ss%3Aw%2Frd%25@localhost:{controller.port}?from=Quadriga%20<games@example.org>"
        yield box
    finally:
        controller.stop()
