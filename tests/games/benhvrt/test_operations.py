"""Operations by window (BH-7.7): each does what docs/decks.md says where it may stand, and is refused elsewhere."""

from __future__ import annotations

import pytest

from games.benhvrt.positions import (
    Match,
    chance_seat,
    chariot,
    deal,
    hand,
    move,
    play,
    position,
    purses,
    race,
    window,
)
from games.benhvrt_files.values import reason
from quadriga.engine.kernels.slots import CHANCE
from quadriga.games.benhvrt import deck
from quadriga.games.benhvrt.deck.operations import CHARIOT, DRIVER, OPS, PAIR, RIVAL, TYPES, VALUE, WINDOWS
from support import there

NAME = "Test 5 Card"
NUMBERS = {
    "add": [2],
    "set": [6],
    "shift": [2],
    "slow-to": [6],
    "hasten": [-2],
    "next-roll": [5],
    "draw": [2],
    "wager": [7],
    "choose-roll": [5],
    "slow": [2],
    "skim": [2, 2],
    "when-passed": [1],
    "when-passing": [1],
    "natural": [1, 2],
    "start-speed": [1],
    "supply": [1],
    "heirs": [1],
}
PAIRS = [
    (word, WINDOWS[each])
    for word, operation in OPS.items()
    if not operation.in_force
    for each in sorted(operation.windows)
]
REFUSED = [(word, WINDOWS[each]) for word, operation in OPS.items() for each in operation.refused]
HOLDER = {"AU": 2, "PR": 0, "RO": 2, "PB": 0, "PA": 1, "BM": 2, "RE": 1}  # who plays the card
ACTED_ON = {"AU": 1, "PR": 0, "RO": 0, "PB": 1, "PA": 0, "BM": 1}  # the chariot that it acts on
COACHES = {0: ["Quiet Coach"], 1: ["Loud Coach"]}


def card(word: str, at: str, **more: object) -> dict[str, object]:
    """Return a card of one operation."""
    operation = OPS[word]
    kind = TYPES[operation.types[-1]]
    made = {
        "name": NAME,
        "kind": kind,
        "copies": 2,
        "price": 3,
        "window": at,
        "does": [[word, *NUMBERS.get(word, [])]],
    }
    if operation.limited:
        made["per"] = "move"
    if operation.types[-1] >= 2:
        made["upkeep"] = 0
    return made | more


def cards_with(*own: dict[str, object]) -> dict[str, object]:
    """Return a deck of these cards, two Drivers without effect here, a Spur to answer, and a few to draw."""
    coach = {"kind": "Driver", "copies": 1, "price": 4, "upkeep": 0, "does": [["calm"]]}
    spur = {"name": "Spur", "kind": "Event", "copies": 1, "price": 1, "window": "PR", "does": [["hasten", 1]]}
    rest = {"name": "Blank", "kind": "Move", "copies": 7, "price": 1, "window": "RO", "does": [["add", 0]]}
    coaches = [{"name": name, **coach} for names in COACHES.values() for name in names]
    return {"card": [*own, *coaches, spur, rest]}


def opened(word: str, at: str) -> Match:
    """Return a game in which the holder of the card, or the Driver's player, is asked in its window."""
    driving = OPS[word].types == (DRIVER,)
    hands = {} if driving else {HOLDER[at]: [NAME]}
    fitted = {**COACHES, 0: [NAME]} if driving else COACHES
    given = cards_with(card(word, at))
    if at == "AU":
        match = position("market", hands=hands, fitted=fitted, deck=given, dealer=1)
    elif word == "wager":
        match = position("grid", hands=hands, fitted=fitted, deck=given)
    else:
        if at == "RE":
            hands[0] = ["Spur"]
        where = ("1.6", 1, 3), ("2.9", 1, 4), ("4.1", 1, 4), ("4.2", 1, 4)
        match = race(*where, moved=(1,), hands=hands, fitted=fitted, deck=given, pot=10, laps=2)
        play(
            match,
            *{"PR": [], "RE": ["play Spur"], "RO": ["die 3"]}.get(at, ["die 3", "stop"] if at == "BM" else []),
        )
        if at in ("PB", "PA"):
            play(match, "die 3", "step 1.7")
    assert (match.actor, window(match) or "AU") == (0 if driving else HOLDER[at], at)
    return match


def told(word: str, at: str) -> str:
    """Return the action that plays the card."""
    what = OPS[word].windows[WINDOWS.index(at)]
    return f"play {NAME}" + {CHARIOT: " 1", RIVAL: " 1", VALUE: " 5", PAIR: " 1 2"}.get(what, "")


