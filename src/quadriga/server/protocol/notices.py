"""Requests and answers about notices: where and when a person is told that a game waits."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from quadriga.server.protocol.fields import one_of
from quadriga.server.protocol.people import Label

Hour = Annotated[int, Meta(ge=0, le=23)]
Kind = Literal["turn", "over", "warning", "invitation", "night"]
Shape = Literal["discord", "slack", "matrix", "ntfy"]
Address = Annotated[str, Meta(min_length=1, max_length=1000)]


class NoticeChoices(Struct, forbid_unknown_fields=True):
    """The choices of a person: which notices, and when."""

    kinds: Annotated[list[Kind], Meta(max_length=5)]
    detail: bool = False
    """True: a notice names the game. False: it says only that a game waits."""
    digest: Hour | None = None
    """The hour of the day at which everything is told at once; null: each notice at its time."""
    quiet_from: Hour | None = None
    """The hour from which nothing is told; null: there are no quiet hours."""
    quiet_until: Hour | None = None
    """The hour from which people are told again."""
    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    """The time zone of these hours."""
    language: Literal["en", "fr"] = "en"


class NewPush(Struct, forbid_unknown_fields=True):
    """A browser that takes pushes, as its `PushSubscription` describes it."""

    endpoint: Address
    p256dh: Annotated[str, Meta(max_length=200)]
    """The public key of the browser, in base64url."""
    auth: Annotated[str, Meta(max_length=100)]
    """The secret of the browser, in base64url."""
    label: Label = ""


class NewWebhook(Struct, forbid_unknown_fields=True):
    """An address to which notices are posted."""

    address: Address
    shape: Shape
    """The form that the receiver understands; `ntfy` is plain text."""
    label: Label = ""


MailAddress = Annotated[str, Meta(min_length=3, max_length=254)]


class NewMail(Struct, forbid_unknown_fields=True):
    """An e-mail address to which a code is sent."""

    address: MailAddress
    language: Literal["en", "fr"] = "en"


class ConfirmedMail(Struct, forbid_unknown_fields=True):
    """The code that was sent to an e-mail address, which is told from now on."""

    address: MailAddress
    code: Annotated[str, Meta(min_length=1, max_length=20)]


NOTICE_BODIES = (ConfirmedMail, NewMail, NewPush, NewWebhook, NoticeChoices)


class NoticeChannel(Struct):
    """A place where a person is told."""

    id: str
    kind: Annotated[str, one_of("push", "webhook", "mail")]
    shape: str
    """Of what a webhook is sent."""
    label: str
    place: str
    """The server that gets the notices; the rest of the address is a secret."""
    created: int
    here: bool
    """True for pushes to the device that asks."""


class Notices(Struct):
    """Where and when a person is told."""

    choices: NoticeChoices
    channels: list[NoticeChannel]
    push_key: str
    """The public key of this server, which a browser that takes pushes asks for."""
    mail: bool
    """True if this server sends e-mail."""
    private: bool
    """True if notices may also go to the server's own network."""


class Tried(Struct):
    """The outcome of a notice that was sent to try a channel."""

    result: Annotated[str, one_of("sent", "again", "gone", "refused", "unsure")]


class Stopped(Struct):
    """A channel was removed by the link in its notices."""

    kind: Annotated[str, one_of("push", "webhook", "mail")]


NOTICE_ANSWERS = (Notices, Stopped, Tried)
