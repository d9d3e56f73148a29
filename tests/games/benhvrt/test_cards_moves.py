"""Move cards (BH-6.6, BH-7): played on any roll, one after the other; vetoed; withstood."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import about, chariot, follow, hand, move, purse, race, rolled, seen, walk
from quadriga.engine.kernels.slots import CHANCE

# What the roll becomes where the die shows 1, 2, 3, 4, 5, 6.
BECOMES = {
    "Add 1": [2, 3, 4, 5, 6, 7],
    "Add 2": [3, 4, 5, 6, 7, 8],
    "Add 3": [4, 5, 6, 7, 8, 9],
    "Subtract 1": [0, 1, 2, 3, 4, 5],
    "Subtract 2": [-1, 0, 1, 2, 3, 4],
    "Subtract 3": [-2, -1, 0, 1, 2, 3],
    "Move 1": [1] * 6,
    "Move 2": [2] * 6,
    "Move 3": [3] * 6,
    "Move 4": [4] * 6,
    "Move 5": [5] * 6,
    "Move 6": [6] * 6,
}
EVERY = [*BECOMES, "Try That Again"]
FAR = [("4.2", 1, 4), ("4.6", 1, 4), ("4.9", 1, 4)]


def on_the_straight(speed: int = 2, *fitted: str, hands, **more):
    """Return a race: chariot 0 before its roll, with a free lane; the others are far behind."""
    return race(("1.0", 2, speed, *fitted), *FAR, hands=hands, **more)


@about("effect", *BECOMES)
@pytest.mark.parametrize("player", [0, 1, 3])
@pytest.mark.parametrize("name", BECOMES)
def test_bh_6_6_a_move_card_changes_anybodys_roll(name, player):
    for face, roll in enumerate(BECOMES[name], 1):
        match = on_the_straight(3, hands={player: [name]})
        follow(match, f"die {face}", f"{player}: play {name}")
        assert hand(match, player) == []
        assert seen(match).discards == [name]
        assert move(match).natural == face
        assert rolled(match) == roll
        assert walk(match) == 3 + roll  # BH-6.3: Speed + roll
        assert chariot(match, 0).speed == min(max(roll, 1), 6)  # BH-6.5


@about("effect", "Subtract 3", "Subtract 2")
@pytest.mark.parametrize(("name", "speed"), [("Subtract 3", 1), ("Subtract 3", 2), ("Subtract 2", 1)])
def test_bh_6_3_an_allowance_below_0_is_0_and_the_speed_1(name, speed):
    match = on_the_straight(speed, hands={1: [name]})
    follow(match, "die 1", f"1: play {name}")
    assert chariot(match, 0).square == "1.0"
    assert chariot(match, 0).moved is False  # a new turn has begun
    assert match.actor == CHANCE
    assert chariot(match, 0).speed == 1


@about("effect", "Add 3", "Add 2")
def test_bh_6_5_a_roll_above_6_counts_in_full_for_the_steps_and_as_6_for_the_speed():
    match = on_the_straight(6, hands={0: ["Add 3"], 2: ["Add 2"]})
    follow(match, "die 6", "0: play Add 3", "2: play Add 2")
    assert rolled(match) == 11
    assert walk(match) == 17
    assert chariot(match, 0).speed == 6


@about("effect", "Add 2", "Move 1")
@pytest.mark.parametrize(("first", "then", "roll"), [("Add 2", "Move 1", 1), ("Move 1", "Add 2", 3)])
def test_bh_6_6_move_cards_work_in_the_order_they_are_played(first, then, roll):
    match = on_the_straight(hands={1: [first], 2: [then]})
    follow(match, "die 5", f"1: play {first}", f"2: play {then}")
    assert rolled(match) == roll


# --- Try That Again ---------------------------------------------------------------------------------------


@about("effect", "Try That Again")
@pytest.mark.parametrize("player", [0, 1])
def test_bh_7_8_try_that_again_rolls_one_die_of_the_movers_which_undoes_earlier_move_cards(player):
    match = on_the_straight(hands={player: ["Try That Again"], 3: ["Add 3"], 2: ["Add 1"]})
    follow(match, "die 2", f"{player}: pass", "2: pass", "3: play Add 3")
    assert rolled(match) == 5
    follow(match, f"{player}: play Try That Again")
    assert match.actor == CHANCE
    assert [(each.text, each.weight) for each in match.outcomes()] == [(f"die {n}", 1) for n in range(1, 7)]
    entry = match.happen("die 4")
    assert entry.seat == 0  # the die is the mover's, whoever played the card
    assert (move(match).natural, rolled(match)) == (4, 4)
    follow(match, "2: play Add 1")
    assert rolled(match) == 5  # later cards change the new roll
    assert walk(match) == 7


@about("effect", "Try That Again")
def test_bh_7_8_try_that_again_natural_rules_apply_again():
    match = on_the_straight(2, "Greased Axles", "Cousin Titus", hands={0: ["Try That Again", "Try That Again"]})
    follow(match, "die 6")
    assert rolled(match) == 5
    follow(match, "0: play Try That Again", "die 1")
    assert rolled(match) == 3
    follow(match, "0: play Try That Again", "die 6")
    assert (move(match).natural, rolled(match)) == (6, 5)


@about("effect", "Try That Again")
def test_bh_7_8_try_that_again_is_one_real_die_after_fortunata_and_after_an_imaginary_die():
    match = on_the_straight(2, "Sister Fortunata", hands={1: ["Try That Again"]})
    follow(match, "0: use Sister Fortunata", "die 5", "die 6", "0: keep-die 6", "1: play Try That Again", "die 2")
    assert rolled(match) == 2
    assert walk(match) == 4
    match = on_the_straight(hands={0: ["Loaded Die"], 1: ["Try That Again"]})
    follow(match, "0: play Loaded Die 6", "1: play Try That Again")
    assert match.actor == CHANCE
    follow(match, "die 1")
    assert (move(match).natural, rolled(match)) == (1, 1)
    assert walk(match) == 3


# --- vetoed, and shrugged off -----------------------------------------------------------------------------


@about("vetoed", *EVERY)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", EVERY)
def test_bh_7_6_a_vetoed_move_card_is_spent_and_changes_nothing(name, player):
    match = on_the_straight(hands={player: [name], 2: ["Tribune's Veto"]})
    before = [purse(match, seat) for seat in range(4)]
    follow(match, "die 5", f"{player}: play {name}", "2: play Tribune's Veto")
    assert match.actor == 0
    assert rolled(match) == 5
    assert hand(match, player) == hand(match, 2) == []
    assert sorted(seen(match).discards) == sorted([name, "Tribune's Veto"])
    assert [purse(match, seat) for seat in range(4)] == before
    assert walk(match) == 7
    assert chariot(match, 0).speed == 5


@about("protected", *EVERY)
@pytest.mark.parametrize("name", EVERY)
def test_bh_7_8_livia_shrugs_off_the_first_opposing_move_card_and_it_is_spent(name):
    match = on_the_straight(2, "Livia Unruffled", hands={1: [name]})
    follow(match, "die 5", f"1: play {name}")
    assert match.actor == 0
    assert "stop" in match.legal()  # and no die is rolled again
    assert rolled(match) == 5
    assert hand(match, 1) == []
    assert seen(match).discards == [name]
    assert walk(match) == 7


@about("protected", *BECOMES)
@pytest.mark.parametrize("name", BECOMES)
def test_bh_7_8_livia_lets_her_own_players_move_cards_work(name):
    match = on_the_straight(2, "Livia Unruffled", hands={0: [name]})
    follow(match, "die 5", f"0: play {name}")
    assert rolled(match) == BECOMES[name][4]
