"""Which start place a player gets at a table: as different from those before as the others allow."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.lab.tournament.draw import lot
from quadriga.lab.tournament.state import Player, lean

_AGAIN = 400  # the cost of having had the same place once before


def seated(players: Sequence[Player], link: bytes) -> list[int]:
    """Return the numbers of players in the order of their seats.

    Start places are not worth the same. Nobody is to sit early or late all the time, nor again and again
    in one place.
    """
    order = sorted(players, key=lambda each: lot(link, each.number))
    count = len(order)
    costs = {
        each.number: [
            (each.lean + lean(seat, count)) ** 2 + _AGAIN * each.seats[seat] ** 2 for seat in range(count)
        ]
        for each in order
    }
    seats = [each.number for each in order]
    better = True
    while better:
        better = False
        for one in range(count):
            for other in range(one + 1, count):
                a, b = costs[seats[one]], costs[seats[other]]
                if a[other] + b[one] < a[one] + b[other]:
                    seats[one], seats[other] = seats[other], seats[one]
                    better = True
    return seats
