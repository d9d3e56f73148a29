"""Compound actions: offers, bribes and others that are put together from parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from quadriga.engine.errors import IllegalActionError
from quadriga.engine.match.entry import Action
from quadriga.engine.match.stepper import Stepper

if TYPE_CHECKING:
    from quadriga.engine.match.match import Match


def build(match: Match, family: str, parts: Mapping[str, object]) -> Action:
    """Return an action of a family from its parts. Raises IllegalActionError if it is not legal here."""
    compounds = match.game.notation.compounds
    if compounds is None or family not in match.families() or family not in compounds.builders:
        raise IllegalActionError("action.family", family=family, legal=list(match.actions()))
    text = compounds.builders[family](match.t, match.s, parts)
    parse(match, text)
    return text


def parse(match: Match, text: str) -> list[int]:
    """Return the pieces of a compound action, after checking that each is legal in turn."""
    notation, t = match.game.notation, match.t
    compounds = notation.compounds
    pieces = None if compounds is None else compounds.parse(t, match.s, text)
    if compounds is None or pieces is None or pieces[0] not in match.actions().values():
        raise _illegal(match, text)
    trial = match.s.copy()
    stepper = Stepper(match.game, t, trial)
    for number, piece in enumerate(pieces):
        if number and not compounds.is_unfinished(t, trial):
            raise _illegal(match, text)
        if piece not in stepper.legal():
            possible = [notation.text(t, trial, each) for each in stepper.legal()]
            part = notation.text(t, trial, piece)
            raise IllegalActionError("action.part", text=text, part=part, legal=possible)
        stepper.step(piece)
    if compounds.is_unfinished(t, trial) or compounds.format(t, match.s, pieces) != text:
        raise _illegal(match, text)
    return pieces


def _illegal(match: Match, text: str) -> IllegalActionError:
    return IllegalActionError("action.illegal", text=text, legal=list(match.actions()))
