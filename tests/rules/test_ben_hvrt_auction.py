"""The auction of Ben Hvrt (BH-4), one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

import pytest

from games.benhvrt.positions import chance_seat, chariot, deal, hand, play, position, purses, window
from quadriga.engine.kernels.slots import CHANCE
from support import there


def lot(*purse: int, card: str = "Add 1", entered: list[int] | None = None):
    """Return an auction of a card that seat 0, the dealer, has turned up."""
    match = position("auction", dealer=0, purses=dict(enumerate(purse)), entered=entered)
    play(match, f"turn {card}", "auction")
    return match


def test_bh_4_1_from_the_dealer_leftward_one_card_at_a_time_until_all_are_gone():
    match = position("auction", dealer=2, laps=2)
    auctioneers = []
    while match.view().phase == "auction":
        if match.actor == CHANCE:
            auctioneers.append(chance_seat(match))
            match.happen(match.outcomes()[0].text)
        else:
            match.play("auction" if "auction" in match.legal() else "pass")
    assert auctioneers == [2, 3, 0, 1, 2, 3, 0, 1]
    assert match.view().phase == "market"


def test_bh_4_1_who_has_none_left_is_skipped():
    match = position("auction", seats=2, dealer=0, entered=[0, 1, 3], laps=1)
    auctioneers = []
    while match.view().phase == "auction":
        if match.actor == CHANCE:
            auctioneers.append(chance_seat(match))
            match.happen("turn Add 1")
        else:
            match.play("auction" if "auction" in match.legal() else "pass")
    assert auctioneers == [0, 1, 1]


def test_bh_4_1_the_card_is_turned_up_for_all_to_see():
    match = position("auction", dealer=1)
    play(match, "turn Brake Lever")
    assert match.actor == 1
    seen = there(match.view().lot)
    assert (seen.card, seen.price, seen.auctioneer, seen.bid) == ("Brake Lever", 7, 1, None)


def test_bh_4_1_the_auctioneer_may_buy_at_the_quick_sale_price_paid_to_the_pot():
    match = position("auction", dealer=1, pot=8)
    play(match, "turn Brake Lever", "buy")
    assert purses(match) == [100, 93, 100, 100]
    assert match.view().pot == 15
    assert hand(match, 1) == ["Brake Lever"]
    assert chance_seat(match) == 2


@pytest.mark.parametrize(("purse", "legal"), [(7, ["auction", "buy"]), (6, ["auction"]), (0, ["auction"])])
def test_bh_4_1_if_he_has_the_money(purse, legal):
    match = position("auction", dealer=1, purses={1: purse})
    play(match, "turn Brake Lever")
    assert match.legal() == legal


def test_bh_4_2_bidding_goes_from_the_auctioneer_leftward():
    match = position("auction", dealer=2)
    play(match, "turn Add 1", "auction")
    asked = []
    for _ in range(4):
        asked.append(match.actor)
        assert match.legal() == ["bid", "pass"]
        match.play("bid")
    assert asked == [2, 3, 0, 1]
    assert match.actor == 2  # and round again


def test_bh_4_2_in_round_r_a_bid_is_r_ducats_into_the_pot():
    match = lot()
    for number in (1, 2, 3):
        assert match.view().lot.bid == number
        play(match, "bid", "bid", "bid", "bid")
    assert purses(match) == [94] * 4
    assert match.view().pot == 24


def test_bh_4_2_who_passes_is_out_for_this_card():
    match = lot()
    play(match, "bid", "pass", "bid", "bid")
    assert match.view().lot.bidders == [0, 2, 3]
    play(match, "bid")
    assert match.actor == 2
    play(match, "pass", "pass")  # seat 0 takes it
    play(match, "turn Add 2", "auction", "pass")
    assert match.actor == 2  # for the next card all are asked again


def test_bh_4_2_who_cannot_pay_is_out_without_being_asked():
    match = lot(5, 0, 2, 5)
    play(match, "bid")
    assert match.actor == 2
    play(match, "bid", "bid")
    play(match, "bid")
    assert match.actor == 3  # seat 2 has 1 Ducat left and a bid is 2
    assert purses(match) == [2, 0, 1, 4]


def test_bh_4_2_all_money_stays_in_the_pot():
    match = lot()
    play(match, "bid", "bid", "pass", "pass", "bid", "pass")
    assert hand(match, 0) == ["Add 1"]
    assert purses(match) == [97, 99, 100, 100]  # also what the loser bid
    assert match.view().pot == 4


def test_bh_4_2_who_sits_out_the_race_does_not_bid():
    match = lot(entered=[0, 1, 3])
    play(match, "bid", "bid")
    assert match.actor == 3


def test_bh_4_3_as_soon_as_one_bidder_alone_remains_he_takes_the_card_and_pays_nothing_more():
    match = lot()
    play(match, "bid", "bid", "pass", "pass", "pass")
    assert hand(match, 1) == ["Add 1"]
    assert purses(match) == [99, 99, 100, 100]
    assert chance_seat(match) == 1  # the next auctioneer


def test_bh_4_3_also_in_the_middle_of_a_round_and_if_the_last_one_cannot_pay():
    match = lot(1, 1, 0, 0)
    play(match, "bid", "bid")  # now nobody has a Ducat, and seat 0 is first out
    assert hand(match, 1) == ["Add 1"]
    assert purses(match) == [0, 0, 0, 0]


def test_bh_4_3_who_alone_bid_in_round_1_takes_it_for_1_ducat():
    match = lot()
    play(match, "pass", "pass", "bid", "pass")
    assert hand(match, 2) == ["Add 1"]
    assert purses(match) == [100, 100, 99, 100]


def test_bh_4_3_if_nobody_bids_in_round_1_the_card_is_discarded():
    match = lot()
    play(match, "pass", "pass", "pass")
    assert match.actor == 3  # in round 1 also the last is asked when all others have passed
    assert match.legal() == ["bid", "pass"]
    play(match, "pass")
    assert match.view().discards == ["Add 1"]
    assert [hand(match, seat) for seat in range(4)] == [[]] * 4
    assert match.view().pot == 0


def test_bh_4_3_the_last_to_be_asked_in_round_1_may_take_it_alone():
    match = lot()
    play(match, "pass", "pass", "pass", "bid")
    assert hand(match, 3) == ["Add 1"]
    assert purses(match) == [100, 100, 100, 99]


def test_bh_4_3_the_first_bidder_is_not_alone_before_all_were_asked_in_round_1():
    match = lot()
    play(match, "bid", "pass", "pass")
    assert match.actor == 3
    assert hand(match, 0) == []


def test_bh_4_3_if_nobody_can_pay_1_ducat_the_card_is_discarded_unasked():
    match = lot(0, 0, 0, 0)
    assert match.view().discards == ["Add 1"]
    assert chance_seat(match) == 1


# --- BH-4.1: fitting out at the decision to buy or to auction --------------------------------------------


def turn_up_card(*cards: str, **more):
    """Return an auction at its first card: seat 0, the dealer, is to buy or auction it and holds these cards."""
    match = position("auction", dealer=0, hands={0: list(cards)}, **more)
    play(match, "turn Add 1")
    return match


def test_bh_4_1_the_auctioneer_may_first_fit_out_one_card_after_the_other():
    match = turn_up_card("Tow Rope", "Old Decimus", "Second Wind")
    assert match.legal() == ["auction", "buy", "fit Old Decimus 0", "fit Tow Rope 0"]
    play(match, "fit Tow Rope 0")
    assert (match.actor, match.legal()) == (0, ["auction", "buy", "fit Old Decimus 0"])
    play(match, "fit Old Decimus 0")
    assert (match.actor, match.legal()) == (0, ["auction", "buy"])
    assert (chariot(match, 0).driver, chariot(match, 0).improvements) == ("Old Decimus", ["Tow Rope"])
    assert hand(match, 0) == ["Second Wind"]
    assert match.view().lot.card == "Add 1"
    play(match, "buy")
    assert purses(match) == [98, 100, 100, 100]
    assert chance_seat(match) == 1


def test_bh_4_1_onto_any_of_his_chariots_in_this_race_that_has_no_such_improvement():
    match = turn_up_card("Tow Rope", "Tow Rope", seats=2, entered=[0, 1, 2])
    play(match, "fit Tow Rope 2")
    assert match.legal() == ["auction", "buy", "fit Tow Rope 0"]
    match = turn_up_card("Tow Rope", seats=2, entered=[0, 1])
    assert match.legal() == ["auction", "buy", "fit Tow Rope 0"]


def test_bh_4_1_nobody_but_the_auctioneer_and_not_while_it_is_bid_for():
    match = position("auction", dealer=0, hands={0: ["Tow Rope"], 1: ["Old Decimus"]})
    play(match, "turn Add 1", "auction")
    assert (match.actor, match.legal()) == (0, ["bid", "pass"])
    play(match, "pass")
    assert (match.actor, match.legal()) == (1, ["bid", "pass"])


def test_bh_4_1_an_auctioneer_without_money_may_fit_out():
    match = turn_up_card("Tow Rope", purses={0: 0})
    assert match.legal() == ["auction", "fit Tow Rope 0"]


def test_bh_4_1_the_card_that_was_just_bought_is_fitted_with_the_next_one():
    match = position("auction", dealer=0, laps=2, seats=2, entered=[0])
    play(match, "turn Tow Rope", "buy", "turn Add 1")
    assert match.legal() == ["auction", "buy", "fit Tow Rope 0"]


def test_bh_4_1_a_discarded_titus_draws_from_what_is_not_reserved():
    left = ["Add 1", "Add 2", "Add 3", "Move 1", "Move 2", "Move 3"]  # four auction cards, two to draw
    match = position("auction", dealer=0, hands={0: ["Old Decimus"]}, fitted={0: ["Cousin Titus"]}, left=left)
    play(match, "turn Add 1", "fit Old Decimus 0")
    assert (chance_seat(match), len(match.outcomes())) == (0, 5)
    assert deal(match, seat0=["Move 1", "Move 3"]) == [(0, "Move 1"), (0, "Move 3")]
    assert (match.actor, match.legal()) == (0, ["auction", "buy"])
    assert hand(match, 0) == ["Move 1", "Move 3"]
    assert [player.auction_cards for player in match.view().players] == [0, 1, 1, 1]
    assert match.view().deck == 3


@pytest.mark.parametrize(("left", "drawn"), [(4, 0), (5, 1), (6, 2), (7, 2)])
def test_bh_4_1_face_down_auction_cards_are_reserved(left, drawn):
    names = ["Add 1", "Add 2", "Add 3", "Move 1", "Move 2", "Move 3", "Move 4"][:left]
    match = position("auction", dealer=0, hands={0: ["Old Decimus"]}, fitted={0: ["Cousin Titus"]}, left=names)
    play(match, "turn Add 1", "fit Old Decimus 0")
    assert len(deal(match)) == drawn
    assert (match.actor, match.legal()) == (0, ["auction", "buy"])
    auctioned = 0
    while match.view().phase == "auction":
        if match.actor == CHANCE:
            auctioned += 1
            match.happen(match.outcomes()[0].text)
        else:
            play(match, "auction" if "auction" in match.legal() else "pass")
    assert auctioned == 3  # nobody has lost an auction card


def test_bh_4_1_it_is_no_play_that_could_be_answered():
    match = position("auction", dealer=0, hands={0: ["Tow Rope"], 1: ["Tribune's Veto"]})
    play(match, "turn Add 1", "fit Tow Rope 0")
    assert (match.actor, window(match)) == (0, None)


def test_bh_4_1_everybody_sees_what_is_fitted_and_forgets_it_of_the_hand():
    match = position("auction", dealer=0, laps=2, seats=2, entered=[0, 1])
    play(match, "turn Tow Rope", "buy")
    assert match.view(1).players[0].known == ["Tow Rope"]
    play(match, "turn Add 1", "auction", "pass", "pass", "turn Add 2", "fit Tow Rope 0")
    assert match.view(1).players[0].known == []
    assert match.view(1).chariots[0].improvements == ["Tow Rope"]
