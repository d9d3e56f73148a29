"""Playing on from a moment of a finished game: a new room that begins with the moves up to there."""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from quadriga.server.bots import choice
from quadriga.server.messages import finished
from quadriga.server.protocol.errors import RoomError
from quadriga.server.state.events import LoggedMove, Setup, Sit
from quadriga.server.state.room_state import RoomState


def moves_up_to(state: RoomState, step: int) -> list[LoggedMove]:
    """Return the moves of a finished game up to a step of its replay, as the log of another room takes them.

    Raise RoomError if nothing is left to play there, or if the game was played under older rules.
    """
    session, game = finished.finished(state), finished.replayed(state)
    is_left = step < game.total and not game.position_after(step).over
    if not is_left or state.version != state.game.version or not state.asks_in_all_windows:
        raise RoomError("table.no-continuation")
    found: list[LoggedMove] = []
    for entry, by, is_forced in zip(session.match.entries, session.origins, session.forced, strict=True):
        if step == 0 and not is_forced:
            break
        step -= not is_forced  # a replay does not count what the rules ask nobody
        found.append(LoggedMove(entry.seat, entry.text, entry.actions, by, is_forced))
    return found


def setup_of(state: RoomState, host: str) -> Setup:
    """Return the set-up of the new room. Its dice cannot be checked: the first of them are of the old room."""
    return replace(
        state.setup,
        version=state.game.version,
        options=state.setup.options | state.open_options,
        public=False,
        clock=None,
        days=None,
        undo=False,
        dice="seeded",
        seed=str(secrets.randbits(40)),
        bot_seed=secrets.randbits(40),
        host=host,
        rematch_of=None,
        reserved_seats={},
        reserved_names={},
        tournament=None,
    )


def sits_of(state: RoomState, seat: int, name: str, holder: str) -> list[Sit]:
    """Return one person, and bots on all other seats: those that played there, or the default for a person."""
    if seat >= state.seat_count:
        raise RoomError("table.no-seat", 404, seat=seat)
    sits = []
    for number, info in enumerate(state.seats):
        bot = info.bot or choice.default(state.setup.game)
        person = Sit(number, "person", name, holder)
        sits.append(person if number == seat else Sit(number, "bot", bot, "", bot))
    return sits
