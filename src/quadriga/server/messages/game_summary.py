"""The summary of a room, which lists of games are made from. It is stored with each change that changes it."""

from __future__ import annotations

import msgspec

from quadriga.engine.game import NOBODY
from quadriga.server.messages.room_summary import turn
from quadriga.server.people.history import SeatSummary
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import GameSummary, now

_ENCODER = msgspec.json.Encoder()


def game_summary(state: RoomState) -> GameSummary:
    """Return the summary of a room. Whose turn it is counts among several people only: bots wait for nobody."""
    holders = {info.holder for info in state.seats if info.kind == "person"}
    places = _places(state)
    seats = [
        SeatSummary(info.kind, info.name, info.holder, info.bot, places[number] if places else None)
        for number, info in enumerate(state.seats)
    ]
    results: tuple[tuple[str, int | None], ...] = ()
    if state.over:
        best = {holder: [each.place for each in seats if each.holder == holder] for holder in sorted(state.seated)}
        last = state.seat_count if state.status == "over" else None  # for a person who has lost their seat by time
        results = tuple(
            (holder, min((p for p in own if p), default=last if holder in state.lost else None))
            for holder, own in best.items()
        )
    to_move = _turn(state) if len(holders) > 1 else None
    waited = None if to_move is None or state.seats[to_move].played_by_bot else state.seats[to_move]
    return GameSummary(
        state.id,
        state.setup.game,
        state.status,
        to_move,
        now(),
        _ENCODER.encode(seats),
        state.next - 1,
        results,
        "" if waited is None else waited.holder,
    )


def _places(state: RoomState) -> list[int]:
    """Return the place of each seat in a game that was played to its end; seats with equal scores share one."""
    if state.status != "over" or state.session is None:
        return []
    scores = state.session.match.scores
    return [1 + sum(other > score for other in scores) for score in scores]


def _turn(state: RoomState) -> int | None:
    """Return the seat to move, as everybody may know it."""
    if state.session is None or state.status != "playing":
        return None
    if not state.game.windows:  # then whoever is asked is no secret
        return state.session.actor if state.session.actor > NOBODY else None
    return turn(state)
