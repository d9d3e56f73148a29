"""The reasons why a marker of Ur cannot move now, each with its rule."""

from __future__ import annotations

import numpy as np

from quadriga.engine.parts.display import Note, Reasons
from quadriga.engine.text.catalogues import Message
from quadriga.games.ur.board import LAST_BLANK, MOTIFS, STEPS
from quadriga.games.ur.names import place_name
from quadriga.games.ur.rules.opening import marker_step
from quadriga.games.ur.rules.turn import at_home, legal
from quadriga.games.ur.state import BEN, DONE, JUMP, MOVE, OPENING, State, Tables
from quadriga.games.ur.view import markers_of, space_of


def why_illegal(t: Tables, s: State, seat: int) -> Reasons:
    """Return the reason for every step (0: home) with markers of a seat that cannot move now."""
    steps = {marker.step: marker.dotted for marker in markers_of(t, s, seat)}
    if at_home(t, s, seat):
        steps[0] = False
    free = _movable_steps(t, s) if s.phase in (MOVE, JUMP) and s.turn == seat else set()
    return {str(step): [_reason(t, s, seat, step, steps[step])] for step in sorted(steps) if step not in free}


def _movable_steps(t: Tables, s: State) -> set[int]:
    out = np.zeros(32, np.int64)
    return {action // 4 for action in out[: legal(t, s, out.data)].tolist()}


def _note(rule: str, id: str, **parameters: object) -> Note:
    return Note(rule, Message(f"ur.why.not.{id}", parameters))


def _reason(t: Tables, s: State, seat: int, step: int, dotted: bool) -> Note:
    if s.phase == DONE:
        return _note("UR-7.2", "over")
    if s.phase == OPENING:
        return _note("UR-3.1", "opening")
    if s.turn != seat:
        return _note("UR-4.1", "turn", seat=s.turn + 1)
    if s.phase == JUMP and step != marker_step(s, seat):
        return _note("UR-3.2", "opening-one")
    if s.phase not in (MOVE, JUMP):
        return _note("UR-4.1", "roll")
    if t.rules == BEN and s.roll == 0:
        return _note("UR-6.2", "no-jump" if (step | 3) + 1 <= STEPS else "no-jump-end")
    to = step + s.roll
    if to > t.off:
        return _note("UR-7.1", "exact", n=t.off - step)
    if t.rules == BEN and not dotted and to > LAST_BLANK:
        return _note("UR-5.5", "turn-over")
    return _landing_reason(t, s, seat, to, dotted)


def _landing_reason(t: Tables, s: State, seat: int, to: int, dotted: bool) -> Note:
    """UR-5: return the reason why the marker cannot land on a space."""
    space, place = space_of(t, seat, to), place_name(t, seat, to)
    there = [marker for side in (0, 1) for marker in markers_of(t, s, side) if marker.space == space]
    own = any(marker.seat == seat for marker in there)
    if t.rules != BEN:
        return _note("UR-4.1", "own", place=place) if own else _note("UR-5.2", "safe", place=place)
    motif = MOTIFS[space]
    if motif == "rosette":
        return _note("UR-5.2", "full", place=place)
    if motif in ("passage", "squares") or own:
        return _note("UR-5.3" if motif in ("passage", "squares") else "UR-5.1", "own", place=place)
    if motif == "conversion":
        return _note("UR-5.4", "gate", place=place)
    return _note("UR-5.1", "other-kind", place=place)
