"""The coach of Ben Hvrt, in numbers: the worth that a bid needs, the way to the finish, the effect of cards.

One place more is worth a sixth of the pot, or a third if only two chariots race (BH-8.1). So a payment of n Ducats
pays if it wins one place more in n / (a sixth of the pot) of all races. The pot counts with the payment in it. What
comes back of the payment and what others will still pay are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quadriga.engine.advice import Advice, whole_percent
from quadriga.engine.kernels.bits import count
from quadriga.engine.text.catalogues import Message
from quadriga.games.benhvrt.actions import (
    BID,
    BUY,
    DROP,
    FIT,
    KEEP,
    KEEP_DIE,
    PASS,
    PLAY,
    STEP,
    STOP,
    TO,
    USE,
    WAYS,
)
from quadriga.games.benhvrt.bots.worth import worth
from quadriga.games.benhvrt.deals import payments
from quadriga.games.benhvrt.learn.card_changes import changes_of_card, changes_of_driver, speed_after, squares_with
from quadriga.games.benhvrt.names import chariot_name
from quadriga.games.benhvrt.rules.cards import counts_as
from quadriga.games.benhvrt.rules.chariots import foremost, owner, steps_left, to_finish
from quadriga.games.benhvrt.rules.phases.maintenance import due_item, upkeep
from quadriga.games.benhvrt.rules.phases.race import LEVER, STEPPING
from quadriga.games.benhvrt.rules.piles import size
from quadriga.games.benhvrt.rules.turn import MOST_LEGAL, legal
from quadriga.games.benhvrt.state import AUCTION, MAINTENANCE, MARKET, MOVING, WINDOW, State, Tables


def coach(t: Tables, s: State, seat: int, chances: Mapping[int, float]) -> Advice:
    """Return what matters to a seat."""
    actions: dict[int, list[Message]] = {}
    if s.asked == seat and not s.building:
        out: Any = np.zeros(MOST_LEGAL, np.int64).data
        for action in out[: legal(t, s, out)].tolist():
            if found := _about_action(t, s, seat, action):
                actions[action] = found
    return Advice(_about_position(t, s, seat), actions)


def place_worth(s: State, pot: int) -> float:
    """BH-8.1: return the Ducats that one place more is worth."""
    entered = count(s.entered)
    return pot / 3 if entered == 2 else pot / 6 if entered > 2 else 0.0


def break_even(s: State, cost: int) -> float:
    """Return in which share of races a payment into the pot must win a place more; above 1 it never pays."""
    worth = place_worth(s, s.pot + cost)
    return cost / worth if worth else 2.0


def _message(id: str, **parameters: object) -> Message:
    return Message(id, parameters)


def _about_position(t: Tables, s: State, seat: int) -> list[Message]:
    if s.task[1] in (AUCTION, MARKET, MAINTENANCE) and count(s.entered) > 1:
        found = [_message("ben-hvrt.coach.pot", n=s.pot, place=round(place_worth(s, s.pot)))]
        if s.task[1] == AUCTION and s.lot:  # everybody sees the lot and all chariots, and no hand counts
            ducats = round(worth(t, s, seat, s.lot - 1) / 10)
            found.append(_message("ben-hvrt.coach.lot", n=ducats) if ducats else _message("ben-hvrt.coach.no-use"))
        return found
    found = []
    for chariot in range(seat, t.chariots, t.seats):
        if s.racing >> chariot & 1:
            name = chariot_name(t, chariot, reader=seat)
            found.append(
                _message("ben-hvrt.coach.finish", chariot=name, n=to_finish(t, s, chariot), speed=s.speed[chariot])
            )
    first = foremost(t, s, s.racing) if s.racing else -1
    if first >= 0 and owner(t, first) != seat:
        found.append(
            _message("ben-hvrt.coach.first", chariot=chariot_name(t, first, reader=seat), n=to_finish(t, s, first))
        )
    if t.penalty and (cards := _cards_at_stake(t, s, seat)):
        found.append(_message("ben-hvrt.coach.penalty", n=cards))
    return found


def _cards_at_stake(t: Tables, s: State, seat: int) -> int:
    """BH-8.3: return how many cards a racing seat has in hand and on chariots; 0 for one that is not racing."""
    chariots = range(seat, t.chariots, t.seats)
    if not any(s.racing >> chariot & 1 for chariot in chariots):
        return 0
    return size(s, seat) + sum(count(s.improvements[each]) + (s.driver[each] > 0) for each in chariots)


def _about_action(t: Tables, s: State, seat: int, action: int) -> list[Message]:
    task = s.task[s.depth - 1]
    if task == AUCTION:
        return _in_auction(t, s, action)
    if task == MAINTENANCE and action in (KEEP, DROP):
        cost = upkeep(t, s, due_item(t, s))
        return [_payment(s, cost)] if action == KEEP else [_message("ben-hvrt.coach.saves", n=cost)]
    if FIT <= action < STEP:
        return [_upkeep(t, s, (action - FIT) // 2)]
    if PLAY <= action < TO and task in (WINDOW, MARKET):
        kind, way = divmod(action - PLAY, WAYS)
        return [*changes_of_card(t, s, seat, kind, way), *_bribes_for(t, s, seat, action)]
    if USE <= action < FIT and task == WINDOW:
        return changes_of_driver(t, s, seat, action - USE)
    return _in_move(t, s, action) if task == MOVING else []


def _bribes_for(t: Tables, s: State, seat: int, action: int) -> list[Message]:
    """BH-7.5: return the money that a play earns, from all players who offer some for it."""
    earned = sum(money for _, money in payments(t, s, seat, action))
    return [_message("ben-hvrt.coach.bribed", n=earned)] if earned else []


def _in_auction(t: Tables, s: State, action: int) -> list[Message]:
    if action == BID:
        return [_payment(s, s.round)]
    if action == BUY:
        return [_payment(s, t.price[s.lot - 1])]
    if action == PASS and s.round > 1:
        return [_message("ben-hvrt.coach.spent", n=s.round * (s.round - 1) // 2)]
    return [_upkeep(t, s, (action - FIT) // 2)] if FIT <= action < STEP else []


def _payment(s: State, cost: int) -> Message:
    """Return what a payment into the pot has to be worth."""
    if cost == 0:
        return _message("ben-hvrt.coach.free")
    share = break_even(s, cost)
    if share > 1:
        return _message("ben-hvrt.coach.dear", n=cost)
    return _message("ben-hvrt.coach.pays", n=cost, chance=whole_percent(share))


def _upkeep(t: Tables, s: State, kind: int) -> Message:
    cost = upkeep(t, s, kind)
    return _message("ben-hvrt.coach.upkeep", n=cost) if cost else _message("ben-hvrt.coach.free")


def _in_move(t: Tables, s: State, action: int) -> list[Message]:
    at, mover = s.at[s.depth - 1], s.mover
    if at == LEVER:
        return [_message("ben-hvrt.coach.new-speed", n=speed_after(s.roll) if action == PASS else s.speed[mover])]
    if at != STEPPING:
        roll = counts_as(t, s, mover, action - KEEP_DIE + 1)
        return [_message("ben-hvrt.coach.die", n=squares_with(s, mover, roll), speed=speed_after(roll))]
    if action == STOP:
        return [_message("ben-hvrt.coach.gives-up", n=s.steps)] if s.steps else []
    here, to = s.square[mover], action - STEP
    lap = s.lap[mover] + (1 if t.last[here] and to == t.ahead[here] else 0)
    return (
        [_message("ben-hvrt.coach.left", n=steps_left(t, s, lap, to))]
        if lap <= s.laps
        else [_message("ben-hvrt.coach.home")]
    )
