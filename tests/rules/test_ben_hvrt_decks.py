"""The deck of Ben Hvrt (BH-7.7): the standard deck, custom decks, and refusals."""

from __future__ import annotations

import csv
import tomllib

import pytest

from games.benhvrt.positions import (
    Match,
    chance_seat,
    chariot,
    deal,
    everybody_passes,
    hand,
    move,
    play,
    position,
    race,
    window,
)
from quadriga.engine.errors import FileError, OptionError
from quadriga.games import find
from quadriga.games.benhvrt.deck import check_file, own_deck
from quadriga.games.benhvrt.deck.operations import CODES, TYPES, WINDOWS
from support import there

GOOD = """\
[[card]]
name = "Gust"
kind = "Move"
copies = 4
price = 2
window = "RO"
does = [["add", 4]]

[[card]]
name = "Jar of Bees"
kind = "Event"
copies = 3
price = 1
window = "BM"
does = [["next-roll", 2]]

[[card]]
name = "Iron Rims"
kind = "Improvement"
copies = 2
price = 3
upkeep = "n/2"
does = [["start-speed", 3], ["natural", 6, 1]]
"""
# What the rules say of the 80 cards: kind, copies, price, upkeep, window.
DECK = """\
Add 1,Move,5,2,,RO
Add 2,Move,4,4,,RO
Add 3,Move,2,6,,RO
Subtract 1,Move,4,2,,RO
Subtract 2,Move,3,3,,RO
Subtract 3,Move,2,5,,RO
Move 1,Move,2,5,,RO
Move 2,Move,2,4,,RO
Move 3,Move,2,2,,RO
Move 4,Move,2,2,,RO
Move 5,Move,2,4,,RO
Move 6,Move,2,6,,RO
Try That Again,Move,2,3,,RO
Thrown Fishwife,Event,2,5,,PA
Hobnailed Boot,Event,2,5,,PB
Broom in the Spokes,Event,3,4,,PB
Loaded Die,Event,2,6,,PR
Orangutan,Event,3,4,,BM
Eagle on the Left,Event,1,5,,BM
Second Wind,Event,2,3,,PR
Tribune's Veto,Event,3,5,,RE
Rich Aunt,Event,2,3,,BM
Better Offer,Event,1,4,,AU
Side Wager,Event,1,4,,BM
Tow Rope,Improvement,2,6,n,-
Scythed Hubs,Improvement,2,6,n,-
Greased Axles,Improvement,2,5,n/2,-
Bronze Flanks,Improvement,2,4,1,-
Matched Greys,Improvement,2,5,2,-
Brake Lever,Improvement,1,7,n,-
Swivel Pole,Improvement,1,4,n/2,-
False Bottom,Improvement,2,5,n,-
Old Decimus,Driver,2,4,n/2,PR
The Numidian,Driver,1,10,2n,PR
Sister Fortunata,Driver,1,8,n,PR
Brutus the Ox,Driver,1,6,n,PB
Livia Unruffled,Driver,2,6,n,-
Scarred Spiculus,Driver,1,5,n,-
Bent Crispus,Driver,1,4,n,RO
Cousin Titus,Driver,1,1,0,-
"""
UPKEEP = {"": (0, 0), "0": (0, 0), "1": (1, 0), "2": (2, 0), "n": (0, 2), "n/2": (0, 1), "2n": (0, 4)}


def test_bh_7_7_the_deck_has_80_cards_as_the_rules_list_them():
    listed = {
        name: (kind, int(copies), int(price), UPKEEP[upkeep], window)
        for name, kind, copies, price, upkeep, window in csv.reader(DECK.splitlines())
    }
    deck = {
        card.name: (
            TYPES[card.type],
            card.copies,
            card.price,
            (card.upkeep.flat, card.upkeep.halves),
            WINDOWS[card.window],
        )
        for card in own_deck()
    }
    assert deck == listed
    assert sum(card.copies for card in own_deck()) == 80


def test_bh_7_7_every_effect_is_built_from_the_closed_set_of_operations():
    used = {code for card in own_deck() for code, _, _ in card.does}
    assert used == set(CODES.values())  # all known, and none that no card needs
    assert all(1 <= len(card.does) <= 3 for card in own_deck())


def test_bh_7_7_every_card_can_be_read_in_both_languages():
    for card in own_deck():
        assert card.names["fr"] != ""
        assert card.texts["en"] != card.texts["fr"] != ""


