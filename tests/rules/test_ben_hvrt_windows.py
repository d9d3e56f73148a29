"""Kinds of cards, windows, priority and secrecy of Ben Hvrt (BH-7.1 to BH-7.4)."""

from __future__ import annotations

import re

import pytest

from games.benhvrt.positions import (
    VETO,
    chance_seat,
    chariot,
    everybody_passes,
    hand,
    move,
    play,
    position,
    race,
    window,
)
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.parts.display import SILENT

ALL_WINDOWS = [
    "Better Offer",  # AU
    "Loaded Die",  # PR
    "Add 1",  # RO
    "Broom in the Spokes",  # PB
    "Thrown Fishwife",  # PA
    "Orangutan",  # BM
    VETO,  # RE
]


def four(**more):
    """Return a race of four on the back straight, a square apart: 0 leads and moves first."""
    return race(("1.10", 1, 2), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), **more)


def passing(**more):
    """Return a race: seat 0 is about to move past chariot 1; it steps onto 1.7."""
    more.setdefault("moved", (1,))
    match = race(("1.6", 1, 3), ("2.9", 1, 4), ("4.1", 0, 1), ("4.2", 0, 1), **more)
    everybody_passes(match)
    play(match, "die 3")
    everybody_passes(match)
    return match


def cards(match) -> set[str]:
    """Return the cards that can be played."""
    plays = [text.removeprefix("play ") for text in match.legal() if text.startswith("play")]
    return {name for name in ALL_WINDOWS if any(re.fullmatch(rf"{name}(?: \d+)*", play) for play in plays)}


# --- BH-7.1 ---------------------------------------------------------------------------------------------


def test_bh_7_1_event_and_move_cards_are_of_single_use_then_discarded():
    match = four(hands={0: ["Second Wind", "Add 1"]})
    play(match, "play Second Wind", "die 1", "play Add 1")
    assert hand(match, 0) == []
    assert match.view().discards == ["Add 1", "Second Wind"]


def test_bh_7_1_improvements_and_drivers_stay_from_race_to_race():
    match = race(
        None,
        None,
        ("1.17", 1, 1),
        ("4.1", 0, 1),
        finished=(0, 1),
        fitted={3: ["Tow Rope", "Old Decimus"], 0: ["Brake Lever"]},
        series=[1, 1],
    )
    play(match, "die 1", "step 1.0")
    assert match.view().race == 2
    assert (chariot(match, 3).driver, chariot(match, 3).improvements) == ("Old Decimus", ["Tow Rope"])
    assert chariot(match, 0).improvements == ["Brake Lever"]


def test_bh_7_1_while_maintained():
    match = position("maintenance", fitted={0: ["Tow Rope"]}, series=[1, 1])
    play(match, "drop Tow Rope 0")
    assert chariot(match, 0).improvements == []


def test_bh_7_1_retiring_a_driver_discards_him():
    match = passing(hands={0: ["Hobnailed Boot"]}, fitted={1: ["Old Decimus"]})
    play(match, "step 1.7", "play Hobnailed Boot")
    assert chariot(match, 1).driver is None
    assert match.view().discards == ["Hobnailed Boot", "Old Decimus"]


@pytest.mark.parametrize(
    ("driver", "opens"),
    [
        ("Old Decimus", "PR"),
        ("The Numidian", "PR"),
        ("Sister Fortunata", "PR"),
        ("Bent Crispus", "RO"),
        ("Brutus the Ox", "PB"),
    ],
)
def test_bh_7_1_a_drivers_window_is_when_his_choice_is_asked(driver, opens):
    match = race(("1.6", 1, 3), ("2.9", 1, 4), ("4.1", 0, 1), ("4.2", 0, 1), moved=(1,), fitted={0: [driver]})
    seen = []
    while move(match).chariot == 0:
        if window(match):
            seen.append((window(match), match.actor, match.legal()))
            play(match, "pass")
        elif match.actor == CHANCE:
            play(match, "die 3")
        else:
            play(match, "step 1.7" if "step 1.7" in match.legal() else "stop")
    assert seen == [(opens, 0, ["pass", f"use {driver}"])]


