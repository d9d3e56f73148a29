"""Open votes, as the log adds them up: who is for what, until it is decided or makes no sense any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

RUNNING = ("playing", "paused")
WHEN = {
    "remove": RUNNING,
    "pause": ("playing",),
    "resume": ("paused",),
    "end": RUNNING,
}
Question = tuple[str, int | None]  # a kind, and whom a removal is about


class OpenVotes:
    """The seats that are for each open question."""

    def __init__(self) -> None:
        self._by: dict[Question, set[int]] = {}

    def __iter__(self) -> Iterator[Question]:
        return iter(self._by)

    def ayes(self, kind: str, seat: int | None) -> frozenset[int]:
        """Who is for it."""
        return frozenset(self._by.get((kind, seat), ()))

    def count(self, kind: str, seat: int | None, by: Iterable[int], on: bool) -> None:
        """Seats are for something, or no more; a question that nobody is for is none."""
        ayes = self._by.setdefault((kind, seat), set())
        ayes.update(by) if on else ayes.difference_update(by)
        if not ayes:
            del self._by[kind, seat]

    def vacated(self, seat: int) -> None:
        """Somebody else sits here now, or nobody: what was asked of him and what he has said is void."""
        for kind, about in list(self._by):
            if about == seat:
                del self._by[kind, about]
            else:
                self.count(kind, about, [seat], False)

    def standing(self, status: str) -> None:
        """Drop what cannot be asked while the table stands so."""
        for kind, about in list(self._by):
            if status not in WHEN[kind]:
                del self._by[kind, about]
