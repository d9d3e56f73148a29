"""Vetoes in Ben Hvrt (BH-7.6), one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

from games.benhvrt.positions import VETO, chariot, deal, move, play, position, purses, race, window


def four(**more):
    """Return a race of four on the back straight, a square apart: 0 leads and moves first."""
    return race(("1.10", 1, 2), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), **more)


def vetoes(*, holders: dict[int, int], **more):
    """Return a race: seat 0 has rolled 4 and played Move 1 on itself; other hands have this many Vetoes."""
    hands = {seat: [VETO] * count for seat, count in holders.items()}
    hands[0] = [*hands.get(0, []), "Move 1"]
    match = four(hands=hands, **more)
    play(match, "die 4", "play Move 1")
    return match


def test_bh_7_6_a_veto_that_stands_takes_the_cards_effect():
    match = vetoes(holders={2: 1})
    play(match, f"play {VETO}")
    assert move(match).roll == 4
    assert match.view().discards == ["Move 1", VETO]
    assert window(match) is None


def test_bh_7_6_once_a_veto_stands_there_is_nothing_left_to_answer():
    match = vetoes(holders={1: 1, 2: 1})
    play(match, f"play {VETO}", "pass")  # seat 2 lets it stand
    assert window(match) is None
    assert move(match).roll == 4


def test_bh_7_6_without_it_the_card_has_its_effect():
    match = vetoes(holders={2: 1})
    assert move(match).roll == 4  # not before the answers
    play(match, "pass")
    assert move(match).roll == 1


def test_bh_7_6_it_opens_its_own_window_and_can_be_vetoed_itself():
    match = vetoes(holders={2: 1, 3: 1})
    play(match, f"play {VETO}")
    assert (window(match), match.actor) == ("RE", 3)
    assert match.view().answering == ["Move 1", VETO]
    play(match, f"play {VETO}")
    assert move(match).roll == 1


def test_bh_7_6_then_the_outer_window_goes_on_and_another_veto_may_still_hit_the_first_card():
    match = vetoes(holders={1: 1, 2: 1, 3: 1})
    play(match, f"play {VETO}")  # seat 1, on Move 1
    assert match.actor == 2
    play(match, f"play {VETO}")  # seat 2, on the Veto of 1
    assert match.actor == 3
    assert match.view().answering == ["Move 1", VETO, VETO]
    play(match, "pass")  # which stands
    assert match.actor == 3
    assert match.view().answering == ["Move 1"]
    play(match, f"play {VETO}")
    assert move(match).roll == 4


def test_bh_7_6_a_veto_on_a_veto_on_a_veto():
    match = vetoes(holders={0: 1, 1: 1, 2: 1})
    play(match, f"play {VETO}")  # seat 1 on Move 1
    assert match.actor == 0  # the mover first
    play(match, f"play {VETO}")  # on that Veto
    assert match.actor == 2
    play(match, f"play {VETO}")  # on the Veto of 0: so the first one stands
    assert move(match).roll == 4


def test_bh_7_6_nobody_answers_his_own_card():
    match = vetoes(holders={0: 2})
    assert window(match) is None
    assert move(match).roll == 1
    match = vetoes(holders={2: 2})
    play(match, f"play {VETO}")
    assert window(match) is None  # nor his own Veto
    assert move(match).roll == 4


def test_bh_7_6_but_a_veto_of_his_card():
    match = vetoes(holders={0: 1, 2: 1})
    assert match.actor == 2
    play(match, f"play {VETO}")
    assert match.actor == 0
    play(match, f"play {VETO}")
    assert move(match).roll == 1


def test_bh_7_6_a_vetoed_event_does_nothing_and_is_discarded():
    match = position("grid", hands={0: ["Rich Aunt"], 1: [VETO]})
    play(match, "play Rich Aunt", f"play {VETO}")
    assert deal(match) == []
    assert match.view().discards == ["Rich Aunt", VETO]


def test_bh_7_6_in_the_market_too_where_nothing_is_paid():
    match = position("market", hands={0: ["Better Offer"], 3: [VETO]}, fitted={1: ["Old Decimus"]})
    play(match, "play Better Offer 1 0", f"play {VETO}")
    assert purses(match) == [100] * 4
    assert (chariot(match, 0).driver, chariot(match, 1).driver) == (None, "Old Decimus")
    assert match.actor == 1


def test_bh_7_6_who_sits_the_race_out_vetoes_nothing():
    match = position(
        "market", entered=[0, 1, 2], hands={0: ["Better Offer"], 3: [VETO]}, fitted={1: ["Old Decimus"]}
    )
    play(match, "play Better Offer 1 0")
    assert chariot(match, 0).driver == "Old Decimus"
