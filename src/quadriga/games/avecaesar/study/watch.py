"""Count in games of Ave Caesar: places, cards left, the alley, missed turns, special rules, and spaces.

A step of the game can pass several turns and end a race, which clears the track. The watcher applies the step to
its copy of the position before, turn by turn, to see what happened in between.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.avecaesar.board import LAPS, LONGEST, MOST_SPACES
from quadriga.games.avecaesar.rules.cards import draw, left_to_draw, number, one, unplayed
from quadriga.games.avecaesar.rules.moves import (
    ANYWHERE,
    FINISH,
    SPAN,
    can_move,
    moving_values,
    permitted,
    playable_values,
)
from quadriga.games.avecaesar.rules.paths import beyond, keeping, may_enter, onward, owes_coin, taken, wrecked
from quadriga.games.avecaesar.rules.race import REWARDS, merit, place_of, racing
from quadriga.games.avecaesar.rules.six import crashes, is_barred_from_six
from quadriga.games.avecaesar.rules.turn import any_can_finish, drive, next_racing, seat_to_act
from quadriga.games.avecaesar.state import (
    BOTTOM,
    DEAL,
    DONE,
    FINISHED,
    HAND,
    MOVE,
    OUT,
    RACING,
    REFILL,
    VALUES,
    WRECKED,
    State,
    Tables,
)
from quadriga.games.avecaesar.study.columns import (
    AFTER_FINISH,
    ALLEY,
    BARRED,
    BLOCKS,
    BOTTOMS,
    BY_PLACE,
    CARDS,
    CRASHES,
    DISHONOURED,
    DRIVEN_ON,
    EMPTY,
    END,
    EXCEPTION,
    FIRST_SIX,
    KEPT,
    LANDINGS,
    LEFT,
    LIFTED,
    OVERSHOT,
    OVERTAKEN,
    OVERTAKES,
    PLACE,
    POINTS,
    RACE_FIELDS,
    RACES,
    RULE_COUNT,
    RULES,
    SPACE_FIELDS,
    SPACES,
    STALLED,
    STANDS,
    START,
    WAITS,
)


@kernel
def _order(t: Tables, s: State, seat: int) -> int:
    """Return how far a chariot is: lap and station."""
    return (s.lap[seat] << 8) + t.rank[s.race, s.space[seat]]


@kernel
def _is_foremost(t: Tables, s: State, seat: int) -> bool:
    """Return whether no racing chariot is further."""
    for other in range(t.seats):
        if s.status[other] == RACING and _order(t, s, other) > _order(t, s, seat):
            return False
    return True


@kernel
def _value_left(s: State, seat: int) -> int:
    """Return the points on the cards that a seat has not played."""
    cards = unplayed(s, seat)
    total = 0
    for value in range(1, VALUES + 1):
        total += value * number(cards, value)
    return total


@kernel
def _watch_turn(t: Tables, s: State, seat: int, rules: int, spaces: int, row: Ints) -> None:
    """Count before a move: where chariots stand, which spaces they block, and cards that rules forbid."""
    for other in range(t.seats):
        if s.status[other] == RACING:
            row[spaces + s.space[other] * SPACE_FIELDS + STANDS] += 1
    held = playable_values(t, s, seat)
    allowed = permitted(t, s, seat, held)
    blocked = taken(t, s, seat)
    wrecks = wrecked(t, s, seat)
    enter = may_enter(s, seat)
    past = beyond(t, s, seat)
    size = t.spaces[s.race]
    free = 1
    real = 1
    stopped = 0  # spaces on which another chariot keeps this one from ending its move
    lost = 0  # destinations that AC-5.4 forbids
    waiting = 0  # destinations for which AC-5.4 would let the chariot wait without AC-V4
    kept = keeping(t, s, seat) if t.dishonour and allowed == ANYWHERE and owes_coin(s, seat) else 0
    for card in range(1, LONGEST + 1):
        free = onward(t, s.race, s.space[seat], free, wrecks, enter)
        real = onward(t, s.race, s.space[seat], real, blocked, enter)
        if s.lap[seat] == LAPS:
            free &= ~past
            real &= ~past
        if (held >> card) & 1:
            stopped |= free & blocked & allowed
            lost |= real & ~allowed
            waiting |= free & kept
    while stopped:
        space = (s.space[seat] + lowest(stopped)) % size
        stopped &= stopped - 1
        row[spaces + space * SPACE_FIELDS + BLOCKS] += 1
    if lost:
        row[rules + KEPT] += 1
    if waiting:
        row[rules + DRIVEN_ON] += 1
    if number(s.hand[seat], VALUES) and not held >> LONGEST:
        row[rules + BARRED] += 1


@kernel
def _watch_six(t: Tables, s: State, seat: int, rules: int, row: Ints) -> None:
    """Count which rule lets the foremost chariot play a 6."""
    if not _is_foremost(t, s, seat):
        return
    if s.begun == 0:
        row[rules + FIRST_SIX] += 1
    elif s.finishers:
        row[rules + AFTER_FINISH] += 1
    elif s.free:
        row[rules + LIFTED] += 1
    elif is_barred_from_six(t, s, seat):
        row[rules + EXCEPTION] += 1


@kernel
def _overshoots(t: Tables, s: State, seat: int, card: int) -> bool:
    """AC-3.3: return whether a smaller card would have reached the finish too."""
    layer = 1
    for _ in range(1, card):
        layer = onward(t, s.race, s.space[seat], layer, taken(t, s, seat), False)
        if layer & beyond(t, s, seat):
            return True
    return False


@kernel
def _watch_overtaking(
    t: Tables, s: State, seat: int, from_: int, to: int, mine: int, spaces: int, row: Ints
) -> None:
    """Count the chariots between two places of the race: those that a move has overtaken."""
    for other in range(t.seats):
        if other != seat and s.status[other] == RACING and from_ < _order(t, s, other) < to:
            row[mine + OVERTAKEN] += 1
            row[spaces + s.space[other] * SPACE_FIELDS + OVERTAKES] += 1


@kernel
def _play(t: Tables, s: State, seat: int, action: int, mine: int, rules: int, spaces: int, row: Ints) -> None:
    """Apply a move to the copy, and count its effects."""
    card = action // SPAN + 1
    ahead = action % SPAN
    if card == VALUES:
        _watch_six(t, s, seat, rules, row)
    row[mine + CARDS] += 1
    was = _order(t, s, seat)
    if ahead == FINISH:
        if _overshoots(t, s, seat, card):
            row[rules + OVERSHOT] += 1
        s.finishers += 1
        s.finish[seat] = s.finishers
        s.status[seat] = FINISHED
        _watch_overtaking(t, s, seat, was, (LAPS + 1) << 8, mine, spaces, row)
    else:
        lap = s.lap[seat]
        coin = s.coin[seat]
        drive(t, s, seat, ahead)
        _watch_overtaking(t, s, seat, was, _order(t, s, seat), mine, spaces, row)
        row[spaces + s.space[seat] * SPACE_FIELDS + LANDINGS] += 1
        if coin and s.coin[seat] == 0:
            row[mine + ALLEY] = lap
        if s.dishonoured[seat] and coin and s.lap[seat] == LAPS and lap < LAPS:
            row[rules + DISHONOURED] += 1
    s.hand[seat] -= one(card)
    s.begun = 1
    s.misses = 0
    if s.status[seat] == FINISHED:
        row[mine + LEFT] = _value_left(s, seat)
    elif s.hand[seat] == 0 and left_to_draw(s, seat) == 0:
        s.status[seat] = OUT
        row[rules + EMPTY] += 1


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
            row[mine + LEFT] = _value_left(s, seat)


@kernel
def _watch_order(t: Tables, s: State, after: State, rules: int, row: Ints) -> None:
    """AC-V1: count the chariots that start elsewhere than where AC-2.3 would have put them."""
    last = place_of(t, s, t.seats - 1)
    for place in range(t.seats):
        if after.order[place] != (last + place) % t.seats:
            row[rules + BY_PLACE] += 1


@kernel
def watch(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
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
        _watch_turn(t, before, seat, rules, spaces, row)
        _play(t, before, seat, action, races + seat * RACE_FIELDS, rules, spaces, row)
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
