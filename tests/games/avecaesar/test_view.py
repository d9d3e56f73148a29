"""What a seat sees of Ave Caesar."""

from typing import Any

from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find


def chariots(match: Match):
    view: Any = match.view(0)
    return view.chariots


def test_nobody_leads_before_the_first_card_is_played():
    """AC-4.2: the chariots at the line stand side by side, and the first card is free."""
    match = Match(find("ave-caesar"), {"courses": ["white cw"]}, 4, SeededDice(1))
    assert [chariot.leads for chariot in chariots(match)] == [False] * 4
    first = match.actor
    match.play(match.legal()[0])
    assert [chariot.seat for chariot in chariots(match) if chariot.leads] == [first]
