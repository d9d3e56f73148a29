"""One game of Ur in 48 bytes, and the tables of its rule set."""

from __future__ import annotations

from quadriga.engine.kernels.record import Record, i8, i8s, i32, i32s

OPENING = 0  # both players roll to see who starts
JUMP = 1  # an opening roll of 0 is to be jumped
ROLL = 2
MOVE = 3
DONE = 4

BEN = 0


class Tables(Record):
    """A rule set. What stands below `dice` is for the one-kind rule sets."""

    rules = i8()  # number of the rule set in `board.RULE_SETS`; 0 is Ben's
    loop = i8()  # 1: the small block is shown the other way round; no rule asks
    markers = i8()  # a side
    capture_again = i8()  # a capture gives another roll
    off = i8()  # the step after the last
    dice = i8s(5)  # weight of each roll, 0 to 4
    throws = i8()  # how many ways the dice can fall,
    faces = i8s(16)  # ... and what each of them counts
    reach = i32()  # all steps, and off
    rosettes = i32()  # steps that give another roll
    safe = i32()  # steps on which nobody is captured
    same = i32()  # steps that are the other side's same step,
    two = i32()  # ... the other side's step two further on,
    four = i32()  # ... four further on


class State(Record):
    """Where the markers stand, by seat and as bits (see `board`), and what comes next."""

    blank = i32s(2)  # blank markers; in the one-kind rule sets all markers
    dotted = i32s(2)  # dotted markers
    blank_twin = i32s(2)  # Rosettes on which a second blank marker of the same side stands
    dotted_twin = i32s(2)  # likewise dotted
    off = i8s(2)  # markers borne off; who is neither here nor there is at home
    phase = i8()  # OPENING, JUMP, ROLL, MOVE or DONE
    turn = i8()  # whose roll, jump or move it is; at the end the winner
    roll = i8()  # what is to be moved; 0 outside MOVE
    first = i8()  # Black's opening roll while White's is due
    jumps = i8()  # bit per seat that has an opening roll of 0 to jump