def test_bh_7_7_a_deck_of_ones_own_is_a_data_file(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(GOOD, "utf-8")
    assert [card.name for card in check_file(str(path))] == ["Gust", "Iron Rims", "Jar of Bees"]
    options = find("ben-hvrt").read_flag("deck", str(path))
    match = Match(find("ben-hvrt"), options, 4)
    assert match.view().deck == 9


OWN = tomllib.loads(GOOD)


def test_bh_7_7_it_is_dealt_and_paid_for():
    match = position("race", laps=1, deck=OWN)
    assert {o.text: o.weight for o in match.outcomes()} == {
        "deal Gust": 4,
        "deal Iron Rims": 2,
        "deal Jar of Bees": 3,
    }
    match = position("maintenance", laps=3, fitted={0: ["Iron Rims"]}, deck=OWN)
    assert there(match.view().due).cost == 2


def test_bh_7_7_and_played_by_its_own_rules():
    match = position("grid", hands={0: ["Gust", "Jar of Bees"]}, fitted={0: ["Iron Rims"]}, deck=OWN)
    assert chariot(match, 0).speed == 4  # 1 and 3
    play(match, "play Jar of Bees 1", "die 6")
    assert (move(match).natural, move(match).roll) == (6, 1)
    play(match, "play Gust")
    assert move(match).roll == 5
    play(match, "stop")
    assert (move(match).chariot, move(match).roll) == (1, 2)  # without a die


@pytest.mark.parametrize(
    ("does", "value"), [('[["add", -6]]', -2), ('[["set", 6], ["add", 2]]', 8), ('[["add", 1], ["set", 2]]', 2)]
)
def test_bh_7_7_operations_are_done_in_the_order_of_the_file(does, value):
    deck = tomllib.loads(GOOD.replace('[["add", 4]]', does))
    match = race(("1.3", 1, 6), ("4.1", 0, 1), ("4.2", 0, 1), ("4.3", 0, 1), hands={0: ["Gust"]}, deck=deck)
    play(match, "die 4", "play Gust")
    assert move(match).roll == value


def test_bh_7_7_an_own_card_of_window_au_is_played_in_the_market():
    deck = tomllib.loads(
        GOOD.replace('window = "BM"', 'window = "AU"').replace('["next-roll", 2]', '["draw", "n"]')
    )
    match = position("market", laps=3, hands={0: ["Jar of Bees"]}, deck=deck)
    assert list(match.actions()) == ["offer *", "play Jar of Bees", "ready"]
    play(match, "play Jar of Bees")
    assert [seat for seat, _ in deal(match)] == [0, 0, 0]


def test_bh_7_7_a_small_deck_runs_out_and_the_series_is_played_all_the_same():
    match = Match(find("ben-hvrt"), {"deck": OWN, "series": [2]}, 4)
    play(match, "die 6", "die 1", "die 1", "die 1")
    assert [seat for seat, _ in deal(match)] == [1, 2, 3, 0, 1, 2, 3, 0, 1]
    assert match.view().deck == 0
    play(match, *["ready"] * 4)
    everybody_passes(match)
    assert chance_seat(match) == 1
    play(match, "die 1")
    everybody_passes(match)
    assert window(match) is None
    assert len(hand(match, 1)) == 3


def fault(text: str, tmp_path) -> str:
    path = tmp_path / "deck.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(FileError) as caught:
        check_file(str(path))
    return str(caught.value)


@pytest.mark.parametrize(
    ("was", "becomes", "line", "reason"),
    [
        ('["add", 4]', '["fly", 4]', 7, "no operation 'fly'"),
        ("price = 2", "price = -1", 5, "price is a whole number, 0 to 99"),
        ("price = 2", "price = 100", 5, "price is a whole number, 0 to 99"),
        ("price = 1", 'price = "cheap"', 13, "price is a whole number, 0 to 99"),
        ("copies = 4", "copies = 0", 4, "copies is a whole number, 1 to 7"),
        ("copies = 3", "copies = 8", 12, "copies is a whole number, 1 to 7"),
        ("copies = 3", "copies = 1.5", 12, "copies is a whole number, 1 to 7"),
        ('["add", 4]', '["add", 7]', 7, "the number of add is a whole number, -6 to 6"),
        ('["add", 4]', '["add"]', 7, "add takes 1 numbers"),
        ('window = "RO"', 'window = "XX"', 6, "window is one of"),
        ('window = "RO"', 'window = "BM"', 6, "add is for window RO"),
        ('kind = "Move"', 'kind = "Spell"', 3, "kind is one of"),
        ('["next-roll", 2]', '["shield"]', 15, "shield is for cards of kind Improvement"),
        ('upkeep = "n/2"', 'upkeep = "n*n"', 22, "upkeep is a whole number, 0 to 99, or one of"),
        ("price = 2", "price = 2\nupkeep = 1", 6, "only Drivers and Improvements have upkeep"),
        ('name = "Jar of Bees"', 'name = "Gust"', 10, "stands twice"),
        ('name = "Jar of Bees"', 'name = "Gust 2 30"', 10, "is Gust followed by numbers"),
        ('name = "Jar of Bees"', 'name = "gUST"', 10, "differs from Gust in capital letters only"),
        ('name = "Gust"', 'name = "Iron Rims 5"', 18, "Iron Rims 5: its name is Iron Rims followed by numbers"),
        ('name = "Gust"', 'name = "Gust, big"', 2, "letters, digits, spaces, apostrophes and hyphens"),
        ('name = "Gust"', 'name = "Gust: big"', 2, "letters, digits, spaces, apostrophes and hyphens"),
        ('name = "Gust"', 'name = "12"', 2, "at least one letter"),
        ('name = "Gust"', 'name = "Wind for all"', 2, "`for`"),
        ('name = "Gust"', 'name = "nothing"', 2, "`nothing`"),
        ("copies = 4", "copies = 4\ncolour = 1", 5, "no field 'colour'"),
    ],
)
def test_bh_7_7_a_deck_file_that_is_wrong_is_refused_with_the_line_and_the_reason(
    was, becomes, line, reason, tmp_path
):
    assert GOOD.count(was) >= 1
    said = fault(GOOD.replace(was, becomes, 1), tmp_path)
    assert f"line {line}:" in said
    assert reason in said


def test_bh_7_7_names_may_hold_for_inside_another_word(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(GOOD.replace('"Gust"', '"Fortune"'), "utf-8")
    assert {card.name for card in check_file(str(path))} == {"Fortune", "Iron Rims", "Jar of Bees"}


def test_bh_7_7_a_deck_given_as_an_option_is_checked_too():
    with pytest.raises(OptionError, match="no operation 'fly'"):
        position("grid", deck=tomllib.loads(GOOD.replace('"add"', '"fly"')))
