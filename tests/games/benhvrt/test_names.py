"""Names of chariots and laps in texts: players, not letters (BH-1.3); lap I from the grid on (BH-1.4)."""

from __future__ import annotations

import re

import pytest

from games.benhvrt.cards import GAME, follow, market, race
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.engine.text import catalogues
from quadriga.lab.traces import random_match
from soak import only_in_soak

EN, FR = (catalogues.of(language, "quadriga.cli", GAME.package) for language in catalogues.LANGUAGES)
LETTERED = re.compile(r"\b[Cc]har(?:iot)? [A-L]\b|\b(?:lap|tour) 0\b")


def told(match: Match, text: str, say: catalogues.Words) -> list[str]:
    """Return the text for an action or outcome here."""
    (action,) = [number for shown, number in match.actions().items() if shown == text]
    return [say.text(note.message) for note in GAME.display.explain(match.t, match.s, (action,))]


def test_bh_6_9_a_passed_chariot_is_called_by_its_player():
    match = race(("2.8", 1, 2), ("1.6", 1, 4), ("4.2", 1, 4))
    follow(match, "die 3")
    assert told(match, "step 2.9", EN) == ["drives to lane 2, square 9"]
    match = race(("2.7", 1, 2), ("1.6", 1, 4), ("4.2", 1, 4))
    follow(match, "die 3")
    assert told(match, "step 2.8", EN) == ["drives to lane 2, square 8", "passes seat 2"]
    assert told(match, "step 2.8", FR) == ["avance : couloir 2, case 8", "double la place 2"]


def test_bh_2_1_with_two_each_it_is_said_which():
    chariots = [("2.7", 1, 2), ("1.6", 1, 4), ("4.2", 1, 4), ("3.10", 1, 4)]
    match = race(*chariots, seats=2)
    follow(match, "die 3")
    assert told(match, "step 2.8", EN) == [
        "drives to lane 2, square 8",
        "passes seat 2's first chariot",
        "passes seat 2's second chariot",
    ]
    assert told(match, "step 2.8", FR)[1:] == [
        "double le premier char de la place 2",
        "double le second char de la place 2",
    ]
    chariots[2:] = [("3.10", 1, 4), ("4.2", 1, 4)]
    match = race(*chariots, seats=2)
    follow(match, "die 3")
    assert told(match, "step 2.8", EN)[2:] == ["passes their second chariot"]


def test_bh_2_1_with_two_each_a_roll_says_whose_it_is():
    match = race(("2.7", 1, 2), ("1.6", 1, 4), ("4.2", 1, 4), ("3.10", 1, 4), seats=2, mover=2)
    notes = GAME.display.explain(match.t, match.s, (3,))
    assert [EN.text(note.message) for note in notes] == ["rolls a 3 with their second chariot"]
    assert [FR.text(note.message) for note in notes] == ["fait 3 avec son second char"]
    match = race(("2.7", 1, 2), ("1.6", 1, 4))
    assert [EN.text(note.message) for note in GAME.display.explain(match.t, match.s, (3,))] == ["rolls a 3"]


def test_bh_5_3_one_fits_ones_own_chariot():
    match = market(hands={0: ["Tow Rope"]})
    assert told(match, "fit Tow Rope 0", EN) == ["fits Tow Rope to their chariot"]
    assert told(match, "fit Tow Rope 0", FR) == ["monte Corde de remorque sur son char"]
    match = market(hands={0: ["Tow Rope"]}, seats=2)
    assert told(match, "fit Tow Rope 2", EN) == ["fits Tow Rope to their second chariot"]


def test_why_not_speaks_of_your_chariot_and_of_other_players():
    match = race(("2.7", 1, 2), ("1.6", 1, 4), hands={0: ["Rich Aunt"], 1: ["Rich Aunt"]})
    said = {seat: EN.text(match.why_illegal(seat)["Rich Aunt"][-1].message) for seat in (0, 1)}
    assert said == {0: "your chariot is moving", 1: "seat 1 is moving"}


def test_bh_1_4_the_first_crossing_leaves_a_chariot_on_lap_i_and_the_next_begins_lap_ii():
    match = race(("2.21", 0, 2), ("4.2", 1, 4))
    assert " lap I, " in GAME.display.render_text(match.t, match.view(0), EN).plain
    follow(match, "die 3")
    assert told(match, "step 2.0", EN) == ["drives to lane 2, first square after the line", "crosses the line"]
    match = race(("2.21", 1, 2), ("4.2", 1, 4))
    follow(match, "die 3")
    assert told(match, "step 2.0", EN) == ["drives to lane 2, first square after the line", "starts lap II"]
    assert told(match, "step 2.0", FR) == [
        "avance : couloir 2, première case après la ligne",
        "commence le tour II",
    ]


@pytest.mark.parametrize("seats", [2, only_in_soak(5)])
def test_no_text_of_a_game_names_a_chariot_by_a_letter_or_a_lap_0(seats):
    options = {"bribes": True, "series": [3]}
    match = random_match(GAME, options, seats, 5, 0, SeededDice(5, 0))
    again = Match(GAME, options, seats)
    drawn = 0
    for number, entry in enumerate(match.entries):
        notes = [*GAME.display.explain(again.t, again.s, entry.actions)]
        if number % 25 == 0:
            for seat in range(seats):
                for reasons in again.why_illegal(seat).values():
                    notes += reasons
            for say in (EN, FR):
                page = GAME.display.render_text(again.t, again.view(seats - 1), say).plain
                assert not LETTERED.search(page), page
                drawn += "●" in page
        for said in [say.text(note.message) for note in notes for say in (EN, FR)]:
            assert not LETTERED.search(said), said
        (again.happen if entry.chance else again.play)(entry.text)
    assert drawn > 10
