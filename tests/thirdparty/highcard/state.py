"""The records of High Card: tables, which the options set, and the state."""

from __future__ import annotations

from quadriga.engine.kernels.struct import Struct, i8, i8s, i32, i32s

MOST = 4  # seats
CARDS = 12
DEAL, PLAY, WINDOW, DRAW, DONE = 0, 1, 2, 3, 4  # phases
PASS = 0  # actions: pass, a card by its number, or knock
KNOCK = CARDS + 1


class Tables(Struct):
    """What the options set."""

    seats = i8()
    cards = i8()
    knocking = i8()
    ask_all = i8()  # whether windows also ask seats that can only pass


class State(Struct):
    """Everything about a game in progress. Fields that are not in use are 0, so equal positions are equal bytes."""

    hand = i32s(MOST)  # by seat, a bit for each card
    pool = i32()  # cards that nobody holds
    table = i8s(MOST)  # the card of each seat in this trick, 0 for none
    points = i8s(MOST)
    phase = i8()
    turn = i8()  # the seat to deal to, to play, or to draw
    done = i8()  # cards dealt, or cards in the trick
    trick = i8()
    asked = i8()  # in a window: the seat that is asked
    knocked = i8()  # seat + 1 that has shown the highest card and still holds it
    double = i8()  # whether the trick counts twice
