"""Bribes that were paid, as results have them: from the entries of a game, and not those that were only offered."""

from __future__ import annotations

from collections import Counter
from typing import Any

from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.traces import random_match
from quadriga.server.scores.results import Payment, payments
from quadriga.server.state.game_session import GameSession

GAME = find("ben-hvrt")


def expected(played: Match) -> Counter[tuple[int, int]]:
    """Return what has left a payer's open bribe and has not come back to their purse."""
    again, paid = Match(GAME, played.options, played.seats), Counter[tuple[int, int]]()
    for entry in played.entries:
        s: Any = again.s
        before = [(s.bribe_card[seat], s.bribe_to[seat], s.bribe_money[seat], s.purse[seat]) for seat in range(4)]
        again.append_unchecked(entry.seat, entry.text, entry.legal, entry.actions)
        for payer, (card, payee, money, purse) in enumerate(before):
            is_closed = card and not s.bribe_card[payer]
            if is_closed and entry.text.startswith("play ") and s.purse[payer] < purse + money:
                paid[payer, int(payee)] += int(money)
    return paid


def test_bribes_are_counted_when_they_are_paid():
    played = random_match(GAME, {"bribes": True, "series": [3]}, 4, 4, 0, SeededDice(4, 0))
    session = GameSession(GAME, played.options, 4, SeededDice(4, 0))
    session.match, session.forced = played, [False] * len(played.entries)
    found = payments(session)
    assert found  # of 71 bribes most were not earned
    assert found == [Payment(*who, money) for who, money in sorted(expected(played).items())]
