"""Positions: the current information of one viewpoint about a running game, beside the events that led to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from quadriga.server.messages import game_messages
from quadriga.server.protocol.parts import Note
from quadriga.server.protocol.server_messages import ENCODER, News
from quadriga.server.rooms.moment import Moment
from quadriga.server.state.game_event import GameEvent


class Position:
    """The current view, legal actions and clocks of a viewpoint, and nothing that it may not know.

    Two positions with equal keys are the same to a client, apart from the time that has passed. The keys of a
    viewpoint change only when it learns something, so they may decide when it is sent a message.
    """

    def __init__(self, moment: Moment, seat: int, view: Any) -> None:
        state, asked = moment.state, moment.asked(seat)
        session = state.session
        assert session is not None
        self._moment, self._seat, self._asked = moment, seat, asked
        is_playing = state.status == "playing"
        choices = None
        if asked is not None:
            choices = asked.choices
            if choices is not None:
                view = asked.match.view(seat)
        elif is_playing and seat == session.actor:
            choices = list(session.match.actions())
        self.effects: dict[int, list[Note]] = {}  # of the seat's actions, as far as `news` has told them
        self._view = ENCODER.encode(view)
        self.key: object = (
            session.numbers[seat + 1],
            hash(self._view),
            None if choices is None else tuple(choices),
            is_playing and seat >= 0 and session.undoer == seat,
            is_playing and state.setup.rolls == "hand" and seat >= 0 and session.roller == seat,
            None if asked is None else asked.ends_at,
            moment.clocks.key(seat),
        )

    def news(self, game_events: Sequence[GameEvent], explain: bool, whole: bool = False) -> News:
        """Return the message about this position, with events that led to it; a `View` if `whole`."""
        moment = self._moment
        left_ms = None if self._asked is None else self._asked.left_ms(moment.now)
        return game_messages.news(
            moment.state,
            self._seat,
            game_events,
            explain=explain,
            clock=moment.clocks.face(self._seat, left_ms),
            whole=whole,
            view=msgspec.Raw(self._view),
            asked=self._asked,
            now=moment.now,
            certain=self.effects,
        )
