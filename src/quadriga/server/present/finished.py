"""Finished games: their records, what it takes to check their dice, and their positions one by one."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from quadriga.engine.match import trace
from quadriga.engine.match.dice import FairDice
from quadriga.server.present.replay import Story
from quadriga.server.protocol.errors import RoomError, standing
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import CLOSED, RoomState

_STORIES: WeakKeyDictionary[GameSession, Story] = WeakKeyDictionary()


def finished(state: RoomState) -> GameSession:
    """The game, if everybody may see everything of it."""
    if state.status == CLOSED:
        raise standing(CLOSED)
    if not state.over or state.session is None:
        raise RoomError("table.not-over")
    return state.session


def story(state: RoomState) -> Story:
    """The game as a story; remembered as long as the game itself is."""
    play = finished(state)
    if play not in _STORIES:
        _STORIES[play] = Story(play.match_by_the_rules())
    return _STORIES[play]


def record(state: RoomState) -> str:
    """The record, as `quadriga verify` reads it; of a closed table as its log has it."""
    if state.status == CLOSED:
        return _logged(state)
    return trace.dumps(finished(state).match_by_the_rules())


def _logged(state: RoomState) -> str:
    """What was done at a closed table, in lines like a trace's, under the version of the rules it was done under.

    Nobody here plays by those rules: so there are no lists of legal actions, no headings and no result.
    """
    setup, dice = state.setup, state.dice(state.client_seeds)
    header: trace.Line = {"quadriga": trace.FORMAT, "game": setup.game, "version": state.version}
    header |= {"options": setup.options, "seats": setup.seats}
    if isinstance(dice, FairDice):
        header["fair"] = {"commitment": dice.commitment, "words": dice.words}
    lines = [header]
    for done in state.closed_moves:
        if done.by == "dice":
            lines.append({"chance": done.text, "seat": done.seat})
        elif not done.is_forced:
            lines.append({"seat": done.seat, "play": done.text})
    return trace.written(lines)


def fairness(state: RoomState) -> dict[str, Any]:
    """Every outcome of chance with what it was picked from."""
    told = story(state)
    dice = state.dice(state.client_seeds)
    if not isinstance(dice, FairDice):
        raise RoomError("dice.not-fair")
    return {"commitment": dice.commitment, "seed": dice.seed.hex(), "words": dice.words, "events": told.chances()}


def replay(state: RoomState, seat: int, first: int, count: int) -> dict[str, Any]:
    """Positions of the game as a viewpoint sees them."""
    if not -1 <= seat < state.seat_count:
        raise RoomError("table.no-seat", 404, seat=seat)
    return story(state).window(seat, first, count)


def chart(state: RoomState) -> dict[str, Any]:
    """The game as a whole."""
    return story(state).chart()
