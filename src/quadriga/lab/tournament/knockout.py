"""The bracket of a knock-out for tables of two: who loses is out."""

from __future__ import annotations

from quadriga.lab.tournament.draw import lot
from quadriga.lab.tournament.state import State, Table

NOBODY = -1


def first_slots(state: State, link: bytes) -> list[int]:
    """Return the bracket of the first round: players by lot, and the byes as far apart as possible."""
    drawn = sorted((each.number for each in state.active), key=lambda number: lot(link, number))
    order = [0]
    while len(order) < len(drawn):
        size = 2 * len(order)
        order = [each for slot in order for each in (slot, size - 1 - slot)]
    return [drawn[each] if each < len(drawn) else NOBODY for each in order]


def next_slots(state: State) -> list[int]:
    """Return the bracket of the next round: who has won, or had nobody to play."""
    last = state.pairings[-1]
    winners = {}
    for table in state.tables.values():
        if table.round == state.round and table.places:
            winners[frozenset(table.players)] = table.players[winning_seat(table)]
    slots = []
    for one, other in zip(last.slots[::2], last.slots[1::2], strict=True):
        if NOBODY in (one, other):
            slots.append(max(one, other))
        else:
            slots.append(winners.get(frozenset((one, other)), NOBODY))
    return [each if each == NOBODY or state.players[each].is_active else NOBODY for each in slots]


def winning_seat(table: Table) -> int:
    """Return the seat that goes on. After a draw it is the second, which has not had the advantage of the start."""
    assert table.places
    return 0 if table.places[0] < table.places[1] else 1
