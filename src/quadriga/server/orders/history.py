"""The standing orders of a finished game: at which steps of its replay each was given and has ended."""

from __future__ import annotations

from collections.abc import Iterable

from quadriga.engine.match.match import Match
from quadriga.engine.parts.orders import Given
from quadriga.server.orders.contents import words
from quadriga.server.protocol.replay_answers import PastOrder
from quadriga.server.state.events import LoggedMove, Moves, OrderEnded, OrderGiven, RoomEvent, Sit, Undo


class _Steps:
    """The steps of the replay up to an event of the log: passes without a choice are none."""

    def __init__(self) -> None:
        self._moves: list[tuple[LoggedMove, int]] = []  # each with its step
        self._batch = 0  # moves before the last batch

    @property
    def last(self) -> int:
        """The number of the last step."""
        return self._moves[-1][1] if self._moves else 0

    def add(self, moves: Iterable[LoggedMove]) -> None:
        """Add a batch of moves."""
        self._batch = len(self._moves)
        for move in moves:
            self._moves.append((move, self.last + (not move.is_forced)))

    def undo(self) -> None:
        """Take the last move back."""
        self._moves.pop()
        self._batch = len(self._moves)

    def of_move(self, seat: int) -> int:
        """Return the step of a seat's last move in the last batch; that of the batch's end if there is none."""
        batch = reversed(self._moves[self._batch :])
        made = (step for move, step in batch if move.seat == seat and move.by != "dice")
        return next(made, self.last)


def history(match: Match, log: Iterable[RoomEvent]) -> list[PastOrder]:
    """Return all orders that a log has, in the order in which they were given."""
    steps, found, standing = _Steps(), list[PastOrder](), dict[int, PastOrder]()
    for event in log:
        match event:
            case Moves():
                steps.add(event.done)
            case Undo():
                steps.undo()
                for each in found:  # there are no later steps any more
                    each.given = min(each.given, steps.last)
                    each.ended = None if each.ended is None else min(each.ended, steps.last)
            case OrderGiven():
                named = words(match, event.seat, Given(event.order, event.moment))
                standing[event.number] = PastOrder(event.seat, named, steps.last)
                found.append(standing[event.number])
            case OrderEnded() if event.number in standing:
                order = standing.pop(event.number)
                order.ended = steps.of_move(event.seat) if event.how == "done" else steps.last
                order.how = event.how
            case Sit():
                for number in [number for number, each in standing.items() if each.seat == event.seat]:
                    order = standing.pop(number)
                    order.ended, order.how = steps.last, "left"
    return found
