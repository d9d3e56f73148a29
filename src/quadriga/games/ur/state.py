"""The records of Ur: a game in 48 bytes, and the tables of its rule set."""

from __future__ import annotations

from quadriga.engine.kernels.struct import Struct, i8, i8s, i32, i32s

OPENING = 0  # both players roll for the start
JUMP = 1  # a player jumps after an opening roll of 0
ROLL = 2
MOVE = 3
DONE = 4

BEN = 0


class Tables(Struct):
    """A rule set. The fields from `reach` on are for the rule sets with one kind of marker."""

    rules = i8()  # number of the rule set in `board.RULE_SETS`; 0 is Ben's
    loop = i8()  # 1: the small block is shown in the other direction; no rule depends on it
    markers = i8()  # a side
    capture_again = i8()  # a capture gives another roll
    off = i8()  # the step after the last
    dice = i8s(5)  # weight of each roll, 0 to 4
    throws = i8()  # how many ways the dice can fall,
    faces = i8s(16)  # ... and the roll that each way gives
    reach = i32()  # all steps, and off
    rosettes = i32()  # steps that give another roll
    safe = i32()  # steps on which no marker can be captured
    same = i32()  # steps that are the other side's same step,
    two = i32()  # ... the other side's step two further on,
    four = i32()  # ... four further on


class State(Struct):
    """The markers by seat, as bits (see `board`), and the phase of the game."""

    blank = i32s(2)  # blank markers; in the one-kind rule sets all markers
    dotted = i32s(2)  # dotted markers
    blank_twin = i32s(2)  # Rosettes on which a second blank marker of the same side stands
    dotted_twin = i32s(2)  # likewise dotted
    off = i8s(2)  # markers borne off; markers that are neither on the board nor off are at home
    phase = i8()  # OPENING, JUMP, ROLL, MOVE or DONE
    turn = i8()  # the seat to roll, jump or move; at the end the winner
    roll = i8()  # the roll to move by; 0 outside MOVE
    first = i8()  # Black's opening roll while White's is due
    jumps = i8()  # seats, as bits, that have yet to jump for an opening roll of 0
