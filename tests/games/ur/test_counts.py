"""Exact numbers of Ur: arrangements that the rules of capacity and type allow, counted in two ways."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest

from quadriga.games.ur.board import MOTIFS, path

HOME, OFF = "home", "off"


def places(rules: str, seat: int) -> list[tuple[str, str]]:
    """Return the places of a seat's marker: a space and a type."""
    steps = path(rules, seat)
    if rules != "ben":
        return [(space, "blank") for space in steps]
    blank = [(steps[k - 1], "blank") for k in (*range(1, 13), 14)]  # UR-5.5
    dotted = [(steps[k - 1], "dotted") for k in range(13, 24)]
    return blank + dotted


def fits(rules: str, on_space: list[str], motif: str) -> bool:
    """Return whether a space can hold markers of these types (UR-5.1 to UR-5.4)."""
    if rules == "ben" and motif == "rosette":
        return len(on_space) <= 2
    if rules == "ben" and motif in ("passage", "squares"):
        return len(on_space) == len(set(on_space))
    return len(on_space) <= 1


def by_brute_force(rules: str, markers: int) -> int:
    """Count all placings of both sides' markers, checked space by space."""
    sides = [list(combinations_with_replacement([HOME, OFF, *places(rules, seat)], markers)) for seat in (0, 1)]
    count = 0
    for black, white in product(*sides):
        if all(p == OFF for p in black) or all(p == OFF for p in white):
            continue
        standing: dict[str, list[str]] = {}
        for place in (*black, *white):
            if place not in (HOME, OFF):
                standing.setdefault(place[0], []).append(place[1])
        count += all(fits(rules, types, MOTIFS[space]) for space, types in standing.items())
    return count


def by_generating_function(rules: str, markers: int) -> int:
    """Count with one polynomial per space, in x and y for the sides' markers; the rest is at home or off."""
    product_so_far: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for space in MOTIFS:
        kinds = [(seat, kind) for seat in (0, 1) for at, kind in places(rules, seat) if at == space]
        terms: Counter[tuple[int, int]] = Counter()
        for size in range(3):
            for chosen in combinations_with_replacement(kinds, size):
                if fits(rules, [kind for _, kind in chosen], MOTIFS[space]):
                    terms[sum(s == 0 for s, _ in chosen), sum(s == 1 for s, _ in chosen)] += 1
        grown: Counter[tuple[int, int]] = Counter()
        for (x, y), ways in product_so_far.items():
            for (dx, dy), more in terms.items():
                if x + dx <= markers and y + dy <= markers:
                    grown[x + dx, y + dy] += ways * more
        product_so_far = grown

    def rest(on_board: int) -> int:
        """Return the ways to put the rest at home or off while the game is not over."""
        return markers - on_board + (1 if on_board else 0)

    return sum(ways * rest(x) * rest(y) for (x, y), ways in product_so_far.items())


@pytest.mark.parametrize("rules", ["ben", "finkel", "masters", "blitz"])
@pytest.mark.parametrize("markers", [1, 2])
def test_both_counts_of_arrangements_agree(rules, markers):
    assert by_brute_force(rules, markers) == by_generating_function(rules, markers)


def test_the_known_sizes_of_the_rule_sets_come_out():
    """The numbers agree with the published sizes of the solved games, to the million."""
    assert round(by_generating_function("finkel", 7) / 1e6) == 138
    assert round(by_generating_function("masters", 7) / 1e6) == 501


def test_bens_game_grows_as_counted():
    counted = [by_generating_function("ben", markers) for markers in range(1, 8)]
    assert counted == [601, 92566, 5204140, 144265187, 2260457174, 21854467733, 139293457663]
