"""Votes: what one person alone may not do to the others."""

from __future__ import annotations

from typing import Any

from quadriga.table.ledger import Ballot, Ledger
from quadriga.table.refusals import TableError
from quadriga.table.viewers import Attendance
from quadriga.table.votes import WHEN


class Polls:
    """Counts votes: the log knows who is for what; who is here decides how many it takes."""

    def __init__(self, ledger: Ledger, attendance: Attendance) -> None:
        self.ledger = ledger
        self.attendance = attendance

    def people(self) -> list[int]:
        """The seats of people who are here."""
        chairs = self.ledger.chairs
        return [n for n, each in enumerate(chairs) if each.kind == "person" and self.attendance.here(each.holder)]

    def ballot(self, kind: str, seat: int | None, seats: list[int], on: bool) -> Ballot:
        """What somebody says, if he may."""
        if self.ledger.status not in WHEN[kind]:
            raise TableError("vote.now", kind=kind)
        if (kind == "remove") != (seat is not None):
            raise TableError("vote.seat", 400)
        if seat is not None and (seat >= self.ledger.seats or self.ledger.chairs[seat].kind != "person"):
            raise TableError("vote.nobody", seat=seat)
        voters = [each for each in seats if each in self._voters(kind, seat)]
        if not voters:
            raise TableError("vote.not-yours", 403)
        return Ballot(kind, seat, voters, on)

    def changes(self, ballot: Ballot) -> bool:
        """Whether that is anything new."""
        return any((each in self.ledger.votes.ayes(ballot.kind, ballot.seat)) != ballot.on for each in ballot.by)

    def decides(self, ballot: Ballot) -> bool:
        """Whether that is enough."""
        ayes = self.ledger.votes.ayes(ballot.kind, ballot.seat)
        ayes = ayes.union(ballot.by) if ballot.on else ayes.difference(ballot.by)
        counted = [each for each in self._voters(ballot.kind, ballot.seat) if each in ayes]
        return len(counted) >= self.need(ballot.kind, ballot.seat)

    def _voters(self, kind: str, seat: int | None) -> list[int]:
        people = self.people()
        if seat is None:
            return people
        holder = self.ledger.chairs[seat].holder
        return [each for each in people if self.ledger.chairs[each].holder != holder]

    def need(self, kind: str, seat: int | None) -> int:
        """How many it takes: more than half of the others, or everybody."""
        voters = len(self._voters(kind, seat))
        return max(1, voters // 2 + 1 if kind == "remove" else voters)

    def shown(self) -> list[dict[str, Any]]:
        """The votes, for all to see."""
        return [self._shown(kind, seat) for kind, seat in self.ledger.votes]

    def _shown(self, kind: str, seat: int | None) -> dict[str, Any]:
        ayes = self.ledger.votes.ayes(kind, seat)
        by = [each for each in self._voters(kind, seat) if each in ayes]
        return {"kind": kind, "seat": seat, "by": by, "need": self.need(kind, seat)}
