"""Compound actions: offers, bribes and others that are put together from parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from quadriga.engine.errors import IllegalActionError
from quadriga.engine.kernels.struct import Struct
from quadriga.engine.match.entry import Action
from quadriga.engine.match.stepper import Stepper

if TYPE_CHECKING:
    from quadriga.engine.match.match import Match


Write = Callable[[Struct, Struct, Sequence[int]], str]
"""Writes an action in a position: as records have it, or as the terminal shows it."""


def build(match: Match, family: str, parts: Mapping[str, object]) -> Action:
    """Return an action of a family from its parts. Raises IllegalActionError if it is not legal here."""
    compounds = match.game.notation.compounds
    if compounds is None or family not in match.families() or family not in compounds.builders:
        raise IllegalActionError("action.family", family=family, legal=list(match.actions()))
    text = compounds.builders[family](match.t, match.s, parts)
    parse(match, text)
    return text


def parse(match: Match, text: str, typed: str = "", write: Write | None = None) -> list[int]:
    """Return the pieces of a compound action, after checking that each is legal in turn.

    Errors name the action as it was typed, if that is something else, and write others with `write`.
    """
    notation, t = match.game.notation, match.t
    typed, write = typed or text, write or notation.write
    compounds = notation.compounds
    pieces = None if compounds is None else compounds.parse(t, match.s, text)
    if compounds is None or pieces is None or pieces[0] not in match.actions().values():
        raise illegal(match, typed, write)
    trial = match.s.copy()
    stepper = Stepper(match.game, t, trial)
    for number, piece in enumerate(pieces):
        if number and not compounds.is_unfinished(t, trial):
            raise illegal(match, typed, write)
        if piece not in stepper.legal():
            possible = [write(t, trial, [each]) for each in stepper.legal()]
            part = write(t, trial, [piece])
            raise IllegalActionError("action.part", text=typed, part=part, legal=possible)
        stepper.step(piece)
    if compounds.is_unfinished(t, trial) or compounds.format(t, match.s, pieces) != text:
        raise illegal(match, typed, write)
    return pieces


def illegal(match: Match, text: str, write: Write) -> IllegalActionError:
    """Return the error of an action that is not legal here."""
    legal = [write(match.t, match.s, [action]) for action in match.actions().values()]
    return IllegalActionError("action.illegal", text=text, legal=legal)
