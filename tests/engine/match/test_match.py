"""A match: legality, history, undo, clone."""

import pytest

from quadriga.engine.errors import IllegalActionError, NotOverError, OptionError
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.dice import FairDice, SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from soak import rows
from support import FEW, IDS, SETUPS, played

UR = find("ur")


def finkel(**keywords) -> Match:
    return Match(UR, {"rules": "finkel"}, **keywords)


def test_with_dice_chance_is_resolved_automatically():
    match = finkel(dice=SeededDice(1))
    assert match.actor >= 0
    match.play(match.legal()[0])
    assert match.actor != CHANCE


def test_without_dice_the_caller_gives_the_outcomes():
    match = finkel()
    assert match.actor == CHANCE
    assert [o.text for o in match.outcomes()] == [f"roll {n}" for n in range(5)]
    match.happen("roll 3")
    assert match.legal() == ["0-3"]


def test_dice_that_are_not_automatic_wait():
    match = finkel(dice=FairDice(["", ""], bytes(32)), automatic=False)
    assert match.actor == CHANCE
    assert match.roll_once().chance


@pytest.mark.parametrize("text", ["0-3", "0-2 ", "", "roll 2", "nonsense", "0-2\n"])
def test_an_illegal_action_is_refused_with_what_is_legal_and_changes_nothing(text):
    match = finkel()
    match.happen("roll 2")
    before = match.s.tobytes()
    with pytest.raises(IllegalActionError, match="Legal: 0-2") as refusal:
        match.play(text)
    assert refusal.value.code == "action.illegal"
    assert match.s.tobytes() == before
    assert len(match.entries) == 1


def test_playing_out_of_order_is_refused():
    match = finkel()
    with pytest.raises(IllegalActionError, match="dice"):
        match.play("0-2")
    match.happen("roll 2")
    with pytest.raises(IllegalActionError, match="player is to decide"):
        match.happen("roll 2")
    with pytest.raises(IllegalActionError, match="no dice"):
        match.roll_once()


def test_an_impossible_outcome_is_refused():
    with pytest.raises(IllegalActionError, match="Possible: roll 0, roll 1"):
        finkel().happen("roll 5")


def test_a_finished_game_takes_no_more():
    match = played(SETUPS[1])
    assert match.over
    assert match.legal() == []
    assert match.outcomes() == []
    with pytest.raises(IllegalActionError, match="over"):
        match.play("0-1")


def test_only_a_finished_game_has_a_result():
    with pytest.raises(NotOverError):
        _ = finkel().result
    assert sorted(played(SETUPS[1]).result) == [0, 1]


@pytest.mark.parametrize("setup", rows(SETUPS, FEW.__contains__, IDS))
def test_undo_goes_back_through_the_whole_game_entry_by_entry(setup):
    match = played(setup)
    match.dice = None
    states, sections = zip(
        *((position.s.tobytes(), position.section) for position in match.positions()), strict=True
    )
    assert len(states) == len(match.entries) + 1
    while match.entries:
        assert match.s.tobytes() == states[len(match.entries)]
        match.undo()
        assert match.section == sections[len(match.entries)]
    assert match.s.tobytes() == states[0]
    with pytest.raises(IllegalActionError, match="nothing to undo"):
        match.undo()


def test_a_taken_back_roll_comes_again():
    match = finkel(dice=SeededDice(3), automatic=False)
    first = match.roll_once()
    match.undo()
    assert match.roll_once() == first


def test_a_seat_may_undo_its_move_until_something_is_rolled_or_decided():
    match = Match(UR, {})
    match.happen("roll 0")
    match.happen("roll 0")
    assert not match.may_undo(0)
    match.play("0-2")
    assert match.may_undo(0)
    assert not match.may_undo(1)
    match.play("0-1")
    assert not match.may_undo(0)
    assert match.may_undo(1)
    match.happen("roll 1")
    assert not match.may_undo(1)


def test_a_clone_is_independent():
    match = finkel()
    match.happen("roll 2")
    twin = match.clone()
    twin.play("0-2")
    assert match.legal() == ["0-2"]
    assert len(match.entries) == 1
    assert twin != match
    match.play("0-2")
    assert twin == match
    with pytest.raises(TypeError, match="unhashable"):
        hash(match)  # it changes; `here` does not
    assert hash(twin.here) == hash(match.here)


@pytest.mark.parametrize("seats", [1, 3, 0, -2, "2", 2.0, True])
def test_a_number_of_seats_that_does_not_fit_is_refused(seats):
    with pytest.raises(OptionError, match="seats"):
        Match(UR, {}, seats)


def test_a_match_prints_its_position():
    assert repr(finkel()) == "<Match of ur, 0 entries, actor -1>"
