"""The reason that a bot of Ben Hvrt gives when it refuses an offer: the price for which it would agree.

A reason counts what everybody knows: a hand that the offer does not name changes nothing in it, so it gives no
card away, whoever the bot plays for.
"""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.parts.bots import Said
from quadriga.engine.parts.display import Note
from quadriga.engine.text.catalogues import Message
from quadriga.games.benhvrt.actions import DECLINE
from quadriga.games.benhvrt.bots.trades import LEAST, pile_worth
from quadriga.games.benhvrt.rules.phases.offers import ANSWER
from quadriga.games.benhvrt.rules.piles import held
from quadriga.games.benhvrt.state import GIVE, MARKET, WANT, State, Tables


def reason(t: Tables, s: State, actions: Sequence[int]) -> Said | None:
    """Return why the asked bot refuses an offer, for the two seats that know it; None for any other action."""
    top = s.depth - 1
    if actions[0] != DECLINE or s.task[top] != MARKET or s.at[top] != ANSWER:
        return None
    me, maker = s.asked, s.seat[top]
    why, missing = "ben-hvrt.says.no-use", -(-(LEAST - _public_gain(t, s, me, maker)) // 10)
    if missing > 0 and held(s, WANT):
        why = (
            "ben-hvrt.says.worth-more"
            if s.give_money + missing <= s.purse[maker] + s.want_money
            else "ben-hvrt.says.worth-too-much"
        )
    elif 0 < missing <= s.want_money:
        why = "ben-hvrt.says.costs-less"
    note = Note("BH-5.2", Message(why, {"n": max(missing, 0)}))
    return Said((maker, me), note)


def _public_gain(t: Tables, s: State, me: int, maker: int) -> int:
    """Return the gain of accepting, in tenths of Ducats, if the bot could use all that it gets."""
    cards = pile_worth(t, s, GIVE, me, maker) - pile_worth(t, s, WANT, me, maker)
    return cards + 10 * (s.give_money - s.want_money)
