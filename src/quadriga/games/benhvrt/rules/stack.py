"""Work under way: a stack in the record. What waits for something else lies beneath it."""

from __future__ import annotations

from quadriga.engine.kernel import kernel
from quadriga.games.benhvrt.state import State


@kernel
def push(s: State, task: int, seat: int, card: int, arg: int) -> None:
    """Begin some work; what is under way waits for its end."""
    top = s.depth
    s.task[top] = task
    s.seat[top] = seat
    s.card[top] = card
    s.arg[top] = arg
    s.depth = top + 1


@kernel
def pop(s: State) -> None:
    """The newest work is done, and nothing of it is left."""
    top = s.depth - 1
    s.task[top] = 0
    s.at[top] = 0
    s.seat[top] = 0
    s.card[top] = 0
    s.arg[top] = 0
    s.flag[top] = 0
    s.depth = top
