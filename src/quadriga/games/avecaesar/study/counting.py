"""Count in games of Ave Caesar: moves (`turns`), missed turns, the ends of races, and special rules.

A step of the game can pass several turns and end a race, which clears the track. The watcher applies the step to
its copy of the position before, turn by turn, to see what happened in between.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import count
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.avecaesar.board import LONGEST, MOST_SPACES
from quadriga.games.avecaesar.rules.cards import draw, left_to_draw, number
from quadriga.games.avecaesar.rules.moves import (
    ANYWHERE,
    can_move,
    moving_values,
    playable_values,
)
from quadriga.games.avecaesar.rules.paths import owes_coin
from quadriga.games.avecaesar.rules.race import REWARDS, merit, place_of, racing
from quadriga.games.avecaesar.rules.six import crashes
from quadriga.games.avecaesar.rules.turn import any_can_finish, next_racing, seat_to_act
from quadriga.games.avecaesar.state import (
    BOTTOM,
    DEAL,
    DONE,
    FINISHED,
    HAND,
    MOVE,
    RACING,
    REFILL,
    VALUES,
    WRECKED,
    State,
    Tables,
)
from quadriga.games.avecaesar.study.columns import (
    BARRED,
    BOTTOMS,
    BY_PLACE,
    CRASHES,
    END,
    KEPT,
    LEFT,
    PLACE,
    POINTS,
    RACE_FIELDS,
    RACES,
    RULE_COUNT,
    RULES,
    SPACE_FIELDS,
    SPACES,
    STALLED,
    START,
    WAITS,
)
from quadriga.games.avecaesar.study.turns import count_turn, play, value_left


@kernel
def _pass_turns(t: Tables, s: State, races: int, rules: int, row: Ints) -> bool:
    """Pass the turn in the copy as the game does, and count missed turns; return whether the race ends."""
    left = racing(t, s)
    while left:
        s.at = next_racing(t, s)
        seat = s.order[s.at]
        s.free = (s.lifted >> seat) & 1
        s.lifted &= ~(1 << seat)
        if crashes(t, s, seat):
            s.status[seat] = WRECKED
            s.misses = 0
            row[rules + CRASHES] += 1
            left = racing(t, s)
            if not any_can_finish(t, s):
                left = 0
        elif can_move(t, s, seat):
            return False
        else:
            row[races + seat * RACE_FIELDS + WAITS] += 1
            held = playable_values(t, s, seat)
            if number(s.hand[seat], VALUES) and not held >> LONGEST:
                row[rules + BARRED] += 1
            if owes_coin(s, seat) and moving_values(t, s, seat, held, ANYWHERE, 1):
                row[rules + KEPT] += 1
            s.misses += 1
            if s.misses == 2 * count(left):
                row[rules + STALLED] += 1
                left = 0
            else:
                if s.misses == count(left):
                    s.lifted = left
                if t.bottom_card and left_to_draw(s, seat):
                    return False
    return True


@kernel
def _end_race(t: Tables, s: State, after: State, before_points: int, races: int, row: Ints) -> None:
    """Write the result of every seat in the race that has ended. The points before are packed, a byte a seat."""
    for seat in range(t.seats):
        mine = races + seat * RACE_FIELDS
        row[mine + PLACE] = s.finish[seat]
        row[mine + POINTS] = after.points[seat] - ((before_points >> (8 * seat)) & 255)
        if s.status[seat] == FINISHED:
            row[mine + END] = 2 if s.dishonoured[seat] else 1
        else:
            row[mine + END] = 4 if s.status[seat] == WRECKED else 3
            row[mine + LEFT] = value_left(s, seat)


@kernel
def _watch_order(t: Tables, s: State, after: State, rules: int, row: Ints) -> None:
    """AC-V1: count the chariots that start elsewhere than where AC-2.3 would have put them."""
    last = place_of(t, s, t.seats - 1)
    for place in range(t.seats):
        if after.order[place] != (last + place) % t.seats:
            row[rules + BY_PLACE] += 1


@kernel
def count_step(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count the events of a step."""
    race = before.race
    races = at[RACES] + race * t.seats * RACE_FIELDS
    rules = at[RULES] + race * RULE_COUNT
    spaces = at[SPACES] + race * MOST_SPACES * SPACE_FIELDS
    if s.phase == DEAL and s.dealt == 0:  # the chariots have lined up
        for place in range(t.seats):
            started = at[RACES] + (s.race * t.seats + s.order[place]) * RACE_FIELDS
            row[started + START] = place + 1
    passes = True
    if before.phase == MOVE:
        count_turn(t, before, seat, rules, spaces, row)
        play(t, before, seat, action, races + seat * RACE_FIELDS, rules, spaces, row)
        passes = before.status[seat] != RACING or left_to_draw(before, seat) == 0
    elif before.phase == REFILL:
        draw(before, seat_to_act(before), action)
    elif before.phase == DEAL and before.dealt == HAND * t.seats - 1:
        draw(before, seat_to_act(before), action)
        before.at = t.seats - 1
    else:
        passes = False
        if before.phase == BOTTOM:
            row[rules + BOTTOMS] += 1
    if passes:
        points = 0
        for each in range(t.seats):
            points |= before.points[each] << (8 * each)
        if _pass_turns(t, before, races, rules, row):
            _end_race(t, before, s, points, races, row)
            if t.start_by_place and s.phase != DONE:
                _watch_order(t, before, s, at[RULES] + s.race * RULE_COUNT, row)


@kernel
def standing(t: Tables, s: State, out: Ints) -> None:
    """Write the points of each seat, with those of its place in the race so far."""
    for seat in range(t.seats):
        out[seat] = s.points[seat]
        if _counts(s, seat):
            better = 0
            for other in range(t.seats):
                if _counts(s, other) and merit(t, s, other) > merit(t, s, seat):
                    better += 1
            out[seat] += REWARDS[better]


@kernel
def _counts(s: State, seat: int) -> bool:
    """Return whether a chariot can still win points, or has."""
    return (s.status[seat] == RACING or s.status[seat] == FINISHED) and s.dishonoured[seat] == 0
