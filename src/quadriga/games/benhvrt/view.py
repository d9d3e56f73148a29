"""The view of Ben Hvrt: a seat sees all public information, its own hand, and the cards that it knows of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from msgspec.structs import replace

from quadriga.engine.game import NOBODY
from quadriga.games.benhvrt.actions import PLAY, STEP
from quadriga.games.benhvrt.deck.operations import PA, PB, WINDOWS
from quadriga.games.benhvrt.reach import reach
from quadriga.games.benhvrt.rules.chariots import owner, takes_part
from quadriga.games.benhvrt.rules.hidden import is_building_offer, public_actor, sees_offer, visible_window
from quadriga.games.benhvrt.rules.phases.maintenance import chariot_in_turn, due_item, upkeep
from quadriga.games.benhvrt.rules.phases.offers import ANSWER
from quadriga.games.benhvrt.rules.phases.race import AFTER_ROLL
from quadriga.games.benhvrt.rules.piles import size
from quadriga.games.benhvrt.rules.turn import MOST_LEGAL, legal
from quadriga.games.benhvrt.state import (
    AUCTION,
    DECK,
    DISCARD,
    GIVE,
    MAINTENANCE,
    MARKET,
    MOVING,
    OVER,
    PLAYED,
    RACE,
    SERIES,
    SHIFT,
    WANT,
    WINDOW,
    State,
    Tables,
)
from quadriga.games.benhvrt.view_types import Bribe, Chariot, Due, Lot, Move, Offer, Player, View

STAGES = ("before", "roll", "roll", "keep-die", "rolled", "steps", "speed", "lever", "between", "between")
PHASE = 1  # the index on the stack of auction, market, maintenance or race
_MOST_CACHED = 2000  # piles


def _bytes(first: str, after: str) -> slice:
    """Return the bytes of some fields in the record, from the first to the one after the last."""
    fields = State.dtype.fields
    assert fields is not None
    return slice(fields[first][1], fields[after][1])


_CHARIOT_BYTES = _bytes("driver", "stalled")
_PLAYER_BYTES = (
    _bytes("purse", "pot"),
    _bytes("pile", "know"),
    _bytes("face_down", "due"),
    _bytes("ready", "rollers"),
)
_PHASES = {AUCTION: "auction", MARKET: "market", MAINTENANCE: "maintenance", RACE: "race"}


def _pile_names(t: Tables, s: State, pile: int) -> list[str]:
    return _card_names(t, s.pile[pile, 0], s.pile[pile, 1], s.pile[pile, 2])


def _card_names(t: Tables, ones: int, twos: int = 0, fours: int = 0) -> list[str]:
    """Return the names of the cards in some planes. They are cached, since most piles change rarely."""
    found = t.name_cache.get((ones, twos, fours))
    if found is None:
        if len(t.name_cache) >= _MOST_CACHED:
            t.name_cache.clear()
        found = []
        mask = ones | twos | fours
        while mask:
            kind = (mask & -mask).bit_length() - 1
            copies = (ones >> kind & 1) + 2 * (twos >> kind & 1) + 4 * (fours >> kind & 1)
            found += [t.cards[kind].name] * copies
            mask &= mask - 1
        t.name_cache[ones, twos, fours] = found
    return found


def _player(t: Tables, s: State, seat: int) -> Player:
    bribe = None
    if s.bribe_card[seat] and not (s.building and s.asked == seat):
        card = t.cards[s.bribe_card[seat] - 1].name
        bribe = Bribe(
            s.bribe_to[seat],
            card,
            s.bribe_chariot[seat] - 1 if s.bribe_chariot[seat] else None,
            s.bribe_money[seat],
        )
    return Player(
        seat=seat,
        purse=s.purse[seat],
        cards=size(s, seat),
        known=[],
        plays=takes_part(t, s, seat),
        ready=bool(s.ready >> seat & 1),
        offers_made=s.offers_made[seat],
        auction_cards=s.face_down[seat],
        bribe=bribe,
        die=s.cast[seat] or None,
    )


def _all_players(t: Tables, s: State) -> list[Player]:
    """Return all players. They are cached as long as the bytes they depend on do not change."""
    raw = s.raw
    key = [raw[part].tobytes() for part in _PLAYER_BYTES], s.entered, s.asked if s.building else NOBODY
    known, players = t.view_cache.get("players", (None, []))
    if known != key:
        players = [_player(t, s, seat) for seat in range(t.seats)]
        t.view_cache["players"] = key, players
    return cast("list[Player]", players)


def _all_chariots(t: Tables, s: State) -> list[Chariot]:
    """Return all chariots, cached in the same way."""
    key = s.raw[_CHARIOT_BYTES].tobytes()
    known, chariots = t.view_cache.get("chariots", (None, []))
    if known != key:
        places = [s.finisher[place] - 1 for place in range(s.finishers)]
        chariots = [_chariot(t, s, number, places) for number in range(t.chariots)]
        t.view_cache["chariots"] = key, chariots
    return cast("list[Chariot]", chariots)


def _known_to(t: Tables, s: State, viewer: int, players: list[Player]) -> list[Player]:
    """Add the cards that a viewer knows to be in the players' hands."""
    know, seen = s.know, list(players)
    for seat in range(len(players)):
        ones, twos = know[viewer, 2 * seat], know[viewer, 2 * seat + 1]
        if (ones or twos) and seat != viewer:
            seen[seat] = replace(players[seat], known=_card_names(t, ones, twos))
    return seen


