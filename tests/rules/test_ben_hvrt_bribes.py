"""Bribes in Ben Hvrt (BH-7.5), one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

from random import Random

import pytest

from games.benhvrt.positions import (
    GAME,
    VETO,
    everybody_passes,
    hand,
    money,
    move,
    play,
    position,
    purses,
    race,
    series,
    window,
)
from quadriga.engine.errors import IllegalActionError
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.dice import SeededDice
from quadriga.lab.traces import random_match


def rolled(**more):
    """Return a race of four, a square apart; the leader, seat 0, has rolled 4: window RO."""
    more.setdefault("bribes", True)
    match = race(("1.10", 1, 2), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), **more)
    play(match, "die 4")
    return match


def before_the_start(**more):
    """Return a race on the grid: window BM, seat 0 is asked first."""
    more.setdefault("bribes", True)
    return position("grid", **more)


def refused(match, text: str) -> None:
    before = match.s.tobytes()
    with pytest.raises(IllegalActionError):
        match.play(text)
    assert match.s.tobytes() == before


def test_bh_7_5_bribes_are_on_where_a_person_sits_unless_they_are_turned_off():
    game = race(("1.10", 1, 2), ("1.9", 1, 2)).game
    assert not game.resolve_options({}, 4)[0]["bribes"]  # bots among themselves, simulations
    assert game.resolve_options({}, 4, people=True)[0]["bribes"]
    assert not game.resolve_options({"bribes": False}, 4, people=True)[0]["bribes"]
    assert game.resolve_options({"bribes": True}, 4)[0]["bribes"]


def test_bh_7_5_bribes_are_off_by_default():
    match = race(("1.10", 1, 2), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), hands={0: ["Add 1"]})
    play(match, "die 4")
    assert match.legal() == ["pass", "play Add 1"]
    refused(match, "bribe 1 Move 1 5")
    assert window(rolled(bribes=False)) is None


def test_bh_7_5_with_the_option_who_is_asked_in_ro_and_bm_may_offer_one():
    match = rolled()
    assert (window(match), list(match.actions())) == ("RO", ["bribe *", "pass"])
    everybody_passes(match)
    play(match, "stop")
    assert (window(match), list(match.actions())) == ("BM", ["bribe *", "pass"])


def test_bh_7_5_in_no_other_window():
    match = race(
        ("1.6", 1, 3),
        ("2.9", 1, 4),
        ("4.1", 0, 1),
        ("4.2", 0, 1),
        moved=(1,),
        bribes=True,
        hands={0: ["Second Wind", "Broom in the Spokes"], 1: ["Thrown Fishwife"], 2: [VETO]},
    )
    assert (window(match), match.legal()) == ("PR", ["pass", "play Second Wind"])
    play(match, "play Second Wind")
    assert (window(match), match.legal()) == ("RE", ["pass", f"play {VETO}"])
    play(match, "pass", "die 3")
    everybody_passes(match)
    play(match, "step 1.7")
    assert (window(match), match.legal()) == ("PB", ["pass", "play Broom in the Spokes"])
    play(match, "pass")
    assert (window(match), match.legal()) == ("PA", ["pass", "play Thrown Fishwife"])


def test_bh_7_5_the_money_is_held():
    match = rolled()
    play(match, "bribe 2 Move 1 9")
    assert purses(match) == [91, 100, 100, 100]
    assert money(match) == 400
    bribe = match.view().players[0].bribe
    assert (bribe.to, bribe.card, bribe.chariot, bribe.money) == (2, "Move 1", None, 9)


def test_bh_7_5_it_is_paid_the_moment_that_player_plays_the_card():
    match = rolled(hands={2: ["Move 1"], 3: [VETO]})
    play(match, "bribe 2 Move 1 9", "pass", "play Move 1")
    assert window(match) == "RE"
    assert purses(match) == [91, 100, 109, 100]
    assert match.view().players[0].bribe is None


def test_bh_7_5_a_later_veto_changes_nothing():
    match = rolled(hands={2: ["Move 1"], 3: [VETO]})
    play(match, "bribe 2 Move 1 9", "pass", "play Move 1", f"play {VETO}")
    everybody_passes(match)
    assert move(match).roll == 4
    assert purses(match) == [91, 100, 109, 100]


def test_bh_7_5_else_it_is_returned_when_the_window_closes():
    match = rolled(hands={2: ["Move 1"]})
    play(match, "bribe 2 Move 1 9", "pass", "pass")
    assert purses(match) == [91, 100, 100, 100]  # not yet
    everybody_passes(match)
    assert purses(match) == [100] * 4
    assert hand(match, 2) == ["Move 1"]


def test_bh_7_5_in_a_later_window_nothing_is_paid_any_more():
    match = rolled(hands={2: ["Move 1"]})
    play(match, "bribe 2 Move 1 9")
    everybody_passes(match)
    play(match, "stop")
    everybody_passes(match)
    play(match, "die 2", "pass", "play Move 1")  # on the roll of seat 1
    assert purses(match) == [100] * 4


@pytest.mark.parametrize(("player", "card"), [(1, "Move 1"), (2, "Add 1")])
def test_bh_7_5_another_player_or_another_card_earns_nothing(player, card):
    match = rolled(hands={player: [card]})
    play(match, "bribe 2 Move 1 9")
    while match.actor != player:
        play(match, "pass")
    play(match, f"play {card}")
    everybody_passes(match)
    assert purses(match) == [100] * 4


def test_bh_7_5_on_a_named_chariot_where_the_card_takes_one():
    for target, earned in ((3, 7), (1, 0)):
        match = before_the_start(hands={2: ["Orangutan"]})
        play(match, "bribe 2 Orangutan 3 7", "pass", f"play Orangutan {target}")
        everybody_passes(match)
        assert purses(match) == [100 - earned, 100, 100 + earned, 100]


def test_bh_7_5_in_ro_for_move_cards_in_bm_for_events_of_that_window():
    match = rolled(hands={0: ["Add 1"]})
    for text in ("bribe 1 Orangutan 2 5", "bribe 1 Rich Aunt 5", f"bribe 1 {VETO} 5", "bribe 1 Second Wind 5"):
        refused(match, text)
    play(match, "bribe 1 Try That Again 5")
    match = before_the_start()
    for text in ("bribe 1 Add 1 5", "bribe 1 Thrown Fishwife 5", f"bribe 1 {VETO} 5", "bribe 1 Tow Rope 5"):
        refused(match, text)
    play(match, "bribe 1 Side Wager 2 5")


def test_bh_7_5_a_chariot_is_named_where_the_card_takes_one_and_only_there():
    match = before_the_start()
    refused(match, "bribe 1 Orangutan 5")
    refused(match, "bribe 1 Rich Aunt 2 5")
    play(match, "bribe 1 Rich Aunt 5")


def test_bh_7_5_to_another_racing_player():
    match = race(
        ("1.10", 1, 2), ("1.9", 1, 2), None, ("1.7", 1, 2), finished=(2,), bribes=True, hands={2: ["Move 1"]}
    )
    play(match, "die 4")
    refused(match, "bribe 0 Move 1 5")
    refused(match, "bribe 2 Move 1 5")
    refused(match, "bribe 4 Move 1 5")
    play(match, "bribe 3 Move 1 5")


def test_bh_7_5_of_1_ducat_up_to_all_one_has():
    match = rolled(purses={0: 7})
    refused(match, "bribe 1 Move 1 8")
    refused(match, "bribe 1 Move 1 0")
    play(match, "bribe 1 Move 1 7")
    assert purses(match)[0] == 0
    match = rolled(purses={0: 0})
    assert match.actor == 1  # who has nothing cannot bribe


def test_bh_7_5_he_need_not_hold_the_card():
    """Hands are hidden: a bribe for a card that the player lacks is returned."""
    match = rolled()
    play(match, "bribe 1 Move 1 5")
    everybody_passes(match)
    assert purses(match) == [100] * 4


def test_bh_7_5_one_open_bribe_per_player():
    match = rolled(hands={0: ["Add 1"]})
    play(match, "bribe 2 Move 1 9", "pass", "pass", "pass")
    assert match.actor == 0
    assert match.legal() == ["pass", "play Add 1"]
    refused(match, "bribe 1 Move 1 5")


def test_bh_7_5_once_it_is_paid_he_may_offer_another():
    match = rolled(hands={2: ["Move 1", "Move 1"]})
    play(match, "bribe 2 Move 1 9", "pass", "play Move 1", "pass")
    assert match.actor == 0
    assert list(match.actions()) == ["bribe *", "pass"]
    play(match, "bribe 2 Move 1 5", "pass", "play Move 1")
    assert purses(match) == [86, 100, 114, 100]


def test_bh_7_5_several_bribes_for_one_play_are_all_paid():
    match = rolled(hands={3: ["Move 1"]})
    play(match, "bribe 3 Move 1 9", "bribe 3 Move 1 8", "bribe 3 Add 1 4", "play Move 1")
    assert purses(match) == [91, 92, 96, 117]
    everybody_passes(match)
    assert purses(match) == [91, 92, 100, 117]


def test_bh_7_5_one_play_earns_a_bribe_once():
    match = rolled(hands={2: ["Move 1", "Move 1"]})
    play(match, "bribe 2 Move 1 9", "pass", "play Move 1")
    while match.actor != 2:
        play(match, "pass")
    play(match, "play Move 1")
    assert purses(match) == [91, 100, 109, 100]


def test_bh_7_5_a_bribe_reopens_the_window():
    match = rolled(hands={1: ["Move 1"]})
    play(match, "pass", "pass", "bribe 1 Move 1 9", "pass", "pass")
    assert match.actor == 1  # he had passed, and is asked again
    play(match, "play Move 1")
    assert purses(match) == [100, 109, 91, 100]


def test_bh_7_5_the_mover_himself_can_be_bribed():
    match = rolled(hands={0: ["Move 1"]})
    play(match, "pass", "bribe 0 Move 1 9", "pass", "pass", "play Move 1")
    assert purses(match) == [109, 91, 100, 100]


@pytest.mark.parametrize("ducats", [1, 9, 10, 12, 60, 100])
@pytest.mark.parametrize("cards", [[], ["Add 1"]], ids=["who-holds-nothing", "who-could-play"])
def test_bh_7_5_a_bribe_may_be_of_any_amount_also_by_who_could_only_bribe(ducats, cards):
    match = rolled(hands={0: cards, 2: ["Move 1"]})
    play(match, f"bribe 2 Move 1 {ducats}")
    assert purses(match) == [100 - ducats, 100, 100, 100]
    play(match, "pass", "play Move 1")
    assert purses(match) == [100 - ducats, 100, 100 + ducats, 100]


@pytest.mark.parametrize("ducats", [9, 30])
def test_bh_7_5_while_a_bribe_is_put_together_nobody_else_is_asked_and_no_money_comes_of_nothing(ducats):
    match = rolled()
    pieces = match.game.notation.compounds.parse(match.t, match.s, f"bribe 2 Move 1 {ducats}")
    for piece in pieces:
        assert match.actor == 0
        match.game.rules.step(match.t, match.s, piece)
    assert money(match) == 400
    everybody_passes(match)
    assert purses(match) == [100] * 4


@pytest.mark.parametrize("seed", range(3))
def test_bh_2_4_money_is_constant_in_games_of_random_bribes_of_any_amount(seed):
    """Every piece of an action is picked at random, so that offers and bribes are of all sizes."""
    match = series(4, series=[1], bribes=True)
    game, pick = match.game, Random(seed)
    out, weights = (array.data for array in game.rules.scratch())
    for _ in range(2000):
        if match.over:
            break
        n = (
            game.rules.outcomes(match.t, match.s, out, weights)
            if match.actor == CHANCE
            else game.rules.legal(match.t, match.s, out)
        )
        assert n > 0, "somebody is asked who can do nothing"
        game.rules.step(match.t, match.s, pick.choice(out[:n].tolist()))
        assert money(match) == 400


# --- names with digits (BH-7.7) --------------------------------------------------------------------------

NUMBERED = {
    "card": [
        {"name": name, "kind": "Move", "copies": 2, "price": 1, "window": "RO", "does": [["add", 1]]}
        for name in ("Add", "Add 1st", "Add 1st or 2", "7 Hills")
    ]
    + [{"name": "Wind 2", "kind": "Event", "copies": 2, "price": 1, "window": "BM", "does": [["next-roll", 2]]}]
}


@pytest.mark.parametrize("name", ["Add", "Add 1st", "Add 1st or 2", "7 Hills"])
def test_bh_7_7_a_name_with_digits_is_read_by_matching_the_deck_the_longest_name_first(name):
    match = rolled(hands={1: [name]}, deck=NUMBERED)
    play(match, f"bribe 1 {name} 4")
    assert (match.view().players[0].bribe.card, match.view().players[0].bribe.money) == (name, 4)
    play(match, f"play {name}")
    assert purses(match) == [96, 104, 100, 100]


def test_bh_7_7_bribe_1_add_1_4_offers_4_ducats_for_add_1():
    match = rolled(hands={1: ["Add 1"]})
    play(match, "bribe 1 Add 1 4")
    bribe = match.view().players[0].bribe
    assert (bribe.to, bribe.card, bribe.chariot, bribe.money) == (1, "Add 1", None, 4)


def test_bh_7_7_a_name_with_digits_and_a_chariot():
    match = before_the_start(hands={1: ["Wind 2"]}, deck=NUMBERED)
    play(match, "bribe 1 Wind 2 3 15")
    bribe = match.view().players[0].bribe
    assert (bribe.card, bribe.chariot, bribe.money) == ("Wind 2", 3, 15)


@pytest.mark.parametrize(
    "text",
    [
        "bribe 1 Add 1",
        "bribe 1 Add 1 4 4",
        "bribe 1 add 1 4",
        "bribe 1 Add 1  4",
        "bribe 1 Add 14",
        "bribe 1 Add 1 04",
    ],
)
def test_bh_7_7_what_is_no_bribe_for_a_card_of_the_deck_is_refused(text):
    refused(rolled(hands={1: ["Add 1"]}), text)


# --- BH-7.9 ---------------------------------------------------------------------------------------------


def test_bh_7_9_who_could_only_bribe_is_asked_for_nothing_else():
    match = rolled(hands={1: ["Add 1"]})
    asked = []
    while match.actor >= 0 and window(match) == "RO":
        asked.append((match.actor, "bribe *" in match.actions(), match.game.asked_to_deal(match.t, match.s)))
        match.play("pass")
    assert asked == [(0, True, True), (1, True, False), (2, True, True), (3, True, True)]


def test_bh_7_9_a_seat_that_might_hold_a_card_is_asked_whatever_it_holds():
    """BH-7.4: where the server asks everybody, an empty hand is what tells, and everybody sees it."""
    match = rolled(hands={1: ["Add 1"], 2: ["Tow Rope"]})
    match.game.reactions.ask_all(match.t, True)
    asked = []
    while match.actor >= 0 and window(match) == "RO":
        asked.append((match.actor, match.game.asked_to_deal(match.t, match.s)))
        match.play("pass")
    assert asked == [(0, True), (1, False), (2, False), (3, True)]


def test_bh_7_5_the_log_says_who_has_paid_for_a_card():
    match = rolled(hands={1: ["Add 1", "Add 1"]})
    play(match, "bribe 1 Add 1 5")

    def effects() -> list[tuple[str, object]]:
        action = match.actions()["play Add 1"]
        notes = match.game.display.explain(match.t, match.s, (action,))
        return [(note.message.id, note.message.parameters.get("seat")) for note in notes]

    assert effects() == [("ben-hvrt.why.plays", None), ("ben-hvrt.why.bribed", 1)]
    play(match, "play Add 1")
    while match.actor != 1:
        match.play("pass")
    assert effects() == [("ben-hvrt.why.plays", None)]  # it is paid once


def test_bh_7_9_who_has_no_money_is_not_asked_to_deal():
    match = rolled(purses={0: 0, 1: 0, 2: 0}, hands={0: ["Add 1"]})
    assert (match.actor, "bribe *" in match.actions()) == (0, False)
    match.play("pass")
    assert (match.actor, match.game.asked_to_deal(match.t, match.s)) == (3, True)


def test_bh_7_9_a_half_built_bribe_is_no_deal_to_announce():
    match = rolled()
    match.game.rules.step(match.t, match.s, match.actions()["bribe *"])
    assert "bribe *" not in match.actions()
    assert not match.game.asked_to_deal(match.t, match.s)


def test_bh_7_9_in_every_window_of_whole_games_who_could_only_pass_or_bribe_and_nobody_else():
    seen = set()
    options, seats = GAME.resolve_options({"series": [1], "bribes": True}, 4)
    for seed in range(6):
        for match in random_match(GAME, options, seats, seed, 0, SeededDice(seed, 0)).positions():
            if match.actor >= 0:
                only = set(match.actions()) == {"pass", "bribe *"}
                assert match.game.asked_to_deal(match.t, match.s) == only
                seen.add(only)
    assert seen == {False, True}
