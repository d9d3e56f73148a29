"""Positions: what one viewpoint is to know of a running game now, beside the events that led to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from quadriga.server.present import frames
from quadriga.server.protocol.server_messages import ENCODER, News
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.window_timer import Asked
from quadriga.server.state.game_event import GameEvent
from quadriga.server.state.room_state import RoomState


class Position:
    """What a viewpoint is to know. It says nothing that the viewpoint may not know.

    Two positions with equal keys are the same to a client, apart from the time that has passed. The keys of a
    viewpoint change only when it learns something, so they may decide when it is sent a message.
    """

    def __init__(
        self, state: RoomState, seat: int, view: Any, clocks: Clocks, asked: Asked | None, now: float
    ) -> None:
        session = state.session
        assert session is not None
        self._state, self._seat, self._clocks, self._asked, self._now = state, seat, clocks, asked, now
        is_playing = state.status == "playing"
        choices = None
        if asked is not None:
            choices = asked.choices
            if choices is not None:
                view = asked.match.view(seat)
        elif is_playing and seat == session.actor:
            choices = list(session.match.actions())
        self._view = ENCODER.encode(view)
        self.key: object = (
            session.numbers[seat + 1],
            hash(self._view),
            None if choices is None else tuple(choices),
            is_playing and seat >= 0 and session.undoer == seat,
            is_playing and state.setup.rolls == "hand" and seat >= 0 and session.roller == seat,
            None if asked is None else asked.ends_at,
            clocks.key(seat),
        )

    def news(self, game_events: Sequence[GameEvent], explain: bool, whole: bool = False) -> News:
        """Return the message about this position, with events that led to it; a `View` if `whole`."""
        left_ms = None if self._asked is None else self._asked.left_ms(self._now)
        return frames.news(
            self._state,
            self._seat,
            game_events,
            explain=explain,
            clock=self._clocks.face(self._seat, left_ms),
            whole=whole,
            view=msgspec.Raw(self._view),
            asked=self._asked,
            now=self._now,
        )
