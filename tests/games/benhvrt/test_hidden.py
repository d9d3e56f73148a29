"""Hidden from other seats: unfinished offers and bribes, and the seat that is asked in a window (BH-7.4)."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest

from games.benhvrt.positions import Match
from games.benhvrt.test_conserved import cards, money
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.parts.display import SILENT
from quadriga.games import find
from quadriga.games.benhvrt.deck.operations import BM, PA, PB, PR, RE, RO
from quadriga.games.benhvrt.rules.phases.race import STEPPING
from quadriga.games.benhvrt.rules.piles import known, number
from quadriga.games.benhvrt.rules.windows import can_use
from quadriga.games.benhvrt.state import MOVING, WINDOW
from soak import count, rows
from support import played, some, there

BEN_HVRT = find("ben-hvrt")
COMPOUNDS = there(BEN_HVRT.notation.compounds)
PROPOSE = there(COMPOUNDS.propose)
TABLES = [
    ("ben-hvrt", {"series": [1], "bribes": True}, 2),
    ("ben-hvrt", {"series": [1], "bribes": True}, 4),
    ("ben-hvrt", {"series": [1, 1], "offers": 9}, 5),
    ("ben-hvrt", {"series": [1], "bribes": True}, 9),
    ("ben-hvrt", {"series": [1], "bribes": True, "chariots": 1}, 3),
    ("ben-hvrt", {"series": [1], "chariots": 2}, 6),
]
SHORT = [TABLES[place] for place in (1, 2, 4, 5)]


def seen(t, s, seat):
    """Return the view and the observation of a seat."""
    numbers = np.zeros(BEN_HVRT.rules.observation(t.seats), np.int16)
    BEN_HVRT.rules.observe(t, s, seat, numbers.data)
    return msgspec.json.encode(BEN_HVRT.display.view(t, s, seat)), numbers.tobytes()


@pytest.mark.parametrize("setup", rows(TABLES, SHORT.__contains__, list(map(str, TABLES))))
def test_a_half_built_offer_or_bribe_looks_like_nothing_to_everybody_else(setup):
    rng = Rng()
    found = set()
    for number_ in range(3):
        for moment, position in some(Match.of(played(setup, number_)), count(300, 1000) // setup[2]):
            families = [text for text in position.actions() if text.endswith(FAMILY)]
            for family in families:
                start(rng, number_, moment)
                proposal = PROPOSE(position.t, position.s, family, rng)
                if proposal is None:
                    continue
                s, maker = position.s.copy(), position.actor
                others = [seat for seat in range(NOBODY, setup[2]) if seat != maker]
                before = [seen(position.t, s, seat) for seat in others]
                actions = COMPOUNDS.parse(position.t, s, proposal)
                assert actions
                assert len(actions) > 2
                for action in actions[:-1]:
                    BEN_HVRT.rules.step(position.t, s, action)
                    assert BEN_HVRT.rules.actor(position.t, s) == maker
                    assert [seen(position.t, s, seat) for seat in others] == before
                    assert (cards(position.t, s), money(position.t, s)) == (
                        cards(position.t, position.s),
                        money(position.t, position.s),
                    )
                found.add(family)
    assert found


@pytest.mark.parametrize("setup", rows(TABLES, SHORT.__contains__, list(map(str, TABLES))))
def test_who_passes_in_a_window_goes_unnoticed(setup):
    """BH-7.4: others learn neither which seat was asked nor that it passed."""
    passed = 0
    for number_ in range(count(2, 3)):
        before = None
        for position in Match.of(played(setup, number_)).positions():
            s, top = position.s, position.s.depth - 1
            hidden = s.task[top] == WINDOW and s.window[top] in (RO, BM, RE)
            same = before and before[0] == (s.depth, s.window[top], s.mover) and before[1] < s.passes[top]
            if before and hidden and same and position.entries[-1].text == "pass":
                quiet = [seat for seat in range(NOBODY, setup[2]) if seat not in (before[2], s.asked)]
                assert [seen(position.t, s, seat) for seat in quiet] == [before[3][seat] for seat in quiet]
                passed += 1
            before = None
            if hidden and passed < count(30, 100):
                eyes = {seat: seen(position.t, s, seat) for seat in range(NOBODY, setup[2])}
                before = (s.depth, s.window[top], s.mover), s.passes[top], s.asked, eyes
    assert passed >= 5 or setup[2] == 2


@pytest.mark.parametrize("window", [PR, PB, PA])
def test_a_window_that_asks_one_player_looks_like_the_move_to_everybody_else(window):
    """BH-7.4: others see the same as after a pass, when the die or the mover's step is due."""
    hidden = openly = 0
    for setup in TABLES[:2]:
        for number_ in range(6):
            for position in Match.of(played(setup, number_)).positions():
                t, s, top = position.t, position.s, position.s.depth - 1
                if s.task[top] != WINDOW or s.window[top] != window:
                    continue
                others = [seat for seat in range(NOBODY, setup[2]) if seat != s.asked]
                views = [position.view(seat) for seat in others]
                if can_use(t, s, s.asked, window):  # a Driver's choice lies open on the table
                    openly += 1
                    assert all(view.window and view.turn == s.asked for view in views)
                    continue
                assert not any(view.window or view.target is not None for view in views)
                assert position.view(s.asked).window
                assert BEN_HVRT.display.secrecy_of(t, s, position.actions()["pass"]) == SILENT
                for seat in range(setup[2]):
                    if seat != s.asked:
                        said = str(position.why_illegal(seat))
                        assert not any(f"now-{name}" in said for name in ("PR", "PB", "PA"))
                after = s.copy()
                BEN_HVRT.rules.step(t, after, position.actions()["pass"])
                if after.task[after.depth - 1] != MOVING or after.at[after.depth - 1] > STEPPING:
                    continue
                hidden += 1
                unasked = [seat for seat in others if seat != after.asked]
                assert [seen(t, s, seat) for seat in unasked] == [seen(t, after, seat) for seat in unasked]
    assert hidden > 2
    assert openly or window != PR


