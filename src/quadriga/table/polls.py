"""Votes: what one person alone may not do to the others."""

from __future__ import annotations

from typing import Any

from quadriga.table.ledger import Ledger
from quadriga.table.refusals import TableError
from quadriga.table.viewers import Attendance

KINDS = {
    "remove": ("playing", "paused"),
    "pause": ("playing",),
    "resume": ("paused",),
    "end": ("playing", "paused"),
}
Question = tuple[str, int | None]


class Polls:
    """The votes that are open; they are forgotten when the server is restarted, what they decided is not."""

    def __init__(self, ledger: Ledger, attendance: Attendance) -> None:
        self.ledger = ledger
        self.attendance = attendance
        self._by: dict[Question, set[int]] = {}

    def people(self) -> list[int]:
        """The seats of people who are here."""
        chairs = self.ledger.chairs
        return [n for n, each in enumerate(chairs) if each.kind == "person" and self.attendance.here(each.holder)]

    def cast(self, kind: str, seat: int | None, seats: list[int], on: bool) -> bool:
        """Count a vote; True where that decides the matter."""
        if self.ledger.status not in KINDS[kind]:
            raise TableError("vote.now", kind=kind)
        if (kind == "remove") != (seat is not None):
            raise TableError("vote.seat", 400)
        if seat is not None and (seat >= self.ledger.seats or self.ledger.chairs[seat].kind != "person"):
            raise TableError("vote.nobody", seat=seat)
        voters = [each for each in seats if each in self._voters(kind, seat)]
        if not voters:
            raise TableError("vote.not-yours", 403)
        ayes = self._by.setdefault((kind, seat), set())
        ayes.update(voters) if on else ayes.difference_update(voters)
        decided = len(self._counted(kind, seat)) >= self.need(kind, seat)
        if decided or not ayes:
            del self._by[kind, seat]
        return decided

    def _voters(self, kind: str, seat: int | None) -> list[int]:
        people = self.people()
        if seat is None:
            return people
        holder = self.ledger.chairs[seat].holder
        return [each for each in people if self.ledger.chairs[each].holder != holder]

    def _counted(self, kind: str, seat: int | None) -> list[int]:
        ayes = self._by.get((kind, seat), set())
        return [each for each in self._voters(kind, seat) if each in ayes]

    def need(self, kind: str, seat: int | None) -> int:
        """How many it takes: more than half of the others, or everybody."""
        voters = len(self._voters(kind, seat))
        return max(1, voters // 2 + 1 if kind == "remove" else voters)

    def forget(self) -> None:
        """Drop what makes no sense any more."""
        for kind, seat in list(self._by):
            gone = seat is not None and self.ledger.chairs[seat].kind != "person"
            if gone or self.ledger.status not in KINDS[kind]:
                del self._by[kind, seat]

    def shown(self) -> list[dict[str, Any]]:
        """The votes, for all to see."""
        return [
            {"kind": kind, "seat": seat, "by": sorted(self._counted(kind, seat)), "need": self.need(kind, seat)}
            for kind, seat in self._by
        ]
