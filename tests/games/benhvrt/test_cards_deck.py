"""The deck: its facts, and that every card has its tests."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.benhvrt.cards import FACTS, GAME, TESTED, all_ready, market, purse, seen
from games.benhvrt.positions import position
from quadriga.engine.text import catalogues
from quadriga.games.benhvrt.deck import own_deck
from quadriga.games.benhvrt.deck.operations import TYPES, WINDOWS
from support import there

DECK = {card.name: card for card in own_deck()}
KEPT = [name for name, card in FACTS.items() if card["maintenance"]]
COST = {"": None, "0": "0", "1": "1", "2": "2", "n": "n", "2n": "2n", "ceil(n/2)": "n/2"}


def cost(formula: str, n: int) -> int:
    """Return the cost of a card in a race of n laps, by the formula of the facts."""
    half = n // 2 + n % 2
    return {"n": n, "2n": 2 * n, "ceil(n/2)": half}[formula] if "n" in formula else int(formula)


def test_bh_7_7_eighty_cards_of_forty_names():
    assert len(FACTS) == len(DECK) == 40
    assert sum(int(card["copies"]) for card in FACTS.values()) == 80
    assert sum(card.copies for card in DECK.values()) == 80


def test_bh_7_7_the_deck_file_has_the_names_of_the_facts():
    assert set(DECK) == set(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_bh_7_7_the_deck_file_says_what_the_facts_say(name):
    card, fact = DECK[name], FACTS[name]
    assert TYPES[card.type] == fact["kind"]
    assert card.copies == int(fact["copies"])
    assert card.price == int(fact["quick_sale"])
    assert WINDOWS[card.window] == fact["window"]
    for laps in range(1, 7):
        upkeep = card.upkeep.flat + -(-card.upkeep.halves * laps // 2)
        assert upkeep == (cost(fact["maintenance"], laps) if fact["maintenance"] else 0)


def test_bh_7_1_just_improvements_and_drivers_are_maintained():
    assert {name for name in FACTS if FACTS[name]["kind"] in ("Improvement", "Driver")} == set(KEPT)


@pytest.mark.parametrize("laps", range(1, 7))
@pytest.mark.parametrize("name", KEPT)
def test_bh_5_4_maintenance_costs_what_the_card_says(name, laps):
    due = cost(FACTS[name]["maintenance"], laps)
    match = all_ready(market({0: [name]}, laps=laps, deck=[], pot=7))
    assert match.legal() == [f"drop {name} 0", f"keep {name} 0"]
    assert there(seen(match).due).cost == due
    match.play(f"keep {name} 0")
    assert purse(match, 0) == 50 - due
    assert seen(match).pot == 7 + due
    kept = seen(match).chariots[0]
    assert name in [kept.driver, *kept.improvements]


@pytest.mark.parametrize("name", KEPT)
def test_bh_5_4_what_cannot_be_paid_must_be_given_up(name):
    due = cost(FACTS[name]["maintenance"], 3)
    match = all_ready(market({0: [name]}, laps=3, deck=[], purses={0: due}))
    assert f"keep {name} 0" in match.legal()
    if due:
        match = all_ready(market({0: [name]}, laps=3, deck=[], purses={0: due - 1}))
        assert match.legal() == [f"drop {name} 0"]
    match.play(f"drop {name} 0")
    assert purse(match, 0) == max(due - 1, 0)
    assert name in seen(match).discards
    given_up = seen(match).chariots[0]
    assert (given_up.driver, given_up.improvements) == (None, [])


@pytest.mark.parametrize(("language", "costs"), [("en", "upkeep 1 D a lap"), ("fr", "maintenance 1 D par tour")])
def test_bh_5_4_the_upkeep_stands_on_the_card_in_hand_in_the_auction_and_when_it_is_due(language, costs):
    say = catalogues.of(language, GAME.package)

    def shown(match, seat):
        return GAME.display.render_text(match.t, match.view(seat), say).plain

    in_hand = market(hands={0: ["Tow Rope"]})
    assert costs in shown(in_hand, 0)
    assert costs not in shown(in_hand, 1)
    assert costs in shown(all_ready(market({0: ["Tow Rope"]})), 1)
    auction = position("auction", dealer=0)
    auction.happen("turn Scythed Hubs")
    assert costs in shown(auction, 2)


# --- every card has its tests -----------------------------------------------------------------------------

DRAWING = {"Rich Aunt", "False Bottom", "Cousin Titus"}
TARGETING = {"Brutus the Ox", "Scythed Hubs", "Better Offer", "Orangutan", "Eagle on the Left"}


def needed(name: str) -> set[str]:
    """Return what needs a test."""
    fact = FACTS[name]
    wanted = {"effect", "window"}
    if fact["kind"] in ("Move", "Event"):
        wanted.add("vetoed")
    if name in DRAWING:
        wanted.add("empty deck")
    if fact["kind"] == "Move" or fact["window"] in ("PA", "PB") or name in TARGETING:
        wanted.add("protected")
    return wanted


def test_all_cards_that_draw_are_known_to():
    assert {name for name, fact in FACTS.items() if "draw" in fact["effect"]} == DRAWING


def runs_with(test: Callable[..., Any], name: str) -> bool:
    """Return whether a test with the parameter `name` runs with this card; other tests name their cards."""
    for mark in getattr(test, "pytestmark", []):
        words, values = mark.args
        words = [words] if isinstance(words, str) else list(words)
        if "name" in words:
            return name in [value if len(words) == 1 else value[words.index("name")] for value in values]
    return True


@pytest.mark.parametrize("name", FACTS)
def test_every_card_has_its_tests(name):
    here = Path(__file__).parent
    modules = [importlib.import_module(f"games.benhvrt.{path.stem}") for path in here.glob("test_cards_*.py")]
    tests = {test for module in modules for word, test in vars(module).items() if word.startswith("test_")}
    for (card, what), marked in TESTED.items():
        if card == name:
            assert tests.issuperset(marked)
            assert all(runs_with(test, name) for test in marked), what
    assert needed(name) - {what for card, what in TESTED if card == name} == set()