def test_bh_7_1_an_opponents_driver_is_not_asked():
    match = four(fitted={1: ["Old Decimus"], 2: ["Bent Crispus"]})
    assert match.actor == CHANCE
    play(match, "die 1")
    assert match.legal()[-1] == "stop"


# --- BH-7.2 ---------------------------------------------------------------------------------------------


def test_bh_7_2_every_card_has_its_window_and_can_be_played_in_no_other():
    match = race(
        ("1.6", 1, 3),
        ("2.9", 1, 4),
        ("4.1", 0, 1),
        ("4.2", 0, 1),
        moved=(1,),
        hands={0: ALL_WINDOWS, 1: ALL_WINDOWS[2:6]},
        fitted={3: ["Old Decimus"]},
    )
    seen = []
    while move(match).chariot == 0:
        if window(match):
            seen.append((window(match), match.actor, cards(match)))
            play(match, "pass")
        elif match.actor == CHANCE:
            play(match, "die 3")
        else:
            play(match, "step 1.7" if "step 1.7" in match.legal() else "stop")
    assert seen == [
        ("PR", 0, {"Loaded Die"}),
        ("RO", 0, {"Add 1"}),
        ("RO", 1, {"Add 1"}),
        ("PB", 0, {"Broom in the Spokes"}),
        ("PA", 1, {"Thrown Fishwife"}),
        ("BM", 0, {"Orangutan"}),
        ("BM", 1, {"Orangutan"}),
    ]


def test_bh_7_2_au_is_the_market():
    match = position("market", hands={0: ALL_WINDOWS}, fitted={1: ["Old Decimus"]})
    assert cards(match) == {"Better Offer"}


def test_bh_7_2_re_answers_a_move_or_event_card_just_played():
    match = four(hands={0: ["Second Wind", "Add 1"], 2: [VETO]})
    play(match, "play Second Wind")
    assert (window(match), match.actor, match.legal()) == ("RE", 2, ["pass", f"play {VETO}"])
    play(match, "pass", "die 1", "play Add 1")
    assert (window(match), match.actor) == ("RE", 2)
    assert match.view().answering == ["Add 1"]


def test_bh_7_2_but_no_drivers_choice_and_no_fitting_out():
    match = four(hands={2: [VETO]}, fitted={0: ["Old Decimus"]})
    play(match, "use Old Decimus")
    assert window(match) is None
    match = position("market", hands={0: ["Tow Rope"], 2: [VETO]})
    play(match, "fit Tow Rope 0")
    assert match.actor == 1


def test_bh_7_2_a_dash_is_always_in_force():
    match = passing(fitted={0: ["Scythed Hubs"]})
    play(match, "step 1.7")
    assert chariot(match, 1).speed == 3
    assert window(match) is None  # and nobody is asked


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_bh_7_2_pr_asks_the_moving_player_only(seat):
    match = four(hands={seat: ["Loaded Die", "Second Wind"]})
    assert chance_seat(match) == 0


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_bh_7_2_pb_asks_the_moving_player_only(seat):
    match = passing(hands={seat: ["Broom in the Spokes"]})
    play(match, "step 1.7")
    assert window(match) is None


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_bh_7_2_pa_asks_the_passed_one_only(seat):
    match = passing(hands={seat: ["Thrown Fishwife"]})
    play(match, "step 1.7")
    assert window(match) is None


# --- BH-7.3 ---------------------------------------------------------------------------------------------


def asked(match) -> list[int]:
    """Return the seats that are asked in this window if all pass."""
    this, found = window(match), []
    while window(match) == this and match.view().move:
        found.append(match.actor)
        play(match, "pass")
    return found


@pytest.mark.parametrize(("card", "opens"), [("Add 1", "RO"), ("Orangutan", "BM")])
def test_bh_7_3_the_moving_player_is_asked_first_then_leftward_until_all_pass(card, opens):
    hands = {seat: [card] for seat in range(3)} | {3: ["Move 3", "Rich Aunt"]}
    match = race(("1.7", 1, 2), ("1.8", 1, 2), ("1.10", 1, 2), ("1.9", 1, 2), hands=hands)
    play(match, "die 1")
    if opens == "BM":
        everybody_passes(match)
        play(match, "stop")
    assert window(match) == opens
    assert asked(match) == [2, 3, 0, 1]


