"""Which windows concern a player: without a look at their hand, only what everybody sees counts (BH-7.4)."""

from __future__ import annotations

import random

import pytest

from games.benhvrt.positions import GAME, VETO, Match, race
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.entry import last_to_act
from quadriga.games.benhvrt.concern import concerns
from quadriga.games.benhvrt.state import ALL_WINDOWS
from soak import count

LAST = ("4.1", 1, 1)
NEAR = ("2.8", 1, 3), ("2.13", 1, 3), LAST  # seat 0 is five squares behind seat 1
FAR = ("2.2", 1, 3), ("2.19", 1, 3), LAST
Chariots = tuple[tuple[str, int, int], ...]


def rolled(chariots: Chariots, die: int, hands: dict[int, list[str]], laps: int = 2) -> Match:
    """Return a race in which seat 0 has rolled; nobody else is to move in this turn."""
    match = race(*chariots, hands=hands, laps=laps, moved=(1, 2))
    match.happen(f"die {die}")
    return match


@pytest.mark.parametrize(
    ("chariots", "die", "hand", "expected"),
    [
        (NEAR, 4, "Subtract 3", True),  # passes by 7 steps, and not by 4
        (NEAR, 6, "Subtract 1", False),  # a card that cannot stop it
        (NEAR, 1, "Subtract 3", False),  # does not come past
        (FAR, 6, "Subtract 3", False),  # is too far behind
        (NEAR, 4, "Add 1", False),  # helps the rival
    ],
)
def test_a_rivals_roll_concerns_who_could_stop_them_from_passing(
    chariots: Chariots, die: int, hand: str, expected: bool
):
    match = rolled(chariots, die, {1: [hand]})
    assert match.actor == 1
    assert concerns(match.t, match.s, True, None) is expected


def test_who_has_played_on_a_rivals_roll_is_asked_again_if_somebody_acts_after_that():
    match = rolled(NEAR, 4, {1: ["Subtract 1", "Subtract 3"], 2: ["Add 1"]})
    for seat, text, concerned in ((1, "play Subtract 1", True), (2, "pass", True), (1, "pass", False)):
        assert match.actor == seat
        assert seat != 1 or concerns(match.t, match.s, True, last_to_act(match.entries)) is concerned
        before = match.copy()
        match.play(text)
    assert before.actor == 1
    assert concerns(before.t, before.s, True, 2)


def test_a_rival_who_comes_home_by_the_roll_concerns_who_could_stop_them():
    match = rolled((("1.14", 1, 1), ("1.2", 1, 1), LAST), 3, {1: ["Subtract 3"]}, laps=1)
    assert concerns(match.t, match.s, True, None)


@pytest.mark.parametrize(
    ("card", "die", "expected"), [("Add 2", 2, True), ("Subtract 2", 2, False), ("Move 3", 5, False)]
)
def test_the_own_roll_concerns_who_could_better_it(card: str, die: int, expected: bool):
    match = rolled(NEAR, die, {0: [card]})
    assert match.actor == 0
    assert concerns(match.t, match.s, True, None) is expected
    assert concerns(match.t, match.s, False, None)


@pytest.mark.parametrize(("card", "expected"), [("Subtract 2", True), ("Add 2", False)])
def test_a_card_on_the_own_roll_concerns_if_it_hurts(card: str, expected: bool):
    match = rolled(NEAR, 4, {0: [VETO], 1: [card]})
    match.play(f"play {card}")
    assert match.actor == 0
    assert concerns(match.t, match.s, True, None) is expected


def test_a_veto_of_the_own_card_concerns():
    match = rolled(NEAR, 2, {0: ["Add 2", VETO], 1: [VETO]})
    match.play("play Add 2")
    match.play(f"play {VETO}")
    assert match.actor == 0
    assert concerns(match.t, match.s, True, None)


def test_without_the_hand_the_answer_is_the_same_in_every_deal():
    rng, dealer, compared = random.Random(7), Rng(), 0
    for seed in range(count(4, 60)):
        match = Match(GAME, {"series": [1]}, 4, SeededDice(seed))
        match.t.ask_all = ALL_WINDOWS
        for _ in range(400):
            if match.actor == -2:
                break
            if match.actor >= 0 and GAME.window_of(match.t, match.s) is not None:
                others = match.s.copy()
                start(dealer, rng.getrandbits(40), 0)
                GAME.rules.deal(match.t, others, (match.actor + 1) % 4, dealer)  # as another seat may imagine it
                assert concerns(match.t, match.s, False, None) == concerns(match.t, others, False, None)
                compared += 1
            match.play(rng.choice([text for text in match.legal() if not text.endswith("*")]))
    assert compared > 20
