"""The rules of a house: who may play, and what may be written. The host changes them; the store keeps them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from msgspec import Meta

from quadriga.engine.errors import OptionError
from quadriga.server.storage.people_schema import SITE

Access = Literal["open", "members", "invitation"]
ACCESS: tuple[Access, ...] = ("open", "members", "invitation")
FilterWord = Annotated[str, Meta(min_length=2, max_length=40)]
_NAME = "house-rules"


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a house, as the host has set them."""

    access: Access = "open"
    inviters: Literal["members", "moderators"] = "members"  # who may invite new members
    words: Annotated[tuple[FilterWord, ...], Meta(max_length=500)] = ()  # that no chat and no name may have
    links: Literal["all", "known", "nobody"] = "known"  # who may write links in chats
    new_hours: Annotated[int, Meta(ge=0, le=720)] = 24  # in which a guest counts as new


_DECODER = msgspec.json.Decoder(Rules)


def check_access(text: str) -> None:
    """Raise OptionError unless a text says who may play, or is empty."""
    if text and text not in ACCESS:
        raise OptionError("option.value", name="--access", value=text, allowed=", ".join(ACCESS))


def stored(value: bytes | None) -> Rules:
    """Return the rules that a store keeps; those of a new house if it has none, or none that can be read."""
    try:
        return Rules() if value is None else _DECODER.decode(value)
    except msgspec.DecodeError:
        return Rules()


def selected() -> sa.Select[Any]:
    """Return the select of the stored rules."""
    return sa.select(SITE.c.value).where(SITE.c.name == _NAME)


def put(connection: sa.Connection, rules: Rules) -> None:
    """Store the rules."""
    connection.execute(sa.delete(SITE).where(SITE.c.name == _NAME))
    connection.execute(SITE.insert().values(name=_NAME, value=msgspec.json.encode(rules)))
