"""The tables of Ben Hvrt."""

from __future__ import annotations

import numpy as np

from quadriga.engine.parts.study import Columns, Counted, Counts, in_blocks, indices, texts
from quadriga.games.benhvrt.state import Tables
from quadriga.games.benhvrt.study import counts as c

_SALES = ("none", "auction", "price")


def starts(found: Counted[Tables]) -> Counts:
    """Return the place of every seat in the turn order of the first race."""
    return found.block(c.SEAT_COUNTS)[:, 0, :, c.TURN]


def fill(found: Counted[Tables]) -> dict[str, Columns]:
    """Return the values of Ben Hvrt's own columns and tables."""
    rows = _Rows(found)
    return {
        "games": {"races": np.full(len(found.rows), found.t.races), **found.tallied},
        "races": rows.races(),
        "chariots": rows.grid(),
        "cards": rows.held(),
        "lots": rows.sold(),
        "spaces": in_blocks(rows.spaces, found.block(c.SQUARE_COUNTS), found.first),
    }


class _Rows:
    """The counts of some games, and what several tables need of them."""

    def __init__(self, found: Counted[Tables]) -> None:
        self.t, self.first = found.t, found.first
        self.seats = found.block(c.SEAT_COUNTS)
        self.chariots = found.block(c.CHARIOT_COUNTS)
        self.cards = found.block(c.CARD_COUNTS)
        self.lots = found.block(c.LOT_COUNTS)
        self.laps = found.block(c.RACE_COUNTS)[..., c.LAPS]
        self.names = np.array(found.players, object)
        self.card_names = [card.name for card in found.t.cards]
        self.earned = self.seats[..., c.AFTER] - self.seats[..., c.BEFORE]
        entered = self.seats[..., c.ENTERED] > 0
        number = np.maximum(entered.sum(axis=2, keepdims=True), 1)
        mean = (self.earned * entered).sum(axis=2, keepdims=True) / number
        self.excess = np.where(entered, self.earned - mean, 0.0)

    def place(self, games: Counts, races: Counts) -> Columns:
        """Return the columns that name a race."""
        return {"game": self.first + games, "race": races, "laps": self.laps[games, races]}

    def player(self, games: Counts, seats: Counts) -> Columns:
        """Return the columns that name a player."""
        return {"seat": seats, "player": self.names[games, seats]}

    def races(self) -> Columns:
        """Return a row for each seat of every race that took place."""
        games, races, seats = np.nonzero(self.seats[..., c.TURN])
        return {
            **self.place(games, races),
            **self.player(games, seats),
            **c.SEAT_COUNTS.named(self.seats[games, races, seats]),
            "earned": self.earned[games, races, seats],
            "excess": self.excess[games, races, seats],
        }

    def grid(self) -> Columns:
        """Return a row for each chariot in every race."""
        games, races, chariots = np.nonzero(self.chariots[..., c.GRID])
        found = self.chariots[games, races, chariots]
        return {
            **self.place(games, races),
            **self.player(games, chariots % self.t.seats),
            "chariot": chariots,
            **c.CHARIOT_COUNTS.named(found),
            "driver": texts(["", *self.card_names], found[:, c.DRIVER]),
        }

    def held(self) -> Columns:
        """Return a row for each card that a seat had to do with in a race."""
        games, races, seats, kinds = np.nonzero(self.cards.any(axis=4))
        return {
            **self.place(games, races),
            **self.player(games, seats),
            "card": texts(self.card_names, kinds),
            **c.CARD_COUNTS.named(self.cards[games, races, seats, kinds]),
            "earned": self.earned[games, races, seats],
            "excess": self.excess[games, races, seats],
        }

    def sold(self) -> Columns:
        """Return a row for each auction card."""
        games, races, lots = np.nonzero(self.lots[..., c.LOT_CARD])
        found = self.lots[games, races, lots]
        kinds = found[:, c.LOT_CARD] - 1
        sales = (found[:, c.BUYER] > 0).astype(np.int64) + found[:, c.BY_PRICE]
        return {
            **self.place(games, races),
            "lot": lots + 1,
            **c.LOT_COUNTS.named(found),
            "card": texts(self.card_names, kinds),
            "buyer": found[:, c.BUYER] - 1,
            "sale": texts(_SALES, sales),
            "list_price": np.array([card.price for card in self.t.cards])[kinds],
        }

    def spaces(self, squares: Counts, first: int) -> Columns:
        """Return a row for each square in some of the games."""
        total = squares.sum(axis=0)
        (numbers,) = indices(total.shape[:1])
        return {
            "first": np.full(len(total), first),
            "games": np.full(len(total), len(squares)),
            "space": texts([square.text for square in self.t.track.squares], numbers),
            **c.SQUARE_COUNTS.named(total),
        }
