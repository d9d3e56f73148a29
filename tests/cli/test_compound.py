"""Offers and bribes at the terminal: put together piece by piece, typed in any case, and shown on the board."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from games.benhvrt.cards import market
from games.benhvrt.positions import GAME, Match, play, race
from quadriga.cli.terminal.compound import ask_compound
from quadriga.engine.text import catalogues
from support import there


def asked(match: Match, family: str, *answers: str) -> tuple[str, str]:
    """Return the action that the answers make, and all that was printed."""
    out, waiting = io.StringIO(), list(answers)

    def read(question: str) -> str:
        out.write(question + "\n")
        return waiting.pop(0)

    say = catalogues.of("en", "quadriga.cli", GAME.package)
    before = match.s.tobytes()
    found = ask_compound(match, family, Console(file=out, width=100), say, read)
    assert match.s.tobytes() == before
    assert waiting == []
    return found, out.getvalue()


def a_market() -> Match:
    return market(hands={0: ["Add 1", "Add 2"], 1: ["Brake Lever"]}, purses={0: 30, 1: 50})


def a_window() -> Match:
    """Return a race in which seat 0 has rolled and may bribe."""
    match = race(("1.10", 1, 2), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), bribes=True, purses={0: 20})
    play(match, "die 4")
    return match


def test_an_offer_is_asked_for_piece_by_piece():
    text, printed = asked(a_market(), "offer *", "1", "2", "1", "3", "7", "1", "0")
    assert text == "offer 1 give Add 1, 3 for Brake Lever"
    assert "1  to seat 2" in printed
    assert printed.count("How many Ducats?") == 2
    match = a_market()
    match.play(text)
    assert there(match.view(1).offer).give == ["Add 1"]


def test_a_bribe_is_asked_for_piece_by_piece():
    text, _ = asked(a_window(), "bribe *", "2", "13", "12")
    assert text == "bribe 2 Try That Again 12"
    match = a_window()
    match.play(text)


def test_a_sum_that_cannot_be_paid_is_asked_for_again():
    text, printed = asked(a_window(), "bribe *", "1", "1", "21", "20")
    assert text == "bribe 1 Add 1 20"
    assert printed.count("How many Ducats?") == 2


@pytest.mark.parametrize(
    "answers", [[""], ["4"], ["0"], ["x"], ["1", ""], ["1", "1", ""], ["1", "1", "12345"], ["1", "1", "³"]]
)
def test_an_answer_that_names_nothing_gives_up(answers: list[str]):
    text, printed = asked(a_market(), "offer *", *answers)
    assert text == ""
    assert "No offer was made." in printed


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("OFFER 2 Give add 1, 3 FOR brake lever", "offer 1 give Add 1, 3 for Brake Lever"),
        ("offer 2 give nothing for Brake Lever", "offer 1 give nothing for Brake Lever"),
    ],
)
def test_a_typed_offer_counts_seats_from_1_and_may_be_in_any_case(typed: str, read: str):
    match = a_market()
    parse = there(there(GAME.notation.compounds).parse_shown)
    assert parse(match.t, match.s, typed) == read


def test_bh_5_2_an_open_offer_is_on_the_board_of_its_two_players_and_hidden_from_others():
    match = a_market()
    match.play("offer 1 give Add 1, 3 for nothing")
    for seat in (0, 1):
        assert "Seat 1 offers seat 2: Add 1, 3 D for nothing" in match.text(seat)
    for seat in (2, 3, -1):
        assert "Add 1" not in match.text(seat)
        assert "Seat 1 makes seat 2 an offer." in match.text(seat)
