"""The next move that no person makes: a bot's, a clock's, or the end of a timed window.

The room makes it with `Room.submit`, as it makes those of people. A room without viewers pauses.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.server.bots.timing import TimeSource, choose_in_time
from quadriga.server.orders import answers
from quadriga.server.rooms.days import windows as days_windows
from quadriga.server.rooms.moment import Moment
from quadriga.server.rooms.submission import Submission
from quadriga.server.rooms.window_timer import PASS, Beat, WindowTimer
from quadriga.server.settings import Settings
from quadriga.server.state.room_state import RoomState


@dataclass(slots=True)
class BotMove:
    """A bot's decision or roll for a seat; also for a person whose clock has run out."""

    state: RoomState
    seat: int
    batches: int  # of the session: the move is not made if anything has happened since
    out_of_time: bool = False

    async def wait(self, time_source: TimeSource, last_event_at: float, tick: float | None) -> str:
        """Return the action that the bot has chosen, when it is due; "" if there is none to choose.

        A bot waits for the pace of the room, and in windows it answers at fixed moments, whatever its hand. For a
        person whose clock has run out, and without a tick, it answers at once.
        """
        session = self.state.session
        if session is None or session.actor != self.seat or self.seat < 0:
            return ""
        return await choose_in_time(
            time_source, self.state, self.seat, last_event_at, None if self.out_of_time else tick
        )

    def submission(self, moment: Moment, text: str, is_leader: bool) -> Submission | None:
        """Return the submission of the move; None if something else has happened since."""
        state, session = moment.state, moment.state.session
        if state is not self.state or session is None or session.batches != self.batches:
            return None
        if state.status != "playing" or not is_leader:
            return None
        if not self.out_of_time and not state.seats[self.seat].played_by_bot:
            return None
        if session.actor == CHANCE:
            return Submission("roll", NOBODY, by="bot")
        found = answers.answer(state, self.seat)  # the orders of a person for whom a bot plays come first
        return Submission("act", self.seat, found.action or text, by="bot", order=found.number) if text else None


@dataclass(slots=True)
class OrderMove:
    """An action that a standing order gives to a person, or a roll that it needs.

    It is found when it is due: the order may be cancelled.
    """

    state: RoomState
    seat: int
    batches: int

    async def wait(self, time_source: TimeSource, last_event_at: float, tick: float | None) -> str:
        """Return "", because `submission` finds the action."""
        return ""

    def submission(self, moment: Moment, text: str, is_leader: bool) -> Submission | None:
        """Return the action of the order; None if it gives none any more, or if something else has happened."""
        state, session = moment.state, moment.state.session
        if state is not self.state or session is None or session.batches != self.batches or not is_leader:
            return None
        if state.status != "playing" or not state.is_person(self.seat) or moment.asked(self.seat) is not None:
            return None
        if session.actor == CHANCE:
            return Submission("roll", self.seat) if answers.roller(state) == self.seat else None
        found = answers.answer(state, self.seat)
        return Submission("act", self.seat, found.action, order=found.number) if found.action else None


@dataclass(slots=True)
class BeatEnd:
    """The end of a timed window: the asked seat's kept answer is played, or a pass.

    The passes of the seats after it follow in the same batch (`submission.follow`).
    """

    beat: Beat
    due_at: float

    async def wait(self, time_source: TimeSource, last_event_at: float, tick: float | None) -> str:
        """Wait for the end of the window; return "", because `submission` finds the answer."""
        await time_source.until(self.due_at)
        return ""

    def submission(self, moment: Moment, text: str, is_leader: bool) -> Submission | None:
        """Return the answer of the asked seat, a pass if there is none; None if it is not due any more."""
        beat, session = self.beat, moment.state.session
        is_awaited = beat.waits_for == self.due_at
        if is_awaited:
            beat.waits_for = None
        if moment.beat is not beat or not is_awaited or not is_leader or session is None:
            return None
        seat = session.actor
        if seat not in beat.asked:
            return None  # its answer was made when this was about to
        _ask_orders(moment.state, beat)
        asked, beat.is_over = beat.asked[seat], True
        by = "table" if asked.answer is None else "person"
        ref = next(iter(asked.refs), None)
        return Submission("act", seat, asked.answer or PASS, by=by, ref=ref, order=asked.order)


