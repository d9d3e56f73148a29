"""A submission: a move that somebody asks a room to make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from quadriga.server.seats.viewers import Viewer

MoveKind = Literal["act", "roll", "undo"]


@dataclass(frozen=True, slots=True)
class Submission:
    """A move for `Room.submit`. The last three fields belong to moves that come from a client."""

    kind: MoveKind
    seat: int
    text: str = ""  # the action, for "act"
    by: str = "person"  # "person", "bot", or "table": the server passes for a seat that is not to be asked
    ref: str | None = None  # the client's reference: a move with the same one is made only once
    number: int | None = None  # of the last frame that the client had when it chose; None for the server's own
    viewer: Viewer | None = None  # the sender, who is told later if a pass is kept until the end of a window
    received_at: float | None = None  # by `time.perf_counter`
