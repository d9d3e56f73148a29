"""Lists of games tell nothing hidden: the stored summary is equal in two worlds that a viewpoint cannot tell apart.

*My games*, the first page and notices are made from this summary alone, and everybody at the table can read it.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from quadriga.engine.kernels.slots import CHANCE
from quadriga.games import find
from quadriga.players import Perspective, RandomPlayer
from quadriga.server.messages.game_summary import game_summary
from quadriga.server.people.history import _SEATS, ListedGame
from quadriga.server.state.events import Sit
from quadriga.server.state.room_state import RoomState
from server.messages.test_hidden_messages import SETUPS, opened, step, twin
from soak import rows
from support import there

SHORT = [SETUPS[place] for place in (1, 3, 6)]


def waits_for(state: RoomState) -> list[bool]:
    """Return for each person whether their list says that the game waits for them."""
    found = game_summary(state)
    seats = _SEATS.decode(found.seats)
    return [
        ListedGame(
            found.table_id, found.game, found.status, found.turn, 0, found.changed, 0, None, seat.holder, seats
        ).is_my_turn
        for seat in seats
    ]


@pytest.mark.parametrize(("game", "options", "seats"), rows(SETUPS, SHORT.__contains__))
def test_summaries_are_equal_whatever_is_hidden(game: str, options: dict[str, Any], seats: int):
    state = opened(game, options, seats, 11)
    for seat in range(seats):
        state.apply(Sit(seat, "person", f"Guest {seat}", f"holder {seat}"))
    play, rng, bot = there(state.session), random.Random(3), RandomPlayer(find(game), "", 5)
    differing = in_windows = secretly_asked = 0
    before = None
    while not play.match.over:
        summary = game_summary(state)
        for viewpoint in range(-1, seats):
            world = twin(state, viewpoint, rng)
            differing += there(world.session).match.s.tobytes() != play.match.s.tobytes()
            assert not game_summary(world).differs_from(summary)
            assert waits_for(world) == waits_for(state)
        if play.open_window is not None:
            in_windows += 1
            secretly_asked += play.match.actor != summary.turn
            # Somebody has passed. Whoever is asked next in this window: the list is not even written again.
            assert before is None or before[0] != play.open_window or not summary.differs_from(before[1])
        actor, window = play.match.actor, play.open_window
        text = rng.choice(play.match.outcomes()).text if actor == CHANCE else bot.decide(Perspective(play.match))
        before = (window, summary) if text == "pass" else None  # a card that is played is public
        step(play, text)
        play.end_batch()
    assert differing > 10
    if play.game.windows:
        assert in_windows > 5
        assert secretly_asked > 5
