"""The race (BH-6): the grid, the turns, and the stages of a move."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import KEEP_DIE, PASS, STEP, STOP, USE
from quadriga.games.benhvrt.deck import PER_MOVE
from quadriga.games.benhvrt.deck.operations import BM, CODES, PR, RO
from quadriga.games.benhvrt.rules.cards import counts_as
from quadriga.games.benhvrt.rules.chariots import (
    FASTEST,
    current_lap,
    distance,
    fitted,
    foremost,
    move_to,
    owner,
    put_on,
    set_speed,
    strength,
    take_off,
)
from quadriga.games.benhvrt.rules.phases.maintenance import seat_in_turn
from quadriga.games.benhvrt.rules.phases.steps import can_change_lane, legal_steps, note_progress, pass_others
from quadriga.games.benhvrt.rules.stack import open_window, pop, push
from quadriga.games.benhvrt.state import CHANCE, MOVING, RACE, State, Tables

START_SPEED = CODES["start-speed"]
KEEP_SPEED = CODES["keep-speed"]
FREE_LANE = CODES["free-lane"]
PLACES = 3
STALLED_TURNS = 10  # turns without progress that end a race (BH-6.8)

TO_GRID = 0  # stages of a race
TURNS = 1

BEFORE_ROLL = 0  # stages of a move
ROLL = 1
SECOND_DIE = 2
KEEP_ONE = 3
AFTER_ROLL = 4
STEPPING = 5
NEW_SPEED = 6
LEVER = 7
BETWEEN_MOVES = 8
MOVED = 9


@kernel
def run_race(t: Tables, s: State, top: int) -> None:
    """BH-6.1, BH-6.2: line up; then let the foremost chariot that has not moved in this turn move."""
    if s.at[top] == TO_GRID:
        s.at[top] = TURNS
        _line_up(t, s)
        if s.racing:
            s.priority = owner(t, foremost(t, s, s.racing))
            open_window(t, s, s.priority, BM, 0)
        return
    waiting = s.racing & ~s.moved
    if waiting == 0:
        s.moved = 0
        s.stalled = 0 if s.advanced else s.stalled + 1
        s.advanced = 0
        waiting = s.racing
    if waiting == 0 or s.stalled == STALLED_TURNS:
        pop(s)
        return
    s.begun = 1
    s.mover = foremost(t, s, waiting)
    s.priority = owner(t, s.mover)
    push(s, MOVING, s.priority)


@kernel
def _line_up(t: Tables, s: State) -> None:
    """BH-1.3, BH-6.1: put the chariots on the grid, from the dealer's left, each seat's first chariot first."""
    place = 0
    for which in range(t.chariots // t.seats):
        for number in range(t.seats):
            chariot = seat_in_turn(t, s, number) + which * t.seats
            if (s.entered >> chariot) & 1:
                put_on(s, chariot, t.grid[place])
                s.speed[chariot] = min(t.grid_rank[place], FASTEST)
                s.best[chariot] = distance(t, s, chariot)
                kinds = fitted(t, s, chariot, START_SPEED)
                while kinds:
                    set_speed(s, chariot, s.speed[chariot] + strength(t, lowest(kinds), START_SPEED))
                    kinds &= kinds - 1
                place += 1


@kernel
def run_move(t: Tables, s: State, top: int) -> None:
    """BH-6.3: run a move: window PR, roll, window RO, steps, Speed, window BM."""
    seat = s.seat[top]
    if s.at[top] == BEFORE_ROLL:
        s.at[top] = ROLL
        if open_window(t, s, seat, PR, 0):
            return
    at = s.at[top]
    if at == ROLL and s.next_roll[s.mover]:
        _set_roll(t, s, top, s.next_roll[s.mover])  # a set roll; two dice would show the same
    elif at == ROLL or at == SECOND_DIE:
        s.asked = CHANCE
    elif at == KEEP_ONE or at == LEVER:
        s.asked = seat
    else:
        _run_driving(t, s, top)


@kernel
def _run_driving(t: Tables, s: State, top: int) -> None:
    """Run the stages after the roll, one after the other until a player is asked."""
    if s.at[top] == AFTER_ROLL:
        s.at[top] = STEPPING
        s.steps = max(s.speed[s.mover] + s.roll, 0)
        s.free_lane = 1 if fitted(t, s, s.mover, FREE_LANE) else 0
    if s.at[top] == STEPPING:
        _continue_steps(t, s, top)
    if s.at[top] == NEW_SPEED:
        _new_speed(t, s, top)
    if s.at[top] == BETWEEN_MOVES:
        s.at[top] = MOVED
        s.moved |= 1 << s.mover
        if open_window(t, s, s.seat[top], BM, 0):
            return
    if s.at[top] == MOVED:
        clear_move(s)
        pop(s)


@kernel
def clear_move(s: State) -> None:
    """Clear everything about the move."""
    s.mover = 0
    s.natural = 0
    s.roll = 0
    s.steps = 0
    s.passed = 0
    s.free_lane = 0
    s.dice[0] = 0
    s.dice[1] = 0
    s.two_dice = 0
    s.calmed = 0
    s.driver_acted = 0
    s.halted = 0


@kernel
def apply_die(t: Tables, s: State, top: int, face: int) -> None:
    """Apply a die, or one of two (Sister Fortunata)."""
    if s.two_dice == 0:
        _set_roll(t, s, top, face)
    elif s.at[top] == ROLL:
        s.dice[0] = face
        s.at[top] = SECOND_DIE
    else:
        s.dice[1] = face
        s.at[top] = KEEP_ONE


@kernel
def _set_roll(t: Tables, s: State, top: int, face: int) -> None:
    """BH-6.6: set the natural roll, which uses up all instructions, and open window RO."""
    s.next_roll[s.mover] = 0
    s.natural = face
    s.roll = counts_as(t, s, s.mover, face)
    s.at[top] = AFTER_ROLL
    open_window(t, s, s.seat[top], RO, 0)


@kernel
def _continue_steps(t: Tables, s: State, top: int) -> None:
    """Ask for a step while there is allowance or a free lane change."""
    free = s.free_lane and can_change_lane(t, s, s.square[s.mover])
    if s.halted or (s.steps == 0 and not free):
        s.at[top] = NEW_SPEED
    else:
        s.asked = s.seat[top]


@kernel
def _new_speed(t: Tables, s: State, top: int) -> None:
    """BH-6.5: set the Speed. With a Brake Lever the player may keep the old Speed once per lap."""
    kinds = fitted(t, s, s.mover, KEEP_SPEED)
    if kinds:
        kind = lowest(kinds)
        if t.per[kind] == PER_MOVE or s.lever_used[s.mover] != current_lap(s, s.mover):
            s.at[top] = LEVER
            return
    set_speed(s, s.mover, s.roll)
    s.at[top] = BETWEEN_MOVES


@kernel
def legal_move(t: Tables, s: State, top: int, out: Ints) -> int:
    """Write the die to keep, the steps, or whether to keep the Speed; return how many."""
    if s.at[top] == STEPPING:
        return legal_steps(t, s, out)
    if s.at[top] == LEVER:
        out[0] = PASS
        out[1] = USE + lowest(fitted(t, s, s.mover, KEEP_SPEED))
        return 2
    out[0] = KEEP_DIE + s.dice[0] - 1
    if s.dice[0] == s.dice[1]:
        return 1
    out[1] = KEEP_DIE + s.dice[1] - 1
    return 2


@kernel
def answer_move(t: Tables, s: State, top: int, action: int) -> None:
    """Apply a decision of the moving player."""
    at = s.at[top]
    if at == KEEP_ONE:
        _set_roll(t, s, top, action - KEEP_DIE + 1)
    elif at == LEVER:
        if action == PASS:
            set_speed(s, s.mover, s.roll)
        else:
            s.lever_used[s.mover] = current_lap(s, s.mover)
        s.at[top] = BETWEEN_MOVES
    elif action == STOP:
        s.at[top] = NEW_SPEED
    else:
        _step(t, s, top, action - STEP)


@kernel
def _step(t: Tables, s: State, top: int, to: int) -> None:
    """BH-6.7, BH-6.9: move by one square. Over the line a lap begins, or the chariot finishes."""
    square = s.square[s.mover]
    if s.free_lane and t.lane[to] != t.lane[square]:
        s.free_lane = 0
    else:
        s.steps -= 1
    if t.last[square] and to == t.ahead[square]:
        if s.lap[s.mover] == s.laps:
            _finish(t, s, top)
            return
        s.lap[s.mover] += 1
    move_to(s, s.mover, to)
    note_progress(t, s, s.mover)
    if not pass_others(t, s):
        _continue_steps(t, s, top)


@kernel
def _finish(t: Tables, s: State, top: int) -> None:
    """BH-6.7: remove the mover from the track. BH-6.8: the last finisher who counts ends the race at once."""
    take_off(s, s.mover)
    s.finisher[s.finishers] = s.mover + 1
    s.finishers += 1
    s.advanced = 1
    s.at[top] = BETWEEN_MOVES
    if s.finishers == _finishers_needed(t, s):
        while s.task[s.depth - 1] != RACE:
            pop(s)
        clear_move(s)
        pop(s)


@kernel
def _finishers_needed(t: Tables, s: State) -> int:
    """BH-6.8: return how many finishers end the race: three, or all but one where the last place costs (BH-8.3)."""
    entered = count(s.entered)
    return max(entered - 1, 1) if t.penalty else min(PLACES, entered)
