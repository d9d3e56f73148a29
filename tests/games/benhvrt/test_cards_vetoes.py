"""Tribune's Veto (BH-7.6): the cards that it answers, the seats that may play it, and Vetoes on Vetoes."""

from __future__ import annotations

import pytest

from games.benhvrt.cards import about, chariot, follow, hand, market, purse, race, rolled, seen, speeds, window
from quadriga.engine.kernels.slots import CHANCE

VETO = "Tribune's Veto"


def whipped(*vetoes: int, hands=None, **more):
    """Return a race: chariot 0 has rolled a 3, and seat 1 has played Add 1 on it; some seats hold a Veto."""
    held = {1: ["Add 1"], **(hands or {})}
    for seat in vetoes:
        held[seat] = [*held.get(seat, ()), VETO]
    match = race(("1.0", 2, 2), ("4.2", 1, 4), ("4.6", 1, 4), ("4.9", 1, 4), hands=held, **more)
    return follow(match, "die 3", "1: play Add 1")


@about("effect", VETO)
@pytest.mark.parametrize("who", [0, 2, 3])
def test_a_veto_takes_the_effect_of_an_opponents_card_and_both_are_discarded(who):
    match = whipped(who)
    assert window(match) == "RE"
    assert match.legal() == ["pass", f"play {VETO}"]
    assert seen(match).answering == ["Add 1"]
    follow(match, f"{who}: play {VETO}")
    assert rolled(match) == 3
    assert seen(match).discards == ["Add 1", VETO]
    assert hand(match, 1) == hand(match, who) == []
    assert [purse(match, seat) for seat in range(4)] == [50] * 4


@about("effect", VETO)
def test_a_veto_that_is_not_played_is_kept_and_the_card_works():
    match = follow(whipped(2), "2: pass")
    assert rolled(match) == 4
    assert hand(match, 2) == [VETO]


@about("effect", VETO)
def test_nobody_answers_his_own_card():
    match = whipped(1)
    assert window(match) is None
    assert rolled(match) == 4
    match = whipped(1, 1, 2)
    follow(match, f"2: play {VETO}", f"1: play {VETO}")
    assert rolled(match) == 4  # his second Veto could not answer his own first; it went by unasked
    assert hand(match, 1) == [VETO]


@about("effect", VETO)
def test_bh_7_3_in_re_the_mover_is_asked_first_then_leftward():
    match = whipped(0, 2, 3)
    follow(match, "0: pass", "2: pass", "3: pass")
    assert rolled(match) == 4
    assert window(match) is None


@about("effect", VETO)
def test_bh_7_3_in_the_market_the_acting_player_comes_first():
    hands = {2: ["Better Offer"], 0: [VETO], 1: [VETO], 3: [VETO]}
    match = market({1: ["Old Decimus"]}, hands)
    follow(match, "0: ready", "1: ready", "2: play Better Offer 1 2", "3: pass", "0: pass", "1: pass")
    assert chariot(match, 2).driver == "Old Decimus"


@about("vetoed", VETO)
def test_a_vetoed_veto_has_no_effect_and_both_are_spent():
    match = whipped(2, 3)
    follow(match, f"2: play {VETO}")
    assert seen(match).answering == ["Add 1", VETO]
    follow(match, f"3: play {VETO}")
    assert rolled(match) == 4
    assert seen(match).discards == ["Add 1", VETO, VETO]
    assert hand(match, 2) == hand(match, 3) == []


@about("vetoed", VETO)
def test_the_player_of_the_card_may_answer_the_veto_on_it():
    match = follow(whipped(2, 1), f"2: play {VETO}", f"1: play {VETO}")
    assert rolled(match) == 4


@about("vetoed", VETO)
def test_a_veto_on_a_veto_on_a_veto():
    match = follow(whipped(2, 1, 3), f"2: play {VETO}", f"1: play {VETO}", f"3: play {VETO}")
    assert rolled(match) == 3
    assert seen(match).discards == ["Add 1", VETO, VETO, VETO]


@about("vetoed", VETO)
def test_after_a_vetoed_veto_the_outer_window_goes_on_and_another_may_hit_the_first_card():
    match = whipped(2, 1, 3)
    follow(match, f"2: play {VETO}", f"1: play {VETO}", "3: pass")  # 3 lets the Veto on the Veto stand,
    assert seen(match).answering == ["Add 1"]
    follow(match, f"3: play {VETO}")  # ... and answers the Add 1 himself
    assert rolled(match) == 3
    assert seen(match).discards == ["Add 1", VETO, VETO, VETO]


@about("vetoed", VETO)
def test_when_a_veto_stands_nobody_else_is_asked():
    match = follow(whipped(0, 2), f"0: play {VETO}", "2: pass")
    assert rolled(match) == 3
    assert window(match) is None
    assert hand(match, 2) == [VETO]


@about("effect", VETO)
@pytest.mark.parametrize("driver", ["Old Decimus", "The Numidian", "Sister Fortunata"])
def test_a_veto_does_not_answer_a_drivers_choice_before_the_roll(driver):
    match = race(("1.0", 2, 2, driver), ("4.2", 1, 4), hands={1: [VETO]})
    follow(match, f"0: use {driver}")
    assert window(match) is None
    assert hand(match, 1) == [VETO]


@about("effect", VETO)
def test_bh_7_8_a_veto_does_not_answer_crispus_brutus_or_the_brake_lever():
    match = race(("1.0", 2, 2, "Bent Crispus"), ("4.2", 1, 4), hands={1: [VETO]})
    follow(match, "die 4", "0: use Bent Crispus")
    assert rolled(match) == 2
    match = race(("1.6", 2, 2, "Brutus the Ox", "Brake Lever"), ("2.9", 1, 4), hands={1: [VETO]})
    follow(match, "die 4", "0: step 1.7", "0: use Brutus the Ox", "0: stop", "0: use Brake Lever")
    assert speeds(match)[:2] == [2, 2]
    assert match.actor == CHANCE


@about("effect", VETO)
@pytest.mark.parametrize("card", ["Old Decimus", "Tow Rope"])
def test_a_veto_does_not_answer_what_is_fitted(card):
    match = market({}, {0: [card], 1: [VETO]})
    follow(match, f"0: fit {card} 0")
    assert window(match) is None
    assert list(match.actions()) == ["offer *", "ready"]


@about("effect", VETO)
def test_bh_7_3_only_players_still_racing_are_asked():
    chariots = [("1.0", 2, 2), ("4.2", 1, 4), ("4.6", 1, 4)]  # seat 3 sits out
    match = race(*chariots, hands={1: ["Add 1"], 3: [VETO]})
    follow(match, "die 3", "1: play Add 1")
    assert rolled(match) == 4
