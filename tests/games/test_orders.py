"""Standing orders of all games: when each kind applies, when it does not, and when it ends."""

from __future__ import annotations

import random
from typing import Any

import pytest

import quadriga
from games.avecaesar import positions as avecaesar
from games.benhvrt import positions as benhvrt
from games.benhvrt.positions import VETO, play, race
from games.ur import positions as ur
from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.match import Match
from quadriga.engine.orders import Answer, answer, check, ended, forms, situation
from quadriga.engine.parts.orders import Given, Order
from quadriga.engine.text import catalogues
from quadriga.games import find
from soak import count


def decided(match: Match, *orders: Order, moment: int = 0) -> Answer:
    """Return what orders of the seat that is asked come to; they have the numbers 1, 2, ..."""
    return answer(match, match.actor, {n: Given(each, moment) for n, each in enumerate(orders, 1)})


def is_ended(match: Match, seat: int, order: Order, moment: int = 0) -> bool:
    return ended(match, seat, {1: Given(order, moment)}) == [1]


# Ur.


def test_ur_moves_a_marker_by_whatever_is_rolled():
    assert decided(ur.position(2, black="5 9"), Order("move", "5")) == Answer("5-7", 1)
    assert decided(ur.position(3, black="5 9"), Order("move", "5")) == Answer("5-8", 1)


def test_ur_a_blocked_marker_ends_the_order_and_all_later_moves():
    match = ur.position(2, black="5 7")
    found = decided(match, Order("roll", "7", most=1), Order("move", "5"), Order("move", "7"))
    assert found == Answer(dropped=(2, 3))


def test_ur_a_roll_is_awaited():
    order = Order("roll", "5", most=1)
    assert decided(ur.position(2, black="5"), order) == Answer()
    assert decided(ur.position(1, black="5"), order) == Answer("5-6", 1)


def test_ur_the_foremost_and_a_new_marker_are_found_where_they_are():
    match = ur.position(1, black="5 9")
    assert decided(match, Order("move", "front")) == Answer("9-10", 1)
    assert decided(match, Order("move", "0")) == Answer("0-1", 1)


def test_ur_an_order_about_a_marker_ends_when_the_marker_is_gone():
    match = ur.position(1, black="5")
    assert not is_ended(match, 0, Order("move", "5"))
    match.play("5-6")
    assert is_ended(match, 0, Order("move", "5"))
    assert not is_ended(match, 0, Order("move", "front"))
    assert is_ended(ur.position(1, black="5", markers=1), 0, Order("move", "0"))


def test_ur_no_more_than_three_moves_are_planned():
    match = ur.position(1, black="5 9")
    given = {n: Given(Order("move", "front")) for n in range(3)}
    assert {form.kind for form in forms(match, 0, {})} == {"move", "roll"}
    assert {form.kind for form in forms(match, 0, given)} == {"roll"}


# Ave Caesar.


def caesar(*blocked: str) -> avecaesar.Match:
    """Return a race in which seat 0 holds 1, 2 and 5, and others stand on some spaces."""
    rivals = [(space, 1, [3, 3, 3]) for space in blocked] or [("A1.0.0", 0, [3, 3, 3])]
    rivals += [("A1.0.0", 0, [3, 3, 3])] * (2 - len(rivals))
    return avecaesar.position(("A4.0.0", 1, [1, 2, 5]), *rivals)


def test_ave_caesar_a_planned_move_is_made_unless_it_is_blocked():
    match = caesar()
    wanted = next(text for text in match.actions() if text.startswith("2 "))
    assert decided(match, Order("move", wanted)) == Answer(wanted, 1)
    blocked = caesar(wanted.split()[1])
    assert decided(blocked, Order("move", wanted), Order("move", "1 A5.0.0")) == Answer(dropped=(1, 2))


