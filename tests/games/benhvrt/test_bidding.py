"""How bots of Ben Hvrt bid: by chance, more for a better card, and by a table that a script writes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.benhvrt import positions as ben
from quadriga.games import find
from quadriga.games.benhvrt.bots import bidding_table
from quadriga.games.benhvrt.bots.bidding import LEVELS, ROUNDS, TABLES
from quadriga.games.benhvrt.study.counts import BUYER, BY_PRICE, LOT_CARD, LOT_FIELDS, OTHERS, PRICE
from quadriga.games.benhvrt.study.row import LOTS
from quadriga.lab.study.counted_games import CountedGames
from quadriga.players import Perspective
from quadriga.players import find as player
from quadriga.players.compiled_match import GREEDY, Bot

BEN = find("ben-hvrt")


def script():
    path = Path(__file__).parents[3] / "scripts" / "bidding.py"
    spec = importlib.util.spec_from_file_location("bidding_script", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers(card, passes=0, bids=0, seeds=40, bot="greedy"):
    """Return how often a bot bids for a card after some seats have passed and others have bid."""
    match = ben.position("auction", dealer=0, laps=4)
    match.happen(f"turn {card}")
    match.play("auction")
    for text in ["pass"] * passes + ["bid"] * bids:
        match.play(text)
    return [player(bot, BEN, seed, 0).decide(Perspective(match)) for seed in range(seeds)].count("bid")


def test_the_table_is_what_the_script_writes():
    assert Path(bidding_table.__file__).read_text() == script().written()
    assert len(bidding_table.CHANCES) == len(TABLES) * len(LEVELS) * ROUNDS


def test_a_bot_cannot_be_read_equal_positions_get_different_answers():
    assert 0 < answers("Move 5") < 40
    assert 0 < answers("Move 5", passes=1, bids=1) < 40
    assert 0 < answers("Move 5", passes=2) < 40


def test_the_last_to_be_asked_takes_a_good_card_and_contests_it():
    assert answers("Move 6", passes=3) == 40
    assert answers("Move 6", passes=2, bids=1) > 30
    assert answers("Subtract 1", passes=3) < 20


def test_without_contests_one_seat_bids_for_a_card():
    assert answers("Move 5", bot="greedy:no-contests") == 40
    assert answers("Move 5", bids=1, bot="greedy:no-contests") == 0
    assert answers("Move 5", bot="greedy:no-bids") == 0


@pytest.mark.parametrize(("seats", "worth"), [(2, 1.0), (3, 2.0), (4, 3.0)])
def test_a_solved_lot_gives_and_takes_the_same(seats, worth):
    """What bidders win is lost by others, in every position."""
    lot = script().Lot(worth, seats)
    for round in (1, 2, 3):
        for bidders in range(1, seats + 1):
            values, outside = lot.play(round, 0, bidders)
            assert sum(values) + outside * (seats - bidders) == pytest.approx(0)
    assert all(0 <= chance <= 1 for chance in lot.chances.values())


def test_among_equal_bots_most_good_cards_are_contested_and_prices_rise_with_worth():
    options, seats = BEN.resolve_options({}, 4)
    watched = CountedGames(BEN, options, seats, [[Bot(GREEDY, 0, 0)] * seats])
    rows = watched.play(1, 0, 300)
    first = watched.layout.at[LOTS]
    lots = rows[:, first : first + 3 * 24 * LOT_FIELDS].reshape(-1, LOT_FIELDS)
    t: Any = watched.layout.t
    names = [card.name for card in t.cards]

    def sold(*cards):
        kinds = [names.index(card) + 1 for card in cards]
        return lots[np.isin(lots[:, LOT_CARD], kinds) & (lots[:, BY_PRICE] == 0)]

    good, middling, poor = sold("Move 5", "Move 6"), sold("Add 1", "Add 2"), sold("Subtract 1", "Orangutan")
    assert (good[:, OTHERS] > 0).mean() > 0.5
    assert (good[:, BUYER] > 0).mean() > 0.9
    paid = [(part[:, PRICE] + part[:, OTHERS]).mean() for part in (good, middling, poor)]
    assert paid[0] > paid[1] > paid[2]
