"""Pairings of a Swiss: players of like points meet, and as few as possible meet again.

For tables of two a matching of least weight is found (rustworkx). It is unique, because the lots are part of the
weights: any program that finds one finds this one. For larger tables, players are sorted by points and lots, cut
into tables, and exchanged as long as that makes the pairing better.
"""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.lab.tournament.draw import lot
from quadriga.lab.tournament.log import POINT
from quadriga.lab.tournament.state import Player

_STEPS = 12  # of a point that count as a difference
_AGAIN = 2 * _STEPS**2  # the cost of a second meeting at a table of more than two, beside squares of differences
_AGAIN_OF_TWO = 10_000 * _STEPS**2  # ... of two: more than any difference
_NEAR = 40  # players after somebody in the order who may be paired with them, unless that leaves some alone
_REACH = 4  # tables after one with which it exchanges players
_SWEEPS = 30
_LOTS = 2**40


def sizes(players: int, seats: int, least: int) -> list[int]:
    """Return the sizes of the tables: as large as wanted or smaller by few, and never below `least`.

    Who is left over has a bye.
    """
    if players < least:
        return []
    tables = -(-players // seats)
    if players // tables < least:
        tables = players // seats
        return [seats] * tables if tables else [players]
    short = tables * (players // tables + 1) - players
    return [players // tables + 1] * (tables - short) + [players // tables] * short


def pair(players: Sequence[Player], seats: int, least: int, link: bytes) -> tuple[list[list[Player]], list[int]]:
    """Return the tables, each in no order, and the players who have a bye."""
    order = sorted(players, key=lambda each: (-each.points, lot(link, each.number)))
    wanted = sizes(len(order), seats, least)
    resting = len(order) - sum(wanted)
    byes = sorted(range(len(order)), key=lambda rank: (len(order[rank].byes), -rank))[:resting]
    order = [each for rank, each in enumerate(order) if rank not in byes]
    numbers = sorted({each.number for each in players} - {each.number for each in order})
    if not wanted:
        return [], numbers
    return (_pairs(order, link) if seats == 2 else _tables(order, wanted)), numbers


def _steps(points: int) -> int:
    return points * _STEPS // POINT


def _pairs(order: list[Player], link: bytes) -> list[list[Player]]:
    import rustworkx  # only servers and `quadriga tournament` need it

    for reach in (_NEAR, len(order)):
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(order)))
        edges = [
            (one, other, -_cost_of_two(order[one], order[other], link))
            for one in range(len(order))
            for other in range(one + 1, min(one + reach + 1, len(order)))
        ]
        graph.add_edges_from(edges)
        matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        found = sorted(sorted(each) for each in matched)
        if 2 * len(found) == len(order):
            break
    return [[order[one], order[other]] for one, other in found]


def _cost_of_two(one: Player, other: Player, link: bytes) -> int:
    first, second = sorted((one.number, other.number))
    cost = (_steps(one.points) - _steps(other.points)) ** 2 * 4
    cost += _AGAIN_OF_TWO * one.met[other.number] ** 2
    cost += (one.lean + other.lean) ** 2 // 3_600 if (one.lean > 0) == (other.lean > 0) else 0
    return cost * _LOTS + lot(link, first, second) % _LOTS


def _tables(order: list[Player], wanted: list[int]) -> list[list[Player]]:
    tables, start = [], 0
    for size in wanted:
        tables.append(order[start : start + size])
        start += size
    for _ in range(_SWEEPS):
        if not any(
            _exchange(tables[one], tables[other])  # all of them, also after one has made it better
            for one in range(len(tables))
            for other in range(one + 1, min(one + _REACH + 1, len(tables)))
        ):
            break
    return tables


def _exchange(one: list[Player], other: list[Player]) -> bool:
    """Exchange players of two tables while that is better; return whether anything has changed."""
    changed = False
    for mine in range(len(one)):
        for yours in range(len(other)):
            a, b = one[mine], other[yours]
            now = _fit(a, one, a) + _fit(b, other, b)
            if _fit(b, one, a) + _fit(a, other, b) < now:
                one[mine], other[yours] = b, a
                changed = True
    return changed


def _fit(player: Player, table: list[Player], besides: Player) -> int:
    """Return what it costs that a player sits with those of a table, without one of them."""
    own, met, cost = _steps(player.points), player.met, 0
    for each in table:
        if each is not besides:
            cost += (own - _steps(each.points)) ** 2
            if each.number in met:
                cost += _AGAIN * met[each.number] ** 2
    return cost
