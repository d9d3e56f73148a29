"""Positions of Ave Caesar for tests: spaces in notation, hands as lists."""

from __future__ import annotations

from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.games.avecaesar.rules.cards import FULL, one
from quadriga.games.avecaesar.rules.turn import pass_turn
from quadriga.games.avecaesar.state import RACING, WRECKED

GAME = find("ave-caesar")


def packed(cards) -> int:
    return sum(one(card) for card in cards)


def position(
    *chariots,
    course: str = "white cw",
    turn: int = 0,
    variants=(),
    begun: bool = True,
    races: int = 1,
    settle: bool = True,
    course_file: dict | None = None,
) -> Match:
    """Return a race in progress, with seat `turn` about to have its turn.

    A chariot is (space, lap, hand) or (space, lap, hand, more), where `more` may say `coin`, `deck`, `status`,
    `finish` and `dishonoured`. What cannot move misses its turn, as in the game; `settle=False` leaves that out.
    """
    seats = max(len(chariots), 3)
    match = Match(GAME, {"courses": [course] * races, "variants": list(variants), "course": course_file}, seats)
    t, s = match.t, match.s
    index = t.raced[0].index
    s.tied = s.cutters = 0
    for seat, (space, lap, hand, *rest) in enumerate(chariots):
        more = rest[0] if rest else {}
        segment, lane, j = space.split(".")
        s.order[seat] = seat
        s.space[seat] = index[segment, int(lane), int(j)]
        s.lap[seat] = lap
        s.coin[seat] = more.get("coin", True)
        s.hand[seat] = packed(hand)
        s.deck[seat] = packed(more["deck"]) if "deck" in more else FULL - packed(hand)
        s.status[seat] = more.get("status", RACING)
        s.finish[seat] = more.get("finish", 0)
        s.dishonoured[seat] = more.get("dishonoured", False)
    s.finishers = max(s.finish[seat] for seat in range(seats))
    s.begun = begun
    s.at = (turn - 1) % seats
    if settle:
        pass_turn(t, s)
    match._marks[0] = s.tobytes()
    return match


def out(space: str = "A2.0.0", lap: int = 1):
    """Return a chariot that is out of the race."""
    return (space, lap, [], {"deck": [], "status": 2})


def wreck(space: str, lap: int = 1):
    """Return a wreck on a space."""
    return (space, lap, [6], {"status": WRECKED})


def seen(match: Match, seat: int):
    """Return the public view of a seat."""
    return match.view().chariots[seat]
