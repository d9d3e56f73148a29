"""Votes: the seats that agree to each open question, and how many of them it takes.

`OpenVotes` is part of the state of a room. `VoteCount` counts the votes of those who are not long gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.parts import OpenVote
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.seat import SeatInfo

RUNNING = ("playing", "paused")
ALLOWED_STATUSES = {
    "remove": RUNNING,
    "pause": ("playing",),
    "resume": ("paused",),
    "end": RUNNING,
    "coach": RUNNING,
    "days": RUNNING,
    "live": RUNNING,
}
Question = tuple[str, int | None]  # a kind, and the target of a removal


class OpenVotes:
    """The seats that agree to each open question."""

    def __init__(self) -> None:
        self._seats: dict[Question, set[int]] = {}

    def __iter__(self) -> Iterator[Question]:
        return iter(self._seats)

    def agreeing(self, question: Question) -> frozenset[int]:
        """Return the seats that agree."""
        return frozenset(self._seats.get(question, ()))

    def count(self, question: Question, seats: Iterable[int], agree: bool) -> None:
        """Add votes or take them back; a question without votes is closed."""
        agreeing = self._seats.setdefault(question, set())
        agreeing.update(seats) if agree else agreeing.difference_update(seats)
        if not agreeing:
            del self._seats[question]

    def drop_seat(self, seat: int) -> None:
        """Void the votes of a seat and the votes about it, because its holder has changed."""
        for question in list(self._seats):
            if question[1] == seat:
                del self._seats[question]
            else:
                self.count(question, [seat], False)

    def close(self, kind: str) -> None:
        """Drop the questions of a kind: they are decided."""
        for question in [each for each in self._seats if each[0] == kind]:
            del self._seats[question]

    def drop_disallowed(self, status: str) -> None:
        """Drop the questions that cannot be asked in a status of the room."""
        for question in list(self._seats):
            if status not in ALLOWED_STATUSES[question[0]]:
                del self._seats[question]


class VoteCount:
    """Counts the open votes of a room.

    In a game by days everybody counts for whom no bot plays, here or away.
    """

    def __init__(
        self,
        seats: Sequence[SeatInfo],
        open_votes: OpenVotes,
        presence: Presence,
        is_by_days: Callable[[], bool] = lambda: False,
    ) -> None:
        self._seats = seats
        self._open = open_votes
        self._presence = presence
        self._is_by_days = is_by_days

    def _counts(self, info: SeatInfo) -> bool:
        """Return whether the person of a seat counts."""
        return not info.bot_controlled if self._is_by_days() else self._presence.counts(info.holder)

    def voters_among(self, question: Question, seats: Iterable[int], agree: bool, status: str) -> list[int]:
        """Return the given seats that may vote on a question; raise RoomError if none may."""
        kind, target = question
        if status not in ALLOWED_STATUSES[kind] or kind == ("days" if self._is_by_days() else "live"):
            raise RoomError("vote.now", kind=kind)
        if (kind == "remove") != (target is not None):
            raise RoomError("vote.seat", 400)
        if target is not None and (target >= len(self._seats) or self._seats[target].kind != "person"):
            raise RoomError("vote.nobody", seat=target)
        voters = [seat for seat in seats if seat in self._voters(target)]
        if not voters:
            raise RoomError("vote.not-yours", 403)
        if agree and self._is_duel(target):
            if self._is_by_days():
                raise RoomError("vote.alone-days")
            raise RoomError("vote.alone", seconds=round(self._presence.long_gone))
        return voters

    def changes(self, question: Question, voters: Iterable[int], agree: bool) -> bool:
        """Return whether these votes are new."""
        agreeing = self._open.agreeing(question)
        return any((voter in agreeing) != agree for voter in voters)

    def decided(self) -> Question | None:
        """Return a question that enough people agree to."""
        for kind, target in self._open:
            if kind == "live" and not self._are_all_here():
                continue
            if len(self._agreeing(kind, target)) >= self._need(kind, target) and not self._is_duel(target):
                return kind, target
        return None

    def _are_all_here(self) -> bool:
        """Return whether everybody who counts is connected: a live game would not wait for the others."""
        return all(self._presence.is_here(self._seats[voter].holder) for voter in self._voters(None))

    def _voters(self, target: int | None) -> list[int]:
        """Return the seats of all people who are not long gone, except those of the target of a removal."""
        excluded = None if target is None else self._seats[target].holder
        return [
            number
            for number, info in enumerate(self._seats)
            if info.kind == "person" and info.holder != excluded and self._counts(info)
        ]

    def _agreeing(self, kind: str, target: int | None) -> list[int]:
        agreeing = self._open.agreeing((kind, target))
        return [voter for voter in self._voters(target) if voter in agreeing]

    def _need(self, kind: str, target: int | None) -> int:
        """Return how many votes it takes: more than half of the others for a removal, otherwise all."""
        voters = len(self._voters(target))
        return max(1, voters // 2 + 1 if kind == "remove" else voters)

    def _is_duel(self, target: int | None) -> bool:
        """Return whether a removal would be decided by a single person, while the target is not long gone."""
        if target is None or not self._counts(self._seats[target]):
            return False
        return len({self._seats[voter].holder for voter in self._voters(target)}) < 2

    def summary(self) -> list[OpenVote]:
        """Return the open votes as everybody may see them."""
        return [
            OpenVote(
                kind=kind,
                seat=target,
                by=self._agreeing(kind, target),
                of=self._voters(target),
                need=self._need(kind, target),
            )
            for kind, target in self._open
        ]
