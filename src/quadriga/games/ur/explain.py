"""What a roll or a move of Ur does, rule by rule: for the player who asks, and for the log."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.game import Note
from quadriga.engine.text.catalogues import Said
from quadriga.games.ur.board import MOTIFS
from quadriga.games.ur.rules.turn import on_board, step
from quadriga.games.ur.state import BEN, DONE, JUMP, MOVE, OPENING, ROLL, State, Tables
from quadriga.games.ur.view import space_of, standing

_LANDING = {
    "eyes": "UR-5.1",
    "holes": "UR-5.1",
    "rosette": "UR-5.2",
    "passage": "UR-5.3",
    "squares": "UR-5.3",
    "conversion": "UR-5.4",
}


def explain(t: Tables, s: State, actions: Sequence[int]) -> list[Note]:
    """What happens if this legal action is played, or this outcome comes, in the order in which it does."""
    (action,) = actions
    after = s.copy()
    step(t, after, action)
    if s.phase in (MOVE, JUMP):
        return [*_way(t, s, after, action), *_consequence(s, after)]
    return _rolled(s, after, action)


def _note(rule: str, id: str, **parameters: object) -> Note:
    return Note(rule, Said(f"ur.why.{id}", parameters))


def _rolled(s: State, after: State, roll: int) -> list[Note]:
    notes = [_note("UR-2", "rolls", roll=roll)]
    if s.phase == ROLL and after.phase == ROLL:
        notes.append(_note("UR-4.1", "lost"))
    if s.phase == OPENING and s.turn == 1:
        if s.first == roll == 0 and after.phase == OPENING:
            notes.append(_note("UR-3.2", "void"))
        elif after.phase in (OPENING, ROLL):
            notes.append(_judgement(after))
    return notes


def _judgement(after: State) -> Note:
    """UR-3.4, as it fell out."""
    if after.phase == ROLL:
        return _note("UR-3.4", "starts-black" if after.turn == 0 else "starts-white")
    return _note("UR-3.4", "level" if after.blank[0] else "met")


def _way(t: Tables, s: State, after: State, action: int) -> list[Note]:
    """Where the marker goes, and what it does there."""
    me, source, to = s.turn, action >> 2, (action >> 2) + (action & 3) + 1
    ben = t.rules == BEN
    notes = []
    if ben and (s.phase == JUMP or s.roll == 0):
        notes.append(_note("UR-6.1", "jump"))
    if source == 0:
        notes.append(_note("UR-4.1", "enter"))
    if to == t.off:
        return [*notes, _note("UR-7.1", "off")]
    space = space_of(t, me, to)
    rule = _LANDING[MOTIFS[space]] if ben else "UR-1"
    notes.append(_note(rule, MOTIFS[space] if ben else "lands", space=space))
    if s.phase == MOVE and on_board(after, me ^ 1) < on_board(s, me ^ 1):
        notes.append(_note(rule, "capture"))
    if ben and s.phase == MOVE and _dotted(t, after, me) > _dotted(t, s, me):
        notes.append(_note("UR-5.4", "convert"))
    return notes


def _consequence(s: State, after: State) -> list[Note]:
    """Who goes on."""
    if s.phase == JUMP:
        return [] if after.phase == JUMP else [_judgement(after)]
    if after.phase == DONE:
        return [_note("UR-7.2", "wins")]
    return [_note("UR-4.2", "again")] if after.turn == s.turn else []


def _dotted(t: Tables, s: State, seat: int) -> int:
    return sum(marker.dotted for marker in standing(t, s, seat))
