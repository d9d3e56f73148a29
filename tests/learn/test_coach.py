"""The coach: every number that it says is computed again in another way, and none depends on hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

import pytest

from games.avecaesar import positions as avecaesar
from games.avecaesar.positions import GAME as CAESAR
from games.benhvrt import positions as benhvrt
from games.benhvrt.positions import position, race
from games.ur import positions as ur
from quadriga.engine.advice import percent_with_tenths, whole_percent
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import LANGUAGES, Message, of
from quadriga.games import find
from quadriga.games.avecaesar.rules.cards import number, one, unplayed
from quadriga.games.avecaesar.rules.moves import FINISH, SPAN, find_moves
from quadriga.games.avecaesar.state import MOVE
from quadriga.games.benhvrt.learn.coach import place_worth
from quadriga.games.benhvrt.rules.cards import counts_as
from quadriga.games.benhvrt.rules.phases.payout import pay_out
from quadriga.games.ur.state import ROLL
from quadriga.lab.solver import solve
from quadriga.learn.coach import Coaching, coaching
from quadriga.players import Perspective, RandomPlayer, exact
from soak import count
from support import SETUPS, Setup, there


def said(found: list[Message], id: str) -> list[dict[str, object]]:
    """Return the parameters of the messages with this id."""
    return [each.parameters for each in found if each.id.split(".coach.")[-1] == id]


def decisions(id: str, options: dict[str, object], seats: int, seed: int, most: int) -> Iterator[Match]:
    """Yield the decisions of a random game, with the windows as the server asks in them."""
    game = find(id)
    match, bot = Match(game, options, seats, SeededDice(seed)), RandomPlayer(game, "", seed)
    if game.reactions is not None:
        game.reactions.ask_all(match.t, True)
    made = 0
    while not match.over and made < most:
        made += 1
        yield match
        match.play(bot.decide(Perspective(match)))


# Ur


def captured(match: ur.Match, seat: int, step: int, rolls: int) -> float:
    """Return the chance that the marker on a step is captured within so many rolls of the other side."""
    if not any(marker.seat == seat and marker.step == step for marker in match.view(seat).board):
        return 1.0
    if rolls == 0 or match.over or match.s.turn == seat:
        return 0.0
    outcomes, total = match.outcomes(), 0.0
    for outcome in outcomes:
        rolled = match.copy()
        rolled.apply_outcome(outcome)
        best = 0.0
        for text in rolled.legal() if rolled.actor >= 0 else []:
            after = rolled.copy()
            after.play(text)
            best = max(best, captured(after, seat, step, rolls - 1))
        total += outcome.weight * best
    return total / sum(outcome.weight for outcome in outcomes)


@pytest.mark.parametrize(("rules", "markers"), [("ben", 2), ("finkel", 3), ("masters", 3), ("blitz", 3)])
def test_ur_the_risk_is_that_of_all_rolls_and_replies_on_the_engine(rules, markers):
    compared = 0
    for match in map(ur.Match.of, decisions("ur", {"rules": rules, "markers": markers}, 2, 3, count(40, 400))):
        advice, seat = coaching(match, match.actor), match.actor
        for text in match.legal():
            after = match.copy()
            after.dice = None
            after.play(text)
            step = int(text.split("-")[1])
            if after.s.phase != ROLL or after.s.turn == seat or step == match.t.off:
                assert not said(advice.actions.get(text, []), "risk")
                continue
            chance = captured(after, seat, step, 3)
            risks = [found["chance"] for found in said(advice.actions[text], "risk")]
            assert risks == ([whole_percent(chance)] if chance else [])
            assert len(said(advice.actions[text], "safe")) == (chance == 0)
            compared += chance > 0
    assert compared > 3


def test_ur_the_steps_to_go_are_counted_from_the_view():
    for match in map(ur.Match.of, decisions("ur", {}, 2, 4, 60)):
        view = match.view(match.actor)
        to_go = [
            24 * view.home[seat] + sum(24 - marker.step for marker in view.board if marker.seat == seat)
            for seat in (0, 1)
        ]
        (race_,) = said(coaching(match, match.actor).position, "race")
        assert race_ == {"mine": to_go[match.actor], "theirs": to_go[match.actor ^ 1]}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Solve the endgames with one marker left."""
    where = tmp_path_factory.mktemp("tables")
    solve.solve("ben", 1, where=where)
    return where


