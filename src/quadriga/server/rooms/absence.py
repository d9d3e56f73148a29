"""Absent people: after a grace period a bot takes over their seat, and later their vote does not count."""

from __future__ import annotations

from quadriga.server.seats.presence import Presence
from quadriga.server.seats.votes import RUNNING, VoteCount
from quadriga.server.state.events import BotControl
from quadriga.server.state.room_state import RoomState

_MARGIN_S = 0.01  # so that a timer does not fire just before the moment it waits for


class Absence:
    """Computes which seats bots take over from absent people, and when. Times are in seconds from now."""

    def __init__(self, presence: Presence, grace_s: float) -> None:
        self._presence, self._grace_s = presence, grace_s

    def _away(self, state: RoomState) -> dict[int, float]:
        """Return by seat how many seconds each absent person has been away, without those for whom a bot plays."""
        return {
            seat: away
            for seat, info in enumerate(state.seats)
            if info.kind == "person" and not info.bot_controlled
            if (away := self._presence.away(info.holder)) is not None
        }

    def next_takeover_s(self, state: RoomState) -> float | None:
        """Return in how many seconds the next grace period ends in a game; None if nobody is away."""
        waits = [max(0.0, self._grace_s - away) for away in self._away(state).values()]
        return min(waits) + _MARGIN_S if waits and _is_live(state) else None

    def takeovers(self, state: RoomState) -> list[BotControl]:
        """Return the events by which bots take over the seats whose grace period is over."""
        if not _is_live(state):
            return []
        return [
            BotControl(seat, True, absent=True) for seat, away in self._away(state).items() if away >= self._grace_s
        ]

    def returns(self, state: RoomState) -> list[BotControl]:
        """Return the events by which people get their seats back.

        Another process gave these seats to bots, because it did not know that their people are here.
        """
        if state.over:
            return []
        here = {viewer.holder for viewer in self._presence.viewers}
        seats = enumerate(state.seats)
        return [
            BotControl(seat, False)
            for seat, info in seats
            if info.bot_controlled and info.is_absent and info.holder in here
        ]

    def next_recount_s(self, state: RoomState, votes: VoteCount) -> float | None:
        """Return in how many seconds to count the open votes again, because a person becomes long gone; or None."""
        presence = self._presence
        holders = {info.holder for info in state.seats if info.kind == "person"} | {state.setup.host}
        away = [seconds for each in holders if (seconds := presence.away(each)) is not None]
        waits = [presence.long_gone - seconds for seconds in away if seconds < presence.long_gone]
        if votes.decided() is not None:  # decided by an absence while nobody was here
            waits.append(0.0)
        return min(waits) + _MARGIN_S if waits and state.status in RUNNING else None


def _is_live(state: RoomState) -> bool:
    """Return whether a game waits only for a moment for absent people; by days they have until their deadline."""
    return state.status == "playing" and state.days is None
