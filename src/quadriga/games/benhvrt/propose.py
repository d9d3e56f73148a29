"""Propose random offers and bribes that another player might accept."""

from __future__ import annotations

from quadriga.engine.kernels.rng import Rng, below
from quadriga.games.benhvrt.actions import BRIBE, DIGIT, DIGITS, ENOUGH, NAME, OFFER, ON, TO
from quadriga.games.benhvrt.deck.operations import CHARIOT, RIVAL
from quadriga.games.benhvrt.notation import format_compound
from quadriga.games.benhvrt.rules.bribes import bribable_kinds
from quadriga.games.benhvrt.rules.chariots import is_racing, takes_part
from quadriga.games.benhvrt.rules.piles import known, number
from quadriga.games.benhvrt.state import State, Tables

_SMALL = 12  # Ducats


def propose_compound(t: Tables, s: State, family: str, rng: Rng) -> str | None:
    """Return a member of a family of actions, by what the actor knows; None if there is no sensible one."""
    pieces = _offer(t, s, rng) if family.startswith("offer") else _bribe(t, s, rng)
    return format_compound(t, s, pieces) if pieces else None


def _any(rng: Rng, things: list[int]) -> int:
    return things[below(rng, len(things))]


def _digits(money: int) -> list[int]:
    return [DIGIT + int(digit) for digit in f"{money:0{DIGITS}d}"]


def _offer(t: Tables, s: State, rng: Rng) -> list[int] | None:
    """Return up to two own cards or some money, for a card that the other is known to hold, or for money."""
    me = s.asked
    others = [seat for seat in range(t.seats) if seat != me and takes_part(t, s, seat)]
    to = _any(rng, others)
    held = [kind for kind in range(t.kinds) for _ in range(number(s, me, kind))]
    give: list[int] = []
    for _ in range(below(rng, 3)):
        if held:
            give.append(held.pop(below(rng, len(held))))
    seen = [kind for kind in range(t.kinds) if known(s, me, to, kind)]
    want = [_any(rng, seen)] if seen and below(rng, 2) else []
    worth = sum(t.price[kind] for kind in want) - sum(t.price[kind] for kind in give)
    pay = min(max(worth + below(rng, 5) - 2, 0), s.purse[me], _SMALL) if want else 0
    ask = min(max(-worth + below(rng, 5) - 2, 0), s.purse[to], _SMALL) if give else 0
    if pay and ask:
        pay, ask = max(pay - ask, 0), max(ask - pay, 0)
    if not give and not want:
        ask = min(1 + below(rng, 5), 100 * t.chariots)
    sides = [*(NAME + kind for kind in sorted(give)), ENOUGH, *_digits(pay)]
    return [OFFER, TO + to, *sides, *(NAME + kind for kind in want), ENOUGH, *_digits(ask)]


def _bribe(t: Tables, s: State, rng: Rng) -> list[int] | None:
    """Return a bribe of a few Ducats for a card that can be named in this window."""
    me, window = s.asked, s.window[s.depth - 1]
    others = [seat for seat in range(t.seats) if seat != me and is_racing(t, s, seat)]
    mask = bribable_kinds(t, window)
    kinds = [kind for kind in range(t.kinds) if mask >> kind & 1]
    if not others or not kinds or s.purse[me] < 1:
        return None
    kind = _any(rng, kinds)
    on = []
    if t.takes[kind] in (CHARIOT, RIVAL):
        on = [ON + _any(rng, [c for c in range(t.chariots) if s.racing >> c & 1])]
    money = 1 + below(rng, min(s.purse[me], 5))
    return [BRIBE, TO + _any(rng, others), NAME + kind, *on, *_digits(money)]
