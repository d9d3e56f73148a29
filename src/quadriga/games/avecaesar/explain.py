"""The effects of a card or a draw of Ave Caesar, each with its rule."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.parts.display import Note
from quadriga.engine.text.catalogues import Message
from quadriga.games.avecaesar.names import place_name
from quadriga.games.avecaesar.notation import destination
from quadriga.games.avecaesar.rules.cards import left_to_draw
from quadriga.games.avecaesar.rules.knowledge import is_waiting, loses_alley
from quadriga.games.avecaesar.rules.moves import BOTTOMS, FINISH, SPAN
from quadriga.games.avecaesar.rules.six import leads
from quadriga.games.avecaesar.rules.turn import drive, step
from quadriga.games.avecaesar.state import BOTTOM, CUT, DONE, FINISHED, MOVE, OUT, WRECKED, State, Tables


def _note(rule: str, id: str, **parameters: object) -> Note:
    return Note(rule, Message(f"ave-caesar.why.{id}", parameters))


def explain(t: Tables, s: State, actions: Sequence[int]) -> list[Note]:
    """Return the effects of a legal action or an outcome, in order."""
    (action,) = actions
    after = State.scratch(s)
    if s.phase == MOVE and not has_hidden_effects(t, s, action):
        drive(t, after, s.order[s.at], action % SPAN)
        return _move_effects(t, s, after, action)
    step(t, after, action)
    return explain_after(t, s, after, actions)


def explain_after(t: Tables, s: State, after: State, actions: Sequence[int]) -> list[Note]:
    """Return the effects of an action or an outcome, in order, from the states before and after it."""
    (action,) = actions
    if s.phase == CUT:
        notes = [_note("AC-2.2", "cuts", card=action)]
    elif s.phase == BOTTOM:
        notes = [_note("AC-V2", "bottom", card=action - BOTTOMS + 1)]
    elif s.phase == MOVE:
        notes = _move_effects(t, s, after, action)
    else:
        notes = [_note("AC-3.1", "draws")]
    return [*notes, *_after_effects(t, s, after)]


def has_hidden_effects(t: Tables, s: State, action: int) -> bool:
    """Return whether the effects of an action may depend on the hidden hands of others.

    They do if the turn passes at once (AC-3.3, AC-3.4): the hands decide which player can move then. After any
    other action a card is drawn first, and only the position, which is public, has changed.
    """
    return s.phase == MOVE and (action % SPAN == FINISH or left_to_draw(s, s.order[s.at]) == 0)


def _move_effects(t: Tables, s: State, after: State, action: int) -> list[Note]:
    seat, card = s.order[s.at], action // SPAN + 1
    space = destination(t, s, action)
    if space is None:
        return [_note("AC-3.3", "finishes", card=card)]
    course = t.raced[s.race]
    place = place_name(course, (s.space[seat] + action % SPAN) % len(course.spaces))
    notes = [_note("AC-3.1", "drives", card=card, place=place)]
    same_race = after.race == s.race
    if card == 6 and s.begun and leads(t, s, seat):
        notes.append(_note("AC-4.5", "lifted") if s.free else _note("AC-4.3", "unpassable"))
    if same_race and after.lap[seat] > s.lap[seat]:
        notes.append(_note("AC-1.4", "lap", lap=after.lap[seat]))
    if space.alley and s.coin[seat]:
        notes.append(_note("AC-5.1", "ave"))
    if same_race and after.coin[seat] and loses_alley(t, s, seat, action % SPAN) and not after.dishonoured[seat]:
        notes.append(_note("AC-5.4", "past"))
    if same_race and after.dishonoured[seat] and not s.dishonoured[seat]:
        notes.append(_note("AC-5.5", "dishonoured"))
    if same_race and after.status[seat] == OUT:
        notes.append(_note("AC-3.4", "out"))
    return notes


def _after_effects(t: Tables, s: State, after: State) -> list[Note]:
    """Return the effects that follow by themselves: crashes, missed turns, the end of a race."""
    if after.race != s.race or (after.phase == DONE and s.phase != DONE):
        return [_note("AC-6.1", "race-over")]
    notes = []
    for seat in range(t.seats):
        if after.status[seat] == WRECKED and s.status[seat] != WRECKED:
            notes.append(_note("AC-V3", "crashes", seat=seat + 1))
    for seat in _skipped(t, s, after):
        waits = is_waiting(t, after, seat)
        notes.append(_note("AC-5.4", "waits", seat=seat + 1) if waits else _note("AC-3.1", "misses", seat=seat + 1))
    if after.lifted and not s.lifted:
        notes.append(_note("AC-4.5", "lifts"))
    return notes


def _skipped(t: Tables, s: State, after: State) -> list[int]:
    """Return the racing seats that missed their turn in this step."""
    if after.phase not in (MOVE, BOTTOM) or s.phase < MOVE:
        return []
    found: list[int] = []
    at = s.at
    for _ in range(t.seats):
        at = (at + 1) % t.seats
        seat = after.order[at]
        if at == after.at:
            return [*found, seat] if after.phase == BOTTOM else found
        if after.status[seat] not in (FINISHED, OUT, WRECKED):
            found.append(seat)
    return found
