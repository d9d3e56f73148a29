"""Copies with new dice, and worlds that a seat thinks possible."""

import random

import pytest

import quadriga
from soak import count
from support import IDS, SETUPS


def rolls(match, number=12):
    """Return the chance of so many decisions of a match, which goes on."""
    while not match.over and number:
        match.push(match.legal()[0])
        number -= 1
    return [entry.text for entry in match.entries if entry.chance]


def test_a_copy_has_the_same_dice_and_with_a_seed_new_ones():
    match = quadriga.new("ur", seed=7)
    assert rolls(match.copy()) == rolls(match.copy())
    assert rolls(match.copy(seed=1)) == rolls(match.copy(seed=1))
    assert len({tuple(rolls(match.copy(seed=seed))) for seed in range(10)}) == 10
    assert match.copy(seed=1) == match  # the past is the same


@pytest.mark.parametrize("seed", [0, 7, 2**62 - 1])
def test_the_seed_of_a_match_does_not_give_a_copy_its_dice(seed):
    match = quadriga.new("ur", seed=seed)
    twin = match.copy(seed=seed)
    future = rolls(match.copy())
    assert rolls(twin.copy()) != future
    assert rolls(twin.copy(seed=seed)) not in (future, rolls(twin))
    assert rolls(match.sample(0, seed=seed)) != future[len(match.entries) :]


def test_a_copy_of_a_match_without_dice_gets_them_and_rolls():
    bare = quadriga.Match(quadriga.new("ur").game)
    assert bare.copy().outcomes()
    assert bare.copy(seed=1).actor >= 0
    assert bare.sample(0, seed=1).actor >= 0


def test_a_copy_of_a_match_with_fair_dice_is_reproducible():
    match = quadriga.new("ur")
    assert rolls(match.copy(seed=1)) == rolls(match.copy(seed=1))


@pytest.mark.parametrize("setup", SETUPS, ids=IDS)
def test_a_sample_is_what_its_seat_sees(setup):
    game, options, seats = setup
    match, rng = quadriga.new(game, seats, seed=3, **options), random.Random(3)
    for moment in range(count(40, 400)):
        if match.over:
            break
        before = match.copy()
        for seat in range(seats):
            world = match.sample(seat, seed=moment)
            assert world.view(seat) == match.view(seat), (moment, seat)
        world = match.sample(match.actor, seed=moment)
        assert (world.actor, world.legal()) == (match.actor, match.legal())
        assert match == before
        assert match.s.tobytes() == before.s.tobytes()
        match.push(rng.choice(match.legal()))


@pytest.mark.parametrize("game", ["ave-caesar", "ben-hvrt"])
def test_a_sample_can_be_played_to_its_end_and_hands_differ(game):
    match, rng = quadriga.new(game, 3, seed=3), random.Random(3)
    for _ in range(10):
        match.push(rng.choice(match.legal()))
    worlds = [match.sample(0, seed=seed) for seed in range(8)]
    assert len({world.s.tobytes() for world in worlds}) > 1
    assert worlds[0] == match.sample(0, seed=0)
    assert worlds[0] != worlds[1]
    while not worlds[0].over:
        worlds[0].push(rng.choice(worlds[0].legal()))
    assert worlds[0].scores == worlds[0].result


def test_a_sample_has_no_past():
    match = quadriga.new("ave-caesar", seed=3)
    match.push(match.legal()[0])
    world = match.sample(0, seed=1)
    start = world.s.tobytes()
    with pytest.raises(quadriga.QuadrigaError, match="nothing to undo"):
        world.pop()
    world.push(world.legal()[0])
    assert next(position.s.tobytes() for position in world.positions()) == start
    world.pop()
    assert world.s.tobytes() == start
    with pytest.raises(quadriga.QuadrigaError, match="no trace"):
        quadriga.dumps(world)


@pytest.mark.parametrize("seat", [-1, 3, "0", True, 0.0, None])
def test_a_sample_of_no_seat_is_refused(seat):
    with pytest.raises(quadriga.QuadrigaError, match=r"seat cannot be .*0\.\.2"):
        quadriga.new("ave-caesar", seed=1).sample(seat)


@pytest.mark.parametrize("seed", [-1, "1", 1.0, 2**62, True])
def test_a_seed_that_is_none_is_refused(seed):
    match = quadriga.new("ur", seed=1)
    for call in (lambda: match.copy(seed=seed), lambda: match.sample(0, seed=seed)):
        with pytest.raises(quadriga.QuadrigaError, match="seed cannot be"):
            call()
