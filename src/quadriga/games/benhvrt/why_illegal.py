"""The reasons why a card of Ben Hvrt cannot be played now, or another action is illegal, each with its rule.

The reasons depend only on what the seat may see: public information, its own hand, and whether it is to decide.
"""

from __future__ import annotations

import numpy as np

from quadriga.engine.parts.display import Note, Reasons
from quadriga.engine.text.catalogues import Message
from quadriga.games.benhvrt.actions import FIT, PLAY, STEP, TO, WAYS
from quadriga.games.benhvrt.deck.operations import AU, BM, CHARIOT, DRIVER, IMPROVEMENT, PA, PB, PR, RE, RO, WINDOWS
from quadriga.games.benhvrt.explain import card_name
from quadriga.games.benhvrt.names import chariot_name
from quadriga.games.benhvrt.rules.bribes import can_bribe
from quadriga.games.benhvrt.rules.cards import (
    DRAWS,
    POACH,
    SHIELD,
    WAGER,
    needs_driver,
    poachable_chariots,
    window_chariot,
)
from quadriga.games.benhvrt.rules.chariots import fitted, is_racing, owner, takes_part
from quadriga.games.benhvrt.rules.hidden import public_actor, visible_window
from quadriga.games.benhvrt.rules.phases.auction import TURNED_UP
from quadriga.games.benhvrt.rules.phases.maintenance import due_item, upkeep
from quadriga.games.benhvrt.rules.phases.market import ACTING
from quadriga.games.benhvrt.rules.phases.offers import ANSWER, is_acceptable
from quadriga.games.benhvrt.rules.piles import held, number
from quadriga.games.benhvrt.rules.turn import MOST_LEGAL, legal
from quadriga.games.benhvrt.state import (
    AUCTION,
    DECK,
    MAINTENANCE,
    MARKET,
    PLAYED,
    WANT,
    WINDOW,
    State,
    Tables,
)
from quadriga.games.benhvrt.view import phase_of


def why_illegal(t: Tables, s: State, seat: int) -> Reasons:
    """Return the reasons by thing: cards in a seat's hand that it cannot play now, payments and offers."""
    free = _playable_kinds(t, s) if s.asked == seat else set()
    kinds = [kind for kind in range(t.kinds) if held(s, seat) >> kind & 1 and kind not in free]
    return {t.cards[kind].name: _reasons(t, s, seat, kind) for kind in kinds} | _dealings(t, s, seat)


