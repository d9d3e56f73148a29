"""The market and maintenance of Ben Hvrt (BH-5), one behaviour each; the id stands in the test's name."""

from __future__ import annotations

import pytest

from games.benhvrt.positions import VETO, chance_seat, chariot, deal, hand, money, play, position, purses
from quadriga.engine.errors import IllegalActionError, OptionError
from support import there


def refused(match, text: str) -> None:
    before = match.s.tobytes()
    with pytest.raises(IllegalActionError):
        match.play(text)
    assert match.s.tobytes() == before


# --- BH-5.1 ---------------------------------------------------------------------------------------------


def test_bh_5_1_after_the_auction_from_the_dealers_left_each_does_one_thing():
    match = position("market", dealer=1, hands={2: ["Tow Rope", "Bronze Flanks"]})
    asked = []
    for text in ("fit Tow Rope 2", "ready", "ready", "ready"):
        asked.append(match.actor)
        play(match, text)
    assert asked == [2, 3, 0, 1]
    assert match.actor == 2  # round and round; who is ready is skipped
    play(match, "fit Bronze Flanks 2")
    assert match.actor == 2
    play(match, "ready")
    assert match.view().phase == "maintenance"


def test_bh_5_1_it_ends_when_all_are_ready():
    match = position("market")
    for seat in range(4):
        assert match.view().phase == "market"
        assert match.actor == seat
        play(match, "ready")
    assert match.view().phase == "race"


def test_bh_5_1_improvements_and_drivers_are_played_onto_ones_own_chariot():
    match = position("market", hands={0: ["Tow Rope", "Old Decimus", "Add 1", "Orangutan", "Loaded Die"]})
    assert list(match.actions()) == ["fit Old Decimus 0", "fit Tow Rope 0", "offer *", "ready"]
    play(match, "fit Old Decimus 0")
    assert chariot(match, 0).driver == "Old Decimus"
    assert hand(match, 0) == ["Add 1", "Loaded Die", "Orangutan", "Tow Rope"]


def test_bh_5_1_only_onto_a_chariot_in_this_race():
    match = position("market", seats=2, entered=[0, 1], hands={0: ["Tow Rope"]})
    assert list(match.actions()) == ["fit Tow Rope 0", "offer *", "ready"]


def test_bh_5_1_a_card_with_window_au_can_be_played():
    match = position("market", hands={0: ["Better Offer"]}, fitted={1: ["Old Decimus"]})
    assert list(match.actions()) == ["offer *", "play Better Offer 1 0", "ready"]
    play(match, "play Better Offer 1 0")
    assert (chariot(match, 0).driver, chariot(match, 1).driver) == ("Old Decimus", None)
    assert purses(match) == [96, 104, 100, 100]
    assert match.actor == 1  # that was his one thing


def test_bh_5_1_cards_of_other_windows_cannot():
    match = position("market", hands={0: ["Rich Aunt", "Second Wind", VETO, "Hobnailed Boot"]})
    assert list(match.actions()) == ["offer *", "ready"]


# --- BH-5.2 ---------------------------------------------------------------------------------------------


def test_bh_5_2_an_offer_is_cards_and_money_for_money_and_named_cards():
    match = position("market", hands={0: ["Add 2", "Tow Rope"], 2: ["Brake Lever", "Add 1"]})
    play(match, "offer 2 give Add 2, Tow Rope, 5 for Brake Lever, 3")
    assert match.actor == 2  # he answers at once
    assert match.legal() == ["accept", "decline"]
    play(match, "accept")
    assert purses(match) == [98, 100, 102, 100]
    assert hand(match, 0) == ["Brake Lever"]
    assert hand(match, 2) == ["Add 1", "Add 2", "Tow Rope"]
    assert match.actor == 1  # the offer was seat 0's one thing
    assert money(match) == 400


def test_bh_5_2_declined_nothing_changes_hands():
    match = position("market", hands={0: ["Add 2"], 2: ["Brake Lever"]})
    play(match, "offer 2 give Add 2 for Brake Lever", "decline")
    assert purses(match) == [100] * 4
    assert (hand(match, 0), hand(match, 2)) == (["Add 2"], ["Brake Lever"])


def test_bh_5_2_it_goes_to_one_other_player():
    match = position("market")
    refused(match, "offer 0 give 1 for nothing")
    refused(match, "offer 4 give 1 for nothing")


def test_bh_5_2_who_is_in_this_race():
    match = position("market", entered=[0, 1, 3])
    refused(match, "offer 2 give 1 for nothing")
    play(match, "offer 3 give 1 for nothing")
    assert match.actor == 3


def test_bh_5_2_there_is_no_offer_without_somebody_else_in_the_race():
    match = position("market", entered=[0])
    assert match.legal() == ["ready"]


def test_bh_5_2_of_ones_own_hand_and_purse_only():
    match = position("market", hands={0: ["Add 2"]}, purses={0: 10})
    refused(match, "offer 1 give Tow Rope for nothing")
    refused(match, "offer 1 give Add 2, Add 2 for nothing")
    refused(match, "offer 1 give 11 for nothing")
    play(match, "offer 1 give Add 2, 10 for nothing")
    assert match.legal() == ["accept", "decline"]


