"""The changes that a decided vote makes, and where people decide nothing."""

from __future__ import annotations

from quadriga.server.bots import choice
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.days import deadlines
from quadriga.server.state.events import CoachAgreed, RoomEvent, Sit, Status
from quadriga.server.state.room_state import RoomState

_STATUS_AFTER = {"pause": "paused", "resume": "playing", "end": "ended"}  # by the kind of vote
CHARGED = frozenset((*_STATUS_AFTER, "days", "live"))
"""The kinds of votes that stop the clock that runs."""


def check_casual(state: RoomState) -> None:
    """Raise RoomError at a table of a tournament, where people get no help and agree on nothing."""
    if state.setup.tournament is not None:
        raise RoomError("table.tournament", 403)


def changes(state: RoomState, kind: str, seat: int | None) -> list[RoomEvent]:
    """Return the events of a vote of a kind, about a seat or about the room."""
    if seat is not None:  # a removed person's seat goes to the game's default bot
        bot = choice.default(state.setup.game)
        return [Sit(seat, "bot", bot, "", bot, state.seats[seat].client_seed)]
    match kind:
        case "coach":
            return [CoachAgreed(True)]
        case "days":
            return deadlines.to_days(state)
        case "live":
            return deadlines.to_live(state)
        case _:
            return [Status(_STATUS_AFTER[kind])]
