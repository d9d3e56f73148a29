"""The next pairing of a tournament, and the check of all that were made."""

from __future__ import annotations

from collections.abc import Iterable

from quadriga.lab.tournament import draw, knockout, swiss
from quadriga.lab.tournament.knockout import NOBODY
from quadriga.lab.tournament.log import Event, Pair, Plan
from quadriga.lab.tournament.seating import seated
from quadriga.lab.tournament.state import Player, State


def next_pairing(state: State, link: bytes) -> Pair:
    """Return the next pairing; without tables if there are too few players for one."""
    plan = state.plan
    if plan.kind == "knockout":
        return _knockout(state, link)
    players = state.active if plan.kind == "swiss" else free_players(state)
    if plan.kind == "arena":
        players = players[: len(players) - len(players) % arena_seats(state)]
    seats = arena_seats(state) if plan.kind == "arena" else plan.seats
    tables, byes = swiss.pair(players, seats, plan.least, link)
    if plan.kind == "arena":
        byes = []  # they wait
    return Pair(link.hex(), [seated(each, link) for each in tables], byes)


def free_players(state: State) -> list[Player]:
    """Return the players of an arena who can sit down, those first who have waited for longest."""
    free = [each for each in state.active if not each.playing]
    return sorted(free, key=lambda each: (state.freed.get(each.number, 0), each.number))


def arena_seats(state: State) -> int:
    """Return the size of the next tables of an arena: smaller than planned if there are too few players at all."""
    return max(state.plan.least, min(state.plan.seats, len(state.active)))


def has_bracket_ended(state: State) -> bool:
    """Return whether at most one player of a knock-out is left."""
    return state.round > 0 and sum(each != NOBODY for each in knockout.next_slots(state)) <= 1


def _knockout(state: State, link: bytes) -> Pair:
    slots = knockout.next_slots(state) if state.pairings else knockout.first_slots(state, link)
    tables, byes = [], []
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        if NOBODY not in (one, other):
            tables.append(seated([state.players[one], state.players[other]], link))
        elif one != other:
            byes.append(max(one, other))
    return Pair(link.hex(), tables, byes, slots)


def first_wrong(plan: Plan, commitment: bytes, events: Iterable[Event]) -> int | None:
    """Return the number of the first event that is not what the draw makes it; None if all pairings are."""
    state, before = State(plan), commitment
    for number, event in enumerate(events, 1):
        if isinstance(event, Pair):
            link = bytes.fromhex(event.link)
            if not draw.follows(before, link):
                return number
            made = next_pairing(state, link)
            if (made.tables, made.byes, made.slots) != (event.tables, event.byes, event.slots):
                return number
            before = link
        state.apply(event)
    return None
