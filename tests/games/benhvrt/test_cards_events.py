"""Events before a roll, between moves and in the market: omens, wind, aunts, offers and wagers (BH-7)."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import (
    FACTS,
    about,
    chariot,
    follow,
    hand,
    market,
    move,
    playable,
    purse,
    race,
    rolled,
    seen,
    speeds,
    walk,
    window,
)
from quadriga.engine.kernels.slots import CHANCE

VETO = "Tribune's Veto"
DRIVERS = [name for name, card in FACTS.items() if card["kind"] == "Driver"]
OMENS = {"Orangutan": 1, "Eagle on the Left": 6}
REST = [("4.2", 1, 4), ("4.6", 1, 4)]


def mover(*fitted: str, speed: int = 2, hands, **more):
    """Return a race: chariot 0, far ahead, before its roll; or before the first move of the race."""
    return race(("1.6", 1, speed, *fitted), *REST, hands=hands, **more)


# --- Loaded Die -------------------------------------------------------------------------------------------


@about("effect", "Loaded Die")
@pytest.mark.parametrize("value", range(1, 7))
def test_a_loaded_die_rolls_what_its_player_says(value):
    match = mover(hands={0: ["Loaded Die"]})
    assert match.legal() == ["pass", *(f"play Loaded Die {n}" for n in range(1, 7))]
    follow(match, f"0: play Loaded Die {value}")
    assert (move(match).natural, rolled(match)) == (value, value)  # no die is cast
    assert seen(match).discards == ["Loaded Die"]
    assert walk(match) == 2 + value
    assert speeds(match)[0] == value


@about("effect", "Loaded Die")
def test_an_imaginary_die_is_natural_and_move_cards_change_it():
    match = mover("Greased Axles", "Cousin Titus", hands={0: ["Loaded Die"], 1: ["Add 1"]})
    follow(match, "0: play Loaded Die 1", "1: play Add 1")
    assert (move(match).natural, rolled(match)) == (1, 4)
    match = mover("Greased Axles", "Cousin Titus", hands={0: ["Loaded Die"], 1: ["Subtract 1"]})
    follow(match, "0: play Loaded Die 6", "1: play Subtract 1")
    assert (move(match).natural, rolled(match)) == (6, 4)


@about("effect", "Loaded Die")
def test_bh_6_6_the_newest_instruction_counts_and_the_roll_uses_up_all():
    hands = {0: ["Loaded Die", "Loaded Die"], 1: ["Orangutan"]}
    match = mover(hands=hands, mover=None)
    follow(match, "1: play Orangutan 0", "0: play Loaded Die 4", "0: play Loaded Die 2")
    assert rolled(match) == 2
    follow(match, "0: stop")
    for _ in range(2):  # chariots 2 and 1
        match.happen("die 1")
        match.play("stop")
    assert match.actor == CHANCE  # a real die for chariot 0
    assert move(match).chariot == 0


@about("vetoed", "Loaded Die")
def test_a_vetoed_loaded_die_is_spent_and_a_real_die_is_cast():
    match = mover(hands={0: ["Loaded Die"], 2: [VETO]})
    follow(match, "0: play Loaded Die 6", f"2: play {VETO}")
    assert match.actor == CHANCE
    assert seen(match).discards == ["Loaded Die", VETO]
    follow(match, "die 2")
    assert rolled(match) == 2


@about("vetoed", "Loaded Die")
def test_an_earlier_instruction_outlives_a_vetoed_loaded_die():
    match = mover(hands={0: ["Loaded Die"], 1: ["Orangutan"], 2: [VETO]}, mover=None)
    follow(match, "1: play Orangutan 0", "2: pass", "0: play Loaded Die 6", f"2: play {VETO}")
    assert rolled(match) == 1


# --- omens ------------------------------------------------------------------------------------------------


@about("effect", *OMENS)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", OMENS)
def test_an_omen_says_the_next_roll_of_any_racing_chariot(name, player):
    match = mover(hands={player: [name]}, mover=None)
    assert match.legal() == ["pass", *(f"play {name} {n}" for n in range(3))]  # chariot 3 is not racing
    follow(match, f"{player}: play {name} 0")
    assert (move(match).natural, rolled(match)) == (OMENS[name], OMENS[name])  # no die is cast
    assert walk(match) == 2 + OMENS[name]
    assert speeds(match)[0] == OMENS[name]
    assert chariot(match, 0).next_roll is None
    for _ in range(2):
        follow(match, "die 1")  # the others roll real dice,
        match.play("stop")
    assert match.actor == CHANCE  # ... and so does chariot 0 from then on
    assert move(match).chariot == 0


@about("effect", *OMENS)
@pytest.mark.parametrize("name", OMENS)
def test_an_omen_waits_until_its_chariot_rolls(name):
    match = mover(hands={0: [name]}, mover=None)
    follow(match, f"0: play {name} 1", "die 3", "0: stop", "die 5", "2: stop")
    assert move(match).chariot == 1
    assert rolled(match) == OMENS[name]


@about("effect", *OMENS)
@pytest.mark.parametrize(("first", "then"), [list(OMENS), list(OMENS)[::-1]])
def test_of_two_omens_the_newest_counts(first, then):
    match = mover(hands={0: [first], 1: [then]}, mover=None)
    follow(match, f"0: play {first} 0", f"1: play {then} 0")
    assert rolled(match) == OMENS[then]


@about("effect", *OMENS)
@pytest.mark.parametrize(
    ("name", "fitted", "roll"), [("Orangutan", "Greased Axles", 3), ("Eagle on the Left", "Cousin Titus", 5)]
)
def test_natural_rules_apply_to_omens(name, fitted, roll):
    match = mover(fitted, hands={1: [name]}, mover=None)
    follow(match, f"1: play {name} 0")
    assert (move(match).natural, rolled(match)) == (OMENS[name], roll)


@about("vetoed", *OMENS)
@pytest.mark.parametrize("name", OMENS)
def test_a_vetoed_omen_is_spent_and_a_real_die_is_cast(name):
    match = mover(hands={1: [name], 2: [VETO]}, mover=None)
    follow(match, f"1: play {name} 0", f"2: play {VETO}")
    assert match.actor == CHANCE
    assert chariot(match, 0).next_roll is None
    assert sorted(seen(match).discards) == sorted([name, VETO])
    assert hand(match, 1) == hand(match, 2) == []


@about("protected", *OMENS)
@pytest.mark.parametrize("name", OMENS)
def test_bh_7_8_neither_bronze_flanks_nor_livia_help_against_an_omen(name):
    match = mover("Bronze Flanks", "Livia Unruffled", hands={1: [name]}, mover=None)
    follow(match, f"1: play {name} 0")
    assert rolled(match) == OMENS[name]


# --- Second Wind ------------------------------------------------------------------------------------------


@about("effect", "Second Wind")
@pytest.mark.parametrize(("speed", "then"), [(1, 3), (2, 4), (3, 5), (4, 6), (5, 6), (6, 6)])
def test_second_wind_adds_2_to_the_speed_6_at_most(speed, then):
    match = mover(speed=speed, hands={0: ["Second Wind"]})
    follow(match, "0: play Second Wind")
    assert speeds(match)[0] == then
    assert seen(match).discards == ["Second Wind"]
    follow(match, "die 1")
    assert walk(match) == then + 1
    assert speeds(match)[0] == 1


@about("effect", "Second Wind")
def test_second_wind_twice_before_one_roll():
    match = mover(speed=1, hands={0: ["Second Wind", "Second Wind"]})
    follow(match, "0: play Second Wind", "0: play Second Wind", "die 2")
    assert walk(match) == 7


@about("vetoed", "Second Wind")
def test_a_vetoed_second_wind_is_spent_and_the_speed_stays():
    match = mover(hands={0: ["Second Wind"], 2: [VETO]})
    follow(match, "0: play Second Wind", f"2: play {VETO}")
    assert speeds(match)[0] == 2
    assert seen(match).discards == ["Second Wind", VETO]
    follow(match, "die 3")
    assert walk(match) == 5


# --- Rich Aunt --------------------------------------------------------------------------------------------


@about("effect", "Rich Aunt")
def test_a_rich_aunt_draws_two_cards():
    match = mover(hands={1: ["Rich Aunt"]}, mover=None, deck=["Add 3", "Orangutan", "Orangutan"])
    follow(match, "1: play Rich Aunt")
    assert [(each.text, each.weight) for each in match.outcomes()] == [
        ("deal Add 3", 1),
        ("deal Orangutan", 2),
    ]
    assert match.happen("deal Orangutan").seat == 1
    assert [(each.text, each.weight) for each in match.outcomes()] == [
        ("deal Add 3", 1),
        ("deal Orangutan", 1),
    ]
    assert match.happen("deal Add 3").seat == 1
    assert hand(match, 1) == ["Add 3", "Orangutan"]
    assert seen(match).deck == 1
    follow(match, "1: play Orangutan 0")  # he is asked again, with what he drew
    assert rolled(match) == 1


@about("empty deck", "Rich Aunt")
def test_a_rich_aunt_draws_the_one_card_there_is():
    match = mover(hands={1: ["Rich Aunt"]}, mover=None, deck=["Add 3"])
    follow(match, "1: play Rich Aunt", "deal Add 3")
    assert hand(match, 1) == ["Add 3"]
    assert seen(match).deck == 0
    assert seen(match).phase == "race"
    assert move(match).chariot == 0


@about("empty deck", "Rich Aunt")
def test_a_rich_aunt_cannot_be_played_on_an_empty_deck_whatever_is_discarded():
    match = mover(hands={1: ["Rich Aunt"]}, mover=None, deck=[])
    assert len(seen(match).discards) == 79
    assert match.actor == CHANCE  # nobody was asked before the first move
    match = mover(hands={1: ["Rich Aunt", "Orangutan"]}, mover=None, deck=[])
    assert playable(match) == {"Orangutan"}


@about("vetoed", "Rich Aunt")
def test_a_vetoed_rich_aunt_is_spent_and_nothing_is_drawn():
    match = mover(hands={1: ["Rich Aunt"], 2: [VETO]}, mover=None)
    deck = seen(match).deck
    follow(match, "1: play Rich Aunt", f"2: play {VETO}")
    assert hand(match, 1) == hand(match, 2) == []
    assert seen(match).deck == deck
    assert seen(match).discards == ["Rich Aunt", VETO]


# --- Better Offer -----------------------------------------------------------------------------------------


@about("effect", "Better Offer")
@pytest.mark.parametrize("driver", DRIVERS)
def test_bh_7_8_a_better_offer_takes_a_driver_over_for_his_quick_sale_price(driver):
    price = int(FACTS[driver]["quick_sale"])
    match = market({2: [driver, "Tow Rope"]}, {0: ["Better Offer"]}, purses={0: price})
    assert "play Better Offer 2 0" in match.legal()
    deck = seen(match).deck
    follow(match, "0: play Better Offer 2 0")
    assert chariot(match, 0).driver == driver
    assert chariot(match, 2).driver is None
    assert chariot(match, 2).improvements == ["Tow Rope"]
    assert [purse(match, seat) for seat in range(4)] == [0, 50, 50 + price, 50]
    assert seen(match).pot == 24
    assert seen(match).discards == ["Better Offer"]
    assert seen(match).deck == deck  # taking Titus over is no discard
    assert match.actor == 1


@about("effect", "Better Offer")
@pytest.mark.parametrize("driver", DRIVERS)
def test_bh_7_8_a_better_offer_cannot_be_played_by_who_cannot_pay(driver):
    price = int(FACTS[driver]["quick_sale"])
    match = market({2: [driver]}, {0: ["Better Offer"]}, purses={0: price - 1})
    assert playable(match) == set()


@about("effect", "Better Offer")
def test_bh_7_8_a_better_offer_is_for_opponents_drivers_in_this_race():
    match = market({0: ["Old Decimus"]}, {0: ["Better Offer"]})
    assert playable(match) == set()
    match = market({1: ["Old Decimus"]}, {0: ["Better Offer"]}, away=[1])
    assert playable(match) == set()
    fitted = {0: ["Old Decimus"], 1: ["The Numidian"], 3: ["Cousin Titus"]}
    match = market(fitted, {0: ["Better Offer"]}, seats=2)
    offers = [text for text in match.legal() if text.startswith("play")]
    assert offers == [f"play Better Offer {theirs} {mine}" for theirs in (1, 3) for mine in (0, 2)]
    match = market(fitted, {0: ["Better Offer"]}, seats=2, away=[2], purses={0: 9})
    assert [text for text in match.legal() if text.startswith("play")] == ["play Better Offer 3 0"]
    follow(match, "0: play Better Offer 3 0")
    assert chariot(match, 0).driver == "Cousin Titus"


@about("effect", "Better Offer")
def test_bh_5_3_the_driver_that_drove_before_is_discarded():
    match = market({0: ["Old Decimus"], 1: ["The Numidian"]}, {0: ["Better Offer"]})
    follow(match, "0: play Better Offer 1 0")
    assert chariot(match, 0).driver == "The Numidian"
    assert seen(match).discards == ["Better Offer", "Old Decimus"]


@about("protected", "Better Offer")
def test_bh_7_8_neither_bronze_flanks_nor_spiculus_stubbornness_help_against_a_better_offer():
    match = market({1: ["Scarred Spiculus", "Bronze Flanks"]}, {0: ["Better Offer"]})
    follow(match, "0: play Better Offer 1 0")
    assert chariot(match, 0).driver == "Scarred Spiculus"


@about("vetoed", "Better Offer")
@pytest.mark.parametrize("who", [1, 3])
def test_bh_7_8_a_vetoed_better_offer_is_spent_and_nothing_is_paid(who):
    match = market({0: ["Old Decimus"], 1: ["The Numidian"]}, {0: ["Better Offer"], who: [VETO]})
    follow(match, "0: play Better Offer 1 0")
    assert window(match) == "RE"
    follow(match, f"{who}: play {VETO}")
    assert [chariot(match, n).driver for n in range(2)] == ["Old Decimus", "The Numidian"]
    assert [purse(match, seat) for seat in range(4)] == [50] * 4
    assert seen(match).discards == ["Better Offer", VETO]
    assert match.actor == 1


# --- Side Wager -------------------------------------------------------------------------------------------


def wagered(*lines: str, pot: int = 30, veto: bool = False):
    """Return a race of two in its last steps, in which seat 0 bets on chariot 1."""
    hands = {0: ["Side Wager"], 1: [VETO] if veto else []}
    match = race(("2.20", 1, 1), ("1.17", 1, 1), hands=hands, mover=None, laps=1, pot=pot)
    assert match.legal() == ["pass", "play Side Wager 1"]  # an opposing chariot
    return follow(match, "0: play Side Wager 1", *lines)


ONE_WINS = ("die 1", "1: step 1.0", "die 2", "0: step 2.21", "0: step 2.0")
ZERO_WINS = ("die 1", "1: stop", "die 2", "0: step 2.21", "0: step 2.0", "die 1", "1: step 1.0")


@about("effect", "Side Wager")
def test_bh_7_8_a_side_wager_takes_6_from_the_pot_before_it_is_shared_if_the_named_chariot_wins():
    match = wagered(*ONE_WINS)
    assert match.over
    # 24 are left: 12 and 8, and the third's 4, which nobody claims, to the winner (BH-8.1).
    assert match.result == [50 + 6 + 8, 50 + 12 + 4, 50, 50]


@about("effect", "Side Wager")
@pytest.mark.parametrize(("pot", "result"), [(6, [56, 50]), (4, [54, 50]), (0, [50, 50]), (7, [56, 51])])
def test_bh_7_8_a_side_wager_takes_all_there_is_where_that_is_less(pot, result):
    assert wagered(*ONE_WINS, pot=pot).result[:2] == result


@about("effect", "Side Wager")
def test_bh_7_8_a_side_wager_on_a_chariot_that_does_not_win_is_lost():
    assert wagered(*ZERO_WINS).result == [50 + 15 + 5, 50 + 10, 50, 50]


@about("effect", "Side Wager")
def test_bh_7_8_a_side_wager_pays_on_a_win_by_stalling_too():
    """BH-6.8: ten turns in a row without progress; chariot 1 is ahead."""
    match = wagered()
    for _ in range(10):
        follow(match, "die 1", "1: stop", "die 1", "0: stop")
    assert match.over
    assert match.result == [50 + 6 + 8, 50 + 12 + 4, 50, 50]


@about("effect", "Side Wager")
def test_bh_7_8_a_side_wager_names_an_opposing_chariot():
    chariots = [("1.17", 0, 1), ("2.21", 0, 1), ("3.25", 0, 1), ("4.29", 0, 1)]
    match = race(*chariots, hands={0: ["Side Wager"]}, mover=None, seats=2)
    assert match.legal() == ["pass", "play Side Wager 1", "play Side Wager 3"]


@about("vetoed", "Side Wager")
def test_bh_7_8_a_vetoed_side_wager_is_spent_and_pays_nothing():
    match = wagered(f"1: play {VETO}", *ONE_WINS, veto=True)
    assert match.result == [50 + 10, 50 + 15 + 5, 50, 50]
