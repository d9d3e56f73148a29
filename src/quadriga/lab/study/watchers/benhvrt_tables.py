"""The tables of Ben Hvrt."""

from __future__ import annotations

from typing import Any

import numpy as np

from quadriga.lab.study import watch
from quadriga.lab.study.frames import Columns, Counts, in_blocks, indices, seat_names, tally_columns, texts
from quadriga.lab.study.plan import Plan
from quadriga.lab.study.watch import Layout
from quadriga.lab.study.watchers import benhvrt
from quadriga.lab.study.watchers.benhvrt import counts as c
from quadriga.lab.study.watchers.tables import Watcher

_SALES = ("none", "auction", "price")


class _Rows:
    """The counts of some games, and what several tables need of them."""

    def __init__(self, plan: Plan, t: Any, layout: Layout, rows: Counts, first: int) -> None:
        self.t, self.first = t, first
        self.seats = layout.part(rows, c.SEATS)
        self.chariots = layout.part(rows, c.CHARIOTS)
        self.cards = layout.part(rows, c.CARDS)
        self.lots = layout.part(rows, c.LOTS)
        self.squares = layout.part(rows, c.SQUARES)
        self.laps = layout.part(rows, c.RACES)[..., c.LAPS]
        self.names = np.array(seat_names(plan, first, len(rows)), object)
        self.card_names = [card.name for card in t.cards]
        self.earned = self.seats[..., c.AFTER] - self.seats[..., c.BEFORE]
        entered = self.seats[..., c.ENTERED] > 0
        number = np.maximum(entered.sum(axis=2, keepdims=True), 1)
        mean = (self.earned * entered).sum(axis=2, keepdims=True) / number
        self.excess = np.where(entered, self.earned - mean, 0.0)

    def place(self, games: Counts, races: Counts) -> dict[str, Counts]:
        """Return the columns that name a race."""
        return {"game": self.first + games, "race": races, "laps": self.laps[games, races]}

    def player(self, games: Counts, seats: Counts) -> dict[str, Any]:
        """Return the columns that name a player."""
        return {"seat": seats, "player": self.names[games, seats]}

    def races(self) -> Columns:
        """Return a row for each seat of every race that took place."""
        games, races, seats = np.nonzero(self.seats[..., c.TURN])
        found = self.seats[games, races, seats]
        names = ("turn", "entered", "before", "ante", "bought", "bids", "upkeep", "prizes", "after")
        traded = ("offers", "swaps", "bribes", "bribed", "bribes_earned")
        return {
            **self.place(games, races),
            **self.player(games, seats),
            **{name: found[:, number] for number, name in enumerate(names)},
            "earned": self.earned[games, races, seats],
            "excess": self.excess[games, races, seats],
            **{name: found[:, c.OFFERS + number] for number, name in enumerate(traded)},
        }

    def grid(self) -> Columns:
        """Return a row for each chariot in every race."""
        games, races, chariots = np.nonzero(self.chariots[..., c.GRID])
        found = self.chariots[games, races, chariots]
        return {
            **self.place(games, races),
            **self.player(games, chariots % self.t.seats),
            "chariot": chariots,
            "grid": found[:, c.GRID],
            "place": found[:, c.PLACE],
            "driver": texts(["", *self.card_names], found[:, c.DRIVER]),
            "improvements": found[:, c.IMPROVEMENTS],
        }

    def held(self) -> Columns:
        """Return a row for each card that a seat had to do with in a race."""
        games, races, seats, kinds = np.nonzero(self.cards.any(axis=4))
        found = self.cards[games, races, seats, kinds]
        names = ("held", "dealt", "bought", "paid", "bid", "traded", "fitted", "upkeep", "played", "vetoed")
        return {
            **self.place(games, races),
            **self.player(games, seats),
            "card": texts(self.card_names, kinds),
            **{name: found[:, number] for number, name in enumerate(names)},
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
            "card": texts(self.card_names, kinds),
            "auctioneer": found[:, c.AUCTIONEER],
            "buyer": found[:, c.BUYER] - 1,
            "sale": texts(_SALES, sales),
            "price": found[:, c.PRICE],
            "others": found[:, c.OTHERS],
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
            "landings": total[:, c.LANDINGS],
            "stands": total[:, c.STANDS],
            "blocks": total[:, c.BLOCKS],
            "overtakes": total[:, c.OVERTAKES],
        }


def _tables(plan: Plan, t: Any, layout: Layout, rows: Counts, first: int) -> dict[str, Columns]:
    found = _Rows(plan, t, layout, rows, first)
    return {
        "games": {"races": np.full(len(rows), t.races), **tally_columns(layout, rows)},
        "races": found.races(),
        "chariots": found.grid(),
        "cards": found.held(),
        "lots": found.sold(),
        "spaces": in_blocks(found.spaces, found.squares, first),
    }


WATCHER = Watcher(
    {watch.watch: benhvrt.watch, watch.standing: benhvrt.standing},
    lambda t, seats: benhvrt.parts(t),
    lambda layout, rows: layout.part(rows, c.SEATS)[:, 0, :, c.TURN],
    _tables,
)
