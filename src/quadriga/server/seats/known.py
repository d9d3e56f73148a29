"""What the server knows of whoever looks at a room."""

from __future__ import annotations

from typing import Protocol


class Known(Protocol):
    """Somebody with a device here: a guest or a member."""

    @property
    def id(self) -> str:
        """A random id."""
        ...

    @property
    def created(self) -> int:
        """Since when they are known, in milliseconds since 1970."""
        ...

    @property
    def is_member(self) -> bool:
        """True if they have a name of their own here."""
        ...