def test_bh_5_2_not_what_is_fitted_to_a_chariot():
    match = position("market", fitted={0: ["Tow Rope"], 1: ["Old Decimus"]})
    refused(match, "offer 1 give Tow Rope for nothing")
    play(match, "offer 1 give 9 for Old Decimus")
    assert match.legal() == ["decline"]


def test_bh_5_2_not_nothing_for_nothing():
    match = position("market")
    refused(match, "offer 1 give nothing for nothing")


@pytest.mark.parametrize("text", ["offer 1 give nothing for 3", "offer 1 give 3 for nothing"])
def test_bh_5_2_but_something_for_nothing(text):
    match = position("market")
    play(match, text, "accept")
    assert sorted(purses(match)) == [97, 100, 100, 103]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("offer 1 give 1 for 20", ["accept", "decline"]),
        ("offer 1 give 1 for 21", ["decline"]),  # money that he lacks
        ("offer 1 give 1 for Add 1, Add 1", ["accept", "decline"]),
        ("offer 1 give 1 for Add 1, Add 1, Add 1", ["decline"]),
        ("offer 1 give 1 for Tow Rope", ["decline"]),  # a named card that he lacks
    ],
)
def test_bh_5_2_what_he_lacks_makes_acceptance_impossible(text, answers):
    match = position("market", hands={1: ["Add 1", "Add 1"]}, purses={1: 20})
    play(match, text)
    assert match.legal() == answers


def test_bh_5_2_what_the_offer_gives_him_does_not_help_him_to_pay():
    match = position("market", purses={1: 2})
    play(match, "offer 1 give 5 for 3")
    assert match.legal() == ["decline"]


def test_bh_5_2_he_answers_ready_or_not_and_after_a_swap_both_are_un_ready():
    match = position("market")
    play(match, "ready", "ready", "ready", "offer 1 give 1 for nothing")
    assert match.actor == 1
    play(match, "accept")
    assert [player.ready for player in match.view().players] == [True, False, True, False]
    assert match.actor == 1
    play(match, "ready", "ready")
    assert match.view().phase == "race"


def test_bh_5_2_after_a_declined_offer_who_was_ready_stays_so():
    match = position("market")
    play(match, "ready", "ready", "ready", "offer 1 give 1 for nothing", "decline")
    assert [player.ready for player in match.view().players] == [True, True, True, False]
    assert match.actor == 3


@pytest.mark.parametrize("offers", [1, 3, 9])
def test_bh_5_2_at_most_so_many_offers_per_player_per_market_declined_ones_included(offers):
    match = position("market", offers=offers)
    play(match, "offer 3 give nothing for 1", "accept" if offers > 1 else "decline", "ready", "ready", "ready")
    for _ in range(offers - 1):
        assert "offer *" in list(match.actions())
        play(match, "offer 1 give nothing for 1", "decline")
    assert match.actor == 0
    assert match.legal() == ["ready"]
    refused(match, "offer 1 give 1 for nothing")


def test_bh_5_2_three_where_nothing_is_said_and_everybody_has_his_own():
    match = position("market")
    play(match, "offer 1 give 1 for nothing", "decline", "ready", "ready", "ready")
    play(match, "offer 1 give 1 for nothing", "accept")
    assert list(match.actions()) == ["offer *", "ready"]  # seat 1, un-ready, has made none
    play(match, "ready", "offer 1 give 1 for nothing", "decline")
    assert match.legal() == ["ready"]


def test_bh_5_2_the_option_0_forbids_offers():
    match = position("market", offers=0)
    assert match.legal() == ["ready"]
    refused(match, "offer 1 give 1 for nothing")


@pytest.mark.parametrize("offers", [-1, 10, "three", True])
def test_bh_5_2_the_option_goes_from_0_to_9(offers):
    with pytest.raises(OptionError, match="offers"):
        position("market", offers=offers)


def test_bh_5_2_the_next_market_counts_anew():
    match = position("market", offers=1, series=[1, 1])
    play(match, "offer 1 give 1 for nothing", "decline", "ready", "ready", "ready")
    assert match.legal() == ["ready"]
    play(match, "ready")
    assert [match.s.offers_made[seat] for seat in range(4)] == [0] * 4


# --- BH-5.3 ---------------------------------------------------------------------------------------------


def test_bh_5_3_one_driver_per_chariot_a_second_discards_the_first():
    match = position("market", hands={0: ["Old Decimus", "Scarred Spiculus"]})
    play(match, "fit Old Decimus 0", "ready", "ready", "ready")
    assert match.view().discards == []
    play(match, "fit Scarred Spiculus 0")
    assert chariot(match, 0).driver == "Scarred Spiculus"
    assert match.view().discards == ["Old Decimus"]


def test_bh_5_3_the_same_driver_on_two_chariots_of_a_player():
    match = position("market", seats=2, hands={0: ["Old Decimus", "Old Decimus"]})
    play(match, "fit Old Decimus 0", "ready", "fit Old Decimus 2")
    assert (chariot(match, 0).driver, chariot(match, 2).driver) == ("Old Decimus", "Old Decimus")


