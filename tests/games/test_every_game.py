"""One shared test of the game interface for every game, ours and those of third parties."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import numpy as np
import pytest
from highcard import state as highcard

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels import random_games, vector_env
from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.link import Bindings
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng, below, start, weighted
from quadriga.engine.kernels.slots import (
    CHANCE,
    OVER,
    State,
    Tables,
    actor,
    legal,
    observe,
    outcomes,
    play_randomly,
    playout,
    redeal,
    roll,
    scores,
    step,
)
from quadriga.engine.kernels.struct import Batch
from quadriga.engine.match import trace, trace_reader
from quadriga.games import find
from soak import count
from soak import rows as forms
from support import FEW, IDS, SETUPS, fewer, played, some, there

GAMES = pytest.mark.parametrize("setup", SETUPS, ids=IDS)
FEW_GAMES = pytest.mark.parametrize("setup", forms(SETUPS, FEW.__contains__, IDS))


def records(setup, compiled, boundscheck=False):
    id, options, seats = setup
    game = find(id)
    machine = Machine(game, compiled=compiled, boundscheck=boundscheck)
    return game, machine, *machine.structs(*game.resolve_options(options, seats))


@kernel
def played_out(
    t: Batch[Tables], s: Batch[State], rngs: Batch[Rng], stream: int, out: Ints, weights: Ints, counts: Ints
) -> None:
    """Play one game to its end."""
    start(rngs[0], 7, stream)
    playout(t[0], s[0], rngs[0], out, weights, counts)


def sampled(setup, games, compiled, boundscheck=False):
    game, machine, _, _ = records(setup, compiled, boundscheck)
    seats = setup[2]
    rows = np.zeros((games, 2 + seats + len(game.tallies)), np.int64)
    workspace = random_games.allocate(machine, *game.resolve_options(setup[1], seats))
    machine.link_bulk(random_games.measure)(workspace, 5, 0, games, rows)
    return rows, np.asarray(workspace.work).tobytes()


@GAMES
def test_a_random_game_ends_and_its_trace_replays_to_the_same_match(setup):
    for number in range(fewer(setup, 5)):
        match = played(setup, number)
        text = trace.dumps(match)
        (again,) = trace_reader.read(text.encode().splitlines(), find)
        assert again.match == match
        assert again.match.scores == match.scores
        assert trace.dumps(again.match) == text


@GAMES
def test_texts_of_legal_actions_and_outcomes_are_distinct_and_within_the_declared_bounds(setup):
    game = find(setup[0])
    for position in played(setup).positions():
        if position.actor == CHANCE:
            outcomes = position.outcomes()
            assert 0 < len(outcomes) <= game.rules.max_outcomes
            assert len({o.text for o in outcomes}) == len(outcomes)
            assert all(o.weight > 0 for o in outcomes)
        elif position.actor != OVER:
            n = game.rules.legal(position.t, position.s, game.rules.scratch()[0].data)
            assert 0 < n <= game.rules.max_legal
            assert len(position.actions()) == n
            assert all(0 <= action < game.rules.actions for action in position.actions().values())


@kernel
def retold(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    out: Ints,
    weights: Ints,
    points: Ints,
) -> int:
    """Reduce a random game to one number: every actor, every legal list, every action, every score."""
    t, s, rng = tables[0], work[0], rngs[0]
    work[0] = origin[0]
    start(rng, seed, 0)
    told = 0
    seat = actor(t, s)
    while seat != OVER:
        n = outcomes(t, s, out, weights) if seat == CHANCE else legal(t, s, out)
        for i in range(n):
            told = (told * 1_000_003 + out[i] + 7) % 998_244_353
        action = out[below(rng, n)]
        told = (told * 1_000_003 + action * 16 + seat) % 998_244_353
        step(t, s, action)
        seat = actor(t, s)
    scores(t, s, points)
    for i in range(len(points)):
        told = (told * 1_000_003 + points[i]) % 998_244_353
    return told


@FEW_GAMES
def test_compiled_and_plain_play_the_same_game_for_many_seeds(setup):
    told, last = [], []
    seeds = fewer(setup, count(25, 1000))
    for compiled in (True, False):
        game, machine, t, s = records(setup, compiled)
        work, rng, points = machine.states(1), np.zeros(1, Rng.dtype), np.zeros(setup[2], np.int64)
        play = machine.link(retold)
        told.append([play(t, s, work, rng, seed, *game.rules.scratch(), points) for seed in range(seeds)])
        last.append(work.tobytes())
    assert told[0] == told[1]
    assert last[0] == last[1]
    assert len(set(told[0])) >= min(100, (seeds + 1) // 2)


@FEW_GAMES
def test_compiled_and_plain_measure_the_same(setup):
    rows, final = sampled(setup, fewer(setup, count(20, 200)), compiled=True)
    plain_rows, plain_final = sampled(setup, fewer(setup, count(20, 200)), compiled=False)
    assert (rows == plain_rows).all()
    assert final == plain_final


# The others compile long with the check. Their compiled code is compared with the plain one above.
@pytest.mark.parametrize("setup", forms(SETUPS, lambda setup: setup[0] == "highcard", IDS))
def test_compiled_code_never_leaves_its_arrays(setup):
    rows, _ = sampled(setup, count(50, 1000), compiled=True, boundscheck=True)
    assert (rows == sampled(setup, count(50, 1000), compiled=True)[0]).all()


@pytest.mark.parametrize("setup", [each for each in SETUPS if find(each[0]).rules.roll is not None], ids=str)
def test_a_game_that_rolls_in_its_own_way_rolls_as_by_weight(setup):
    """The same random numbers give the same outcome; other games use `roll_by_weight` itself."""
    game = find(setup[0])
    out, weights = (array.data for array in game.rules.scratch())
    rolls = 0
    for position in played(setup).positions():
        if position.actor == CHANCE:
            one, two = Rng(), Rng()
            start(one, 3, len(position.entries))
            start(two, 3, len(position.entries))
            n = game.rules.outcomes(position.t, position.s, out, weights)
            right = out[weighted(one, weights, n)]
            assert there(game.rules.roll)(position.t, position.s, two, out, weights) == right
            rolls += 1
    assert rolls


@pytest.mark.parametrize("setup", [each for each in SETUPS if find(each[0]).rules.choose is not None], ids=str)
def test_a_game_that_chooses_in_its_own_way_chooses_from_the_list(setup):
    """The same random numbers give the same action; other games use `choose_listed` itself."""
    game = find(setup[0])
    out = game.rules.scratch()[0].data
    choices = 0
    for position in played(setup).positions():
        if position.actor >= 0:
            for stream in range(5):
                one, two = Rng(), Rng()
                start(one, 3, stream)
                start(two, 3, stream)
                right = out[below(one, game.rules.legal(position.t, position.s, out))]
                assert there(game.rules.choose)(position.t, position.s, two, out) == right
                choices += 1
    assert choices


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("setup", [each for each in SETUPS if find(each[0]).rules.playout is not None], ids=str)
def test_a_game_that_plays_out_in_its_own_way_plays_and_counts_the_same(setup, compiled):
    """The same random numbers give the same game; other games use `play_randomly` itself."""
    game = find(setup[0])
    tables, origin = Machine(game, compiled=compiled).structs(*game.resolve_options(setup[1], setup[2]))
    out, weights = game.rules.scratch()
    ends = []
    own: list[Bindings] = [{}, {playout: play_randomly}]
    for bindings in own:
        machine = Machine(game, compiled=compiled, bindings=bindings)
        states, counts, rngs = machine.states(1), np.zeros(2 + len(game.tallies), np.int64), np.zeros(1, Rng.dtype)
        for number in range(20):
            states[:] = origin
            machine.link(played_out)(tables, states, rngs, number, out, weights, counts)
            ends.append((states.tobytes(), rngs.tobytes(), counts.tobytes()))
    assert ends[:20] == ends[20:]


@FEW_GAMES
def test_what_is_taken_back_and_played_again_leaves_the_same_bytes(setup):
    match = played(setup)
    match.dice = None
    for _ in range(min(len(match.entries), 2000)):
        here = match.s.tobytes()
        last = match.undo()
        if last.chance:
            match.happen(last.text)
        else:
            match.play(last.text)
        assert match.s.tobytes() == here
        match.undo()


def vector(setup, machine, size):
    """Return a vector environment with games of seeds 1 and on."""
    game = machine.game
    tables, origin = machine.structs(*game.resolve_options(setup[1], setup[2]))
    v = vector_env.allocate(machine, tables, origin, setup[2], size)
    every = np.ones(size, np.int8)
    machine.link(vector_env.vector_seed)(v.rngs, 1 + np.arange(size), every)
    machine.link(vector_env.vector_deal)(v, every)
    return v


@FEW_GAMES
def test_the_vector_step_plays_like_single_games(setup):
    game, machine, _, _ = records(setup, compiled=True)
    size = max(2, fewer(setup, 16))

    def run(machine, steps):
        v = vector(setup, machine, size)
        choose, check, step_all = (
            machine.link(driver)
            for driver in (vector_env.vector_choose, vector_env.vector_check, vector_env.vector_step)
        )
        draws = np.random.default_rng(9)
        rngs, actions, finished, log = (
            np.zeros(1, Rng.dtype),
            np.zeros(size, np.int64),
            np.zeros(size, np.bool_),
            sha256(),
        )
        for _ in range(steps):
            choose(v, rngs, int(draws.integers(2**62)), actions)
            assert check(v, actions) == vector_env.ALL_LEGAL
            going = v.ended == 0
            assert step_all(v, actions) == (going & (v.ended == 1)).sum()
            assert (v.ended[~going] == 0).all()  # these were started again
            finished |= v.ended == 1
            for array in (v.seats, v.masks, v.rows, v.ended, v.points):
                log.update(array.tobytes())
            if finished.all():
                break
        return finished.all(), log.hexdigest(), v.batch.tobytes()

    assert run(machine, 100_000)[0]
    start_of_it = fewer(setup, count(300, 10_000))
    assert run(Machine(game, compiled=False), start_of_it) == run(machine, start_of_it)


@GAMES
def test_the_vector_check_finds_what_is_not_legal_and_changes_nothing(setup):
    game, machine, _, _ = records(setup, compiled=True)
    v = vector(setup, machine, 3)
    check = machine.link(vector_env.vector_check)
    before = v.batch.tobytes()
    legal_ones = np.array([np.flatnonzero(mask)[0] for mask in v.masks], np.int64)
    assert check(v, legal_ones) == vector_env.ALL_LEGAL
    for place in range(3):
        for wrong in (-1, int(np.flatnonzero(v.masks[place] == 0)[0]), game.rules.actions):
            actions = legal_ones.copy()
            actions[place] = wrong
            assert check(v, actions) == place
    assert v.batch.tobytes() == before


@FEW_GAMES
def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same_to_it(setup):
    game = find(setup[0])
    seats = setup[2]
    rng = Rng()
    for number in range(fewer(setup, count(3, 6))):
        for moment, position in some(played(setup, number), count(100, 200) // seats):
            for seat in (NOBODY, *range(seats)):
                world = position.clone()
                start(rng, number, moment * 100 + seat + 1)
                game.rules.deal(world.t, world.s, seat, rng)
                assert msgspec.json.encode(world.view(seat)) == msgspec.json.encode(position.view(seat))
                assert world.actor == position.actor
                if position.actor == seat:
                    assert world.actions() == position.actions()


@kernel
def alike(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    games: int,
    out: Ints,
    weights: Ints,
    other: Ints,
    here: Shorts,
    there: Shorts,
    seats: int,
) -> int:
    """Redeal hidden information at every step of random games; return how often, or below zero where it shows."""
    t, s, world = tables[0], work[0], work[1]
    checked = 0
    for game in range(games):
        work[0] = origin[0]
        start(rngs[0], 11, game)
        start(rngs[1], 12, game)
        turn = actor(t, s)
        while turn != OVER:
            for seat in range(-1, seats):
                work[1] = work[0]
                redeal(t, world, seat, rngs[1])
                observe(t, s, seat, here)
                observe(t, world, seat, there)
                for i in range(len(here)):
                    if here[i] != there[i]:
                        return -100 - seat
                if actor(t, world) != turn:
                    return -200 - seat
                checked += 1
                if seat == turn and seat >= 0:
                    n = legal(t, s, out)
                    if legal(t, world, other) != n:
                        return -300 - seat
                    for i in range(n):
                        if out[i] != other[i]:
                            return -300 - seat
            if turn == CHANCE:
                action = roll(t, s, rngs[0], out, weights)
            else:
                action = out[below(rngs[0], legal(t, s, out))]
            step(t, s, action)
            turn = actor(t, s)
    return checked


@FEW_GAMES
def test_random_redeals_at_every_step_of_many_games_go_unnoticed(setup):
    game, machine, t, s = records(setup, compiled=True)
    seats = setup[2]
    out, weights = game.rules.scratch()
    here, there = (
        np.full(game.rules.observation(seats), 77, np.int16),
        np.full(game.rules.observation(seats), 88, np.int16),
    )
    checked = machine.link(alike)(
        t,
        s,
        machine.states(2),
        np.zeros(2, Rng.dtype),
        fewer(setup, count(100, 5000)),
        out,
        weights,
        np.zeros_like(out),
        here,
        there,
        seats,
    )
    assert checked > 1000


def test_redealing_does_change_what_is_hidden():
    match = played(("highcard", {}, 2)).rewound()
    for card in (3, 5, 7, 9):
        match.happen(f"deal {card}")
    worlds = set()
    for number in range(50):
        rng = Rng()
        start(rng, number, 0)
        world = match.clone()
        match.game.rules.deal(world.t, world.s, 0, rng)
        assert isinstance(world.s, highcard.State)
        assert isinstance(match.s, highcard.State)
        worlds.add(world.s.hand[1])
        assert world.s.hand[0] == match.s.hand[0]
        assert not world.s.hand[1] & world.s.hand[0]
    assert len(worlds) > 20


@FEW_GAMES
def test_views_are_json_and_drawings_are_text_in_both_languages(setup):
    from quadriga.engine.text import catalogues

    game = find(setup[0])
    for _, position in some(played(setup), count(40, 200) // setup[2]):
        for seat in (NOBODY, *range(setup[2])):
            seen = position.view(seat)
            assert msgspec.json.decode(msgspec.json.encode(seen))
            for language in catalogues.LANGUAGES:
                assert game.display.render_text(position.t, seen, catalogues.of(language, game.package)).plain


@GAMES
def test_what_several_seats_see_at_once_is_what_each_of_them_sees(setup):
    game = find(setup[0])
    seats = [NOBODY, *range(setup[2])]
    for _, position in some(played(setup), count(160, 400) // setup[2]):
        fresh, _ = game.rules.new(position.options, position.seats)  # remembers nothing of what it has shown before
        each = [msgspec.json.encode(game.display.view(fresh, position.s, seat)) for seat in seats]
        assert list(map(msgspec.json.encode, game.display.views_for(position.t, position.s, seats))) == each
        assert list(map(msgspec.json.encode, position.views(seats))) == each


@GAMES
def test_every_action_and_outcome_explains_itself_in_both_languages(setup):
    from quadriga.engine.text import catalogues

    game = find(setup[0])
    for _, position in some(played(setup), count(160, 400)):
        choices = [*position.actions().values(), *(outcome.action for outcome in position.outcomes())]
        for action in choices:
            before = position.s.tobytes()
            notes = game.display.explain(position.t, position.s, (action,))
            assert notes
            assert position.s.tobytes() == before
            if game.display.explain_after is not None:
                after = position.s.copy()
                game.rules.step(position.t, after, action)
                assert game.display.explain_after(position.t, position.s, after, (action,)) == notes
            for language in catalogues.LANGUAGES:
                say = catalogues.of(language, game.package)
                assert all(say.text(note.message) for note in notes)