def test_ave_caesar_moves_are_planned_on_an_empty_track_one_after_the_other():
    match = caesar()
    (first,) = forms(match, 0, {})
    assert set(match.actions()) <= set(first.things)
    wanted = next(text for text in first.things if text.startswith("2 "))
    (second,) = forms(match, 0, {1: Given(Order("move", wanted))})
    assert {text[0] for text in second.things} == {"1", "5"}  # the 2 is spent
    third = {1: Given(Order("move", wanted)), 2: Given(Order("move", next(iter(second.things))))}
    (last,) = forms(match, 0, third)
    assert len({text[0] for text in last.things}) == 1


def test_ave_caesar_an_order_ends_with_its_card_and_with_the_race():
    match = caesar()
    assert not is_ended(match, 0, Order("move", "5 C.0.0"))
    assert is_ended(match, 0, Order("move", "4 C.0.0"))  # not in hand
    assert is_ended(match, 0, Order("move", "5 C.0.0"), moment=1)


# Ben Hvrt.


def auction(purse: int = 50, card: str = "Add 3") -> benhvrt.Match:
    """Return an auction in which seat 0 is to decide about its card."""
    match = benhvrt.position("auction", seats=4, dealer=0, purses=dict.fromkeys(range(4), purse))
    match.happen(f"turn {card}")
    return match


def moment(match: Match) -> int:
    assert match.game.orders is not None
    return match.game.orders.moment(match.t, match.s)


def test_ben_hvrt_bids_up_to_the_limit_then_passes():
    match, order = auction(), Order("bid", "Add 3", "lot", 1)
    play(match, "auction")
    assert decided(match, order, moment=moment(match)) == Answer("bid", 1)
    play(match, "bid", "bid", "bid", "bid")
    assert decided(match, order, moment=moment(match)) == Answer("pass", 1)
    assert decided(match, Order("bid", "*", most=2)) == Answer("bid", 1)
    assert decided(match, Order("bid", "Add 1", most=9)) == Answer()


def test_ben_hvrt_a_bid_for_this_lot_ends_with_it():
    match, order = auction(), Order("bid", "Add 3", "lot", 5)
    at = moment(match)
    play(match, "auction")
    assert not is_ended(match, 1, order, at)
    play(match, "pass", "pass", "pass", "pass")
    assert is_ended(match, 1, order, at)
    match.happen("turn Add 3")  # another copy
    assert is_ended(match, 1, order, at)
    assert not is_ended(match, 1, Order("bid", "Add 3", most=5), at)


def test_ben_hvrt_buys_at_the_quick_sale_up_to_a_price():
    assert decided(auction(), Order("buy", "Add 3", most=6)) == Answer("buy", 1)
    assert decided(auction(), Order("buy", "Add 3", most=5)) == Answer()
    assert decided(auction(), Order("buy", "Add 2", most=9)) == Answer()
    assert decided(auction(purse=3), Order("buy", "*", most=9)) == Answer()


def test_ben_hvrt_is_ready_in_the_market():
    match = benhvrt.position("market")
    assert decided(match, Order("ready")) == Answer("ready", 1)
    assert decided(auction(), Order("ready")) == Answer()
    assert is_ended(race(("1.0", 1, 1), ("2.0", 1, 1)), 0, Order("ready"), moment(match))


def test_ben_hvrt_keeps_or_gives_up_by_card_or_all():
    match = benhvrt.position("maintenance", fitted={0: ["Tow Rope", "Greased Axles"]}, purses={0: 9})
    assert match.actor == 0
    assert decided(match, Order("keep", "*")) == Answer("keep Greased Axles 0", 1)
    assert decided(match, Order("keep", "Tow Rope"), Order("drop", "*")) == Answer("drop Greased Axles 0", 2)
    assert decided(match, Order("drop", "Tow Rope")) == Answer()


def test_ben_hvrt_upkeep_that_cannot_be_paid_is_asked_for():
    match = benhvrt.position("maintenance", fitted={0: ["Tow Rope"]}, purses={0: 0})
    assert decided(match, Order("keep", "*")) == Answer(dropped=(1,))


