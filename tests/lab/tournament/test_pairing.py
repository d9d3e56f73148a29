"""Pairings of tournaments: everybody sits once, like meets like, nobody meets again without need."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadriga.lab.tournament import draw, knockout, published
from quadriga.lab.tournament.log import POINT, Begin, End, Enter, Event, Leave, Pair, Plan, Result, Return, points
from quadriga.lab.tournament.pairing import first_wrong, has_bracket_ended, next_pairing
from quadriga.lab.tournament.standings import standings
from quadriga.lab.tournament.state import State
from quadriga.lab.tournament.swiss import sizes

SEED = bytes(range(32))
COMMITMENT = draw.link(SEED, 0)


@dataclass
class Tournament:
    """A tournament that a test plays, with its log."""

    state: State
    log: list[Event]

    @classmethod
    def of(cls, plan: Plan, players: int) -> Tournament:
        made = cls(State(plan), [])
        made.add(*(Enter(number) for number in range(players)), Begin())
        return made

    def add(self, *events: Event) -> None:
        for event in events:
            self.state.apply(event)
            self.log.append(event)

    def pair(self) -> Pair:
        pairing = next_pairing(self.state, draw.link(SEED, self.state.round + 1))
        self.add(pairing)
        return pairing

    def play(self) -> None:
        """End all games: whoever has entered first wins."""
        for id, table in list(self.state.open_tables.items()):
            self.add(Result(id, [1 + sorted(table.players).index(each) for each in table.players]))


def swiss(seats: int, players: int, rounds: int = 5) -> Tournament:
    return Tournament.of(Plan("swiss", seats, 2 if seats == 2 else 3, rounds), players)


@given(st.integers(2, 12), st.integers(0, 60), st.data())
@settings(max_examples=60, deadline=None)
def test_in_every_round_everybody_who_is_there_sits_once_or_has_a_bye(seats, players, data):
    tournament = swiss(seats, players)
    for _ in range(3):
        pairing = tournament.pair()
        at_tables = [each for table in pairing.tables for each in table]
        assert sorted([*at_tables, *pairing.byes]) == [each.number for each in tournament.state.active]
        assert all(tournament.state.plan.least <= len(table) <= seats for table in pairing.tables)
        tournament.play()
        left = data.draw(st.sets(st.integers(0, players - 1), max_size=3)) if players else set()
        for number in left:
            is_active = tournament.state.players[number].is_active
            tournament.add(Leave(number) if is_active else Return(number))
        tournament.add(Enter(len(tournament.state.players)))
        players = len(tournament.state.players)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12))
def test_the_points_of_a_table_are_the_same_whoever_shares_places(scores):
    places = [1 + sum(other > score for other in scores) for score in scores]
    count = len(scores)
    assert sum(points(places)) == POINT * count // 2 if count > 1 else points(places) == [POINT]


def test_tables_are_as_large_as_wanted_or_smaller_by_few():
    assert sizes(12, 4, 3) == [4, 4, 4]
    assert sizes(11, 4, 3) == [4, 4, 3]
    assert sizes(9, 4, 3) == [3, 3, 3]
    assert sizes(5, 4, 3) == [4]  # and a bye
    assert sizes(3, 6, 3) == [3]
    assert sizes(2, 6, 3) == []


def test_two_do_not_meet_twice_while_they_can_meet_others():
    tournament = swiss(2, 10, 7)
    for _ in range(7):
        tournament.pair()
        tournament.play()
    assert max(times for each in tournament.state.players for times in each.met.values()) == 1


def test_in_the_second_round_winners_meet_winners():
    tournament = swiss(2, 16)
    tournament.pair()
    tournament.play()
    for one, other in tournament.pair().tables:
        assert tournament.state.players[one].points == tournament.state.players[other].points


def test_at_larger_tables_those_of_like_points_meet():
    tournament = swiss(4, 64)
    for _ in range(3):
        tournament.pair()
        tournament.play()
    before = {each.number: each.points for each in tournament.state.players}
    spreads = [max(before[n] for n in table) - min(before[n] for n in table) for table in tournament.pair().tables]
    assert sum(spreads) / len(spreads) < 0.5 * POINT


def test_nobody_has_a_second_bye_before_everybody_has_had_one():
    tournament = swiss(2, 5)
    for _ in range(5):
        tournament.pair()
        tournament.play()
    assert Counter(len(each.byes) for each in tournament.state.players) == {1: 5}


def test_start_places_are_shared_out():
    tournament = swiss(6, 36, 6)
    for _ in range(6):
        tournament.pair()
        tournament.play()
    assert max(abs(each.lean) / 60 / 6 for each in tournament.state.players) < 0.35
    two = swiss(2, 16, 6)
    for _ in range(6):
        two.pair()
        two.play()
    assert max(abs(each.lean) for each in two.state.players) <= 2 * 60


@given(st.integers(2, 40))
@settings(max_examples=30, deadline=None)
def test_a_knockout_ends_with_one_who_has_lost_to_nobody(players):
    tournament = Tournament.of(Plan("knockout", 2, 2), players)
    rounds = 0
    while not (rounds and has_bracket_ended(tournament.state)):
        tournament.pair()
        tournament.play()
        rounds += 1
    assert rounds == max(1, (players - 1).bit_length())
    assert len(tournament.state.tables) == players - 1
    first = standings(tournament.state, COMMITMENT)[0]
    assert (first.player, first.place, first.survived) == (0, 1, rounds)


def test_in_a_knockout_no_two_byes_meet():
    slots = knockout.first_slots(Tournament.of(Plan("knockout", 2, 2), 5).state, COMMITMENT)
    assert len(slots) == 8
    assert all(max(pair) != knockout.NOBODY for pair in zip(slots[::2], slots[1::2], strict=True))


def test_who_does_not_play_a_knockout_is_out_and_the_other_goes_on():
    tournament = Tournament.of(Plan("knockout", 2, 2), 4)
    one, _other = tournament.pair().tables
    tournament.add(Leave(one[0], "absent"), Result("1.1", [2, 1], "walkover"))
    tournament.add(Result("1.2", [], "void"))  # nobody came
    assert has_bracket_ended(tournament.state)
    first, *rest = standings(tournament.state, COMMITMENT)
    assert first.player == one[1]
    assert {each.survived for each in rest} == {0}


def test_an_arena_pairs_those_who_are_free():
    tournament = Tournament.of(Plan("arena", 4, 3), 10)
    first = tournament.pair()
    assert [len(table) for table in first.tables] == [4, 4]
    assert next_pairing(tournament.state, COMMITMENT).tables == []
    tournament.add(Result("1.1", [1, 2, 3, 4], at=5))
    assert len(next_pairing(tournament.state, COMMITMENT).tables) == 1
    waiting = set(range(10)) - {each for table in first.tables for each in table}
    assert waiting < set(next_pairing(tournament.state, COMMITMENT).tables[0])


def test_buchholz_decides_among_those_with_equal_points():
    tournament = swiss(2, 8, 2)
    tournament.pair()
    tournament.play()
    tournament.pair()
    tournament.play()
    found = standings(tournament.state, COMMITMENT)
    for better, worse in itertools.pairwise(found):
        assert (better.points, better.cut, better.buchholz) >= (worse.points, worse.cut, worse.buchholz)
    assert [each.points for each in found][:2] == [2 * POINT, 2 * POINT]


def test_every_link_follows_from_the_one_before_and_from_no_other():
    assert all(draw.follows(draw.link(SEED, n), draw.link(SEED, n + 1)) for n in range(20))
    assert not draw.follows(draw.link(SEED, 1), draw.link(SEED, 3))
    assert draw.link(SEED, draw.LINKS) == SEED


@pytest.mark.parametrize(("kind", "seats"), [("swiss", 2), ("swiss", 4), ("knockout", 2), ("arena", 4)])
def test_all_pairings_are_recomputed_from_the_log_and_a_change_is_found(kind, seats):
    tournament = Tournament.of(Plan(kind, seats, min(seats, 3), 4), 17)
    for _ in range(4):
        tournament.pair()
        tournament.play()
    tournament.add(End())
    assert first_wrong(tournament.state.plan, COMMITMENT, tournament.log) is None
    assert first_wrong(tournament.state.plan, SEED, tournament.log) == 19  # the first pairing
    for number, event in enumerate(tournament.log, 1):
        if isinstance(event, Pair) and event.tables:
            turned = [event.tables[0][::-1], *event.tables[1:]]
            changed = [*tournament.log]
            changed[number - 1] = Pair(event.link, turned, event.byes, event.slots)
            assert first_wrong(tournament.state.plan, COMMITMENT, changed) == number


def test_a_log_that_contradicts_itself_is_found():
    log = published.PublishedLog(Plan("swiss", 2, 2, 1), COMMITMENT.hex(), [Enter(1)])
    assert log.first_wrong() == 0
