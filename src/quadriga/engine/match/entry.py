"""The entries of a match: its decisions and outcomes of chance, in the game's notation."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

Action = str
"""An action or outcome in the game's notation, such as `3-5` or `play Add 1`: a small hashable value."""

FAMILY = " *"
"""The end of a text that stands for a whole family of compound actions: `offer *`."""


class Entry(msgspec.Struct, frozen=True):
    """One recorded step of a game: an outcome of chance, or a decision with all actions that were legal."""

    seat: int | None
    text: str
    legal: tuple[str, ...] | None
    actions: tuple[int, ...]  # one, or the pieces of a compound action
    section: dict[str, object] | None

    @property
    def chance(self) -> bool:
        """Return whether this is an outcome of chance."""
        return self.legal is None


def last_to_act(entries: Sequence[Entry]) -> int | None:
    """Return the seat since whose entry everybody has passed; None if there is none."""
    return next((entry.seat for entry in reversed(entries) if entry.text != "pass"), None)
