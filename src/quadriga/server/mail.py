"""E-mail, where the host has set a mail server: one short text to one address."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from quadriga.engine.errors import FileError
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import PACKAGE, RoomError
from quadriga.server.settings import Settings

_TIMEOUT_S = 20.0  # for each answer of the mail server
_PORTS = {"smtp": 587, "smtps": 465}
# ASCII, one @, and none of the signs by which a header holds several addresses, such as commas and brackets.
_ADDRESS = re.compile(r"[0-9A-Za-z!#$%&'*+/=?^_`{|}~.-]+@[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*")
_MOST_CHARACTERS = 254
_SENDING = ThreadPoolExecutor(8, "mail")  # a mail server that hangs keeps a thread from everything else


class MailServer(NamedTuple):
    """A mail server, and the address from which it sends."""

    host: str
    port: int
    user: str
    password: str
    tls: str  # from the "start", after "starttls", or "none"
    sender: str


def mail_server(text: str) -> MailServer:
    """Return the mail server of `smtps://USER:PASSWORD@HOST:PORT?from=ADDRESS`. Raises FileError for anything else.

    `smtps` has TLS from the start and `smtp` by STARTTLS; `tls=none` is for a mail server on this machine.
    """
    try:
        parts = urlsplit(text)
        given = parse_qs(parts.query, strict_parsing=True)
        (sender,) = given.pop("from")
        (tls,) = given.pop("tls", ["start" if parts.scheme == "smtps" else "starttls"])
        port = parts.port or _PORTS[parts.scheme]
        allowed = {"smtps": ("start",), "smtp": ("starttls", "none")}[parts.scheme]
        if given or not parts.hostname or tls not in allowed or not is_address(parseaddr(sender)[1]):
            raise ValueError
    except (ValueError, KeyError):
        shown = text.rpartition("@")[2] if "://" in text else text  # without the password
        raise FileError("mail.server", package=PACKAGE, text=shown) from None
    return MailServer(
        parts.hostname, port, unquote(parts.username or ""), unquote(parts.password or ""), tls, sender
    )


def check(settings: Settings) -> None:
    """Raise FileError if the mail server in the settings is not one."""
    if settings.mail:
        mail_server(settings.mail)


def is_address(text: str) -> bool:
    """Return whether a text has the form of an e-mail address."""
    return len(text) <= _MOST_CHARACTERS and _ADDRESS.fullmatch(text) is not None


class UnsureMailError(RoomError):
    """The mail server has hung up before it has answered: it may have taken the message."""


async def send(
    settings: Settings, to: str, subject: str, text: str, headers: Mapping[str, str] | None = None
) -> None:
    """Send a text to an address. Raises RoomError if there is no mail server, or if it takes no such message."""
    if not settings.mail:
        raise RoomError("mail.none", 503)
    if not is_address(to):
        raise RoomError("mail.address", 422)
    server = mail_server(settings.mail)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = server.sender, to, subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=parseaddr(server.sender)[1].rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"  # nobody's holiday notice answers
    for name, value in (headers or {}).items():
        message[name] = value
    message.set_content(text)
    try:
        await asyncio.get_running_loop().run_in_executor(_SENDING, _deliver, server, message)
    except (OSError, smtplib.SMTPException) as fault:
        LOGGER.error(
            "The mail server %s:%d did not take a message: %s", server.host, server.port, type(fault).__name__
        )
        if isinstance(fault, _UnansweredError):
            raise UnsureMailError("mail.failed", 503) from None
        raise RoomError("mail.failed", 503) from None


class _UnansweredError(OSError):
    """The connection broke after the message was sent, or parts of it."""


def _deliver(server: MailServer, message: EmailMessage) -> None:
    context = ssl.create_default_context()
    if server.tls == "start":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=_TIMEOUT_S, context=context)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=_TIMEOUT_S)
    with connection:
        if server.tls == "starttls":
            connection.starttls(context=context)
        if server.user:
            connection.login(server.user, server.password)
        try:
            connection.send_message(message)
        except (OSError, smtplib.SMTPServerDisconnected) as fault:
            if isinstance(fault, smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused):
                raise  # an answer
            raise _UnansweredError(str(fault)) from None
