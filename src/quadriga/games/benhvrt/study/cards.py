"""Count what happens to the cards of Ben Hvrt: dealt, traded, fitted, played, vetoed; also offers and bribes."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import ACCEPT, DIGIT, FIT, KEEP, PLAY, STEP, TO, WAYS
from quadriga.games.benhvrt.deck.operations import RE
from quadriga.games.benhvrt.rules.cards import CANCEL
from quadriga.games.benhvrt.rules.phases.maintenance import due_item, upkeep
from quadriga.games.benhvrt.rules.piles import number
from quadriga.games.benhvrt.state import DEAL, DEPTH, DRAW, GIVE, MAINTENANCE, MARKET, WANT, WINDOW, State, Tables
from quadriga.games.benhvrt.state import PLAYED as PLAYED_TASK
from quadriga.games.benhvrt.study.counts import (
    BRIBED,
    BRIBES,
    BRIBES_EARNED,
    CANCELLED,
    CARD_PLAYED,
    CARD_UPKEEP,
    DEALT,
    FITTED,
    KIND,
    OFFERS,
    PLAYED_FIELDS,
    RACE_PLAYED,
    SWAPS,
    TRADED,
    UPKEEP,
    VETOED,
    WHO,
)
from quadriga.games.benhvrt.study.row import PLAYED, card_at, seat_at


@kernel
def count_cards(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count the cards of a step."""
    top = before.depth - 1
    race = before.race
    task = before.task[top]
    if seat < 0:
        if task == DEAL or task == DRAW:
            row[card_at(t, at, race, before.seat[top], action) + DEALT] += 1
    elif action >= PLAY and action < TO:
        _note_play(t, before, seat, action, at, row)
    elif action >= FIT and action < STEP:
        row[card_at(t, at, race, seat, (action - FIT) // 2) + FITTED] += 1
    elif task == MAINTENANCE and action == KEEP:
        kind = due_item(t, before)
        row[card_at(t, at, race, seat, kind) + CARD_UPKEEP] += upkeep(t, before, kind)
        row[seat_at(t, at, race, seat) + UPKEEP] += upkeep(t, before, kind)
    elif task == MARKET and s.offers_made[seat] > before.offers_made[seat]:
        row[seat_at(t, at, race, seat) + OFFERS] += 1
    elif task == MARKET and action == ACCEPT:
        _note_swap(t, before, before.seat[top], seat, at, row)
    elif before.building and s.building == 0:
        row[seat_at(t, at, race, seat) + BRIBES] += 1
        row[seat_at(t, at, race, seat) + BRIBED] += before.bribe_money[seat] + action - DIGIT
    _note_results(t, s, at, row)


@kernel
def _note_play(t: Tables, before: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Note a card that is played: its effects come when the others have answered. BH-7.5: it may earn bribes."""
    kind = (action - PLAY) // WAYS
    row[card_at(t, at, before.race, seat, kind) + CARD_PLAYED] += 1
    frame = at[PLAYED] + before.depth * PLAYED_FIELDS
    row[frame + WHO] = seat + 1
    row[frame + KIND] = kind
    row[frame + CANCELLED] = 0
    row[frame + RACE_PLAYED] = before.race
    top = before.depth - 1
    if before.task[top] != WINDOW or before.window[top] == RE:
        return
    way = (action - PLAY) % WAYS
    for other in range(t.seats):
        if before.bribe_card[other] == kind + 1 and before.bribe_to[other] == seat:
            if before.bribe_chariot[other] == 0 or before.bribe_chariot[other] == way + 1:
                row[seat_at(t, at, before.race, seat) + BRIBES_EARNED] += 1


@kernel
def _note_results(t: Tables, s: State, at: Ints, row: Ints) -> None:
    """Note cards whose frame has left the stack, the newest first: one that has its effect may cancel another."""
    for up in range(DEPTH):
        depth = DEPTH - 1 - up
        frame = at[PLAYED] + depth * PLAYED_FIELDS
        if row[frame + WHO] and (s.depth <= depth or s.task[depth] != PLAYED_TASK):
            kind = row[frame + KIND]
            if row[frame + CANCELLED]:
                row[card_at(t, at, row[frame + RACE_PLAYED], row[frame + WHO] - 1, kind) + VETOED] += 1
            elif (t.doing[CANCEL] >> kind) & 1:  # the window of its answers lies between the two frames
                row[frame - 2 * PLAYED_FIELDS + CANCELLED] = 1
            row[frame + WHO] = 0


@kernel
def _note_swap(t: Tables, s: State, maker: int, other: int, at: Ints, row: Ints) -> None:
    """Note an accepted offer and its cards."""
    row[seat_at(t, at, s.race, maker) + SWAPS] += 1
    for kind in range(t.kinds):
        moved = number(s, WANT, kind) - number(s, GIVE, kind)
        row[card_at(t, at, s.race, maker, kind) + TRADED] += moved
        row[card_at(t, at, s.race, other, kind) + TRADED] -= moved
