"""The squares that a chariot can drive to: exactly those of the rules, each by a way of legal steps."""

from __future__ import annotations

import random

import pytest

from games.benhvrt.positions import GAME, Match, play, race
from quadriga.games.benhvrt.deck.operations import CODES
from support import there

FREE_LANE = next(
    card.name for card in Match(GAME, {}, 4).t.cards if any(code == CODES["free-lane"] for code, *_ in card.does)
)


def stepping(rng: random.Random, fitted: dict[int, list[str]], laps: int) -> Match:
    """Return a race in which a chariot has rolled, with three others anywhere; nobody holds a card."""
    squares = rng.sample(
        [f"{lane}.{index}" for lane, n in ((1, 18), (2, 22), (3, 26), (4, 30)) for index in range(n)], 4
    )
    match = race(
        *((square, rng.randint(1, laps), rng.randint(1, 6)) for square in squares), laps=laps, fitted=fitted
    )
    match.happen(f"die {rng.randint(1, 6)}")
    return match


def by_the_rules(match: Match) -> set[str]:
    """Return the squares at which some row of legal steps ends."""
    seat, found, seen = match.actor, set[str](), set[bytes]()
    waiting = [match]
    while waiting:
        here = waiting.pop()
        if here.here in seen or here.actor != seat:
            continue
        seen.add(here.here)
        for text in here.legal():
            if text.startswith("step "):
                found.add(text.removeprefix("step "))
                there = here.clone()
                there.play(text)
                waiting.append(there)
    return found


@pytest.mark.parametrize("fitted", [{}, {number: [FREE_LANE] for number in range(4)}], ids=["plain", "free lane"])
def test_the_reach_is_that_of_the_rules_and_every_way_is_legal(fitted: dict[int, list[str]]):
    rng = random.Random(4)
    finishes = squares = 0
    for _ in range(25):
        match = stepping(rng, fitted, laps=rng.randint(1, 2))
        view = match.view(match.actor)
        own = view.chariots[there(view.move).chariot]
        assert set(view.reach) == by_the_rules(match) - {own.square}
        for target in view.reach:
            way = [target]
            while (before := view.reach.get(way[0])) is not None:
                way.insert(0, before)
            assert way.pop(0) == own.square
            driven = match.clone()
            for square in way:
                driven.play(f"step {square}")
            squares += 1
            finishes += driven.view(-1).chariots[own.number].place is not None
    assert squares > 300
    assert finishes > 3


def test_a_way_straight_on_changes_no_lane():
    match = race(("3.10", 1, 2), ("1.2", 1, 1), laps=2)
    match.happen("die 2")
    assert [match.view(0).reach[square] for square in ("3.11", "3.12", "3.13", "3.14")] == [
        "3.10",
        "3.11",
        "3.12",
        "3.13",
    ]


def test_only_the_moving_seat_gets_the_reach_and_only_for_steps():
    match = race(("1.7", 1, 3), ("2.10", 1, 3), laps=2)
    assert match.view(1).reach == match.view(0).reach == {}
    match.happen("die 3")
    mover = match.actor
    assert match.view(mover).reach
    assert match.view(1 - mover).reach == match.view(-1).reach == {}


def test_a_rival_can_be_shifted_to_every_square_that_legal_shifts_lead_to():
    match = race(
        ("1.7", 1, 3), ("2.10", 1, 3), ("3.14", 1, 3), hands={1: ["Thrown Fishwife"]}, laps=2, moved=(1, 2)
    )
    play(match, "die 3", "step 1.8", "play Thrown Fishwife")
    view = match.view(match.actor)
    own = view.chariots[0].square
    shifts, seen, waiting = set[str](), set[bytes](), [match]
    while waiting:
        here = waiting.pop()
        for text in here.legal() if here.here not in seen else []:
            if text.startswith("shift "):
                after = here.clone()
                after.play(text)
                shifts.add(text.removeprefix("shift "))
                waiting.append(after)
        seen.add(here.here)
    assert set(view.reach) == shifts - {own}


def test_the_squares_ahead_are_shown_while_others_may_react_to_the_roll():
    match = race(("2.10", 1, 3), ("1.7", 1, 3), ("3.14", 1, 3), hands={0: ["Add 1"]}, laps=2, moved=(1, 2))
    match.happen("die 3")
    assert match.game.window_of(match.t, match.s) == "RO"
    early = match.view(0).reach
    match.play("pass")
    assert early == match.view(0).reach != {}
