"""Submissions: moves that somebody asks a room to make, whether they can be made, and the moves that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.server.orders import answers
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.days import windows as days_windows
from quadriga.server.rooms.moment import Moment
from quadriga.server.rooms.window_timer import PASS, WindowTimer
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import Deal, LoggedMove, Moves, React, RoomEvent, Undo
from quadriga.server.state.game_event import GameEvent
from quadriga.server.state.room_state import RoomState

MoveKind = Literal["act", "roll", "undo"]


@dataclass(frozen=True, slots=True)
class Submission:
    """A move for `Room.submit`. The fields from `ref` to `received_at` belong to moves that come
    from a client."""

    kind: MoveKind
    seat: int
    text: str = ""  # the action, for "act"
    by: str = "person"  # "person", "bot", or "table": the server passes for a seat that is not to be asked
    ref: str | None = None  # the client's reference: a move with the same one is made only once
    number: int | None = None  # of the last message that the client had when it chose; None for the server's own
    viewer: Viewer | None = None  # the sender, who is told later if a pass is kept until the end of a window
    received_at: float | None = None  # by `time.perf_counter`
    order: int | None = None  # the number of the standing order that gives the action

    @property
    def own_seat(self) -> int:
        """The seat whose person makes the move; NOBODY if the server or a bot makes it."""
        return self.seat if self.by == "person" else NOBODY


def check(move: Submission, moment: Moment) -> None:
    """Raise RoomError if a move cannot be made now. The match checks that the action is legal."""
    state, session = moment.state, moment.state.session
    assert session is not None
    if move.number is not None:
        if state.seats[move.seat].bot_controlled:
            raise RoomError("act.covered")
        if move.number > session.numbers[move.seat + 1]:
            raise RoomError("act.future", number=session.numbers[move.seat + 1])
    if move.kind == "act" and session.actor != move.seat and moment.asked(move.seat) is None:
        raise RoomError("act.not-asked")
    if move.kind == "roll" and move.by == "person":
        if state.setup.rolls != "hand" or session.roller != move.seat:
            raise RoomError("act.no-roll")
    if move.kind == "undo" and not session.may_undo(move.seat):
        raise RoomError("act.no-undo")


def spent(move: Submission, moment: Moment) -> list[Deal | React]:
    """Return the events that end what a seat has announced.

    A person's answer in any window ends their wish to react, and where they could deal that of a deal.
    """
    session, info = moment.state.session, moment.state.seats[move.seat]
    assert session is not None
    if move.kind != "act" or move.by != "person" or session.open_window is None:
        return []
    asked, events = moment.asked(move.seat), list[Deal | React]()
    match = session.match if asked is None else asked.match
    if info.announces_deal and session.deal in match.actions():
        events.append(Deal(move.seat, False))
    if info.wants_to_react:
        events.append(React(move.seat, False))
    return events


def keep(move: Submission, moment: Moment) -> bool:
    """Keep a client's answer in a timed window until it is due; return False if it counts at once."""
    if move.kind != "act" or move.number is None or moment.beat is None or move.seat not in moment.beat.asked:
        return False
    return moment.beat.keeps(move.seat, move.number, move.text, move.ref, move.viewer, moment.now)


def make(move: Submission, before: Moment, windows: WindowTimer) -> tuple[RoomEvent, list[GameEvent], list[int]]:
    """Make a move and those that follow by themselves; return the event, the game events, the orders.

    Raise IllegalActionError, with nothing changed, if the action is illegal. `before` is the room before the move.
    """
    state, clocks, beat, seat = before.state, before.clocks, before.beat, move.own_seat
    assert state.session is not None
    moves = state.play(move.kind, seat, move.text, move.by)
    clocks.charge()
    if move.kind == "undo":
        return Undo(seat, move.ref), state.end_batch(seat, move.ref), []
    followed, carried_out = follow(state, windows, before.now)
    moves += followed
    answers = [] if beat is None else beat.answers_of(moves)
    for answer in answers:
        state.remember(*answer)
    released = [] if beat is None or beat.is_open(state.session) else sorted(beat.asked)
    game_events = state.end_batch(seat, move.ref, released)
    left = state.left if clocks.is_active else None
    if move.order is not None:
        carried_out.append(move.order)
    return Moves(moves, move.ref, seat, left, answers, released), game_events, carried_out


def follow(state: RoomState, windows: WindowTimer, now: float) -> tuple[list[LoggedMove], list[int]]:
    """Make the moves that nobody decides: outcomes of chance, and passes for people who are not asked.

    In games by days standing orders answer in windows: the numbers of those that did are returned, too.
    """
    session = state.session
    assert session is not None
    moves: list[LoggedMove] = []
    carried_out: list[int] = []
    while (actor := session.actor) != OVER:
        if actor == CHANCE:
            if state.waits_for_undo or state.is_rolled_by_hand:
                break
            moves += state.play("roll")
        elif days_windows.waits_for_nobody(state):
            answer = days_windows.answer(state, actor, carried_out)
            if answer.order is not None:
                carried_out.append(answer.order)
            moves += state.play("act", text=answer.text, by=answer.by)
        elif state.is_person(actor) and (by := _passes_by_itself(state, windows, actor, now)):
            moves += state.play("act", text=PASS, by=by)
        else:
            break
        windows.skips.update(session)
    return moves, carried_out


def _passes_by_itself(state: RoomState, windows: WindowTimer, seat: int, now: float) -> str:
    """Return the `by` of a pass that needs no (further) question to the person: "person" or "table"; "" for none.

    In a timed window an answer is due when the time is over. Else they are asked for a deal that they have
    announced. The server passes if they do not want to be asked, if they are asked only for a deal, which is
    public, or if they have nothing else to play and nobody could notice. Whether the window concerns them may
    depend on their hand only if nobody could notice, either.
    """
    session = state.session
    if session is None or session.window is None:
        return ""
    beat = windows.current(now)
    if beat is not None and (asked := beat.asked.get(seat)) is not None:
        is_pass = asked.answer in (None, PASS) and beat.is_over
        return ("person" if asked.answer else "table") if is_pass else ""
    order = answers.answer(state, seat).action
    if order is not None and (order != PASS or windows.is_unobserved(seat)):  # a pass takes as long as a person's
        return "table" if order == PASS else ""
    if session.can_deal and state.seats[seat].announces_deal:
        return ""
    info, is_unobserved = state.seats[seat], windows.is_unobserved(seat)
    has_nothing = session.has_nothing_to_play and is_unobserved
    if session.is_asked_to_deal:
        return "table"
    if info.wants_to_react:
        return "table" if has_nothing else ""
    if windows.is_quiet(seat, session.window):
        return "table"
    if info.asked_when == "concerns":
        return "" if not has_nothing and session.concerns_actor(is_unobserved) else "table"
    is_asked_always = info.asked_when == "always" or state.setup.beat == 0
    return "table" if has_nothing and not is_asked_always else ""
