"""Votes: what one person alone may not do to the others."""

from __future__ import annotations

from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.parts import OpenVote
from quadriga.server.rooms.event_log import Ballot, RoomState
from quadriga.server.rooms.viewers import Presence
from quadriga.server.seats.ballots import WHEN, Question


class Votes:
    """Counts votes: the log knows who agrees; who is long gone does not count."""

    def __init__(self, state: RoomState, presence: Presence) -> None:
        self.state = state
        self.presence = presence

    def ballot(self, kind: str, seat: int | None, seats: list[int], on: bool) -> Ballot:
        """Return the ballot of somebody's seats; raise `TableError` where they have no vote in this."""
        if self.state.status not in WHEN[kind]:
            raise RoomError("vote.now", kind=kind)
        if (kind == "remove") != (seat is not None):
            raise RoomError("vote.seat", 400)
        if seat is not None and (seat >= self.state.seat_count or self.state.seats[seat].kind != "person"):
            raise RoomError("vote.nobody", seat=seat)
        voters = [each for each in seats if each in self._voters(seat)]
        if not voters:
            raise RoomError("vote.not-yours", 403)
        if on and self._is_duel(seat):
            raise RoomError("vote.alone", seconds=round(self.presence.long_gone))
        return Ballot(kind, seat, voters, on)

    def changes(self, ballot: Ballot) -> bool:
        """Whether that is anything new."""
        return any(
            (each in self.state.open_votes.ayes(ballot.kind, ballot.seat)) != ballot.on for each in ballot.by
        )

    def decided(self) -> Question | None:
        """Return a question that enough people agree to."""
        for kind, seat in self.state.open_votes:
            if len(self._agreeing(kind, seat)) >= self._need(kind, seat) and not self._is_duel(seat):
                return kind, seat
        return None

    def _voters(self, seat: int | None) -> list[int]:
        """Every seated person who is not long gone, connected or not; a removal is not asked of its target."""
        seats = self.state.seats
        about = None if seat is None else seats[seat].holder
        return [
            number
            for number, each in enumerate(seats)
            if each.kind == "person" and each.holder != about and self.presence.counts(each.holder)
        ]

    def _agreeing(self, kind: str, seat: int | None) -> list[int]:
        ayes = self.state.open_votes.ayes(kind, seat)
        return [each for each in self._voters(seat) if each in ayes]

    def _need(self, kind: str, seat: int | None) -> int:
        """How many it takes: of a removal more than half of the others, else everybody."""
        voters = len(self._voters(seat))
        return max(1, voters // 2 + 1 if kind == "remove" else voters)

    def _is_duel(self, seat: int | None) -> bool:
        """Whether one holder alone would remove another who is not long gone."""
        if seat is None or not self.presence.counts(self.state.seats[seat].holder):
            return False
        return len({self.state.seats[each].holder for each in self._voters(seat)}) < 2

    def shown(self) -> list[OpenVote]:
        """Return the open votes, as everybody may see them."""
        return [
            OpenVote(
                kind=kind,
                seat=seat,
                by=self._agreeing(kind, seat),
                of=self._voters(seat),
                need=self._need(kind, seat),
            )
            for kind, seat in self.state.open_votes
        ]
