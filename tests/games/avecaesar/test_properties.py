"""Invariants of a tournament of Ave Caesar, whatever is drawn and played (Hypothesis)."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.avecaesar.positions import Match
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.games import find
from quadriga.games.avecaesar.options import VARIANTS
from quadriga.games.avecaesar.rules.cards import FULL, size, unplayed
from soak import count

GAME = find("ave-caesar")
REWARDS = (6, 4, 3, 2, 1, 0)


class AveCaesarMachine(RuleBasedStateMachine):
    @initialize(
        side=st.sampled_from([("white", "blue"), ("yellow", "red")]),
        seats=st.integers(3, 6),
        variants=st.sets(st.sampled_from(VARIANTS)),
        data=st.data(),
    )
    def begin(self, side, seats, variants, data):
        seats = min(seats, 4) if side[0] == "white" else seats
        courses = [f"{name} {d}" for name in side for d in ("cw", "ccw")]
        chosen = data.draw(st.lists(st.sampled_from(courses), min_size=1, max_size=2))
        self.match = Match(GAME, {"courses": chosen, "variants": sorted(variants)}, seats)
        self.progress = [(-1, -1)] * seats
        self.played = [0] * seats
        self.race = 1

    @precondition(lambda self: self.match.actor == CHANCE)
    @rule(data=st.data())
    def draw(self, data):
        self.match.happen(data.draw(st.sampled_from(self.match.outcomes())).text)

    @precondition(lambda self: self.match.actor >= 0)
    @rule(data=st.data())
    def play(self, data):
        seat, race = self.match.actor, self.match.view().race
        chosen = data.draw(st.sampled_from(self.match.legal()))
        self.match.play(chosen)
        if not chosen.startswith("bottom") and self.match.view().race == race:
            self.played[seat] += 1

    @precondition(lambda self: self.match.actor == OVER)
    @rule()
    def begin_again(self):
        self.match = self.match.rewound()
        self.progress = [(-1, -1)] * self.match.seats
        self.played = [0] * self.match.seats
        self.race = 1

    @invariant()
    def no_two_chariots_stand_on_one_space(self):
        if not hasattr(self, "match"):
            return
        spaces = [c.space for c in self.match.view().chariots if c.space and c.status in ("racing", "wrecked")]
        assert len(spaces) == len(set(spaces))

    @invariant()
    def everybody_has_24_cards_and_four_of_each(self):
        if not hasattr(self, "match") or self.match.view().phase == "cut":
            return
        s = self.match.s
        if self.match.view().race != self.race:
            self.race, self.played = self.match.view().race, [0] * self.match.seats
        for chariot in self.match.view().chariots:
            rest = unplayed(s, chariot.seat)
            assert size(rest) == chariot.held + chariot.deck
            assert chariot.held + chariot.deck + self.played[chariot.seat] == 24
            assert sum(chariot.played) == self.played[chariot.seat]
            assert all(((FULL - rest) >> (4 * v)) & 15 <= 4 for v in range(6))
            assert chariot.held <= 3

    @invariant()
    def progress_never_falls(self):
        if not hasattr(self, "match") or self.match.view().phase == "cut":
            return
        seen = self.match.view()
        if seen.race != getattr(self, "_last_race", seen.race) or seen.phase == "deal":
            self.progress = [(-1, -1)] * self.match.seats
        self._last_race = seen.race
        for seat in range(self.match.seats):
            here = (self.match.s.lap[seat], self.match.t.rank[seen.race - 1, self.match.s.space[seat]])
            assert here >= self.progress[seat]
            self.progress[seat] = here

    @invariant()
    def points_add_up_to_the_table(self):
        if not hasattr(self, "match"):
            return
        seen = self.match.view()
        races_done = seen.race - (seen.phase != "over")
        possible = {sum(REWARDS[:n]) for n in range(self.match.seats + 1)}
        if races_done == 1:
            assert sum(self.match.scores) in possible
        assert 0 <= sum(self.match.scores) <= races_done * sum(REWARDS[: self.match.seats])

    @invariant()
    def the_coin_is_paid_in_the_alley_or_the_chariot_is_dishonoured(self):
        if not hasattr(self, "match") or self.match.view().phase == "cut":
            return
        for chariot in self.match.view().chariots:
            if chariot.lap == 3 and chariot.coin:
                assert chariot.dishonoured
            if chariot.space and chariot.space.startswith("ALLEY") and chariot.status == "racing":
                assert not chariot.coin


TestAveCaesar = AveCaesarMachine.TestCase
TestAveCaesar.settings = settings(max_examples=count(15, 40), stateful_step_count=150)


def test_every_game_ends():
    """Decisions are bounded by the cards: 24 a chariot and race, and the cards put under a deck."""
    from support import played

    for number in range(30):
        match = played(("ave-caesar", {"courses": ["red cw"], "variants": ["bottom-card"]}, 6), number)
        assert match.over
        assert sum(not e.chance and not e.text.startswith("bottom") for e in match.entries) <= 24 * 6


def test_equal_positions_are_equal_bytes():
    """Positions with the same public view and the same cards are the same record."""
    from support import played

    seen: dict[str, bytes] = {}
    for number in range(6):
        for position in Match.of(played(("ave-caesar", {"courses": ["white cw"]}, 3), number)).positions():
            looks = repr([position.view(seat) for seat in range(-1, 3)])
            state = position.s.copy()
            for seat in range(3):
                state.ruled_out[seat] = 0  # what a missed turn told is remembered, not seen
            state.misses = 0
            assert seen.setdefault(looks, state.tobytes()) == state.tobytes()


def test_the_exception_of_ac_4_3_is_kept_by_a_new_deal():
    """A seat that may play a 6 because another leader is stuck too can play it in every redealt world."""
    from games.avecaesar.positions import position
    from quadriga.engine.kernels.rng import Rng, start

    leaders = [("A6.0.0", 1, [6, 6, 6]), ("A6.1.0", 1, [6, 6, 6])]
    match = position(*leaders, ("A4.0.0", 1, [1, 1, 1]))
    legal = match.legal()
    for number in range(200):
        world, rng = match.clone(), Rng()
        start(rng, number, 0)
        GAME.rules.deal(world.t, world.s, 0, rng)
        assert world.legal() == legal
        outside = match.clone()
        GAME.rules.deal(outside.t, outside.s, 2, rng)
        assert outside.legal()


def test_a_missed_turn_is_remembered_by_a_new_deal():
    """A seat that could not play held nothing playable: no redealt world gives it such a card."""
    from games.avecaesar.positions import out, position
    from quadriga.engine.kernels.rng import Rng, start

    match = position(("A6.0.0", 1, [6, 6, 6]), ("A4.0.0", 1, [3, 1, 1]), out())
    for number in range(100):
        world, rng = match.clone(), Rng()
        start(rng, number, 0)
        GAME.rules.deal(world.t, world.s, 1, rng)
        assert world.view(0).hand == [6, 6, 6]


def test_a_new_deal_is_as_likely_as_the_cards_make_it():
    from games.avecaesar.positions import out, position
    from quadriga.engine.kernels.rng import Rng, start

    match = position(("A6.0.0", 1, [1, 2, 3]), ("A4.0.0", 1, [1], {"deck": [6, 6, 6]}), out())
    ones = 0
    for number in range(2000):
        world, rng = match.clone(), Rng()
        start(rng, number, 0)
        GAME.rules.deal(world.t, world.s, 0, rng)
        ones += world.view(1).hand == [1]
    assert 420 < ones < 580  # one card in four


def test_ac_2_1_nobody_has_paid_his_coin_before_the_first_race():
    match = Match(GAME, seats=4)
    while match.view().phase == "cut":
        assert all(chariot.coin for chariot in match.view().chariots)
        match.happen(match.outcomes()[match.chances].text)  # each cuts another card: no tie
    assert match.chances == 4
    assert all(chariot.coin for chariot in match.view().chariots)
