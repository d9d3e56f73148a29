"""The stack of tasks under way. A task that waits for another is beneath it.

Every frame has a `task`, a stage (`at`) and a `seat`. A window also has `window`, `target` and `passes`. A played
card has `kind`, `way` and `vetoed`, and the `window` and `target` of its window. A draw has `to_draw`.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.deck.operations import BM, RE, RO
from quadriga.games.benhvrt.rules.piles import held
from quadriga.games.benhvrt.state import DRAW, PLAYED, SHIFT, WINDOW, State, Tables


@kernel
def push(s: State, task: int, seat: int) -> int:
    """Begin a task and return its index. The task beneath waits for its end."""
    top = s.depth
    s.task[top] = task
    s.seat[top] = seat
    s.depth = top + 1
    return top


@kernel
def asks_all_seats(window: int) -> bool:
    """BH-7.3: return whether a window asks all seats in turn: RO, BM and RE do; PR, PB and PA ask one seat."""
    return window == RO or window == BM or window == RE


@kernel
def open_window(t: Tables, s: State, seat: int, window: int, target: int) -> bool:
    """Open a window that asks a seat first, unless nobody has anything for it; return whether it is open.

    `target` is the passed chariot, if there is one.
    """
    if _is_idle(t, s, seat, window):
        return False
    top = push(s, WINDOW, seat)
    s.window[top] = window
    s.target[top] = target
    return True


@kernel
def _is_idle(t: Tables, s: State, seat: int, window: int) -> bool:
    """Return whether no card and no Driver is for a window, so that nobody would be asked in it."""
    if t.bribes or t.ask_all or (s.driver[s.mover] and t.window[s.driver[s.mover] - 1] == window):
        return False
    kinds = t.in_window[window]
    if not asks_all_seats(window):
        return held(s, seat) & kinds == 0
    for each in range(t.seats):
        if held(s, each) & kinds:
            return False
    return True


@kernel
def push_played(s: State, seat: int, kind: int, way: int, window: int, target: int) -> None:
    """Begin the effects of a card that was played in a window."""
    top = push(s, PLAYED, seat)
    s.kind[top] = kind
    s.way[top] = way
    s.window[top] = window
    s.target[top] = target


@kernel
def push_draw(s: State, seat: int, cards: int) -> None:
    """Let a player draw cards."""
    top = push(s, DRAW, seat)
    s.to_draw[top] = cards


@kernel
def push_shift(s: State, seat: int, chariot: int, squares: int) -> None:
    """Let a player shift a chariot by up to this many squares."""
    push(s, SHIFT, seat)
    s.shifted = chariot
    s.shift_left = squares


@kernel
def pop(s: State) -> None:
    """End the newest task and clear its frame, so that equal positions have equal bytes."""
    top = s.depth - 1
    task = s.task[top]
    if task == WINDOW:
        s.window[top] = 0
        s.target[top] = 0
        s.passes[top] = 0
    elif task == PLAYED:
        s.window[top] = 0
        s.target[top] = 0
        s.kind[top] = 0
        s.way[top] = 0
        s.vetoed[top] = 0
    elif task == DRAW:
        s.to_draw[top] = 0
    s.task[top] = 0
    s.at[top] = 0
    s.seat[top] = 0
    s.depth = top
