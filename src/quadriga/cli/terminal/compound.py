"""Put a compound action together: ask for the pieces of an offer or a bribe one by one."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import Words

Read = Callable[[str], str]
"""Asks a question and returns the answer."""

_SUM_DIGITS = 4  # a sum of money is entered as so many digits


def ask_compound(match: Match, family: str, console: Console, say: Words, read: Read) -> str:
    """Return the notation of a compound action, or "" if the player gives up. The match does not change."""
    game = match.game
    draft = match.clone()
    pieces = [draft.actions()[family]]
    game.rules.step(draft.t, draft.s, pieces[0])
    while game.notation.is_unfinished(draft.t, draft.s):
        chosen = _ask_piece(draft, console, say, read)
        if not chosen:
            console.print(say("cli.play.dropped"), style="dim")
            return ""
        for piece in chosen:
            pieces.append(piece)
            game.rules.step(draft.t, draft.s, piece)
    return game.notation.write(match.t, match.s, pieces)


def _ask_piece(draft: Match, console: Console, say: Words, read: Read) -> list[int]:
    """Return the next piece, or the digits of a sum of money; nothing if the player gives up."""
    options = draft.actions()
    if all(text.startswith("digit ") for text in options):
        return _ask_sum(draft, console, say, read)
    for number, action in enumerate(options.values(), 1):
        notes = draft.game.display.explain(draft.t, draft.s, (action,))
        console.print(f"  {number:>2}  {say.text(notes[0].message)}", markup=False)
    answer = read(say("cli.play.which", n=len(options)))
    if not answer.isdecimal() or not 1 <= int(answer) <= len(options):
        return []
    return [list(options.values())[int(answer) - 1]]


def _ask_sum(draft: Match, console: Console, say: Words, read: Read) -> list[int]:
    """Return the digits of a sum that can be paid; nothing if the player gives up."""
    while True:
        answer = read(say("cli.play.how-much"))
        if not answer.isascii() or not answer.isdecimal() or len(answer) > _SUM_DIGITS:
            return []
        digits = _legal_digits(draft.clone(), answer.zfill(_SUM_DIGITS))
        if digits:
            return digits
        console.print(say("cli.play.too-much"), style="red")


def _legal_digits(trial: Match, answer: str) -> list[int]:
    """Return the actions for the digits of an answer, or nothing if one of them is not legal."""
    found = []
    for digit in answer:
        action = trial.actions().get(f"digit {digit}")
        if action is None:
            return []
        found.append(action)
        trial.game.rules.step(trial.t, trial.s, action)
    return found