@pytest.mark.parametrize(("word", "at"), PAIRS)
def test_bh_7_7_an_operation_does_in_every_window_that_it_is_for_what_the_document_says(word, at):
    match = opened(word, at)
    on, holder = ACTED_ON.get(at, -1), HOLDER[at]
    before = match.view()
    if OPS[word].types == (DRIVER,):
        play(match, f"use {NAME}")
    else:
        assert told(word, at) in match.legal()
        play(match, told(word, at))
    now = match.view()
    if word in ("add", "set"):
        assert there(now.move).roll == {"add": 5, "set": 6}[word]
    elif word == "again":
        assert chance_seat(match) == 0
        play(match, "die 4")
        assert move(match).roll == 4
    elif word == "halt":
        halted(match, at)
    elif word == "shift":
        assert match.actor == holder
        steps = [text for text in match.legal() if text.startswith("shift ")]
        play(match, steps[0], "stop")
        assert chariot(match, on).square == steps[0].removeprefix("shift ") != before.chariots[on].square
    elif word == "retire":
        assert [each.driver for each in now.chariots][on] is None
        assert len([each for each in now.chariots if each.driver]) == 1
    elif word in ("slow-to", "hasten"):
        was = before.chariots[on].speed
        assert now.chariots[on].speed == (6 if word == "slow-to" else was - 2)
    elif word in ("choose", "next-roll", "choose-roll") and at == "PR":
        made = there(now.move)
        assert (made.chariot, made.roll, made.stage) == (0, 5, "steps")  # and no die was rolled
    elif word in ("choose", "next-roll"):
        assert [each.next_roll for each in now.chariots] == [5 if number == on else None for number in range(4)]
    elif word == "cancel":
        assert now.chariots[0].speed == 3
    elif word == "draw":
        assert [seat for seat, _ in deal(match)] == [holder, holder]
        assert len(hand(match, holder)) == 2
    elif word == "poach":
        hired(match, at)
    elif word == "wager":
        assert match.s.stake[holder, 1] == 7
    elif word == "two-dice":
        play(match, "die 2", "die 6")
        assert match.legal() == ["keep-die 2", "keep-die 6"]
    elif word == "slow":
        assert now.chariots[1].speed == 2
    else:
        assert word == "skim"
        assert (there(now.move).roll, now.pot, purses(match)[0]) == (1, 8, 102)


def halted(match: Match, at: str) -> None:
    """Assert that the mover takes no more steps: the move goes on with its Speed."""
    square = chariot(match, 0).square
    if at == "PR":
        play(match, "die 3")
    assert (chariot(match, 0).square, chariot(match, 0).speed) == (square, 3)
    assert not any(text.startswith("step") for text in match.legal())
    assert match.view().move is None or move(match).chariot != 0


def hired(match: Match, at: str) -> None:
    """Assert that a Driver has changed sides, and their price of 4 D hands."""
    drivers = [each.driver for each in match.view().chariots]
    quiet, loud = COACHES[0][0], COACHES[1][0]
    if at == "PB":  # the mover hires the passed chariot's; his own one goes
        assert (drivers, purses(match)) == ([loud, None, None, None], [96, 104, 100, 100])
    elif at == "PA":
        assert (drivers, purses(match)) == ([None, quiet, None, None], [104, 96, 100, 100])
    else:
        assert (drivers, purses(match)) == ([quiet, None, loud, None], [100, 104, 96, 100])


@pytest.mark.parametrize(("word", "at"), REFUSED)
def test_bh_7_7_where_an_operation_makes_no_sense_it_is_refused_with_the_reason(word, at):
    (fault,) = deck.read({"card": [card(word, at)]})[1]
    if OPS[word].in_force:
        assert fault.code == "deck.window-none"
    else:
        assert fault.code == "deck.operation-window"
        assert reason(fault) == f"deck.why.{OPS[word].refused[WINDOWS.index(at)]}"
        assert str(fault.parameters["reason"]) in str(fault)


def two(**more) -> Match:
    """Return a race of two of four players; seat 0 is about to move, and to pass the other."""
    return race(("1.6", 1, 3), ("2.9", 1, 4), moved=(1,), seats=4, **more)


def test_bh_7_7_several_operations_act_on_the_one_chariot_that_is_named():
    made = card("hasten", "BM", does=[["slow-to", 2], ["retire"], ["next-roll", 6]])
    match = race(
        ("1.6", 1, 3), ("2.9", 1, 4), moved=(1,), seats=4, hands={1: [NAME]}, fitted=COACHES, deck=cards_with(made)
    )
    play(match, "die 3", "stop")
    assert match.legal() == ["pass", f"play {NAME} 0", f"play {NAME} 1"]
    play(match, f"play {NAME} 0")
    assert (chariot(match, 0).speed, chariot(match, 0).driver, chariot(match, 0).next_roll) == (2, None, 6)


def test_bh_7_8_only_chariots_with_a_driver_can_be_named_for_his_retirement():
    given = cards_with(card("retire", "BM"))
    match = race(
        ("1.6", 1, 3), ("2.9", 1, 4), moved=(1,), seats=4, hands={1: [NAME]}, fitted={0: COACHES[0]}, deck=given
    )
    play(match, "die 3", "stop")
    assert match.legal() == ["pass", f"play {NAME} 0"]
    match = two(hands={1: [NAME]}, deck=given)
    play(match, "die 3", "stop")
    assert window(match) is None  # nobody to play it on: nobody is asked
    assert match.actor == CHANCE


@pytest.mark.parametrize("at", ["PB", "PA"])
def test_bh_7_8_ones_own_driver_and_one_that_cannot_be_paid_are_not_for_hire(at):
    given = cards_with(card("poach", at))
    where = ("1.6", 1, 3), ("2.9", 1, 4)
    poor = race(
        *where, moved=(1,), seats=4, hands={HOLDER[at]: [NAME]}, fitted=COACHES, deck=given, purses={HOLDER[at]: 3}
    )
    play(poor, "die 3", "step 1.7")
    assert window(poor) is None
    own = race(("1.6", 1, 3), None, None, ("2.9", 1, 4), seats=3, chariots=2, moved=(3,), hands={0: [NAME]},
               fitted={0: COACHES[0], 3: COACHES[1]}, deck=given)  # fmt: skip
    play(own, "die 3", "step 1.7")
    assert window(own) is None


def test_bh_7_7_an_event_may_change_a_roll_and_livia_does_not_mind_it():
    match = race(
        ("1.6", 1, 3), ("2.9", 1, 4), seats=4, hands={1: [NAME]}, fitted=COACHES, deck=cards_with(card("add", "RO"))
    )
    play(match, "die 3", f"play {NAME}")
    assert move(match).roll == 5
