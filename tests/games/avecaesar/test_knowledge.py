"""What missed turns and moves reveal about hands (AC-5.4): exactly what the rules leave possible."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest

from games.avecaesar.positions import Match, out, packed, position
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import CHANCE
from quadriga.games import find
from quadriga.games.avecaesar.rules import turn
from quadriga.games.avecaesar.rules.cards import number, one, only_sixes, size, unplayed
from quadriga.games.avecaesar.rules.hidden import OBSERVED, PER_SEAT
from quadriga.games.avecaesar.rules.knowledge import FIRST, every_hand, lacks, place
from quadriga.games.avecaesar.rules.moves import can_move, find_moves
from quadriga.games.avecaesar.rules.six import crashes, is_barred_from_six, leads
from quadriga.games.avecaesar.state import RACING

GAME = find("ave-caesar")
RIVAL = {"coin": False}
SETUPS = [
    (["white cw"], [], 4),
    (["yellow cw"], [], 6),
    (["red ccw"], ["bottom-card"], 6),
    (["blue ccw"], ["crash-and-burn"], 4),
    (["yellow ccw"], ["dishonour", "crash-and-burn", "bottom-card"], 5),
]


def hands(s, seat: int, held: int) -> set[int]:
    """Return all hands of a size that a seat's cards can make, packed."""
    cards = unplayed(s, seat)
    every = (packed(each) for each in combinations_with_replacement(range(1, 7), held))
    return {hand for hand in every if all(number(hand, v) <= number(cards, v) for v in range(1, 7))}


def possible(t, s, seat: int) -> set[int]:
    """Return the hands that the state leaves possible for a seat."""
    known = s.ruled_out[seat]
    return {hand for hand in hands(s, seat, size(s.hand[seat])) if not (known >> place(hand)) & 1}


def holding(s, seat: int, hand: int):
    world = s.copy()
    world.hand[seat] = hand
    return world


class Observer:
    """Follows the public events, and tries every hand against the rules themselves."""

    def __init__(self, seats: int) -> None:
        self.left: list[set[int] | None] = [None] * seats  # None: nothing is known
        self.misses = self.drives = 0

    def hands(self, s, seat: int) -> set[int]:
        left = self.left[seat]
        every = hands(s, seat, size(s.hand[seat]))
        return every if left is None else left & every

    def miss(self, t, s, seat: int) -> None:
        others = any(o != seat and s.status[o] == RACING and leads(t, s, o) for o in range(t.seats))
        found = set()
        for hand in self.hands(s, seat):
            world = holding(s, seat, hand)
            unknown = others and only_sixes(hand) and is_barred_from_six(t, s, seat) and not t.crash_and_burn
            if unknown or not (crashes(t, world, seat) or can_move(t, world, seat)):
                found.add(hand)
        self.left[seat] = found
        self.misses += 1

    def move(self, t, s, seat: int, card: int, ahead: int) -> None:
        others = any(o != seat and s.status[o] == RACING and leads(t, s, o) for o in range(t.seats))
        found, before = set(), self.hands(s, seat)
        for hand in before:
            if not number(hand, card):
                continue
            world = holding(s, seat, hand)
            find_moves(t, world, seat)
            if world.moves[card - 1] >> ahead & 1 or (others and only_sixes(hand) and card == 6):
                found.add(hand - one(card))
        self.drives += len(found) < len({hand - one(card) for hand in before if number(hand, card)})
        self.left[seat] = found

    def bottom(self, s, seat: int) -> None:
        before = self.left[seat]
        if before is not None:
            self.left[seat] = {hand - one(v) for hand in before for v in range(1, 7) if number(hand, v)}

    def draw(self, s, seat: int) -> None:
        before = self.left[seat]
        if before is not None:
            self.left[seat] = {hand + one(v) for hand in before for v in range(1, 7)}


def observed(monkeypatch, seats: int) -> Observer:
    """Return an observer that follows the public events of games in plain Python."""
    watcher = Observer(seats)

    def around(name, look):
        rule = getattr(turn, name)

        def spy(t, s, seat, *more):
            look(t, s, seat, *more)
            found = rule(t, s, seat, *more)
            after = s.copy()
            after.ruled_out[seat] = found
            if name == "after_move":
                after.hand[seat] -= one(more[0])
            assert possible(t, after, seat) == watcher.hands(after, seat)
            return found

        monkeypatch.setattr(turn, name, spy)

    around("after_miss", watcher.miss)
    around("after_move", watcher.move)
    around("after_bottom", lambda t, s, seat: watcher.bottom(s, seat))
    around("after_draw", lambda t, s, seat: watcher.draw(s, seat))
    return watcher


