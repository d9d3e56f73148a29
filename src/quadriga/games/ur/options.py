"""The options of Ur, and its tables and first position."""

from __future__ import annotations

from quadriga.engine.match.options import Choice, Option, Options, Whole
from quadriga.games.ur.board import LOOPS, RULE_SETS, shared_steps, steps_with
from quadriga.games.ur.state import BEN, OPENING, ROLL, State, Tables

OPTIONS: tuple[Option, ...] = (
    Choice("rules", "ben", choices=tuple(RULE_SETS)),
    Whole("markers", lambda options, seats: RULE_SETS[options["rules"]].markers, low=1, high=7),
    Choice("loop", "own", is_display=True, choices=LOOPS),
)


def new(options: Options, seats: int) -> tuple[Tables, State]:
    """UR-2: return the tables of the rule set, and a position with all markers at home."""
    rules = options["rules"]
    chosen = RULE_SETS[rules]
    t = Tables()
    t.rules = list(RULE_SETS).index(rules)
    t.loop = LOOPS.index(options["loop"])
    t.markers = options["markers"]
    t.capture_again = chosen.capture_again
    t.off = len(chosen.path) + 1
    for roll, weight in enumerate(chosen.dice):
        t.dice[roll] = weight
        for _ in range(weight):
            t.faces[t.throws] = roll
            t.throws += 1
    t.reach = (2 << t.off) - 2
    t.rosettes = steps_with(chosen.path, "rosette")
    t.safe = t.rosettes if chosen.safe else 0
    t.same = shared_steps(rules, 0)
    t.two = shared_steps(rules, 2)
    t.four = shared_steps(rules, 4)
    s = State()
    s.phase = OPENING if t.rules == BEN else ROLL
    return t, s
