"""Every card in its window, and in no other (BH-7.1, BH-7.2)."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import FACTS, about, all_ready, follow, hand, market, playable, race, seen, window
from quadriga.engine.kernels.slots import CHANCE
from support import there

SINGLE_USE = [name for name, card in FACTS.items() if card["kind"] in ("Move", "Event")]
FITTED = [name for name, card in FACTS.items() if card["kind"] in ("Improvement", "Driver")]
DRIVERS = [name for name, card in FACTS.items() if card["kind"] == "Driver"]
MOVER, PASSED, WITNESS = 0, 1, 2


def tour(holder: int, *names: str, driver: tuple[str, ...] = ()) -> list[tuple[str, list[str]]]:
    """Play a first move with all its windows; return where the holder of cards was asked, and their options.

    Chariot 0 changes lane and so passes chariot 1, which has a Driver. The witness, far behind, plays a Add 1.
    """
    hands = {WITNESS: ["Add 1"]}
    hands[holder] = [*hands.get(holder, ()), *names]
    chariots = [("1.8", 1, 3, *driver), ("3.12", 1, 3, "Old Decimus"), ("4.2", 1, 3)]
    match = race(*chariots, hands=hands, mover=None)
    asked = []
    while not (match.s.begun and match.s.mover):
        if match.actor == CHANCE:
            match.happen("die 3")
        elif window(match) is None:
            match.play("step 2.10" if seen(match).chariots[MOVER].square == "1.8" else "stop")
        else:
            if match.actor == holder:
                asked.append((there(window(match)) if match.s.begun else "before the first move", match.legal()))
            whip = match.actor == WITNESS and "play Add 1" in match.legal() and not seen(match).discards
            match.play("play Add 1" if whip else "pass")
    assert seen(match).discards == ["Add 1"]
    assert sorted(hand(match, holder)) == sorted(names)
    return asked


# Who may be asked where: PR and PB ask the mover only, PA the passed one, the others go round (BH-7.2).
OPEN_TO = {
    MOVER: {"PR", "RO", "PB", "BM", "RE"},
    PASSED: {"RO", "PA", "BM", "RE"},
    WITNESS: {"RO", "BM"},  # nobody answers his own card
}


@about("window", *SINGLE_USE)
@pytest.mark.parametrize("holder", OPEN_TO)
@pytest.mark.parametrize("name", SINGLE_USE)
def test_bh_7_2_a_card_can_be_played_in_its_window_only(name, holder):
    expected = {FACTS[name]["window"]} & OPEN_TO[holder]
    if expected == {"BM"}:
        expected = {"before the first move"} if name == "Side Wager" else {"before the first move", "BM"}
    found = {
        where
        for where, legal in tour(holder, name)
        if any(text == f"play {name}" or text.startswith(f"play {name} ") for text in legal)
    }
    assert found == expected


@about("window", *SINGLE_USE)
@pytest.mark.parametrize("name", SINGLE_USE)
def test_bh_5_1_in_the_market_only_cards_with_window_au_can_be_played(name):
    match = market({1: ["Old Decimus"]}, {0: [name]})
    assert playable(match) == ({name} if FACTS[name]["window"] == "AU" else set())


@about("window", *FITTED)
@pytest.mark.parametrize("name", FITTED)
def test_bh_5_1_improvements_and_drivers_are_fitted_in_the_market(name):
    match = market({}, {0: [name]})
    assert list(match.actions()) == [f"fit {name} 0", "offer *", "ready"]
    follow(match, f"0: fit {name} 0")
    assert hand(match, 0) == []
    fitted = seen(match).chariots[0]
    assert [fitted.driver, *fitted.improvements] == ([name] if name in DRIVERS else [None, name])


@about("window", *FITTED)
@pytest.mark.parametrize("name", FITTED)
def test_bh_5_1_only_chariots_in_this_race_are_fitted_out(name):
    match = market({}, {0: [name]}, seats=2, away=[0])
    assert list(match.actions()) == [f"fit {name} 2", "offer *", "ready"]


@about("window", *FITTED)
@pytest.mark.parametrize("holder", OPEN_TO)
@pytest.mark.parametrize("name", FITTED)
def test_bh_5_1_improvements_and_drivers_cannot_be_played_in_the_race(name, holder):
    asked = tour(holder, name, "Orangutan", "Try That Again")
    assert {where for where, _ in asked} == {"before the first move", "RO", "BM"}
    assert all(name not in text for _, legal in asked for text in legal)


@about("window", *DRIVERS)
@pytest.mark.parametrize("name", DRIVERS)
def test_bh_7_1_a_drivers_choice_is_asked_in_his_window(name):
    asked = tour(MOVER, driver=(name,))
    if FACTS[name]["window"] == "-":
        assert asked == []
    else:
        assert {where for where, _ in asked} == {FACTS[name]["window"]}
        assert all(legal == ["pass", f"use {name}"] for _, legal in asked)


@about("window", *SINGLE_USE)
@pytest.mark.parametrize("name", SINGLE_USE)
def test_bh_6_7_a_player_with_no_chariot_racing_plays_no_more_cards(name):
    match = race(("1.17", 3, 3), ("3.10", 1, 3), ("2.9", 1, 3, "Old Decimus"), hands={0: [name], 1: ["Add 1"]})
    while seen(match).chariots[0].racing:
        if match.actor == CHANCE:
            match.happen("die 3")
        else:
            match.play("pass" if window(match) else "step 1.0")
    assert seen(match).chariots[0].place == 1
    follow(match, "2: pass", "die 3", "1: play Add 1", "2: stop")  # windows PR, RO, RE, BM
    follow(match, "die 3", "1: step 3.11", "1: stop")  # windows RO, PB, PA, BM
    assert seen(match).stalled == 0
    assert hand(match, 0) == [name]


def test_bh_7_3_who_sits_out_is_not_asked_in_the_market_either():
    match = market({1: ["Old Decimus"]}, {0: ["Better Offer"], 2: ["Tribune's Veto"]}, away=[2])
    follow(match, "0: play Better Offer 1 0")
    assert seen(match).chariots[0].driver == "Old Decimus"
    assert hand(match, 2) == ["Tribune's Veto"]
    assert seen(all_ready(match)).phase == "maintenance"
