"""Broadcasting: the messages that go to the viewers of a room, each for its own viewpoint."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from quadriga.engine.kernels.slots import CHANCE
from quadriga.server import metrics
from quadriga.server.messages import game_messages
from quadriga.server.orders import contents
from quadriga.server.protocol.parts import ChatLine, Table
from quadriga.server.protocol.server_messages import (
    AskedWindowsChanged,
    ChatPosted,
    SeatsChanged,
    TableChanged,
    Wanted,
)
from quadriga.server.rooms.moment import Moment
from quadriga.server.rooms.position import Position
from quadriga.server.rooms.skips import Skips
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.game_event import HIDDEN, GameEvent
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import ChatMessage

_LOGGED = 100  # events that a client gets with a whole view, for its log


class Broadcaster:
    """Sends messages to the viewers of a room."""

    def __init__(self, presence: Presence, skips: Skips, now: float) -> None:
        self._presence, self._skips = presence, skips
        self.last_public_event_at = now
        self._last_summary = b""  # the last message about the room

    def broadcast(
        self,
        moment: Moment,
        game_events: Sequence[GameEvent] = (),
        received_at: float | None = None,
        is_own: bool = True,
    ) -> None:
        """Send the events, with a view and legal actions, to every viewer that is shown any of them.

        A viewer whose position has changed in any other way is sent it, too: what a viewer has received last is
        always what a new one would be sent now. This and its moment depend only on what the viewer may know.

        `received_at` is the arrival time of the message that caused these events; `is_own` is false for events that
        another process has written and counted.
        """
        if moment.state.session is None:
            return
        viewers = self._presence.viewers
        positions = _positions(moment, {viewer.seat for viewer in viewers})
        made: dict[tuple[int, bool], bytes] = {}
        for viewer in viewers:
            seat, explain = viewer.seat, viewer.explain
            position = positions[seat]
            if viewer.position == position.key and not any(each.shown[seat + 1] for each in game_events):
                continue
            if (seat, explain) not in made:
                made[seat, explain] = game_messages.encoded(position.news(game_events, explain))
            viewer.position = position.key
            viewer.send(made[seat, explain])
        _remember_effects(moment, positions.values())
        self.count_public(moment, game_events, received_at, is_own)

    def count_public(
        self,
        moment: Moment,
        game_events: Sequence[GameEvent],
        received_at: float | None = None,
        is_own: bool = True,
    ) -> None:
        """Record the time of public events, and count them; counting hidden events would reveal them."""
        public = [each for each in game_events if each.shown[0] != HIDDEN]
        if not public:
            return
        self.last_public_event_at = moment.now
        for each in public:
            if is_own and each.kind == "play":
                metrics.collected.add_move(moment.state.setup.game, each.by)
        if received_at is not None:
            metrics.collected.add_delay(time.perf_counter() - received_at)

    def show(self, moment: Moment, viewer: Viewer, after: int | None = None, only_changes: bool = False) -> None:
        """Send a viewer the remembered events after a number; failing that, the whole view with the last events.

        With `only_changes` a viewer that knows all of it is sent nothing.
        """
        session = moment.state.session
        if session is None:
            return
        position = _positions(moment, {viewer.seat})[viewer.seat]
        missed = None if after is None else session.since(viewer.seat, after)
        if missed is None or not (missed or after):
            viewer.send_message(
                position.news(session.remembered(viewer.seat)[-_LOGGED:], viewer.explain, whole=True)
            )
        elif missed or not only_changes or viewer.position != position.key:
            viewer.send_message(position.news(missed, viewer.explain))
        viewer.position = position.key
        _remember_effects(moment, [position])

    def show_all(self, moment: Moment, game_events: Sequence[GameEvent] = ()) -> None:
        """Send every viewer its whole view, with the events that have just led to it."""
        if moment.state.session is None:
            return
        positions = _positions(moment, {viewer.seat for viewer in self._presence.viewers})
        for viewer in self._presence.viewers:
            position = positions[viewer.seat]
            viewer.send_message(position.news(game_events, viewer.explain, whole=True))
            viewer.position = position.key
        _remember_effects(moment, positions.values())

    # Seats.

    def own_seats(self, state: RoomState, viewer: Viewer) -> SeatsChanged:
        """Return the message about a viewer's own seats."""
        return SeatsChanged(
            seats=viewer.seats,
            seat=viewer.seat,
            former=[] if viewer.holder is None else state.former_seats(viewer.holder),
            stops=sorted(state.seats[viewer.seat].asked_windows) if viewer.plays else [],
            skip=self._skips.until(viewer.seat),
            deal=viewer.plays and state.seats[viewer.seat].announces_deal,
            asks=state.seats[viewer.seat].asked_when if viewer.plays else None,
            react=viewer.plays and state.seats[viewer.seat].wants_to_react,
        )

    def update_seats(self, state: RoomState) -> list[Viewer]:
        """Give every viewer the seats that its owner has now; return those that look from another seat."""
        moved = []
        for viewer in self._presence.viewers:
            seats = [] if viewer.holder is None else state.seats_of(viewer.holder)
            if seats != viewer.seats:
                if viewer.take(seats):
                    moved.append(viewer)
                viewer.send_message(self.own_seats(state, viewer))
        return moved

    def stops(self, state: RoomState, seat: int) -> AskedWindowsChanged:
        """Return the message about the windows in which a seat is asked."""
        info = state.seats[seat]
        return AskedWindowsChanged(
            stops=sorted(info.asked_windows),
            skip=self._skips.until(seat),
            deal=info.announces_deal,
            asks=info.asked_when,
            react=info.wants_to_react,
        )

    def show_stops(self, state: RoomState, seat: int) -> None:
        """Tell the viewers of a seat in which windows it is asked."""
        for viewer in self._presence.viewers:
            if viewer.seat == seat:
                viewer.send_message(self.stops(state, seat))

    def show_orders(
        self, state: RoomState, seat: int, ended: Sequence[contents.Ended] = (), ref: str | None = None
    ) -> None:
        """Tell the viewers of a seat, and nobody else, its standing orders."""
        for viewer in self._presence.viewers:
            if viewer.seat == seat and seat in viewer.seats:
                viewer.send_message(contents.changed(state, seat, ended, ref))

    def show_lapsed_skips(self, state: RoomState) -> None:
        """Tell the seats whose skip is over that they are asked again."""
        while self._skips.lapsed:
            self.show_stops(state, self._skips.lapsed.pop())

    def notify_shared_devices(self, state: RoomState) -> None:
        """Tell people who share a device which of them is asked."""
        session = state.session
        for viewer in self._presence.viewers:
            if len(viewer.seats) > 1 and session is not None:
                actor = session.actor
                asked = session.roller if actor == CHANCE and state.setup.rolls == "hand" else actor
                wanted = [asked] if asked in viewer.seats and state.status == "playing" else []
                if wanted != viewer.wanted:
                    viewer.wanted = wanted
                    viewer.send_message(Wanted(wanted))

    # The room.

    def broadcast_room(self, summary: Table, only_changes: bool = False) -> None:
        """Send every viewer the public state of the room; with `only_changes`, if it is not what was sent last."""
        message = game_messages.encoded(TableChanged(summary))
        if only_changes and message == self._last_summary:
            return
        self._last_summary = message
        for viewer in self._presence.viewers:
            viewer.send(message)

    def post(self, chat: Iterable[ChatMessage]) -> None:
        """Send chat messages to everybody who has not muted their author."""
        for each in chat:
            message = game_messages.encoded(ChatPosted(ChatLine(**each._asdict())))
            for viewer in self._presence.viewers:
                if viewer.hears(each.seat, each.name):
                    viewer.send(message)


def _positions(moment: Moment, seats: set[int]) -> dict[int, Position]:
    """Return the current position of each of some viewpoints, by seat."""
    session = moment.state.session
    assert session is not None
    chosen = sorted(seats)
    views = session.match.views(chosen)
    return {seat: Position(moment, seat, view) for seat, view in zip(chosen, views, strict=True)}


def _remember_effects(moment: Moment, positions: Iterable[Position]) -> None:
    """Cache the effects of legal actions in the session: one of these actions is likely to be played next."""
    session = moment.state.session
    assert session is not None
    for position in positions:
        if position.effects:
            session.remember_effects(position.effects)
