"""A person, and the device or bot with which they ask for something."""

from __future__ import annotations

from typing import NamedTuple

from quadriga.server.people.codes import BOT
from quadriga.server.protocol.errors import RoomError

GUEST, MEMBER, MODERATOR, HOST = "guest", "member", "moderator", "host"


class Person(NamedTuple):
    """A row of `people`, without the proofs."""

    id: str
    created: int
    role: str
    name: str | None
    public: bool
    has_recovery: bool

    @property
    def is_member(self) -> bool:
        """True if the person has a name of their own here."""
        return self.role != GUEST


class Session(NamedTuple):
    """A device of a person, or one of their bots."""

    id: str
    kind: str
    label: str
    created: int
    seen: int


class Visitor(NamedTuple):
    """A known person, and the device or bot that they use."""

    person: Person
    session: Session
    new_secret: str | None = None  # of the device, where the old one was due to be replaced

    def check_owner(self) -> None:
        """Raise RoomError for a bot: its key plays, and does not change the account."""
        if self.session.kind == BOT:
            raise RoomError("person.bot", 403)

    def check_member(self) -> None:
        """Raise RoomError unless a member asks, and not a bot."""
        self.check_owner()
        if not self.person.is_member:
            raise RoomError("person.guest", 403)
