"""The effects of an action or an outcome of Ben Hvrt, each with its rule, without hidden cards."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.parts.display import Note
from quadriga.engine.text.catalogues import Localised, Message
from quadriga.games.benhvrt.actions import (
    ACCEPT,
    BID,
    BRIBE,
    BUY,
    DECLINE,
    DROP,
    FIT,
    KEEP,
    KEEP_DIE,
    NAME,
    OFFER,
    ON,
    PASS,
    PLAY,
    READY,
    SELL,
    STEP,
    STOP,
    TO,
    USE,
    WAYS,
)
from quadriga.games.benhvrt.deals import payments
from quadriga.games.benhvrt.deck.operations import CHARIOT, PAIR, RIVAL, VALUE
from quadriga.games.benhvrt.names import chariot_name, lap_name, place_name
from quadriga.games.benhvrt.rules.chariots import owner, rearmost
from quadriga.games.benhvrt.rules.phases.maintenance import chariot_in_turn, due_item, upkeep
from quadriga.games.benhvrt.rules.piles import size
from quadriga.games.benhvrt.rules.turn import is_dealing, step
from quadriga.games.benhvrt.state import (
    ALL_WINDOWS,
    AUCTION,
    CHANCE,
    DEAL,
    MOVING,
    OVER,
    PLAYED,
    RACE,
    SHIFT,
    State,
    Tables,
)

_SIMPLE = {
    PASS: ("BH-7.3", "passes"),
    READY: ("BH-5.1", "ready"),
    BUY: ("BH-4.1", "buys"),
    SELL: ("BH-4.1", "auctions"),
    ACCEPT: ("BH-5.2", "accepts"),
    DECLINE: ("BH-5.2", "declines"),
    STOP: ("BH-6.3", "stops"),
}


def card_name(t: Tables, kind: int) -> Localised:
    """Return the name of a card in every language."""
    return Localised(tuple(t.cards[kind].names.items()))


def _note(rule: str, id: str, **parameters: object) -> Note:
    return Note(rule, Message(f"ben-hvrt.why.{id}", parameters))


def explain(t: Tables, s: State, actions: Sequence[int]) -> list[Note]:
    """Return the effects of an action or an outcome, in order."""
    after = State.scratch(s)
    for action in actions:
        step(t, after, action)
    return explain_after(t, s, after, actions)


def explain_after(t: Tables, s: State, after: State, actions: Sequence[int]) -> list[Note]:
    """Return the same from the states before and after it."""
    first = [_outcome_effect(t, s, actions[0])] if s.asked == CHANCE else _decision_effects(t, s, after, actions)
    return [*first, *_after_effects(t, s, after, actions[0])]


def has_hidden_effects(t: Tables, s: State, action: int) -> bool:
    """Return whether windows leave out the seats that can only pass, as in games of version 0.1.

    If they ask every seat that might hold a card (BH-7.4), no hand decides what follows by itself.
    """
    return t.ask_all != ALL_WINDOWS


def _outcome_effect(t: Tables, s: State, outcome: int) -> Note:
    task = s.task[s.depth - 1]
    if task == AUCTION:
        card = t.cards[outcome]
        return _note("BH-4.1", "turns-up", card=card_name(t, outcome), price=card.price)
    if is_dealing(s):
        return _note("BH-3.2" if task == DEAL else "BH-7.1", "dealt" if task == DEAL else "draws")
    if task in (MOVING, PLAYED):
        if t.chariots > t.seats:
            mover = chariot_name(t, s.mover, actor=owner(t, s.mover))
            return _note("BH-6.6", "rolls-with", die=outcome, chariot=mover)
        return _note("BH-6.6", "rolls", die=outcome)
    return _note("BH-2.3", "casts", die=outcome) if s.rollers else _note("BH-2.2", "laps", n=outcome)


def name_outcome(t: Tables, s: State, outcome: int) -> Localised:
    """Return the card that is dealt or drawn."""
    return card_name(t, outcome)


def _decision_effects(t: Tables, s: State, after: State, actions: Sequence[int]) -> list[Note]:
    action = actions[0]
    if action == PASS and s.task[s.depth - 1] == AUCTION:
        return [_note("BH-4.2", "drops-out")]
    if action in _SIMPLE:
        rule, what = _SIMPLE[action]
        lot = {"card": card_name(t, s.lot - 1), "price": t.cards[s.lot - 1].price} if action == BUY else {}
        return [_note(rule, what, **lot)]
    if action == BID or action in (KEEP, DROP) or action < USE:
        return [_short_decision(t, s, action)]
    if action < FIT:
        return [_note("BH-7.1", "uses", card=card_name(t, action - USE))]
    if action < STEP:
        kind, which = divmod(action - FIT, 2)
        chariot = chariot_name(t, s.asked + which * t.seats, actor=s.asked)
        return [_note("BH-5.3", "fits", card=card_name(t, kind), chariot=chariot)]
    if action < PLAY:
        return _step_effects(t, s, after, action - STEP)
    if action < TO:
        return [_play_effect(t, s, action), *_bribe_effects(t, s, action)]
    return [_piece_effect(t, s, action)]


def _short_decision(t: Tables, s: State, action: int) -> Note:
    if action == BID:
        return _note("BH-4.2", "bids", n=s.round)
    if action == OFFER:
        return _note("BH-5.2", "offers")
    if action == BRIBE:
        return _note("BH-7.5", "bribes")
    if action in (KEEP, DROP):
        kind = due_item(t, s)
        which = {"card": card_name(t, kind), "chariot": chariot_name(t, chariot_in_turn(t, s), actor=s.asked)}
        if action == DROP:
            return _note("BH-5.4", "drops", **which)
        return _note("BH-5.4", "keeps", n=upkeep(t, s, kind), **which)
    return _note("BH-6.6", "keeps-die", die=action - KEEP_DIE + 1)


def _play_effect(t: Tables, s: State, action: int) -> Note:
    kind, arg = divmod(action - PLAY, WAYS)
    name, takes = card_name(t, kind), t.cards[kind].takes
    if takes == VALUE:
        return _note("BH-7.1", "plays-value", card=name, value=arg)
    if takes in (CHARIOT, RIVAL):
        return _note("BH-7.1", "plays-on", card=name, chariot=chariot_name(t, arg, actor=s.asked))
    if takes == PAIR:
        return _note("BH-7.1", "plays-on", card=name, chariot=chariot_name(t, arg // 2, actor=s.asked))
    return _note("BH-7.1", "plays", card=name)


def _bribe_effects(t: Tables, s: State, action: int) -> list[Note]:
    """BH-7.5: return who pays a bribe for the card that is played."""
    return [_note("BH-7.5", "bribed", n=n, seat=seat + 1) for seat, n in payments(t, s, s.asked, action)]


def _piece_effect(t: Tables, s: State, action: int) -> Note:
    """Return the message for a piece of an offer or bribe, which only its maker sees."""
    if action < NAME:
        return _note("BH-5.2", "piece-to", seat=action - TO + 1)
    if NAME <= action < NAME + len(t.cards):
        return _note("BH-5.2", "piece-card", card=card_name(t, action - NAME))
    if action >= ON:
        return _note("BH-7.5", "piece-on", chariot=chariot_name(t, action - ON, reader=s.asked))
    return _note("BH-5.2", "piece")


def _step_effects(t: Tables, s: State, after: State, square: int) -> list[Note]:
    place = place_name(t.track.squares[square])
    if s.task[s.depth - 1] == SHIFT:
        return [_note("BH-7.1", "shifts", place=place, chariot=chariot_name(t, s.shifted, actor=s.asked))]
    notes = [_note("BH-6.3", "steps", place=place)]
    if after.finishers > s.finishers or (s.laps and not after.laps) or after.race != s.race:
        return [_note("BH-6.7", "finishes")]
    if after.lap[s.mover] > s.lap[s.mover]:
        lap = after.lap[s.mover]
        notes.append(_note("BH-6.7", "lap", lap=lap_name(lap)) if lap > 1 else _note("BH-6.7", "line"))
    fresh = after.passed & ~s.passed if after.mover == s.mover else 0
    passed = [chariot_name(t, c, actor=s.asked) for c in range(t.chariots) if fresh >> c & 1]
    notes += [_note("BH-6.9", "passed", chariot=chariot) for chariot in passed]
    return notes


def _after_effects(t: Tables, s: State, after: State, action: int) -> list[Note]:
    """Return the effects that follow by themselves: a card sold, a race paid out."""
    notes = []
    if s.lot and not after.lot and s.task[s.depth - 1] == AUCTION and s.round:
        taker = next((p for p in range(t.seats) if _hand_grew(t, s, after, p)), None)
        lot = card_name(t, s.lot - 1)
        notes.append(
            _note("BH-4.3", "unsold", card=lot)
            if taker is None
            else _note("BH-4.3", "sold", card=lot, seat=taker + 1)
        )
    if _race_ended(s, after):
        gains = [after.purse[p] + _next_ante(t, s, after, p) - s.purse[p] for p in range(t.seats)]
        best = max(range(t.seats), key=lambda p: gains[p])
        notes.append(_note("BH-8.1", "paid-out", seat=best + 1, n=gains[best]))
        if t.penalty:
            notes.append(_note("BH-8.3", "loses-cards", seat=owner(t, _last_chariot(t, s, action)) + 1))
    if after.laps and not s.laps and after.entered:
        notes.append(_note("BH-3.1", "ante", n=2 * after.laps))
    if after.asked == OVER:
        notes.append(_note("BH-8.4", "over"))
    return notes


def _race_ended(s: State, after: State) -> bool:
    """Return whether a race was under way before, and is paid out now."""
    return s.task[1] == RACE and not (after.task[1] == RACE and after.race == s.race)


def _next_ante(t: Tables, s: State, after: State, seat: int) -> int:
    """BH-3.1: return what a seat has paid for the next race, if its antes were taken at once."""
    if after.race == s.race:
        return 0
    return 2 * after.laps * sum(after.entered >> chariot & 1 for chariot in range(seat, t.chariots, t.seats))


def _last_chariot(t: Tables, s: State, action: int) -> int:
    """BH-8.3: return the chariot in the last place: the rearmost that has not finished, or a lone finisher."""
    end = s.copy()
    if STEP <= action < PLAY:
        chariot = s.shifted if s.task[s.depth - 1] == SHIFT else s.mover
        square = s.square[chariot]
        if t.last[square] and action - STEP == t.ahead[square]:
            end.racing &= ~(1 << chariot)
        end.square[chariot] = action - STEP
    return rearmost(t, end, end.racing) if end.racing else s.mover


def _hand_grew(t: Tables, s: State, after: State, seat: int) -> bool:
    return size(after, seat) > size(s, seat)
