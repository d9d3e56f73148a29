"""Game events: one thing that has happened in a game, and what each viewpoint is shown of it."""

from __future__ import annotations

from quadriga.engine.match.entry import Entry
from quadriga.engine.match.match import Match
from quadriga.engine.parts.bots import Said
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import Note

# What a viewpoint is shown of an event: nothing, all of it, that it happened but not what, or only that the
# viewpoint is asked now.
HIDDEN, OPENLY, VEILED, ASKED = range(4)


class GameEvent:
    """Something that has happened, and the number under which each viewpoint is told of it.

    Viewpoints are counted from 0: the spectators first, then the seats.
    """

    __slots__ = (
        "_after",
        "_before",
        "_match",
        "_notes",
        "_said",
        "by",
        "entry",
        "kind",
        "numbers",
        "open",
        "ref",
        "shown",
    )

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
        self._before = self._after = b""
        self._notes: list[Note] | None = None
        self._said: Said | None = None

    def explain_later(self, match: Match, before: bytes, after: bytes) -> None:
        """Remember the positions before and after the event: `notes` are made when they are first read."""
        self._match, self._before, self._after = match, before, after

    def explain(self, notes: list[Note]) -> None:
        """Set the effects, which are known already."""
        self._notes = notes

    def say(self, said: Said | None) -> None:
        """Set what the bot that acted says about it."""
        self._said = said

    def notes_for(self, seat: int) -> list[Note]:
        """Return the effects of the event, and what the bot that acted says to a seat."""
        if self._said is None or seat not in self._said.seats:
            return self.notes
        return [*self.notes, *texts.notes([self._said.note])]

    @property
    def notes(self) -> list[Note]:
        """The effects of the event, as everybody may know them. All viewpoints share the list."""
        if self._notes is None:
            if self._match is None or self.entry is None:
                return []
            game, t, actions = self._match.game, self._match.t, self.entry.actions
            before, after = game.rules.state.scratch(self._before, 1), game.rules.state.scratch(self._after, 2)
            explain_after = game.display.explain_after
            found = (
                game.display.explain(t, before, actions)
                if explain_after is None
                else explain_after(t, before, after, actions)
            )
            self._notes = texts.notes(found)
            self._match, self._before, self._after = None, b"", b""
        return self._notes