def test_ur_the_chance_to_win_is_that_of_the_solved_tables_and_silent_without_them(tables, monkeypatch):
    found = 0
    for match in map(ur.Match.of, decisions("ur", {"markers": 1}, 2, 5, 40)):
        monkeypatch.setenv("QUADRIGA_TABLES", str(tables))
        with_tables, solved = coaching(match, match.actor), exact.best(match.t, match.s)
        monkeypatch.setenv("QUADRIGA_TABLES", str(tables / "none"))
        if solved is not None and 1.0 not in solved[1].values():  # a win at once is sure without tables
            assert not said(coaching(match, match.actor).position, "solved")
        if solved is None:  # the opening is not in the tables
            continue
        found += 1
        best, chances = solved
        assert said(with_tables.position, "solved") == [{"chance": percent_with_tenths(chances[best])}]
        for text, action in match.actions().items():
            wins = said(with_tables.actions[text], "wins")
            after = match.copy()
            after.dice = None
            after.play(text)
            expected = [] if after.over else [{"chance": percent_with_tenths(chances[action])}]
            assert wins == expected
    assert found > 10


# Ave Caesar


def passers(after: avecaesar.Match, seat: int) -> dict[int, set[int]]:
    """Return, by seat, the cards with which others could get ahead: each card is tried on the engine."""
    found: dict[int, set[int]] = {}
    mine = after.s.lap[seat], after.t.rank[after.s.race, after.s.space[seat]]
    for chariot in after.view(seat).chariots:
        other, s = chariot.seat, after.s
        place = s.lap[other], after.t.rank[s.race, s.space[other]]
        if other == seat or chariot.status != "racing" or place > mine:
            continue
        for value in range(1, 7):
            if not number(unplayed(s, other), value) or (value == 6 and chariot.leads):  # AC-4.1
                continue
            world = after.copy()
            w = world.s
            w.at = [w.order[place] for place in range(after.seats)].index(other)
            w.hand[other], w.phase = one(value), MOVE
            find_moves(world.t, w, other)
            for text, action in world.actions().items():
                if text.endswith("finish") or _place_after(world, other, action) > mine:
                    found.setdefault(other, set()).add(value)
    return found


def _place_after(match: avecaesar.Match, other: int, action: int) -> tuple[int, int]:
    size = match.t.spaces[match.s.race]
    laps, space = divmod(match.s.space[other] + action % SPAN, size)
    return match.s.lap[other] + laps, match.t.rank[match.s.race, space]


@pytest.mark.parametrize("options", [{"courses": ["white cw"]}, {"courses": ["red ccw"]}])
def test_ave_caesar_whoever_can_pass_can_do_so_with_these_cards_on_the_engine(options):
    passing = quiet = 0
    for match in map(avecaesar.Match.of, decisions("ave-caesar", options, 4, 6, count(45, 400))):
        seat, advice = match.actor, coaching(match, match.actor)
        for text, action in match.actions().items():
            found = advice.actions[text]
            if action % SPAN == FINISH:
                assert said(found, "finish") == [{}]
                continue
            after = match.copy()
            after.dice = None
            after.play(text)
            if after.actor != CHANCE or any(after.s.ruled_out[other] for other in range(4) if other != seat):
                continue  # what is known of their hands leaves cards out: the next test
            expected = [
                {"seat": other + 1, "cards": sorted(cards)} for other, cards in sorted(passers(after, seat).items())
            ]
            assert said(found, "passed") == expected
            assert bool(said(found, "unpassed")) == (not said(found, "passed"))
            passing += bool(expected)
            quiet += not expected
    assert passing > 10
    assert quiet > 10


def test_ave_caesar_the_points_are_those_of_the_budget_in_the_view_now_and_after_the_move():
    lost = 0
    for match in map(avecaesar.Match.of, decisions("ave-caesar", {"courses": ["blue cw"]}, 3, 7, 60)):
        seat, advice = match.actor, coaching(match, match.actor)
        now = there(match.view(seat).chariots[seat].budget)
        kind = "budget" if now.spare >= 0 else "short"
        assert said(advice.position, kind) == [{"left": now.left, "needed": now.needed, "n": abs(now.spare)}]
        for text, found in advice.actions.items():
            after = match.copy()
            after.dice = None
            after.play(text)
            then = after.view(seat).chariots[seat].budget
            if then is None or after.s.race != match.s.race:
                continue
            kind = "spare" if then.spare >= 0 else "spare-short"
            assert said(found, kind) == [{"n": abs(then.spare)}]
            assert said(found, "lost") == ([{"n": now.spare - then.spare}] if now.spare != then.spare else [])
            lost += now.spare != then.spare
    assert lost


