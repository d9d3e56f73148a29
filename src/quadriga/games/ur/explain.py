"""The effects of a roll or a move of Ur, each with its rule."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.parts.display import Note
from quadriga.engine.text.catalogues import Message
from quadriga.games.ur.board import MOTIFS
from quadriga.games.ur.names import place_name
from quadriga.games.ur.rules.turn import step
from quadriga.games.ur.state import BEN, DONE, JUMP, MOVE, OPENING, ROLL, State, Tables
from quadriga.games.ur.view import space_of

_FIELD_BITS = 32  # of the fields of a state that hold markers
_LANDING = {
    "eyes": "UR-5.1",
    "holes": "UR-5.1",
    "rosette": "UR-5.2",
    "passage": "UR-5.3",
    "squares": "UR-5.3",
    "conversion": "UR-5.4",
}


def explain(t: Tables, s: State, actions: Sequence[int]) -> list[Note]:
    """Return the effects of a legal action or an outcome, in order."""
    after = State.scratch(s)
    step(t, after, actions[0])
    return explain_after(t, s, after, actions)


def explain_after(t: Tables, s: State, after: State, actions: Sequence[int]) -> list[Note]:
    """Return the effects of an action or an outcome, in order, from the states before and after it."""
    (action,) = actions
    if s.phase in (MOVE, JUMP):
        return [*_move_effects(t, s, after, action), *_after_effects(s, after)]
    return _roll_effects(s, after, action)


def _note(rule: str, id: str, **parameters: object) -> Note:
    return Note(rule, Message(f"ur.why.{id}", parameters))


def _roll_effects(s: State, after: State, roll: int) -> list[Note]:
    notes = [_note("UR-2", "rolls", roll=roll)]
    if s.phase == ROLL and after.phase == ROLL:
        notes.append(_note("UR-4.1", "lost"))
    if s.phase == OPENING and s.turn == 1:
        if s.first == roll == 0 and after.phase == OPENING:
            notes.append(_note("UR-3.2", "void"))
        elif after.phase in (OPENING, ROLL):
            notes.append(_opening_result(after))
    return notes


def _opening_result(after: State) -> Note:
    """UR-3.4: return the note that says which side starts, or that both roll again."""
    if after.phase == ROLL:
        return _note("UR-3.4", "starts-black" if after.turn == 0 else "starts-white")
    return _note("UR-3.4", "level" if after.blank[0] else "met")


def _move_effects(t: Tables, s: State, after: State, action: int) -> list[Note]:
    """Return notes about how the marker moves, and about its effects where it lands."""
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
    notes.append(_note(rule, MOTIFS[space] if ben else "lands", place=place_name(t, me, to)))
    if s.phase == MOVE and _board_count(after, me ^ 1) < _board_count(s, me ^ 1):
        notes.append(_note(rule, "capture"))
    if ben and s.phase == MOVE and _dotted_count(after, me) > _dotted_count(s, me):
        notes.append(_note("UR-5.4", "convert"))
    return notes


def _after_effects(s: State, after: State) -> list[Note]:
    """Return notes about how the game continues: another roll, the result of the opening, or the win."""
    if s.phase == JUMP:
        return [] if after.phase == JUMP else [_opening_result(after)]
    if after.phase == DONE:
        return [_note("UR-7.2", "wins")]
    return [_note("UR-4.2", "again")] if after.turn == s.turn else []


def _board_count(s: State, seat: int) -> int:
    blanks = s.blank[seat] | s.blank_twin[seat] << _FIELD_BITS
    return blanks.bit_count() + _dotted_count(s, seat)


def _dotted_count(s: State, seat: int) -> int:
    return (s.dotted[seat] | s.dotted_twin[seat] << _FIELD_BITS).bit_count()
