"""The view of Ave Caesar: a seat sees the track, all played cards, and its own hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec
import numpy as np
from msgspec.structs import replace

from quadriga.engine.game import NOBODY
from quadriga.games.avecaesar.budget import Budget, budget
from quadriga.games.avecaesar.notation import destination
from quadriga.games.avecaesar.rules.cards import FULL, left_to_draw, number, size, unplayed
from quadriga.games.avecaesar.rules.moves import MOST_LEGAL, SPAN
from quadriga.games.avecaesar.rules.race import place_of
from quadriga.games.avecaesar.rules.six import leads
from quadriga.games.avecaesar.rules.turn import legal, seat_to_act
from quadriga.games.avecaesar.state import COPIES, DONE, MOVE, RACING, VALUES, State, Tables

PHASES = ("cut", "deal", "move", "bottom", "refill", "over")
STATUS = ("racing", "finished", "out", "wrecked")


class Chariot(msgspec.Struct, frozen=True, kw_only=True):
    """The public information about a player."""

    seat: int
    points: int
    status: str
    space: str | None  # None before the line-up and after the finish
    lap: int
    coin: bool
    dishonoured: bool
    place: int | None  # the order over the finish, from 1
    leads: bool
    to_go: int | None  # the fewest steps to the finish; None before the start and after the end
    budget: Budget | None  # the steps in the cards against those that are needed; None where `to_go` is
    held: int  # cards in hand,
    deck: int  # ... and in the deck
    played: list[int]  # how many of 1 to 6 have been played
    cut: int | None


class Move(msgspec.Struct, frozen=True):
    """A card that can be played, and where it leads; None for the finish."""

    card: int
    space: str | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position of Ave Caesar, as it is sent to clients."""

    game: str = "ave-caesar"
    seat: int  # the viewer
    race: int
    races: int
    course: str
    direction: str
    phase: str
    turn: int | None
    order: list[int]
    chariots: list[Chariot]
    hand: list[int]  # the viewer's cards,
    under: list[int]  # ... and those that they put under the deck, the first to be drawn first
    moves: list[Move]  # the viewer's legal moves, if they are to move
    free: bool  # whether AC-4.1 is lifted for this turn
    standings: list[int]  # seats by place, once the last race is over


@lru_cache(maxsize=4096)
def _cards(packed: int) -> tuple[int, ...]:
    return tuple(value for value in range(1, VALUES + 1) for _ in range(number(packed, value)))


@lru_cache(maxsize=4096)
def _played(rest: int) -> tuple[int, ...]:
    """Return how many of 1 to 6 have been played if these cards, packed, are left."""
    return tuple(COPIES - number(rest, value) for value in range(1, VALUES + 1))


def _chariot(t: Tables, s: State, seat: int) -> Chariot:
    lined_up = s.phase > 0
    on_board = lined_up and s.status[seat] != 1
    racing = lined_up and s.status[seat] == RACING
    steps = budget(t, s, seat)
    return Chariot(
        seat=seat,
        points=s.points[seat],
        status=STATUS[s.status[seat]],
        space=t.raced[s.race].spaces[s.space[seat]].text if on_board else None,
        lap=s.lap[seat],
        coin=not lined_up or bool(s.coin[seat]),  # before the first race no seat has paid
        dishonoured=bool(s.dishonoured[seat]),
        place=s.finish[seat] or None,
        leads=racing and s.phase != DONE and s.begun == 1 and leads(t, s, seat),
        to_go=None if steps is None else steps.needed,
        budget=steps,
        held=size(s.hand[seat]),
        deck=left_to_draw(s, seat),
        played=[*_played(unplayed(s, seat) if lined_up else FULL)],
        cut=s.cut[seat] or None,
    )


def _moves(t: Tables, s: State, actions: Sequence[int] | None) -> list[Move]:
    if actions is None:
        out = np.zeros(MOST_LEGAL, np.int64)
        actions = out[: legal(t, s, out.data)].tolist()
    found = []
    for action in actions:
        space = destination(t, s, action)
        found.append(Move(action // SPAN + 1, space.text if space else None))
    return found


def _public_view(t: Tables, s: State) -> View:
    """Return the public part of the position."""
    over = s.phase == DONE
    course = t.raced[s.race]
    return View(
        seat=NOBODY,
        race=s.race + 1,
        races=t.races,
        course=course.name,
        direction=course.direction,
        phase=PHASES[s.phase],
        turn=None if over else seat_to_act(s),
        order=[s.order[place] for place in range(t.seats)],
        chariots=[_chariot(t, s, each) for each in range(t.seats)],
        hand=[],
        under=[],
        moves=[],
        free=bool(s.free),
        standings=[place_of(t, s, place) for place in range(t.seats)] if over else [],
    )


def _with_private(t: Tables, s: State, seat: int, public: View, actions: Sequence[int] | None = None) -> View:
    """Add the private part of one seat."""
    if seat < 0:
        return public
    return replace(
        public,
        seat=seat,
        hand=[*_cards(s.hand[seat])],
        under=[s.under[seat, i] for i in range(s.unders[seat])],
        moves=_moves(t, s, actions) if s.phase == MOVE and s.order[s.at] == seat else [],
    )


def view(t: Tables, s: State, seat: int) -> View:
    """Return the position as a seat sees it."""
    return _with_private(t, s, seat, _public_view(t, s))


def views(t: Tables, s: State, seats: Iterable[int], actions: Sequence[int] | None) -> list[View]:
    """Return the views of several seats. The public part is computed once."""
    public = _public_view(t, s)
    return [_with_private(t, s, seat, public, actions) for seat in seats]