def test_ave_caesar_a_card_that_a_seat_is_known_to_lack_passes_nobody():
    found = 0
    for seed in range(count(12, 60)):
        for match in map(avecaesar.Match.of, decisions("ave-caesar", {"courses": ["white cw"]}, 4, seed, 100)):
            seat = match.actor
            for other in range(4):
                lacking = {
                    value
                    for value in range(1, 7)
                    if match.s.ruled_out[other] and not _may_hold(match, other, value)
                }
                if other == seat or not lacking:
                    continue
                for messages in coaching(match, seat).actions.values():
                    for each in said(messages, "passed"):
                        if each["seat"] == other + 1:
                            found += 1
                            assert not lacking & set(each["cards"])  # type: ignore[call-overload]
            if found > 5:
                return
    assert found


def _may_hold(match: avecaesar.Match, other: int, value: int) -> bool:
    """Return whether a seat holds a card in one of many worlds."""
    rng = Rng()
    for world in range(40):
        start(rng, world, 0)
        dealt = match.s.copy()
        CAESAR.rules.deal(match.t, dealt, match.actor, rng)
        if number(dealt.hand[other], value):
            return True
    return False


# Ben Hvrt


def test_ben_hvrt_a_bid_pays_if_it_wins_a_place_often_enough():
    match = position("auction", seats=4, pot=40, left=["Add 2", "Add 1", "Move 6", "Tow Rope"])
    match.happen("turn Add 2")
    assert said(coaching(match, match.actor).actions["buy"], "pays") == [
        {"n": 4, "chance": whole_percent(4 / (44 / 6))}
    ]
    match.play("auction")
    for cost in (1, 2, 3):
        for _ in range(4):
            advice, purse, pot = coaching(match, match.actor), match.s.purse[match.actor], match.s.pot
            share = cost / ((pot + cost) / 6)
            assert said(advice.actions["bid"], "pays") == [{"n": cost, "chance": whole_percent(share)}]
            stakes = [{"n": sum(range(1, cost))}] if cost > 1 else []
            assert said(advice.actions.get("pass", []), "spent") == stakes
            bidder = match.actor
            match.play("bid")
            assert (match.s.purse[bidder], match.s.pot) == (purse - cost, pot + cost)


def test_ben_hvrt_a_lot_is_worth_the_squares_that_it_wins_at_the_price_of_a_square():
    match = position("auction", seats=4, pot=40, left=["Add 2", "Add 1", "Move 6", "Tow Rope"])
    assert said(coaching(match, 0).position, "lot") == []
    match.happen("turn Add 2")
    squares, price = 2 * 3.3, 0.018 * match.s.pot  # in a race of one lap
    for seat in range(4):  # also to one who is not asked
        assert said(coaching(match, seat).position, "lot") == [{"n": round(squares * price)}]


@pytest.mark.parametrize(("entered", "share"), [(2, 1 / 3), (3, 1 / 6), (4, 1 / 6)])
def test_bh_8_1_one_place_more_is_worth_a_sixth_of_the_pot_or_a_third_between_two(entered, share):
    """The pot is paid out on the engine, with seat 0 first, second, third and fourth."""
    prizes = []
    for place in range(entered):
        match = race(*[("1.15", 1, 1)] * 4)
        s = match.s
        order = [*range(1, entered)]
        order.insert(place, 0)
        s.racing, s.entered, s.pot = 0, (1 << entered) - 1, 60
        s.finishers = min(entered, 3)
        for rank in range(s.finishers):
            s.finisher[rank] = order[rank] + 1
        assert place_worth(s, 60) == pytest.approx(60 * share)
        before = s.purse[0]
        pay_out(match.t, s)
        prizes.append(s.purse[0] - before)
    assert [better - worse for better, worse in pairwise(prizes)] == [60 * share] * (entered - 1)


def played_out(match: benhvrt.Match, text: str) -> benhvrt.Match:
    """Play a card, and let everybody pass until it has had its effect."""
    after = match.copy()
    depth = after.s.depth
    after.play(text)
    while after.s.depth > depth and "pass" in after.legal():
        after.play("pass")
    return after