def _ask_orders(state: RoomState, beat: Beat) -> None:
    """Let standing orders answer for the seats of a window that is over and that have not answered themselves."""
    for seat, asked in beat.asked.items():
        if asked.answer is None or asked.order is not None:
            found = answers.answer(state, seat, asked.match)
            is_pass = found.action in (None, PASS)  # which needs no answer
            asked.answer, asked.order = (None, None) if is_pass else (found.action, found.number)


@dataclass(slots=True)
class DaysAnswer:
    """The answer of a person in a reaction window by days, where a change other than a move has left it open."""

    state: RoomState
    batches: int

    async def wait(self, time_source: TimeSource, last_event_at: float, tick: float | None) -> str:
        """Return "" at once: the window waits for nobody."""
        return ""

    def submission(self, moment: Moment, text: str, is_leader: bool) -> Submission | None:
        """Return the answer; None if something else has happened since."""
        state, session = moment.state, moment.state.session
        if state is not self.state or session is None or session.batches != self.batches or not is_leader:
            return None
        if not days_windows.waits_for_nobody(state):
            return None
        answer = days_windows.answer(state, session.actor)
        return Submission("act", session.actor, answer.text, by=answer.by, order=answer.order)


@dataclass(slots=True)
class Due:
    """A move that no person makes, and when to begin with it."""

    move: BotMove | BeatEnd | OrderMove | DaysAnswer
    timer: str = ""  # the name of the timer that waits for it; "" to begin at once
    delay_s: float = 0.0
    restarts: bool = True  # whether it replaces a move that waits under the same name


def next_move(moment: Moment, settings: Settings, windows: WindowTimer) -> Due | None:
    """Return the move of the bot, the order, the clock or the beat of the seat that decides now.

    Return None if a person decides."""
    state, beat = moment.state, moment.beat
    session = state.session
    if state.status != "playing" or session is None:
        return None
    actor, batches = session.actor, session.batches
    left_ms = moment.clocks.left_ms
    if actor >= 0 and state.seats[actor].played_by_bot:
        return Due(BotMove(state, actor, batches))
    if days_windows.waits_for_nobody(state):
        return Due(DaysAnswer(state, batches))
    if beat is not None and actor in beat.asked:
        if beat.waits_for == beat.due_at:
            return None
        beat.waits_for = beat.due_at
        return Due(BeatEnd(beat, beat.due_at))
    if (ordering := answers.ordering(state)) != NOBODY:
        delay_s = _order_delay_s(settings, windows.is_unobserved(ordering), left_ms)
        move = OrderMove(state, ordering, batches)
        return Due(move, f"order {batches}", delay_s, restarts=False) if delay_s else Due(move)
    if left_ms is not None:
        return Due(BotMove(state, moment.clocks.seat, batches, out_of_time=True), "clock", left_ms / 1000)
    if actor != CHANCE:
        return None
    roll = BotMove(state, NOBODY, batches, out_of_time=True)
    if state.waits_for_undo and not state.is_rolled_by_hand:
        # A change of something else does not make it wait longer.
        return Due(roll, f"undo {batches}", settings.undo_grace, restarts=False)
    return None if state.is_person(session.roller) else Due(roll)


def _order_delay_s(settings: Settings, is_unobserved: bool, left_ms: int | None) -> float:
    """Return how long a standing order takes: as long as a person might, unless nobody could notice."""
    delay_s = 0.0 if is_unobserved else settings.order_delay * random.uniform(0.5, 1.5)
    return delay_s if left_ms is None else min(delay_s, left_ms / 2000)
