"""Finished games: their records, their dice, and their positions one by one."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from quadriga.engine.match import trace
from quadriga.engine.match.dice import FairDice
from quadriga.server.messages.replay import ReplayedGame
from quadriga.server.orders.history import history
from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.protocol.replay_answers import Chart, Fairness, PastOrders, Replay
from quadriga.server.state import events
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.storage.base import StoredEvent

_REPLAYED: WeakKeyDictionary[GameSession, ReplayedGame] = WeakKeyDictionary()


def finished(state: RoomState) -> GameSession:
    """Return the game of a room if it is over. Raises RoomError otherwise: a running game has secrets."""
    if state.status == CLOSED:
        raise not_playing(CLOSED)
    if not state.over or state.session is None:
        raise RoomError("table.not-over")
    return state.session


def replayed(state: RoomState) -> ReplayedGame:
    """Return the replay of a finished game; it is remembered as long as the game itself."""
    play = finished(state)
    if play not in _REPLAYED:
        _REPLAYED[play] = ReplayedGame(play.match_by_the_rules())
    return _REPLAYED[play]


def record(state: RoomState) -> str:
    """Return the record, as `quadriga verify` reads it; for a closed room, the contents of its log."""
    if state.status == CLOSED:
        return _log_as_record(state)
    return trace.dumps(finished(state).match_by_the_rules(), players(state))


def players(state: RoomState) -> trace.Players:
    """Return the player of each seat at the end."""
    return [{"name": info.name} if info.bot is None else {"bot": info.bot} for info in state.seats]


def _log_as_record(state: RoomState) -> str:
    """Return the log of a closed room in the form of a record, with the version of its rules.

    This version does not know those rules, so there are no legal actions, no headings and no result.
    """
    setup, dice = state.setup, state.dice(state.client_seeds)
    header: trace.Line = {"quadriga": trace.FORMAT, "game": setup.game, "version": state.version}
    header |= {"options": setup.options, "seats": setup.seats, "players": players(state)}
    if isinstance(dice, FairDice):
        header["fair"] = {"commitment": dice.commitment, "words": dice.client_seeds}
    lines = [header]
    for done in state.closed_moves:
        if done.by == "dice":
            lines.append({"chance": done.text, "seat": done.seat})
        elif not done.is_forced:
            lines.append({"seat": done.seat, "play": done.text})
    return trace.join(lines)


def fairness(state: RoomState) -> Fairness:
    """Return everything that is needed to check the dice."""
    game = replayed(state)
    dice = state.dice(state.client_seeds)
    if not isinstance(dice, FairDice):
        raise RoomError("dice.not-fair")
    return Fairness(dice.commitment, dice.seed.hex(), dice.client_seeds, game.chances())


def replay(state: RoomState, seat: int, first: int, count: int) -> Replay:
    """Return some steps of the game as a viewpoint sees them."""
    if not -1 <= seat < state.seat_count:
        raise RoomError("table.no-seat", 404, seat=seat)
    return replayed(state).part(seat, first, count)


def orders(state: RoomState, log: Sequence[StoredEvent]) -> PastOrders:
    """Return all standing orders that the log of the game has."""
    if state.game.orders is None:
        return PastOrders([])
    return PastOrders(history(finished(state).match, (events.decode(line.kind, line.body) for line in log)))


def chart(state: RoomState) -> Chart:
    """Return a chart of the whole game."""
    return replayed(state).chart()
