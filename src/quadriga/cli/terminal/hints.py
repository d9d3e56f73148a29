"""Hints: the move that the strongest bot would make, what it does, and what the others are worth."""

from __future__ import annotations

from quadriga.cli.terminal.board import Board
from quadriga.cli.terminal.thinking import STRONGEST, Thinking
from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import Words

_MOST = 8  # actions that are listed


def print_hint(match: Match, thinking: Thinking, board: Board, say: Words) -> None:
    """Print a hint for the seat to decide. Chances that differ by no more than their error are not shown."""
    text, considered = thinking.consider()
    actions = match.actions()
    action = actions.get(text)
    notes = match.game.display.explain(match.t, match.s, (action,)) if action is not None else []
    effects = ", ".join(say.text(note.message) for note in notes)
    board.print(
        say("cli.play.hint", text=text if action is None else board.shown(action), effects=effects),
        style="bold",
        indent=4,
    )
    is_telling = any(not each.is_close_to(considered[0]) for each in considered)
    for number, each in enumerate(considered[:_MOST]):
        shown = board.shown(actions[each.text]) if each.text in actions else each.text
        if number and each.is_close_to(considered[0]):
            board.print(f"  {'':>8}  {shown}  {say('cli.play.how.close')}", style="dim", indent=12)
            continue
        chance = say.percent(each.chance, 1) if is_telling or len(considered) == 1 else ""
        how = say(f"cli.play.how.{each.how}", n=each.tries)
        board.print(f"  {chance:>8}  {shown}  {how}", style="dim", indent=12)
    if not considered:
        board.print(say("cli.play.hint-meanwhile", kind=STRONGEST), style="dim", indent=2)