def test_bh_5_3_no_two_copies_of_the_same_improvement_on_one_chariot():
    match = position("market", hands={0: ["Tow Rope", "Tow Rope", "Bronze Flanks"]})
    play(match, "fit Tow Rope 0", "ready", "ready", "ready")
    assert list(match.actions()) == ["fit Bronze Flanks 0", "offer *", "ready"]
    play(match, "fit Bronze Flanks 0")
    assert chariot(match, 0).improvements == ["Bronze Flanks", "Tow Rope"]  # but several different ones


def test_bh_5_3_the_other_chariot_may_have_the_second_copy():
    match = position("market", seats=2, hands={0: ["Tow Rope"]}, fitted={0: ["Tow Rope"]})
    assert list(match.actions()) == ["fit Tow Rope 2", "offer *", "ready"]


# --- BH-5.4 ---------------------------------------------------------------------------------------------


def test_bh_5_4_from_the_dealers_left_by_chariot_the_driver_first_then_improvements_by_name():
    match = position(
        "maintenance",
        seats=3,
        dealer=0,
        fitted={
            0: ["Swivel Pole"],
            1: ["Tow Rope", "Bronze Flanks", "The Numidian"],
            4: ["Matched Greys", "Bent Crispus"],
            2: ["Brake Lever"],
            3: ["Old Decimus"],
        },
    )
    asked = []
    while match.view().phase == "maintenance":
        text = next(text for text in match.legal() if text.startswith("keep"))
        asked.append((match.actor, text.removeprefix("keep ")))
        play(match, text)
    assert asked == [
        (1, "The Numidian 1"),
        (1, "Bronze Flanks 1"),
        (1, "Tow Rope 1"),
        (1, "Bent Crispus 4"),
        (1, "Matched Greys 4"),
        (2, "Brake Lever 2"),
        (0, "Swivel Pole 0"),
        (0, "Old Decimus 3"),
    ]


@pytest.mark.parametrize(
    ("card", "laps", "cost"),
    [
        ("Tow Rope", 3, 3),
        ("Greased Axles", 3, 2),
        ("Greased Axles", 4, 2),
        ("Bronze Flanks", 5, 1),
        ("Matched Greys", 5, 2),
        ("The Numidian", 3, 6),
        ("Cousin Titus", 6, 0),
        ("Old Decimus", 5, 3),
    ],
)
def test_bh_5_4_the_cost_goes_to_the_pot(card, laps, cost):
    match = position("maintenance", laps=laps, fitted={0: [card]}, pot=8)
    assert there(match.view().due).cost == cost
    play(match, f"keep {card} 0")
    assert purses(match)[0] == 100 - cost
    assert match.view().pot == 8 + cost
    assert card in (chariot(match, 0).driver, *chariot(match, 0).improvements)


def test_bh_5_4_unpaid_cards_are_discarded():
    match = position("maintenance", fitted={0: ["Tow Rope", "Old Decimus"]})
    play(match, "drop Old Decimus 0", "drop Tow Rope 0")
    assert (chariot(match, 0).driver, chariot(match, 0).improvements) == (None, [])
    assert match.view().discards == ["Old Decimus", "Tow Rope"]
    assert purses(match) == [100] * 4


def test_bh_5_4_what_he_cannot_pay_he_must_give_up():
    match = position("maintenance", laps=4, fitted={0: ["Tow Rope", "Bronze Flanks"]}, purses={0: 4})
    assert match.legal() == ["drop Bronze Flanks 0", "keep Bronze Flanks 0"]
    play(match, "keep Bronze Flanks 0")
    assert match.legal() == ["drop Tow Rope 0"]  # 4 Ducats for 4 laps, and 3 are left


def test_bh_5_4_it_is_due_in_the_race_a_card_is_first_played_too():
    match = position("market", hands={0: ["Tow Rope"]})
    play(match, "fit Tow Rope 0", "ready", "ready", "ready", "ready")
    assert match.legal() == ["drop Tow Rope 0", "keep Tow Rope 0"]


def test_bh_5_4_false_bottom_draws_after_everybodys_maintenance_from_the_dealers_left():
    match = position(
        "maintenance", dealer=1, laps=3, fitted={0: ["False Bottom"], 2: ["False Bottom"], 1: ["Tow Rope"]}
    )
    play(match, "keep False Bottom 2", "keep False Bottom 0")
    assert match.legal() == ["drop Tow Rope 1", "keep Tow Rope 1"]  # nothing has been drawn
    play(match, "keep Tow Rope 1")
    assert chance_seat(match) == 2
    assert [seat for seat, _ in deal(match)] == [2, 2, 0, 0]


def test_bh_5_4_a_false_bottom_that_was_given_up_draws_nothing():
    match = position("maintenance", laps=3, fitted={0: ["False Bottom"]})
    play(match, "drop False Bottom 0")
    assert match.view().phase == "race"
    assert hand(match, 0) == []
