"""The squares that the moving chariot can drive to, with a way to each: people choose a square, not steps."""

from __future__ import annotations

from heapq import heappop, heappush

from quadriga.games.benhvrt.deck.operations import RO
from quadriga.games.benhvrt.rules.chariots import fitted, owner
from quadriga.games.benhvrt.rules.phases.race import FREE_LANE, STEPPING
from quadriga.games.benhvrt.state import MOVING, SHIFT, WINDOW, State, Tables


def reach(t: Tables, s: State) -> dict[str, str]:
    """Return, by square that the mover can drive to, the square before it on the way; nothing outside of a move.

    Before the first step, while others may still react to the roll, it is what the roll allows as it stands.
    It follows BH-1.2, BH-6.3, BH-6.4 and BH-6.7 from the public position. Of several ways it takes one with the
    fewest steps, then with the fewest changes of lane, then with the latest ones. What others play on the way may
    still stop the chariot.
    """
    top = s.depth - 1
    if s.task[top] == SHIFT:
        return _shift_reach(t, s)
    if s.task[top] == MOVING and s.at[top] == STEPPING:
        allowance, free_lane = s.steps, s.free_lane
    elif s.task[top] == WINDOW and s.window[top] == RO and not s.building and owner(t, s.mover) == s.asked:
        allowance, free_lane = max(s.speed[s.mover] + s.roll, 0), int(bool(fitted(t, s, s.mover, FREE_LANE)))
    else:
        return {}
    start = s.square[s.mover]
    is_last_lap = s.lap[s.mover] == s.laps
    taken = {s.square[chariot] for chariot in range(t.chariots) if s.racing >> chariot & 1}
    before: dict[int, int] = {}
    seen: set[tuple[int, int]] = set()
    # The costs of a way (steps, changes of lane, minus the moments of these), its end, and the square before.
    waiting = [(0, 0, 0, start, -1, free_lane)]
    while waiting:
        steps, changes, early, square, last, free = heappop(waiting)
        if (square, free) in seen:
            continue
        seen.add((square, free))
        if last >= 0 and square != start:
            before.setdefault(square, last)
        has_finished = last >= 0 and is_last_lap and t.last[last] and square == t.ahead[last]
        if has_finished:
            continue
        if steps < allowance and t.ahead[square] not in taken:
            heappush(waiting, (steps + 1, changes, early, t.ahead[square], square, free))
        for i in range(t.sides[square]):
            beside = t.beside[square, i]
            cost = 0 if free else 1
            if steps + cost <= allowance and beside not in taken:
                heappush(waiting, (steps + cost, changes + 1, early - steps, beside, square, 0))
    return _named(t, before)


def _shift_reach(t: Tables, s: State) -> dict[str, str]:
    """Return the squares that a chariot can be shifted to, in any direction but not across the line (BH-7.7)."""
    start = s.square[s.shifted]
    taken = {s.square[chariot] for chariot in range(t.chariots) if s.racing >> chariot & 1}
    before: dict[int, int] = {}
    edge = [start]
    for _ in range(s.shift_left):
        further = []
        for square in edge:
            for each in _beside(t, square):
                if each not in taken and each not in before:
                    before[each] = square
                    further.append(each)
        edge = further
    return _named(t, before)


def _beside(t: Tables, square: int) -> list[int]:
    """Return the squares ahead, behind and beside a square on this side of the line."""
    found = [t.beside[square, i] for i in range(t.sides[square])]
    if not t.last[square]:
        found.append(t.ahead[square])
    if not t.last[t.behind[square]]:
        found.append(t.behind[square])
    return found


def _named(t: Tables, before: dict[int, int]) -> dict[str, str]:
    squares = t.track.squares
    return {squares[square].text: squares[last].text for square, last in sorted(before.items())}
