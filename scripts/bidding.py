"""Solve the auctions of Ben Hvrt, and write how likely its bots are to bid: `python scripts/bidding.py`.

All bids are paid (BH-4.2), so bidding for a card is a war of attrition: in round r every bidder pays r Ducats or
is out, and the last one takes the card. A position is the round, the bidders that have paid in it and those still
to be asked. It is solved backward from the last round for a card that is worth the same to all.

A result counts as one's own Ducats less the mean of the others'. A card that is worth v wins v from the others. A
Ducat that is paid goes into the pot, which all share. Backward induction alone has an answer that can be read:
all pass but the last in the round, who can make any other regret a bid. Therefore bidders answer by chance, the
more likely the better (a logit quantal response), and expect it of each other. The temperatures are the best of
about fifteen combinations in games against the exploiters, and worths are measured (`benchmarks/worths.py`).
A warm first round makes most cards contested. Where later rounds were as warm, `outbid-5` won 38 to
48 % in Hercules. The worth of each number alone was not measured.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

from quadriga.games.benhvrt.bots.bidding import LEVELS, MOST, ROUNDS, TABLES

TARGET = Path(__file__).parents[1] / "src/quadriga/games/benhvrt/bots/bidding_table.py"
MIDDLES = (5, 7, 9, 11, 13.5, 16.5, 20, 24.5, 30, 37, 48, 64, 90)  # of the levels, in tenths of Ducats
HORIZON = 12  # the last round that is solved
FIRST_ROUND = (1.2, 0.5)  # temperatures in Ducats: a fixed part, and a part of the worth
LATER_ROUNDS = (0.5, 0.25)
LAST_ASKED = (0.4, 0.1)
CHEAP = 1.2  # below this worth the first round cools down, too

Values = tuple[tuple[float, ...], float]  # of the bidders in order, and of everybody else


class Lot:
    """A card of one worth, in Ducats, at a table of some seats."""

    def __init__(self, worth: float, seats: int) -> None:
        self.worth, self.seats = worth, seats
        self.won = worth * seats / (seats - 1)
        self.lost = -self.won / (seats - 1)
        self.chances: dict[tuple[int, int, int], float] = {}  # to bid, by round, bidders inside and bidders after
        self.play = cache(self._play)

    def temperature(self, round: int, after: int) -> float:
        """Return how much worse an answer may be and still be likely, in Ducats."""
        if after == 0:
            return LAST_ASKED[0] + LAST_ASKED[1] * self.worth
        if round > 1:
            return LATER_ROUNDS[0] + LATER_ROUNDS[1] * self.worth
        return (FIRST_ROUND[0] + FIRST_ROUND[1] * self.worth) * min(1.0, self.worth / CHEAP)

    def _play(self, round: int, inside: int, asked: int) -> Values:
        """Return the values where some bidders have paid in this round and others are still to be asked."""
        if inside + asked == 0:
            return (), 0.0
        if inside + asked == 1 and (round > 1 or inside):
            return (self.won,), self.lost
        if round > HORIZON:  # the last in order has the longest breath
            return (*(self.lost for _ in range(inside + asked - 1)), self.won), self.lost
        if asked == 0:
            return self.play(round + 1, 0, inside)
        passed, outside = self.play(round, inside, asked - 1)
        bid, watching = self.play(round, inside + 1, asked - 1)
        share = round / (self.seats - 1)
        paid = [value - round if i == inside else value + share for i, value in enumerate(bid)]
        better = (paid[inside] - outside) / self.temperature(round, asked - 1)
        chance = 1 / (1 + math.exp(-min(max(better, -50.0), 50.0)))
        self.chances[round, inside, asked - 1] = chance
        left = [*passed[:inside], outside, *passed[inside:]]
        values = tuple(chance * one + (1 - chance) * other for one, other in zip(paid, left, strict=True))
        return values, chance * (watching + share) + (1 - chance) * outside


def packed(lot: Lot, round: int) -> int:
    """Return the chances of a round in fifteenths, four bits for each number of bidders inside and after."""
    row = 0
    for inside in range(MOST + 1):
        for after in range(MOST + 1):
            place = (MOST + 1) * inside + after
            if place < 15:  # 60 bits
                fifteenths = 15 * lot.chances.get((round, inside, after), 0.0)
                row |= math.floor(fifteenths + 0.5) << 4 * place
    return row


def solved() -> list[int]:
    """Return the whole table: by seats, level of worth and round."""
    rows = []
    for seats in TABLES:
        for middle in MIDDLES:
            lot = Lot(middle / 10, seats)
            lot.play(1, 0, 2 * MOST + 1)
            rows += [packed(lot, number) for number in range(1, ROUNDS + 1)]
    return rows


def written() -> str:
    """Return the module with the table."""
    rows = solved()
    text = ['"""The chances to bid in auctions of Ben Hvrt, written by scripts/bidding.py; see bidding.py."""', ""]
    text += ["from __future__ import annotations", "", "# fmt: off", "CHANCES = ("]
    for at in range(0, len(rows), ROUNDS // 2):
        text.append("    " + " ".join(f"0x{row:015x}," for row in rows[at : at + ROUNDS // 2]))
    return "\n".join([*text, ")", "# fmt: on", ""])


if __name__ == "__main__":
    assert len(MIDDLES) == len(LEVELS)
    TARGET.write_text(written())
