"""The coach of Ave Caesar, in numbers: points left and needed, and the players who can pass, with their cards.

All of it is public, except that a seat is told about its own legal moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quadriga.engine.advice import Advice
from quadriga.engine.kernels.bits import lowest
from quadriga.engine.text.catalogues import Message
from quadriga.games.avecaesar.board import LONGEST, WINDOW
from quadriga.games.avecaesar.budget import budget
from quadriga.games.avecaesar.rules.cards import one, unplayed, values
from quadriga.games.avecaesar.rules.knowledge import lacks
from quadriga.games.avecaesar.rules.moves import FINISH, MOST_LEGAL, SPAN, fitting_values, moving_values
from quadriga.games.avecaesar.rules.paths import keeping, owes_coin
from quadriga.games.avecaesar.rules.six import leads
from quadriga.games.avecaesar.rules.turn import actor, drive, legal
from quadriga.games.avecaesar.state import MOVE, RACING, State, Tables


def coach(t: Tables, s: State, seat: int, chances: Mapping[int, float]) -> Advice:
    """Return the advice for a seat: its points, and after each of its moves which players can pass it at once."""
    actions: dict[int, list[Message]] = {}
    if s.phase == MOVE and actor(t, s) == seat:
        out: Any = np.zeros(MOST_LEGAL, np.int64).data
        for action in out[: legal(t, s, out)].tolist():
            actions[action] = _about_move(t, s, seat, action)
    return Advice(_about_position(t, s, seat), actions)


def _message(id: str, **parameters: object) -> Message:
    return Message(id, parameters)


def _about_position(t: Tables, s: State, seat: int) -> list[Message]:
    points = budget(t, s, seat)
    if points is None:
        return []
    kind = "ave-caesar.coach.budget" if points.spare >= 0 else "ave-caesar.coach.short"
    return [_message(kind, left=points.left, needed=points.needed, n=abs(points.spare))]


def _about_move(t: Tables, s: State, seat: int, action: int) -> list[Message]:
    card, ahead = action // SPAN + 1, action % SPAN
    if ahead == FINISH:
        return [_message("ave-caesar.coach.finish")]
    before, after = budget(t, s, seat), s.copy()
    drive(t, after, seat, ahead)
    after.hand[seat] -= one(card)
    after.begun = 1
    points, found = budget(t, after, seat), []
    if before is not None and points is not None:
        kind = "ave-caesar.coach.spare" if points.spare >= 0 else "ave-caesar.coach.spare-short"
        found.append(_message(kind, n=abs(points.spare)))
        if lost := before.spare - points.spare:
            found.append(_message("ave-caesar.coach.lost", n=lost))
    passing = {other: passing_cards(t, after, other, seat) for other in range(t.seats) if other != seat}
    for other, cards in passing.items():
        if cards:
            found.append(_message("ave-caesar.coach.passed", seat=other + 1, cards=cards))
    if not any(passing.values()):
        found.append(_message("ave-caesar.coach.unpassed"))
    return found


def passing_cards(t: Tables, s: State, other: int, seat: int) -> list[int]:
    """Return the cards with which another chariot, if it moved now, could get ahead of a seat's.

    They are cards that it has not played and may hold, as far as everybody knows. A chariot that is ahead already
    has none.
    """
    mine = _progress(t, s, s.lap[seat], s.space[seat])
    if s.status[other] != RACING or _progress(t, s, s.lap[other], s.space[other]) > mine:
        return []
    cards = values(unplayed(s, other)) & ~lacks(t, s, other)
    if s.begun and not s.lifted >> other & 1 and leads(t, s, other):  # AC-4.1
        cards &= ~(1 << LONGEST)
    targets = _beyond(t, s, other, mine)
    if owes_coin(s, other):  # AC-5.4: a card that fits keeps the alley
        kept = keeping(t, s, other)
        fitting = fitting_values(t, s, other, cards, kept)
        found = moving_values(t, s, other, fitting, targets & kept, LONGEST)
        found |= moving_values(t, s, other, cards & ~fitting, targets, LONGEST)
    else:
        found = moving_values(t, s, other, cards, targets, LONGEST)
    return _listed(found)


def _progress(t: Tables, s: State, lap: int, space: int) -> int:
    """AC-4.1: return the progress, lap and station, as one number."""
    return (lap << 8) + t.rank[s.race, space]


def _beyond(t: Tables, s: State, other: int, mine: int) -> int:
    """Return the spaces ahead of a chariot, as bits, on which its progress would exceed `mine`."""
    found, size = 0, t.spaces[s.race]
    for ahead in range(1, WINDOW + 1):
        laps, space = divmod(s.space[other] + ahead, size)
        if _progress(t, s, s.lap[other] + laps, space) > mine:
            found |= 1 << ahead
    return found


def _listed(cards: int) -> list[int]:
    found = []
    while cards:
        found.append(lowest(cards))
        cards &= cards - 1
    return found
