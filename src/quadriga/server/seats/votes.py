"""Votes: what one person alone may not do to the others."""

from __future__ import annotations

from typing import Any

from quadriga.server.protocol.errors import TableError
from quadriga.server.rooms.event_log import Ballot, Ledger
from quadriga.server.rooms.viewers import Attendance
from quadriga.server.seats.ballots import WHEN, Question


class Polls:
    """Counts votes: the log knows who agrees; who is long gone does not count."""

    def __init__(self, ledger: Ledger, attendance: Attendance) -> None:
        self.ledger = ledger
        self.attendance = attendance

    def ballot(self, kind: str, seat: int | None, seats: list[int], on: bool) -> Ballot:
        """Return the ballot of somebody's seats; raise `TableError` where they have no vote in this."""
        if self.ledger.status not in WHEN[kind]:
            raise TableError("vote.now", kind=kind)
        if (kind == "remove") != (seat is not None):
            raise TableError("vote.seat", 400)
        if seat is not None and (seat >= self.ledger.seats or self.ledger.chairs[seat].kind != "person"):
            raise TableError("vote.nobody", seat=seat)
        voters = [each for each in seats if each in self._voters(seat)]
        if not voters:
            raise TableError("vote.not-yours", 403)
        if on and self._is_duel(seat):
            raise TableError("vote.alone", seconds=round(self.attendance.long_gone))
        return Ballot(kind, seat, voters, on)

    def changes(self, ballot: Ballot) -> bool:
        """Whether that is anything new."""
        return any((each in self.ledger.votes.ayes(ballot.kind, ballot.seat)) != ballot.on for each in ballot.by)

    def decided(self) -> Question | None:
        """Return a question that enough people agree to."""
        for kind, seat in self.ledger.votes:
            if len(self._agreeing(kind, seat)) >= self._need(kind, seat) and not self._is_duel(seat):
                return kind, seat
        return None

    def _voters(self, seat: int | None) -> list[int]:
        """Every seated person who is not long gone, connected or not; a removal is not asked of its target."""
        chairs = self.ledger.chairs
        about = None if seat is None else chairs[seat].holder
        return [
            number
            for number, each in enumerate(chairs)
            if each.kind == "person" and each.holder != about and self.attendance.counts(each.holder)
        ]

    def _agreeing(self, kind: str, seat: int | None) -> list[int]:
        ayes = self.ledger.votes.ayes(kind, seat)
        return [each for each in self._voters(seat) if each in ayes]

    def _need(self, kind: str, seat: int | None) -> int:
        """How many it takes: of a removal more than half of the others, else everybody."""
        voters = len(self._voters(seat))
        return max(1, voters // 2 + 1 if kind == "remove" else voters)

    def _is_duel(self, seat: int | None) -> bool:
        """Whether one holder alone would remove another who is not long gone."""
        if seat is None or not self.attendance.counts(self.ledger.chairs[seat].holder):
            return False
        return len({self.ledger.chairs[each].holder for each in self._voters(seat)}) < 2

    def shown(self) -> list[dict[str, Any]]:
        """The votes, for all to see."""
        return [
            {
                "kind": kind,
                "seat": seat,
                "by": self._agreeing(kind, seat),
                "of": self._voters(seat),
                "need": self._need(kind, seat),
            }
            for kind, seat in self.ledger.votes
        ]