def test_bh_7_3_who_has_played_is_asked_again_when_it_comes_round_to_him():
    match = four(hands={0: ["Add 1"], 1: ["Add 2", "Add 3"], 2: ["Move 3"]})
    play(match, "die 1")
    asked_ = []
    for text in ("pass", "play Add 2", "pass", "pass", "pass"):
        asked_.append(match.actor)
        play(match, text)
    assert asked_ == [0, 1, 2, 0, 1]
    assert window(match) is None
    assert move(match).roll == 3


def test_bh_7_3_a_play_reopens_the_window_for_who_had_passed():
    match = four(hands={0: ["Add 1"], 3: ["Add 2"]})
    play(match, "die 1", "pass", "play Add 2")
    assert match.actor == 0
    assert match.legal() == ["pass", "play Add 1"]


def test_bh_7_3_in_pr_pb_and_pa_too_he_is_asked_again():
    match = four(hands={0: ["Second Wind", "Second Wind"]})
    play(match, "play Second Wind")
    assert (window(match), match.actor, match.legal()) == ("PR", 0, ["pass", "play Second Wind"])
    match = passing(hands={0: ["Broom in the Spokes", "Broom in the Spokes"]})
    play(match, "step 1.7", "play Broom in the Spokes")
    assert (window(match), match.legal()) == ("PB", ["pass", "play Broom in the Spokes"])


def test_bh_7_3_in_re_the_moving_player_comes_first():
    """Seat 2 answers what seat 3 played on the roll of seat 1: 1, then 2, then 0."""
    match = race(
        ("1.7", 1, 2),
        ("1.10", 1, 2),
        ("1.9", 1, 2),
        ("1.8", 1, 2),
        hands={0: [VETO], 1: [VETO], 2: [VETO], 3: ["Move 1"]},
    )
    play(match, "die 4", "play Move 1")
    assert asked(match) == [1, 2, 0]


def test_bh_7_3_in_re_in_the_market_the_acting_player_comes_first():
    match = position("market", hands={1: ["Better Offer", VETO], 0: [VETO], 3: [VETO]}, fitted={2: ["Old Decimus"]})
    play(match, "ready", "play Better Offer 2 1")
    assert (window(match), match.actor) == ("RE", 3)  # nobody answers his own card, so leftward of seat 1
    play(match, f"play {VETO}")
    assert match.actor == 1  # to that Veto the acting one first
    play(match, "pass")
    assert match.actor == 0


def test_bh_7_3_before_the_first_move_the_player_of_the_foremost_chariot_comes_first():
    match = position("grid", dealer=1, hands={seat: ["Orangutan"] for seat in range(3)} | {3: ["Rich Aunt"]})
    assert [chariot(match, n).square for n in range(4)].index("1.17") == 2
    found = []
    while window(match) == "BM":
        found.append(match.actor)
        play(match, "pass")
    assert found == [2, 3, 0, 1]


def test_bh_7_3_only_players_still_racing_are_asked():
    hands = {seat: ["Add 1"] for seat in range(4)}
    match = race(None, ("1.9", 1, 2), ("1.8", 1, 2), None, finished=(0,), hands=hands)
    play(match, "die 1")
    assert asked(match) == [1, 2]


def test_bh_7_3_only_those_who_could_play_something():
    match = four(hands={1: ["Orangutan"], 2: ["Add 1"], 3: ["Tow Rope", VETO]})
    play(match, "die 1")
    assert asked(match) == [2]
    play(match, "stop")
    assert everybody_passes(match) == [1]


def test_bh_7_3_where_nobody_could_the_game_goes_on_unasked():
    match = four()
    assert match.actor == CHANCE
    play(match, "die 1")
    assert match.legal() == ["step 1.11", "step 2.12", "stop"]


def test_bh_7_3_with_the_option_bribes_also_everyone_racing_who_could_make_a_bribe():
    match = race(None, ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), finished=(0,), bribes=True, purses={2: 0})
    assert match.actor == CHANCE  # not in PR
    play(match, "die 1")
    assert asked(match) == [1, 3]  # seat 2 has no money, seat 0 is not racing
    play(match, "stop")
    assert everybody_passes(match) == [1, 3]


