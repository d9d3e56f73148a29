"""Reaction windows at the terminal: who is asked, and who announces a bribe (BH-7.9)."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from games.benhvrt.positions import play, race, window
from quadriga.cli.terminal import saves
from quadriga.cli.terminal.reactions import Reactions
from quadriga.engine.match.match import Match
from quadriga.engine.text import catalogues
from quadriga.games import find

GAME = find("ben-hvrt")


def reactions(match: Match) -> Reactions:
    return Reactions(match, Console(file=io.StringIO()), catalogues.of("en", "quadriga.cli", GAME.package))


def rolled(**more) -> Match:
    """Return a race of four in which the leader, seat 0, has rolled: window RO."""
    match = race(("1.10", 1, 2), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), **{"bribes": True, **more})
    play(match, "die 4")
    return match


def test_bh_7_9_who_could_only_bribe_is_not_asked_and_who_could_play_is():
    match = rolled(hands={1: ["Add 1"]})
    asked = reactions(match)
    assert asked.passes()
    match.play("pass")
    assert (match.actor, asked.passes()) == (1, False)


def test_bh_7_9_who_announces_a_bribe_is_asked_once_in_the_next_window_that_allows_it():
    match = rolled()
    asked = reactions(match)
    asked.announce_deal("")
    assert not asked.passes()
    asked.ask()
    assert asked.passes()  # the next window


def test_bh_7_9_an_announced_bribe_can_be_taken_back():
    match = rolled()
    asked = reactions(match)
    asked.announce_deal("")
    asked.announce_deal("")
    assert asked.passes()


def test_bh_7_9_a_bribe_announced_before_the_roll_waits_for_the_window_after_it():
    match = race(("1.10", 1, 2, "Old Decimus"), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), bribes=True)
    asked = reactions(match)
    assert window(match) == "PR"
    asked.announce_deal("")
    asked.ask()  # no bribe is possible here
    play(match, "pass")
    asked.announce_deal("")  # at the dice, by the seat that rolls: taken back,
    asked.announce_deal("")  # ... and announced again
    play(match, "die 2")
    assert (window(match), asked.passes()) == ("RO", False)


def test_bh_7_9_an_announced_bribe_is_asked_for_though_the_window_is_not_one_of_those_chosen():
    match = rolled(hands={0: ["Add 1"]})
    asked = reactions(match)
    asked.choose_stops("none")
    assert asked.passes()
    asked.announce_deal("")
    assert not asked.passes()


@pytest.mark.parametrize(
    ("kinds", "options", "bribes"),
    [
        ([], {}, True),
        (["human", "greedy"], {}, True),
        (["greedy", "greedy"], {}, False),
        ([], {"bribes": False}, False),
    ],
)
def test_bh_7_5_a_person_at_the_terminal_may_bribe_unless_it_is_turned_off(kinds, options, bribes):
    match = saves.seat_players(GAME, options, kinds, [], 1).match
    assert match.options["bribes"] is bribes
    assert reactions(match).deal == ("bribe *" if bribes else None)