def reckless(legal: list[str], chooser: random.Random) -> str:
    """Return a move that avoids the alley and high cards, so that some chariots must drive past it."""
    outside = [text for text in legal if "ALLEY" not in text] or legal
    return chooser.choice(outside[: 1 + len(outside) // 3])


@pytest.mark.parametrize(("courses", "variants", "seats"), SETUPS)
def test_what_is_known_of_a_hand_is_what_the_rules_leave_possible(monkeypatch, courses, variants, seats):
    misses = drives = 0
    for game in range(2):
        watcher = observed(monkeypatch, seats)
        match = Match(GAME, {"courses": courses, "variants": variants}, seats, automatic=False)
        chooser = random.Random(game)
        while not match.over:
            if match.actor == CHANCE:
                outcomes = match.outcomes()
                (chosen,) = chooser.choices(outcomes, [outcome.weight for outcome in outcomes])
                match.happen(chosen.text)
            else:
                match.play(reckless(match.legal(), chooser))
            for seat in range(seats):
                assert match.s.hand[seat] in possible(match.t, match.s, seat) or not match.s.begun
        misses += watcher.misses
        drives += watcher.drives
        monkeypatch.undo()
    assert misses > 5
    assert drives > 0 or courses != ["white cw"]  # from the entrances of side B every card fits


def test_every_hand_has_its_number():
    found = every_hand()
    assert len(found) == len(set(found)) == FIRST[-1]
    for held in range(4):
        assert [place(hand) for hand in found[FIRST[held] : FIRST[held + 1]]] == list(
            range(FIRST[held + 1] - FIRST[held])
        )
        assert {size(hand) for hand in found[FIRST[held] : FIRST[held + 1]]} == {held}


def worlds(match: Match, seat: int, count: int = 150):
    """Return positions that a seat cannot tell from this one."""
    for deal in range(count):
        world, rng = match.clone(), Rng()
        start(rng, deal, 0)
        GAME.rules.deal(world.t, world.s, seat, rng)
        yield world


def test_ac_5_4_who_waits_before_a_blocked_alley_holds_a_card_that_fits():
    match = position(("A23.0.0", 2, [1, 5, 5]), ("ALLEY.0.0", 2, [1, 1, 1], RIVAL), out())
    assert match.actor == 1
    dealt = [set(world.view(0).hand) for world in worlds(match, 1)]
    assert all(hand & {1, 2, 3} for hand in dealt)
    assert len({frozenset(hand) for hand in dealt}) > 10  # and anything else beside it


def test_ac_5_4_who_waits_behind_a_rival_in_the_alley_holds_nothing_that_ends_before_it():
    match = position(("A23.0.0", 2, [2, 5, 5]), ("ALLEY.0.1", 2, [1, 1, 1], RIVAL), out())
    assert match.actor == 1
    for world in worlds(match, 1):
        hand = set(world.view(0).hand)
        assert hand & {2, 3}
        assert 1 not in hand
    assert lacks(match.t, match.s, 0) == 1 << 1


def test_ac_5_4_who_drives_past_held_no_fitting_card_and_draws_any():
    match = position(("A23.0.0", 2, [4, 5, 5]), ("A2.0.0", 1, [1, 1, 1], RIVAL), out())
    match.play(match.legal()[0])
    match.happen("draw 1")
    for world in worlds(match, 1):
        hand = world.view(0).hand
        assert sum(card <= 3 for card in hand) <= 1
    assert any(1 in world.view(0).hand for world in worlds(match, 1))


def test_ac_v4_with_dishonour_a_drive_past_a_blocked_alley_tells_nothing_of_fitting_cards():
    chariots = ("A23.0.0", 2, [2, 3, 5]), ("ALLEY.0.0", 2, [1, 1, 1], RIVAL), out()
    match = position(*chariots, variants=["dishonour"])
    match.play(match.legal()[0])
    assert match.s.ruled_out[0] == 0


def test_ac_4_3_a_leader_who_plays_a_6_is_known_to_hold_only_6s():
    match = position(("A5.0.0", 1, [6, 6, 6]), ("A4.0.0", 1, [1, 1, 1]), ("A20.0.0", 0, [1, 2, 3]))
    match.play(match.legal()[0])
    match.happen("draw 2")
    for world in worlds(match, 1):
        assert world.view(0).hand.count(6) >= 2


def test_what_everybody_knows_of_hands_is_in_everybodys_observation():
    match = position(("A23.0.0", 2, [2, 5, 5]), ("ALLEY.0.1", 2, [1, 1, 1], RIVAL), out())
    room = memoryview(bytearray(2 * OBSERVED)).cast("h")
    for seat in range(3):
        GAME.rules.observe(match.t, match.s, seat, room)
        at = (0 - seat) % 3 * PER_SEAT
        assert room[at + 11] == 1 << 1
        assert sum(room[at + 13 + word] << (14 * word) for word in range(4)) == match.s.ruled_out[0] != 0
    for world in worlds(match, 1, 20):
        assert world.s.ruled_out == match.s.ruled_out
