"""Broadcasting: the messages that go to the viewers of a room, each for its own viewpoint."""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence

from quadriga.engine.kernels.slots import CHANCE
from quadriga.server import metrics
from quadriga.server.bots.timing import TimeSource
from quadriga.server.present import frames, room_summary
from quadriga.server.protocol.parts import Table
from quadriga.server.protocol.server_messages import SeatsChanged, StopsChanged, TableChanged, Wanted
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.position import Position
from quadriga.server.rooms.skips import Skips
from quadriga.server.rooms.tasks import Tasks
from quadriga.server.rooms.window_timer import WindowTimer
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.viewers import Viewer
from quadriga.server.seats.votes import VoteCount
from quadriga.server.settings import Settings
from quadriga.server.state.game_event import HIDDEN, GameEvent
from quadriga.server.state.room_state import RoomState

_LOGGED = 100  # events that a client gets with a whole view, for its log


class Broadcaster(Tasks):
    """The part of a room that sends messages."""

    state: RoomState
    clocks: Clocks
    votes: VoteCount

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.presence = Presence(settings.long_gone)
        self.time_source = TimeSource()
        self.last_public_event_at = self.time_source.now()
        self._last_summary = b""  # the last frame about the room
        own = weakref.proxy(self)  # see Room
        self.skips = Skips()
        self.window_timer = WindowTimer(
            self.presence,
            settings.window_beat,
            settings.window_hold,
            self.skips,
            lambda: own.state,
            lambda: own.time_source,
        )

    def broadcast(
        self, game_events: Sequence[GameEvent] = (), received_at: float | None = None, is_own: bool = True
    ) -> None:
        """Send the events, with a view and legal actions, to every viewer that is shown any of them.

        A viewer whose position has changed in any other way is sent it, too: what a viewer has received last is
        always what a new one would be sent now. This and its moment depend only on what the viewer may know.

        `received_at` is the arrival time of the message that caused these events; `is_own` is false for events that
        another process has written and counted.
        """
        if self.state.session is None:
            return
        self.clocks.start()
        positions = self._positions({viewer.seat for viewer in self.presence.viewers})
        made: dict[tuple[int, bool], bytes] = {}
        for viewer in self.presence.viewers:
            seat, explain = viewer.seat, viewer.explain
            position = positions[seat]
            if viewer.position == position.key and not any(each.shown[seat + 1] for each in game_events):
                continue
            if (seat, explain) not in made:
                made[seat, explain] = frames.encoded(position.news(game_events, explain))
            viewer.position = position.key
            viewer.send(made[seat, explain])
        self.count_public(game_events, received_at, is_own)
        if game_events and self.state.over:
            self.broadcast_room()

    def _positions(self, seats: set[int]) -> dict[int, Position]:
        """Return what each of some viewpoints is to know now."""
        session, beat = self.state.session, self.window_timer.current()
        assert session is not None
        chosen, now = sorted(seats), self.time_source.now()
        views = session.match.views(chosen)
        asked = {} if beat is None else beat.asked
        return {
            seat: Position(self.state, seat, view, self.clocks, asked.get(seat), now)
            for seat, view in zip(chosen, views, strict=True)
        }

    def count_public(
        self, game_events: Sequence[GameEvent], received_at: float | None = None, is_own: bool = True
    ) -> None:
        """Note the time of public events, and count them; a count of hidden events would betray them."""
        public = [each for each in game_events if each.shown[0] != HIDDEN]
        if not public:
            return
        self.last_public_event_at = self.time_source.now()
        for each in public:
            if is_own and each.kind == "play":
                metrics.collected.add_move(self.state.setup.game, each.by)
        if received_at is not None:
            metrics.collected.add_delay(time.perf_counter() - received_at)

    def show(self, viewer: Viewer, after: int | None = None, only_changes: bool = False) -> None:
        """Send a viewer the remembered events after a number; failing that, the whole view with the last events.

        With `only_changes` a viewer that knows all of it is sent nothing.
        """
        session = self.state.session
        if session is None:
            return
        self.clocks.start()
        position = self._positions({viewer.seat})[viewer.seat]
        missed = None if after is None else session.since(viewer.seat, after)
        if missed is None or not (missed or after):
            viewer.send_message(
                position.news(session.remembered(viewer.seat)[-_LOGGED:], viewer.explain, whole=True)
            )
        elif missed or not only_changes or viewer.position != position.key:
            viewer.send_message(position.news(missed, viewer.explain))
        viewer.position = position.key

    def show_all(self, game_events: Sequence[GameEvent] = ()) -> None:
        """Send every viewer its whole view, with the events that have just led to it."""
        if self.state.session is None:
            return
        self.clocks.start()
        positions = self._positions({viewer.seat for viewer in self.presence.viewers})
        for viewer in self.presence.viewers:
            position = positions[viewer.seat]
            viewer.send_message(position.news(game_events, viewer.explain, whole=True))
            viewer.position = position.key

    def own_seats(self, viewer: Viewer) -> SeatsChanged:
        """Return the message about a viewer's own seats."""
        return SeatsChanged(
            seats=viewer.seats,
            seat=viewer.seat,
            former=[] if viewer.holder is None else self.state.former_seats(viewer.holder),
            stops=sorted(self.state.seats[viewer.seat].asked_windows) if viewer.plays else [],
            skip=self.skips.until(viewer.seat),
            deal=viewer.plays and self.state.seats[viewer.seat].announces_deal,
        )

    def show_stops(self, seat: int) -> None:
        """Tell the viewers of a seat in which windows it is asked."""
        for viewer in self.presence.viewers:
            if viewer.seat == seat:
                viewer.send_message(self.stops(seat))

    def stops(self, seat: int) -> StopsChanged:
        """Return the message about the windows in which a seat is asked."""
        info = self.state.seats[seat]
        return StopsChanged(sorted(info.asked_windows), self.skips.until(seat), info.announces_deal)

    def show_lapsed_skips(self) -> None:
        """Tell the seats whose skip is over that they are asked again."""
        while self.skips.lapsed:
            self.show_stops(self.skips.lapsed.pop())

    def summary(self) -> Table:
        """Return the public state of the room."""
        beat_ms = self.window_timer.public_beat_ms if self.state.game.windows else None
        return room_summary.table(self.state, self.presence, self.votes, self.settings.grace, beat_ms)

    def broadcast_room(self, only_changes: bool = False) -> None:
        """Send every viewer the public state of the room; with `only_changes`, if it is not what was sent last."""
        frame = frames.encoded(TableChanged(self.summary()))
        if only_changes and frame == self._last_summary:
            return
        self._last_summary = frame
        for viewer in self.presence.viewers:
            viewer.send(frame)

    def notify_shared_devices(self) -> None:
        """Tell people who share a device which of them is asked."""
        session = self.state.session
        for viewer in self.presence.viewers:
            if len(viewer.seats) > 1 and session is not None:
                actor = session.actor
                asked = session.roller if actor == CHANCE and self.state.setup.rolls == "hand" else actor
                wanted = [asked] if asked in viewer.seats and self.state.status == "playing" else []
                if wanted != viewer.wanted:
                    viewer.wanted = wanted
                    viewer.send_message(Wanted(wanted))
