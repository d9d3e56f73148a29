"""Invariants of a game of Ur, whatever is rolled and played (Hypothesis)."""

from __future__ import annotations

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.ur.positions import BLACK, WHITE, Match
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.games import find
from quadriga.games.ur.board import MOTIFS, RULE_SETS
from soak import count

GAME = find("ur")
CAPACITY = {"rosette": 2, "passage": 2, "squares": 2, "eyes": 1, "holes": 1, "conversion": 1}


class UrMachine(RuleBasedStateMachine):
    """Two games in parallel: one as rolled, and its mirror image with the sides exchanged."""

    @initialize(rules=st.sampled_from(list(RULE_SETS)), markers=st.integers(1, 7))
    def begin(self, rules, markers):
        self.match = Match(GAME, {"rules": rules, "markers": markers})
        self.mirror = None

    @precondition(lambda self: self.match.actor == CHANCE)
    @rule(data=st.data())
    def roll(self, data):
        chosen = data.draw(st.sampled_from(self.match.outcomes()))
        self.match.happen(chosen.text)
        if self.mirror is not None:
            self.mirror.happen(chosen.text)
        elif self.match.view().phase in ("roll", "move"):
            self.mirror = self.match.clone()
            exchange(self.mirror)

    @precondition(lambda self: self.match.actor >= 0)
    @rule(data=st.data())
    def play(self, data):
        chosen = data.draw(st.sampled_from(self.match.legal()))
        self.match.play(chosen)
        if self.mirror is not None:
            self.mirror.play(chosen)

    @precondition(lambda self: self.match.actor == OVER)
    @rule(markers=st.integers(1, 7))
    def begin_again(self, markers):
        self.begin(rules=self.match.options["rules"], markers=markers)

    @invariant()
    def markers_are_conserved(self):
        if not hasattr(self, "match"):
            return
        seen = self.match.view()
        for seat in (BLACK, WHITE):
            standing = sum(marker.seat == seat for marker in seen.board)
            assert seen.home[seat] >= 0
            assert seen.home[seat] + seen.off[seat] + standing == seen.markers

    @invariant()
    def no_space_holds_more_than_it_may(self):
        """UR-5.1 to UR-5.4."""
        if not hasattr(self, "match") or self.opening:
            return
        seen = self.match.view()
        on_space = Counter(marker.space for marker in seen.board)
        for space, number in on_space.items():
            assert number <= (CAPACITY[MOTIFS[space]] if seen.rules == "ben" else 1)
            if seen.rules == "ben" and MOTIFS[space] in ("passage", "squares"):
                types = [marker.dotted for marker in seen.board if marker.space == space]
                assert len(types) == len(set(types))

    @invariant()
    def blank_and_dotted_are_only_where_they_can_be(self):
        """UR-5.5."""
        if not hasattr(self, "match"):
            return
        seen = self.match.view()
        for marker in seen.board:
            if seen.rules != "ben":
                assert not marker.dotted
            elif marker.dotted:
                assert 13 <= marker.step <= 23
            else:
                assert marker.step <= 12 or marker.step == 14

    @invariant()
    def the_two_sides_are_mirror_images(self):
        if not hasattr(self, "match") or self.mirror is None:
            return
        assert self.mirror.legal() == self.match.legal()
        twin = self.mirror.clone()
        exchange(twin)
        assert twin.s.tobytes() == self.match.s.tobytes()

    @invariant()
    def a_finished_game_has_one_winner(self):
        if hasattr(self, "match") and self.match.actor == OVER:
            assert sorted(self.match.scores) == [0, 1]
            winner = self.match.scores.index(1)
            assert self.match.view().off[winner] == self.match.t.markers

    @property
    def opening(self) -> bool:
        return self.match.view().phase in ("opening", "jump")


def exchange(match: Match) -> None:
    """Exchange the sides of a position."""
    s = match.s
    for field in (s.blank, s.dotted, s.blank_twin, s.dotted_twin, s.off):
        field[0], field[1] = field[1], field[0]
    s.turn ^= 1


TestUr = UrMachine.TestCase
TestUr.settings = settings(max_examples=count(20, 60), stateful_step_count=120)


def test_equal_positions_are_equal_bytes():
    """Positions that look the same are the same record, however they came about."""
    from support import played

    seen: dict[str, bytes] = {}
    for number in range(40):
        for position in played(("ur", {"markers": 1}, 2), number).positions():
            looks = repr(position.view())
            assert seen.setdefault(looks, position.s.tobytes()) == position.s.tobytes()
    assert len(seen) > 300