def _chariot(t: Tables, s: State, number: int, places: list[int]) -> Chariot:
    racing = bool(s.racing >> number & 1)
    return Chariot(
        number=number,
        seat=owner(t, number),
        driver=t.cards[s.driver[number] - 1].name if s.driver[number] else None,
        improvements=_card_names(t, s.improvements[number]),
        entered=bool(s.entered >> number & 1),
        racing=racing,
        place=places.index(number) + 1 if number in places else None,
        square=t.track.squares[s.square[number]].text if racing else None,
        lap=s.lap[number],
        speed=s.speed[number],
        next_roll=s.next_roll[number] or None,
        moved=bool(s.moved >> number & 1),
    )


def _lot(t: Tables, s: State) -> Lot | None:
    if not s.lot:
        return None
    card = t.cards[s.lot - 1]
    bidders = [seat for seat in range(t.seats) if s.bidders >> seat & 1]
    return Lot(card.name, card.price, s.seat[PHASE], s.round or None, bidders)


def _offer(t: Tables, s: State, viewer: int) -> Offer | None:
    top = s.depth - 1
    if s.task[top] != MARKET or s.at[top] != ANSWER:
        return None
    if not sees_offer(s, viewer):
        return Offer(s.seat[top], s.offer_to, None, None, None, None)
    give, want = _pile_names(t, s, GIVE), _pile_names(t, s, WANT)
    return Offer(s.seat[top], s.offer_to, give, s.give_money, want, s.want_money)


def _due(t: Tables, s: State) -> Due | None:
    if s.task[s.depth - 1] != MAINTENANCE:
        return None
    kind = due_item(t, s)
    return Due(t.cards[kind].name, chariot_in_turn(t, s), upkeep(t, s, kind))


def _move(t: Tables, s: State) -> Move | None:
    for place in range(s.depth):
        if s.task[place] == MOVING:
            stage = STAGES[s.at[place]]
            rolled = s.at[place] >= AFTER_ROLL
            return Move(
                s.mover,
                stage,
                s.natural if rolled else None,
                s.roll if rolled else None,
                s.steps,
                [die for die in (s.dice[0], s.dice[1]) if die],
            )
    return None


def phase_of(s: State) -> str:
    """Return the phase of the race."""
    if s.asked == OVER:
        return "over"
    for place in range(1, s.depth):
        if s.task[place] in _PHASES:
            return _PHASES[s.task[place]]
    return "cast" if s.task[s.depth - 1] == SERIES and s.laps == 0 and s.at[0] == 0 else "deal"


def _targets(t: Tables, s: State, actions: Sequence[int] | None) -> list[str]:
    if actions is None:
        out = np.zeros(MOST_LEGAL, np.int64)
        actions = out[: legal(t, s, out.data)].tolist()
    squares = t.track.squares
    return sorted([squares[action - STEP].text for action in actions if STEP <= action < PLAY])


def _public_view(t: Tables, s: State) -> View:
    """Return the public part of the position."""
    window = visible_window(t, s, NOBODY)
    turn = public_actor(t, s)
    return View(
        seat=NOBODY,
        race=min(s.race + 1, t.races),
        races=t.races,
        laps=s.laps or None,
        series=[t.laps[race] or None for race in range(t.races)],
        phase=phase_of(s),
        turn=turn if turn >= 0 else None,
        asked=False,
        dealer=s.dealer if s.at[0] else None,
        pot=s.pot,
        deck=size(s, DECK),
        discards=_pile_names(t, s, DISCARD),
        hand=[],
        players=_all_players(t, s),
        chariots=_all_chariots(t, s),
        lot=_lot(t, s),
        offer=None if is_building_offer(s) else _offer(t, s, NOBODY),
        due=_due(t, s),
        move=_move(t, s),
        window=WINDOWS[window] if window else None,
        target=s.target[s.depth - 1] if window == PB else None,
        targets=[],
        reach={},
        answering=[t.cards[s.kind[place]].name for place in range(s.depth) if s.task[place] == PLAYED],
        stalled=s.stalled,
    )


def _with_private(t: Tables, s: State, seat: int, public: View, actions: Sequence[int] | None = None) -> View:
    """Add the private part of one seat."""
    if seat < 0:
        return public
    top = s.depth - 1
    mine = s.asked == seat
    window = s.window[top] if mine and s.task[top] == WINDOW else 0
    return replace(
        public,
        seat=seat,
        asked=mine,
        hand=_pile_names(t, s, seat),
        players=_known_to(t, s, seat, public.players),
        offer=public.offer and _offer(t, s, seat),
        window=WINDOWS[window] if window else public.window,
        target=s.target[top] if window in (PB, PA) else public.target,
        targets=_targets(t, s, actions) if mine and s.task[top] in (MOVING, SHIFT) else [],
        reach=reach(t, s) if mine else {},
    )


def view(t: Tables, s: State, seat: int) -> View:
    """Return the position as a seat sees it."""
    return _with_private(t, s, seat, _public_view(t, s))


def views(t: Tables, s: State, seats: Iterable[int], actions: Sequence[int] | None) -> list[View]:
    """Return the views of several seats. The public part is computed once."""
    public = _public_view(t, s)
    return [_with_private(t, s, seat, public, actions) for seat in seats]