@pytest.mark.parametrize("setup", rows(TABLES, SHORT.__contains__, list(map(str, TABLES))))
def test_a_new_deal_keeps_what_a_seat_knows_and_all_cards_and_changes_the_rest(setup):
    rng = Rng()
    sure = changed = 0
    for moment, position in some(Match.of(played(setup)), 150):
        for seat in range(setup[2]):
            world = position.s.copy()
            start(rng, seat, moment)
            BEN_HVRT.rules.deal(position.t, world, seat, rng)
            assert cards(position.t, world) == 80
            changed += world.tobytes() != position.s.tobytes()
            for other in range(setup[2]):
                for kind in range(position.t.kinds):
                    held = number(world, other, kind)
                    if other == seat:
                        assert held == number(position.s, seat, kind)
                    else:
                        assert held >= known(position.s, seat, other, kind)
                        sure += known(position.s, seat, other, kind)
    assert sure > 0
    assert changed > 50


def test_a_bribe_of_any_size_can_be_put_together_to_its_end():
    """BH-7.5: also if its maker could otherwise only pass."""
    made: Counter[int] = Counter()
    rng = Rng()
    for number_ in range(count(2, 4)):
        match = Match.of(played(("ben-hvrt", {"series": [1], "bribes": True}, 3), number_))
        for _, position in some(match, count(700, 10**6)):
            if position.actor < 0 or "bribe *" not in list(position.actions()):
                continue
            purse = position.s.purse[position.actor]
            for ducats in (1, 9, 10, 50, 57, 99, 100):
                if purse < ducats:
                    continue
                start(rng, number_, ducats)
                *named, _ = there(PROPOSE(position.t, position.s, "bribe *", rng)).split(" ")
                after = position.clone()
                after.play(" ".join([*named, str(ducats)]))
                held = after.s.bribe_money[position.actor]
                assert not after.s.building
                assert after.s.purse[position.actor] == purse - held
                assert held in (0, ducats)  # nothing where nobody could answer: the window closed at once
                made[ducats] += held > 0
    assert min(made.values()) > 0
    assert len(made) == 7
