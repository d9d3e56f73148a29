"""Telling: what goes to the viewers of a table, each from his own viewpoint."""

from __future__ import annotations

import time
from collections.abc import Sequence

from quadriga.engine.kernels.slots import CHANCE
from quadriga.server import metrics
from quadriga.server.bots.timing import TimeSource
from quadriga.server.present import frames, room_summary
from quadriga.server.protocol.messages import SeatsChanged, TableChanged, Wanted
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.event_log import RoomState
from quadriga.server.rooms.played_game import HIDDEN, GameEvent
from quadriga.server.rooms.tasks import Tasks
from quadriga.server.rooms.viewers import Presence, Viewer
from quadriga.server.rooms.window_beat import Beats
from quadriga.server.seats.votes import Votes
from quadriga.server.settings import Settings


class Broadcaster(Tasks):
    """The side of a room that speaks."""

    state: RoomState
    clocks: Clocks
    votes: Votes

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.presence = Presence(settings.long_gone)
        self.time_source = TimeSource()
        self._stirred = self.time_source.now()  # when everybody has last noticed something
        self.beats = Beats(self)
        self.arrived: float | None = None  # when the act came that is under way

    @property
    def still(self) -> float:
        """For how many seconds nobody has noticed anything here."""
        return self.time_source.now() - self._stirred

    def tell(self, game_events: Sequence[GameEvent]) -> None:
        """Send everybody what he notices, and how things stand for him now."""
        state, clocks = self.state, self.clocks
        clocks.set()
        told = self.presence.viewers
        if not any(one.open for one in game_events):
            told = {each for each in told if any(one.shown[each.seat + 1] for one in game_events)}
        views = frames.views(state, {viewer.seat for viewer in told})
        made: dict[tuple[int, bool], bytes] = {}
        for viewer in told:
            seat, explain = viewer.seat, viewer.explain
            frame = made.get((seat, explain))
            if frame is None:
                left = self.beats.left_ms(seat)
                face = clocks.face(seat, left) if clocks.active else None
                news = frames.news(
                    state, seat, game_events, explain=explain, clock=face, answer_ms=left, view=views[seat]
                )
                frame = made[seat, explain] = frames.encoded(news)
            viewer.send(frame)
        self.noticed(game_events)
        if state.over:
            self.broadcast_room()

    def noticed(self, game_events: Sequence[GameEvent]) -> None:
        """Remember when everybody has noticed something, and count it; what nobody notices is not counted."""
        if not any(each.shown[0] != HIDDEN for each in game_events):
            return
        self._stirred = self.time_source.now()
        for each in game_events:
            if each.kind == "play" and each.shown[0] != HIDDEN:
                metrics.noted.moved(self.state.setup.game, each.by)
        if self.arrived is not None:
            metrics.noted.told(time.perf_counter() - self.arrived)

    def show(self, viewer: Viewer, after: int | None = None) -> None:
        """How things stand for a viewer: what he has missed, where that is known, or everything."""
        play = self.state.play
        if play is None:
            return
        self.clocks.set()
        missed = None if after is None else play.since(viewer.seat, after)
        if missed == [] and after:
            return
        left = self.beats.left_ms(viewer.seat)
        viewer.send_message(
            frames.news(
                self.state,
                viewer.seat,
                missed or [],
                explain=viewer.explain,
                clock=self.clocks.face(viewer.seat, left),
                answer_ms=left,
                whole=not missed,
            )
        )

    def seats_told(self, viewer: Viewer) -> SeatsChanged:
        """What a viewer is told of its own seats."""
        return SeatsChanged(
            seats=viewer.seats,
            seat=viewer.seat,
            former=[] if viewer.holder is None else self.state.former_seats(viewer.holder),
            stops=sorted(self.state.seats[viewer.seat].stops) if viewer.plays else [],
        )

    def broadcast_room(self) -> None:
        """Send everybody what everybody may know of the table."""
        frame = frames.encoded(TableChanged(room_summary.table(self)))
        for viewer in self.presence.viewers:
            viewer.send(frame)

    def notify_shared_devices(self) -> None:
        """Tell those who share a device which of them is asked."""
        play = self.state.play
        for viewer in self.presence.viewers:
            if len(viewer.seats) > 1 and play is not None:
                actor = play.actor
                due = play.roller if actor == CHANCE and self.state.setup.rolls == "hand" else actor
                wanted = [due] if due in viewer.seats and self.state.status == "playing" else []
                if wanted != viewer.wanted:
                    viewer.wanted = wanted
                    viewer.send_message(Wanted(wanted))