def _playable_kinds(t: Tables, s: State) -> set[int]:
    out = np.zeros(MOST_LEGAL, np.int64)
    actions = out[: legal(t, s, out.data)].tolist()
    fits = {(action - FIT) // 2 for action in actions if FIT <= action < STEP}
    return fits | {(action - PLAY) // WAYS for action in actions if PLAY <= action < TO}


def _note(rule: str, id: str, **parameters: object) -> Note:
    return Note(rule, Message(f"ben-hvrt.why.not.{id}", parameters))


def _turn(seat: int) -> Note:
    return _note("BH-7.3", "turn", seat=seat + 1)


def _reasons(t: Tables, s: State, seat: int, kind: int) -> list[Note]:
    phase = phase_of(s)
    if phase == "over":
        return [_note("BH-8.4", "over")]
    if s.entered and not takes_part(t, s, seat):
        return [_note("BH-3.1", "sits-out")]
    fits = t.type[kind] in (IMPROVEMENT, DRIVER)
    window = AU if fits else t.window[kind]
    when = _note("BH-5.1", "fit") if fits else _note("BH-7.2", WINDOWS[window])
    if phase == "race" and window != AU and not is_racing(t, s, seat):
        return [_note("BH-6.7", "off-track")]
    top = s.depth - 1
    if fits and s.asked == seat and s.task[top] == AUCTION and s.at[top] == TURNED_UP:
        return [_note("BH-5.3", "same")]
    if window == AU:
        if phase != "market" or s.task[top] != MARKET:
            return [when, _current_task(t, s, seat, phase)]
        return [_in_market(t, s, seat, kind)]
    if visible_window(t, s, seat) != window:
        return [when, _current_task(t, s, seat, phase)]
    return _in_window(t, s, seat, kind, window, when)


def _current_task(t: Tables, s: State, seat: int, phase: str) -> Note:
    """Return a description of the current task, as the seat sees it."""
    if window := visible_window(t, s, seat):
        return _note("BH-7.2", f"now-{WINDOWS[window]}", chariot=chariot_name(t, s.mover, reader=seat))
    if phase == "race":
        return _note("BH-6.3", "now-move", chariot=chariot_name(t, s.mover, reader=seat))
    return _note("BH-5.1", f"now-{phase}")


def _in_market(t: Tables, s: State, seat: int, kind: int) -> Note:
    """BH-5.1: return the seat to act in the market; for that seat, why it cannot play this card."""
    top = s.depth - 1
    if s.at[top] == ANSWER:
        mine = s.offer_to == seat
        return _note("BH-5.2", "answer-first") if mine else _note("BH-5.2", "offered", seat=s.offer_to + 1)
    if s.asked == seat:
        fits = t.type[kind] in (IMPROVEMENT, DRIVER)
        return _note("BH-5.3", "same") if fits else _unplayable(t, s, seat, kind, AU)
    if s.ready >> seat & 1:
        return _note("BH-5.1", "ready")
    return _turn(public_actor(t, s)) if public_actor(t, s) >= 0 else _current_task(t, s, seat, "market")


def _in_window(t: Tables, s: State, seat: int, kind: int, window: int, when: Note) -> list[Note]:
    """Return the reasons while the window of the card is open."""
    top = s.depth - 1
    if s.asked == seat:
        return [_unplayable(t, s, seat, kind, window)]
    if window in (PR, PB):
        return [when, _current_task(t, s, seat, "race")]
    if window == RE and s.task[top - 1] == PLAYED and s.seat[top - 1] == seat:
        return [_note("BH-7.6", "own-card")]
    return [_note("BH-7.3", "not-asked")]


def _unplayable(t: Tables, s: State, seat: int, kind: int, window: int) -> Note:
    """Return why a card cannot be played in its own window: it lacks an object."""
    bit, target = 1 << kind, s.target[s.depth - 1]
    at_hand = window_chariot(s, window, target)
    if window in (PB, PA) and fitted(t, s, at_hand, SHIELD):
        return _note("BH-7.8", "shield", chariot=chariot_name(t, at_hand, reader=seat))
    if t.doing[DRAWS] & bit and held(s, DECK) == 0:
        return _note("BH-3.3", "deck")
    if t.doing[WAGER] & bit and s.begun:
        return _note("BH-7.1", "begun")
    if t.doing[POACH] & bit and poachable_chariots(t, s, seat, window, target) == 0:
        return _no_driver_to_poach(t, s, seat, window, target)
    if needs_driver(t, kind) and t.takes[kind] == CHARIOT:
        return _note("BH-7.8", "no-drivers")
    if needs_driver(t, kind) and s.driver[at_hand] == 0:
        return _note("BH-7.8", "no-driver", chariot=chariot_name(t, at_hand, reader=seat))
    return _note("BH-7.1", "alone")


def _no_driver_to_poach(t: Tables, s: State, seat: int, window: int, target: int) -> Note:
    """Return why no Driver can be taken over: there is none, or the cheapest is too expensive."""
    chariots = [window_chariot(s, window, target)] if window in (PB, PA) else range(t.chariots)
    there = s.entered if window == AU else s.racing
    prices = [
        t.price[s.driver[chariot] - 1]
        for chariot in chariots
        if there >> chariot & 1 and s.driver[chariot] and owner(t, chariot) != seat
    ]
    if not prices:
        return _note("BH-7.1", "nobody-drives")
    return _too_expensive(t, s, seat, min(prices))


def _too_expensive(t: Tables, s: State, seat: int, cost: int) -> Note:
    return _note("BH-2.4", "dear", n=cost, purse=s.purse[seat])


def _dealings(t: Tables, s: State, seat: int) -> Reasons:
    """Return the reasons for other illegal actions of the actor: buy, keep, accept, offer, bribe."""
    if s.asked != seat:
        return {}
    top = s.depth - 1
    task = s.task[top]
    if task == AUCTION and s.at[top] == TURNED_UP and t.price[s.lot - 1] > s.purse[seat]:
        return {"buy": [_too_expensive(t, s, seat, t.price[s.lot - 1])]}
    if task == MAINTENANCE and upkeep(t, s, due_item(t, s)) > s.purse[seat]:
        return {"keep": [_too_expensive(t, s, seat, upkeep(t, s, due_item(t, s)))]}
    if task == MARKET and s.at[top] == ANSWER and not is_acceptable(t, s):
        return {"accept": [_cannot_accept(t, s, seat)]}
    if task == MARKET and s.at[top] == ACTING and s.offers_made[seat] >= t.offers:
        return {"offer": [_note("BH-5.2", "offers", n=t.offers)]}
    if task == WINDOW and t.bribes and s.window[top] in (RO, BM) and not can_bribe(t, s, seat, s.window[top]):
        return {"bribe": [_cannot_bribe(t, s, seat)]}
    return {}


def _cannot_accept(t: Tables, s: State, seat: int) -> Note:
    """BH-5.2: return the money or the cards that the seat lacks to accept."""
    if s.want_money > s.purse[seat]:
        return _too_expensive(t, s, seat, s.want_money)
    kinds = [kind for kind in range(t.kinds) if number(s, seat, kind) < number(s, WANT, kind)]
    return _note("BH-5.2", "lack", cards=[card_name(t, kind) for kind in kinds])


def _cannot_bribe(t: Tables, s: State, seat: int) -> Note:
    if s.bribe_money[seat]:
        return _note("BH-7.5", "bribed")
    return _too_expensive(t, s, seat, 1) if s.purse[seat] < 1 else _note("BH-7.5", "alone")
