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
    if family not in match.families():
        raise IllegalActionError("action.family", family=family, legal=list(match.actions()))
    text = match.game.build_compound(match.t, match.s, family, parts)
    parse(match, text)
    return text


def parse(match: Match, text: str) -> list[int]:
    """Return the pieces of a compound action, after checking that each is legal in turn."""
    game, t = match.game, match.t
    pieces = game.parse_compound(t, match.s, text)
    if pieces is None or pieces[0] not in match.actions().values():
        raise _illegal(match, text)
    trial = match.s.copy()
    stepper = Stepper(game, t, trial)
    for number, piece in enumerate(pieces):
        if number and not game.is_unfinished(t, trial):
            raise _illegal(match, text)
        if piece not in stepper.legal():
            possible = [game.text(t, trial, each) for each in stepper.legal()]
            part = game.text(t, trial, piece)
            raise IllegalActionError("action.part", text=text, part=part, legal=possible)
        stepper.step(piece)
    if game.is_unfinished(t, trial) or game.format_compound(t, match.s, pieces) != text:
        raise _illegal(match, text)
    return pieces


def _illegal(match: Match, text: str) -> IllegalActionError:
    return IllegalActionError("action.illegal", text=text, legal=list(match.actions()))
