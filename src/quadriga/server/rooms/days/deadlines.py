"""Deadlines: which ones follow from a change, what is stored of them, and what happens when they are due."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.game import NOBODY
from quadriga.server.bots import choice
from quadriga.server.orders import answers
from quadriga.server.protocol.parts import Days
from quadriga.server.state import deadlines
from quadriga.server.state.day_events import Deadline, SetDays, TimeLost, Vacation
from quadriga.server.state.events import BotControl, Moves, RoomEvent, Sit, Start, Status, Undo
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import StoredDeadline

_BOTS_MS = 10_000  # a game in which no bot or order has moved for this long is taken up again
WARNING, DUE, BOTS = "warning", "due", "bots"  # the kinds of `StoredDeadline`
AGREED = Days(3)  # the pace of a live game that people agree to play on by days


def following(state: RoomState, applied: Sequence[RoomEvent], now: int, day_ms: int) -> list[Deadline]:
    """Return the deadline that begins with events, which are applied already. Every move begins a new one."""
    seat, known = deadlines.seat_to_move(state), state.deadline
    if seat == NOBODY or state.days is None:
        return []
    if known is not None and known.seat == seat and not _begins(applied, seat):
        return []
    begins = max(now, state.seats[seat].vacation_until)
    return [Deadline(seat, begins + state.days.days * day_ms)]


def _begins(applied: Sequence[RoomEvent], seat: int) -> bool:
    """Return whether events begin a decision, or give its seat to a person."""
    return any(
        isinstance(event, Moves | Undo | Start | Status)
        or (isinstance(event, BotControl | Sit) and event.seat == seat)
        for event in applied
    )


def stored(state: RoomState, before: StoredDeadline | None, now: int, day_ms: int) -> StoredDeadline:
    """Return when a game has to be looked at next, as it is stored; `before` is what was stored last.

    If a standing order decides for the person who has to move, that is soon: the process that should carry it out
    may be killed.
    """
    deadline = deadlines.current(state)
    if deadline is not None and state.days is not None:
        holder, ends = state.seats[deadline.seat].holder, deadline.due
        due = ends if deadline.warned else ends - _rest_ms(state.days, day_ms)
        if answers.ordering(state) != NOBODY:
            due = min(due, now + bots_ms(day_ms))
        return StoredDeadline(state.id, due, DUE if deadline.warned else WARNING, ends, holder)
    if not deadlines.goes_on(state):
        return StoredDeadline(state.id)
    if before is not None and before.kind == BOTS and before.due > now + bots_ms(day_ms) // 2:
        return before
    return StoredDeadline(state.id, now + bots_ms(day_ms), BOTS)


def bots_ms(day_ms: int) -> int:
    """Return after which time a game is taken up again in which a bot or an order should have moved."""
    return min(_BOTS_MS, day_ms)


def _rest_ms(days: Days, day_ms: int) -> int:
    """Return how long before the end of the time a person is warned: a quarter of it."""
    return days.days * day_ms // 4


def due(state: RoomState, now: int, day_ms: int) -> list[RoomEvent]:
    """Return the events by which a deadline is met that is due: a warning, a hand-over to a bot, or a loss.

    The warning comes first, also if no server has run for so long that the time is over: then the rest of the time
    begins with it.
    """
    deadline = deadlines.current(state)
    if deadline is None or state.days is None:
        return []
    seat, rest_ms = deadline.seat, _rest_ms(state.days, day_ms)
    if not deadline.warned:
        is_near = now >= deadline.due - rest_ms
        until = deadline.due if now < deadline.due else now + rest_ms
        return [Deadline(seat, until, warned=True)] if is_near else []
    if now >= deadline.due:
        if state.days.late == "bot":
            return [BotControl(seat, True)]
        bot = choice.default(state.setup.game)
        return [TimeLost(seat), Sit(seat, "bot", bot, "", bot, state.seats[seat].client_seed)]
    return []


def to_days(state: RoomState) -> list[RoomEvent]:
    """Return the events by which a live game goes on by days. Absent people get their seats back."""
    returns = [BotControl(seat, False) for seat, info in enumerate(state.seats) if info.is_absent]
    return [SetDays(AGREED), *returns]


def to_live(state: RoomState) -> list[RoomEvent]:
    """Return the events by which a game goes on live. A live game is not told when a vacation ends."""
    ends = [Vacation(seat, 0) for seat, info in enumerate(state.seats) if info.vacation_until]
    return [SetDays(None), *ends]


def vacation(state: RoomState, holder: str, until: int, now: int) -> list[RoomEvent]:
    """Return the events by which a vacation begins, or ends with `until` 0. The person's deadline moves with it."""
    events: list[RoomEvent] = []
    deadline = deadlines.current(state)
    for seat in state.seats_of(holder) if state.days is not None else ():
        before = state.seats[seat].vacation_until
        if before == until or max(before, until) <= now:
            continue
        events.append(Vacation(seat, until))
        if deadline is not None and deadline.seat == seat:
            left = max(0, deadline.due - max(now, before))
            events.append(Deadline(seat, max(now, until) + left, deadline.warned))
    return events