def test_bh_7_3_automatic_effects_come_before_cards():
    match = passing(hands={0: ["Broom in the Spokes"]}, fitted={1: ["Tow Rope"]})
    play(match, "step 1.7")
    assert chariot(match, 1).speed == 5
    play(match, "play Broom in the Spokes")
    assert chariot(match, 1).speed == 1


def test_bh_7_3_playing_to_no_effect_is_allowed():
    match = four(hands={0: ["Move 3", "Second Wind"]})
    match.s.speed[0] = 6
    play(match, "play Second Wind", "die 3")
    assert chariot(match, 0).speed == 6
    play(match, "play Move 3")
    assert move(match).roll == 3
    assert hand(match, 0) == []


# --- BH-7.4 ---------------------------------------------------------------------------------------------


def reaction(opens: str):
    """Return a position in which a seat is asked in a window."""
    if opens == "RO":
        match = four(hands={2: ["Add 1"]})
        play(match, "die 1")
    elif opens == "BM":
        match = four(hands={2: ["Orangutan"]})
        play(match, "die 1", "stop")
    elif opens == "PA":
        match = passing(hands={1: ["Thrown Fishwife"]})
        play(match, "step 1.7")
    elif opens == "RE":
        match = four(hands={0: ["Second Wind"], 2: [VETO]})
        play(match, "play Second Wind")
    elif opens == "PB":
        match = passing(hands={0: ["Broom in the Spokes"]})
        play(match, "step 1.7")
    else:
        match = four(hands={0: ["Second Wind"]})
    assert window(match) == opens
    return match


@pytest.mark.parametrize("opens", ["PR", "RO", "PB", "PA", "BM", "RE"])
def test_bh_7_4_only_the_asked_seat_learns_that_it_is_asked(opens):
    match = reaction(opens)
    for seat in range(-1, 4):
        assert match.view(seat).asked == (seat == match.actor)


@pytest.mark.parametrize("opens", ["RO", "BM", "RE"])
def test_bh_7_4_a_window_for_everybody_hides_whose_turn_it_is(opens):
    match = reaction(opens)
    for seat in range(-1, 4):
        assert match.view(seat).turn is None
        assert match.view(seat).window == opens


@pytest.mark.parametrize("opens", ["PR", "PB", "PA"])
def test_bh_7_4_a_window_for_one_player_is_hidden_as_a_whole(opens):
    match = reaction(opens)
    assert match.view(match.actor).window == opens
    for seat in set(range(-1, 4)) - {match.actor}:
        seen = match.view(seat)
        assert seen.window is None
        assert seen.turn == (None if opens == "PR" else 0)  # all wait for the die, or for the mover


def test_bh_7_4_a_driver_s_choice_on_the_table_opens_its_window_for_all_to_see():
    match = four(fitted={0: ["Old Decimus"]})
    assert window(match) == "PR"
    for seat in range(-1, 4):
        assert match.view(seat).window == "PR"
        assert match.view(seat).turn == 0


def test_bh_7_4_two_worlds_that_differ_only_in_who_could_play_look_the_same():
    for opens, hands in [("RO", (["Add 1"], ["Tow Rope"])), ("BM", (["Orangutan"], ["Tow Rope"]))]:
        seen = []
        for one, other in (hands, hands[::-1]):
            match = four(hands={2: one, 3: other})
            play(match, "die 1")
            if opens == "BM":
                play(match, "stop")
            assert window(match) == opens
            assert match.actor == (2 if other == ["Tow Rope"] else 3)
            seen.append((match.view(-1), match.view(0), match.view(1)))
        assert seen[0] == seen[1]


def test_bh_7_4_holding_a_card_for_the_die_looks_like_holding_none():
    holder, other = four(hands={0: ["Second Wind"]}), four(hands={0: ["Tow Rope"]})
    assert (holder.actor, other.actor) == (0, CHANCE)
    for seat in (-1, 1, 2, 3):
        assert holder.view(seat) == other.view(seat)


@pytest.mark.parametrize("opens", ["PR", "RO", "PB", "PA", "BM", "RE"])
def test_bh_7_4_a_pass_in_a_window_goes_unnoticed(opens):
    match = reaction(opens)
    action = match.actions()["pass"]
    assert match.game.display.secrecy_of(match.t, match.s, action) == SILENT