def test_ben_hvrt_what_a_card_changes_is_what_the_engine_does_with_it():
    seen: set[str] = set()
    for seed in range(count(10, 200)):
        for match in map(benhvrt.Match.of, decisions("ben-hvrt", {"series": [1], "chariots": 1}, 3, seed, 400)):
            window = match.view(match.actor).window
            if window is None:
                continue
            for text, found in coaching(match, match.actor).actions.items():
                if not text.startswith(("play", "use")):
                    continue
                before, after = match.s, played_out(match, text).s
                for message in found:
                    kind, given = message.id.split(".coach.")[1], message.parameters
                    if kind.startswith("roll-") and after.depth == before.depth:
                        assert (given["old"], given["new"]) == (before.roll, after.roll)
                        squares = max(before.speed[before.mover] + after.roll, 0) - max(
                            before.speed[before.mover] + before.roll, 0
                        )
                        assert given["n"] == abs(squares)
                        assert given["speed"] == min(max(after.roll, 1), 6)
                        seen.add("roll")
                    elif kind == "speed" and given["old"] != given["new"]:
                        changed = [c for c in range(3) if before.speed[c] != after.speed[c]]
                        assert [(before.speed[c], after.speed[c]) for c in changed] == [
                            (given["old"], given["new"])
                        ]
                        seen.add(kind)
                    elif kind == "next-roll":
                        coming = [counts_as(match.t, after, c, after.next_roll[c]) for c in range(3)]
                        assert given["new"] in (*coming, after.roll)  # it may be rolled at once
                        seen.add(kind)
                    elif kind == "poach":
                        assert given["n"] == before.purse[match.actor] - after.purse[match.actor]
                        seen.add(kind)
    assert {"roll", "speed", "next-roll"} <= seen


def test_ben_hvrt_the_way_to_the_finish_is_the_number_of_steps_of_the_shortest_drive():
    match = race(("1.15", 1, 6), ("2.3", 0, 1), seats=2, chariots=1)
    found = said(coaching(match, 0).position, "finish")
    assert [(each["n"], each["speed"]) for each in found] == [(3, 6)]  # 1.15, 1.16, 1.17, and over the line
    assert said(coaching(match, 1).position, "first")[0]["n"] == 3


def test_bh_8_3_the_coach_counts_the_cards_that_a_last_place_would_cost():
    chariots = [("1.15", 1, 6), ("2.3", 0, 1), ("3.3", 0, 1), ("4.3", 0, 1)]
    more: dict[str, Any] = {
        "hands": {1: ["Add 1", "Tow Rope"]},
        "fitted": {1: ["Old Decimus", "Brake Lever"], 2: ["Tow Rope"]},
    }
    match = race(*chariots, penalty=True, **more)
    assert [said(coaching(match, seat).position, "penalty") for seat in range(4)] == [
        [], [{"n": 4}], [{"n": 1}], []
    ]  # fmt: skip
    match = race(*chariots, **more)
    assert not any(said(coaching(match, seat).position, "penalty") for seat in range(4))


def test_bh_7_5_the_coach_says_what_bribes_a_card_earns():
    match = race(
        ("1.10", 1, 2), ("1.9", 1, 2), ("1.8", 1, 2), ("1.7", 1, 2), bribes=True, hands={3: ["Subtract 1", "Add 1"]}
    )
    match.happen("die 4")
    for text in ("pass", "bribe 3 Subtract 1 4", "bribe 3 Subtract 1 2"):
        match.play(text)
    advice, purse = coaching(match, 3).actions, match.s.purse[3]
    assert said(advice["play Subtract 1"], "bribed") == [{"n": 6}]
    assert said(advice["play Add 1"], "bribed") == []
    match.play("play Subtract 1")
    assert match.s.purse[3] == purse + 6


# Hidden cards


def test_the_coach_says_the_same_in_every_world_that_a_seat_cannot_tell_apart():
    rng, differing = Rng(), 0
    for id, options, seats in [each for each in SETUPS if each[0] in ("ave-caesar", "ben-hvrt")][::2]:
        for moment, match in enumerate(decisions(id, options, seats, 8, count(40, 2000))):
            for seat in {match.actor, (match.actor + 1) % seats}:
                other = match.copy()
                start(rng, 9, moment)
                match.game.rules.deal(match.t, other.s, seat, rng)
                differing += other.s.tobytes() != match.s.tobytes()
                assert coaching(other, seat) == coaching(match, seat)
                if match.actor == seat:  # what the game says of one world it says of all
                    coach = there(there(match.game.teaching).coach)
                    assert coach(match.t, match.s, seat, {}) == coach(match.t, other.s, seat, {})
    assert differing > 50


def test_every_message_has_its_text_in_both_languages():
    setups: list[Setup] = [("ur", {}, 2), ("ave-caesar", {}, 3), ("ben-hvrt", {"series": [1]}, 3)]
    for id, options, seats in setups:
        for match in decisions(id, options, seats, 2, 60):
            advice = coaching(match, match.actor)
            for language in LANGUAGES:
                words = of(language, match.game.package)
                for each in (*advice.position, *chain.from_iterable(advice.actions.values())):
                    assert "{" not in words.text(each)


def test_a_game_without_a_coach_says_nothing():
    match = Match(find("nim"), {}, 2, SeededDice(1))
    assert not match.game.has_coach
    assert coaching(match, match.actor) == Coaching([], {})
