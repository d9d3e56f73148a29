"""How bots of Ben Hvrt bargain: nobody can pump them, and they say for which price they would agree."""

from __future__ import annotations

import random

import pytest

from games.benhvrt import positions as ben
from quadriga.engine.errors import IllegalActionError
from quadriga.games import find
from quadriga.games.benhvrt.bots import BOTS
from quadriga.games.benhvrt.bots.trades import usable
from quadriga.games.benhvrt.bots.worth import worth
from quadriga.games.benhvrt.deck.operations import DRIVER, IMPROVEMENT
from quadriga.games.benhvrt.rules.piles import number
from quadriga.players import Perspective
from quadriga.players import find as player
from quadriga.server.state.game_event import OPENLY, GameEvent
from soak import count

BEN = find("ben-hvrt")
BIG, ALL_DRIVERS = "The Numidian", -1
WARES = ("Add 1", "Move 5", "Tow Rope", "Greased Axles", "Matched Greys", BIG, "Sister Fortunata", "Brake Lever")


def hand(match: ben.Match, seat: int) -> list[int]:
    return [kind for kind in range(match.t.kinds) for _ in range(number(match.s, seat, kind))]


def wealth(match: ben.Match, seat: int) -> float:
    """Return the lead of a seat by the worth of cards that it can use, in tenths of Ducats.

    A card wins its worth from all others alike, so a card in another hand costs a third of it.
    """
    t, s = match.t, match.s
    own = 10 * s.purse[seat]
    own += max((worth(t, s, seat, kind) for kind in hand(match, seat) if t.type[kind] == DRIVER), default=0)
    for kind in set(hand(match, seat)):
        if t.type[kind] == IMPROVEMENT:
            own += worth(t, s, seat, kind)
        elif t.type[kind] != DRIVER:
            own += worth(t, s, seat, kind) * number(s, seat, kind)
    others = [other for other in range(t.seats) if other != seat]
    return float(own - sum(worth(t, s, other, kind) for other in others for kind in hand(match, other)) / 3)


def answered(match: ben.Match, text: str) -> str:
    """Make an offer, and return the answer of the bot that is asked."""
    match.play(text)
    answer = player("greedy", BEN, 1).decide(Perspective(match))
    match.play(answer)
    return answer


def side(match: ben.Match, kinds: list[int], money: int) -> str:
    names = sorted(match.t.cards[kind].name for kind in kinds)
    return ", ".join([*names, *([str(money)] if money else [])]) or "nothing"


@pytest.mark.parametrize("seed", range(count(12, 400)))
def test_nobody_pumps_a_bot_by_any_offers(seed):
    """Whatever is offered, again and again, a bot that accepts is better off by what it can use."""
    chance = random.Random(seed)
    hands = {seat: chance.choices(WARES, k=6) for seat in range(4)}
    match = ben.position("market", hands=hands, laps=6, offers=9, purses=dict.fromkeys(range(4), 60), pot=120)
    accepted = 0
    for _ in range(60):
        if match.actor != 0:
            match.play("ready")
            continue
        if "offer *" not in match.actions():
            break
        other = chance.randrange(1, 4)
        given = chance.sample(hand(match, 0), min(chance.randrange(4), len(hand(match, 0))))
        wanted = chance.sample(hand(match, other), min(chance.randrange(3), len(hand(match, other))))
        money = chance.randrange(-12, 13)
        text = f"offer {other} give {side(match, given, max(money, 0))} for {side(match, wanted, max(-money, 0))}"
        before = wealth(match, other)
        try:
            answer = answered(match, text)
        except IllegalActionError:  # nothing for nothing
            continue
        if answer == "accept":
            accepted += 1
            assert wealth(match, other) >= before + 1
    assert seed or accepted


def test_a_bot_pays_for_one_driver_if_it_can_use_one():
    """Two Drivers at the price of two were a way to pump a bot with one chariot."""

    def match():
        return ben.position("market", hands={0: [BIG, "Sister Fortunata"]}, laps=6, pot=120, purses={1: 60})

    price = next(n for n in range(60, 0, -1) if answered(match(), f"offer 1 give {BIG} for {n}") == "accept")
    both = f"offer 1 give {side(match(), hand(match(), 0), 0)} for"
    assert answered(match(), f"{both} {price}") == "accept"
    assert answered(match(), f"{both} {price + 2}") == "decline"
    assert usable(match().t, match().s, 0, ALL_DRIVERS) == 0


def test_a_bot_that_refuses_asks_for_the_price_at_which_it_agrees():
    def match():
        return ben.position("market", hands={0: [], 1: [BIG]}, laps=6, pot=120, purses={0: 60})

    asked = match()
    asked.play(f"offer 1 give 1 for {BIG}")
    assert BOTS.reason is not None
    said = BOTS.reason(asked.t, asked.s, [asked.actions()["decline"]])
    assert said is not None
    assert said.seats == (0, 1)
    more = said.note.message.parameters["n"]
    assert isinstance(more, int)
    assert said.note.message.id == "ben-hvrt.says.worth-more"
    assert answered(match(), f"offer 1 give {more} for {BIG}") == "decline"
    assert answered(match(), f"offer 1 give {more + 1} for {BIG}") == "accept"
    assert BOTS.reason(asked.t, asked.s, [asked.actions()["accept"]]) is None


def test_a_reason_is_said_to_the_two_seats_of_the_offer_and_gives_no_card_away():
    match = ben.position("market", hands={0: ["Add 1"], 1: [BIG]}, laps=6, pot=120, purses={0: 60})
    other = ben.position("market", hands={0: ["Add 1"], 1: ["Sister Fortunata"]}, laps=6, pot=120, purses={0: 60})
    said = []
    for each in (match, other):
        each.play(f"offer 1 give 1 for {BIG}")
        assert BOTS.reason is not None
        said.append(BOTS.reason(each.t, each.s, [each.actions()["decline"]]))
    assert said[0] == said[1]
    event = GameEvent("play", None, "bot", None, [OPENLY] * 5)
    event.explain([])
    event.say(said[0])
    assert [len(event.notes_for(seat)) for seat in (-1, 0, 1, 2, 3)] == [0, 1, 1, 0, 0]