NEAR = ("2.8", 1, 3), ("2.13", 1, 3), ("4.1", 1, 1)


def rolled(die: int, hands: dict[int, list[str]], laps: int = 2) -> benhvrt.Match:
    """Return a race in which seat 0 has rolled."""
    match = race(*NEAR, hands=hands, laps=laps, moved=(1, 2))
    match.happen(f"die {die}")
    return match


def test_ben_hvrt_plays_a_card_on_a_low_roll_of_its_own():
    order = Order("play", "Add 3", "low", 2)
    assert decided(rolled(2, {0: ["Add 3"]}), order) == Answer("play Add 3", 1)
    assert decided(rolled(3, {0: ["Add 3"]}), order) == Answer()
    assert decided(rolled(1, {1: ["Add 3"]}), order) == Answer()  # of a rival


@pytest.mark.parametrize(("die", "expected"), [(3, "play Subtract 3"), (1, None)])
def test_ben_hvrt_plays_a_card_on_a_rival_who_is_about_to_finish(die: int, expected: str | None):
    match = race(("1.14", 1, 1), ("1.2", 1, 1), ("4.1", 1, 1), hands={1: ["Subtract 3"]}, laps=1, moved=(1, 2))
    match.happen(f"die {die}")
    assert match.actor == 1
    assert decided(match, Order("play", "Subtract 3", "finish")).action == expected


def test_ben_hvrt_names_the_chariot_that_is_about_to_finish():
    match = race(("1.14", 1, 5), ("1.2", 1, 1), ("4.1", 1, 1), hands={1: ["Orangutan"]}, laps=1, begun=False)
    assert match.actor == 1
    assert decided(match, Order("play", "Orangutan", "finish")) == Answer("play Orangutan 0", 1)


def test_ben_hvrt_plays_a_card_with_a_number_that_was_named():
    match = race(*NEAR, hands={0: ["Loaded Die"]}, moved=(1, 2))
    (form,) = [each for each in forms(match, 0, {}) if each.when == "value"]
    assert (list(form.things), form.numbers, form.usual) == (["Loaded Die"], range(1, 7), 6)
    order = Order("play", "Loaded Die", "value", 5)
    assert decided(match, order) == Answer("play Loaded Die 5", 1)
    match.play("play Loaded Die 5")
    assert is_ended(match, 0, order)


def test_ben_hvrt_plays_a_card_on_the_chariot_that_was_named():
    hands = {1: ["Orangutan", "Side Wager"]}
    match = race(*NEAR, hands=hands, begun=False)
    assert match.actor == 1
    (form,) = [each for each in forms(match, 1, {}) if each.when == "target"]
    assert set(form.things) == {"Orangutan 0", "Orangutan 1", "Orangutan 2", "Side Wager 0", "Side Wager 2"}
    order = Order("play", "Side Wager 2", "target")
    assert decided(match, order) == Answer("play Side Wager 2", 1)
    match.play("play Side Wager 2")
    assert is_ended(match, 1, order)
    assert not is_ended(match, 1, Order("play", "Orangutan 2", "target"))


def test_ben_hvrt_takes_the_driver_that_was_named_over():
    chariots = {1: ["Old Decimus"]}
    match = benhvrt.position("market", hands={0: ["Better Offer"]}, purses={0: 50}, fitted=chariots)
    assert match.actor == 0
    (form,) = [each for each in forms(match, 0, {}) if each.when == "target"]
    assert list(form.things) == ["Better Offer 1 0"]
    assert decided(match, Order("play", "Better Offer 1 0", "target")) == Answer("play Better Offer 1 0", 1)


def test_ben_hvrt_answers_a_card_that_hurts():
    match = rolled(5, {0: [VETO], 1: ["Subtract 3", "Add 1"]})
    hurting, helping = match.copy(), match.copy()
    hurting.play("play Subtract 3")
    assert hurting.actor == 0
    assert decided(hurting, Order("play", VETO, "hurt")) == Answer(f"play {VETO}", 1)
    helping.play("play Add 1")
    assert decided(helping, Order("play", VETO, "hurt")) == Answer()


