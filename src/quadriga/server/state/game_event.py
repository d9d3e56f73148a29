"""Game events: one thing that has happened in a game, and what each viewpoint is shown of it."""

from __future__ import annotations

from quadriga.engine.match.entry import Entry
from quadriga.engine.match.match import Match
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import Note

# What a viewpoint is shown of an event: nothing, all of it, that it happened but not what, or only that the
# viewpoint is asked now.
HIDDEN, OPENLY, VEILED, ASKED = range(4)


class GameEvent:
    """Something that has happened, and the number under which each viewpoint is told of it.

    Viewpoints are counted from 0: the spectators first, then the seats.
    """

    __slots__ = ("_before", "_match", "_notes", "by", "entry", "kind", "numbers", "open", "ref", "shown")

    def __init__(
        self, kind: str, entry: Entry | None, by: str, ref: str | None, shown: list[int], open: bool = False
    ) -> None:
        self.kind = kind  # play, chance, undo, asked
        self.entry = entry
        self.by = by
        self.ref = ref
        self.open = open  # whether every viewpoint is shown all of it
        self.shown = shown  # by viewpoint
        self.numbers: list[int] = []  # by viewpoint
        self._match: Match | None = None
        self._before = b""
        self._notes: list[Note] | None = None

    def explain_later(self, match: Match, before: bytes) -> None:
        """Remember the position before the event: `notes` are made when they are first read."""
        self._match, self._before = match, before

    def explain(self, notes: list[Note]) -> None:
        """Set the effects, which are known already."""
        self._notes = notes

    @property
    def notes(self) -> list[Note]:
        """The effects of the event, as everybody may know them. All viewpoints share the list."""
        if self._notes is None:
            if self._match is None or self.entry is None:
                return []
            game, t = self._match.game, self._match.t
            before = game.state(memoryview(bytearray(self._before)))
            self._notes = texts.notes(game.explain(t, before, self.entry.actions))
            self._match, self._before = None, b""
        return self._notes
