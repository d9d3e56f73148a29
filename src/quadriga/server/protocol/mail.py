"""Requests and answers about codes by e-mail."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from quadriga.server.protocol.people import Code, Label

Address = Annotated[str, Meta(min_length=3, max_length=254)]


class MailAddress(Struct, forbid_unknown_fields=True):
    """An e-mail address to which a code is sent."""

    address: Address
    language: Literal["en", "fr"] = "en"
    """The language of the message."""


class MailProof(Struct, forbid_unknown_fields=True):
    """The code that was sent to an e-mail address."""

    address: Address
    code: Code
    label: Label = ""
    """The name of the device."""
    merge: bool = False
    """True: if this device belongs to another member, make one account of both."""


class MailSent(Struct):
    """A code is on its way, if the address is known here. The answer is the same if it is not."""

    expires: int


MAIL_BODIES = (MailAddress, MailProof)
MAIL_ANSWERS = (MailSent,)