def test_ben_hvrt_passes_until_its_own_move():
    match = rolled(5, {1: ["Add 1"]})
    assert match.actor == 1
    assert decided(match, Order("pass")) == Answer("pass", 1)
    assert not is_ended(match, 1, Order("pass"))
    assert is_ended(match, 0, Order("pass"))  # it is their move
    both = decided(rolled(1, {0: ["Add 3"]}), Order("play", "Add 3", "low", 1), Order("pass"))
    assert both == Answer("play Add 3", 1)


def test_ben_hvrt_a_card_to_play_ends_with_the_card():
    match = rolled(2, {0: ["Add 3"]})
    assert not is_ended(match, 0, Order("play", "Add 3", "low", 2))
    match.play("play Add 3")
    assert is_ended(match, 0, Order("play", "Add 3", "low", 2))


def test_orders_that_do_not_exist_now_are_refused():
    match = auction()
    assert check(match, 1, Order("bid", "Add 3", "lot", 3), {}) == Given(
        Order("bid", "Add 3", "lot", 3), moment(match)
    )
    for wrong in (
        Order("bid", "Add 3", "lot"),
        Order("bid", "Add 2", "lot", 3),
        Order("bid", "Add 3", "lot", 100),
        Order("bid", "nothing", most=3),
        Order("play", "Add 3", "low", 2),
        Order("pass"),
        Order("ready", "Add 3"),
        Order("rob"),
    ):
        with pytest.raises(OptionError):
            check(match, 1, wrong, {})


SETUPS: list[tuple[str, int, dict[str, Any]]] = [
    ("ur", 2, {}),
    ("ave-caesar", 4, {"courses": ["white cw"]}),
    ("ben-hvrt", 3, {"series": [1]}),
    ("highcard", 4, {"knocking": True}),
]


def a_form(rng: random.Random, match: Match, seat: int, given: dict[int, Given]) -> Order | None:
    """Return a random order that a seat could give now."""
    offered = forms(match, seat, given)
    if not offered:
        return None
    form = rng.choice(offered)
    of = rng.choice(list(form.things)) if form.things else ""
    return Order(form.kind, of, form.when, None if form.numbers is None else rng.choice(form.numbers))


@pytest.mark.parametrize(("game", "seats", "options"), SETUPS)
def test_orders_know_no_more_than_their_seat(game: str, seats: int, options: dict[str, Any]):
    """Two worlds that a seat cannot tell apart give it the same orders, answers and ends."""
    rng, dealer = random.Random(5), Rng()
    match = quadriga.new(game, seats=seats, seed=7, **options)
    part = find(game).orders
    assert part is not None
    words = {language: catalogues.of(language, find(game).package) for language in catalogues.LANGUAGES}
    carried = 0
    for step in range(count(120, 2500)):
        if match.over:
            break
        seat = match.actor if rng.random() < 0.6 else rng.randrange(seats)
        given: dict[int, Given] = {}
        for n in range(2):
            if (order := a_form(rng, match, seat, given)) is not None:
                given[n] = check(match, seat, order, given)
                which = f"{order.kind}-{order.when}" if order.when else order.kind
                for say in words.values():
                    assert say.text(part.name(match.t, seat, given[n]))
                    assert f"{game}.order-form.{which}" in say
        other = match.copy()
        start(dealer, step, 0)
        other.game.rules.deal(other.t, other.s, seat, dealer)
        assert forms(match, seat, given) == forms(other, seat, given)
        assert ended(match, seat, given) == ended(other, seat, given)
        found = answer(match, seat, given)
        assert found == answer(other, seat, given)
        assert situation(match, seat).s.tobytes() == situation(match, seat).s.tobytes()
        if found.action is not None:
            carried += 1
            match.push(found.action)
        else:
            match.push(rng.choice(match.legal()))
    assert carried > 2
