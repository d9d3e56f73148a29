"""Gymnasium: the vector environment passes Gymnasium's checks, and plays the games of its SyncVectorEnv."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from adapters.extras import need
from soak import count, rows

need("gymnasium", "gymnasium")

import gymnasium as gym  # noqa: E402
from gymnasium.utils import env_checker, performance  # noqa: E402
from gymnasium.utils.passive_env_checker import env_reset_passive_checker  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from quadriga.adapters.gymnasium import QuadrigaEnv, QuadrigaVectorEnv  # noqa: E402
from quadriga.engine.errors import IllegalActionError, OptionError  # noqa: E402
from quadriga.engine.kernels.rng import Rng, start  # noqa: E402
from quadriga.games import find  # noqa: E402
from support import there  # noqa: E402

SETUPS = [
    ("ur", {}),
    ("ur", {"rules": "finkel", "markers": 2}),
    ("ave-caesar", {"seats": 4, "courses": ["white cw"]}),
    ("ben-hvrt", {"seats": 3, "series": [1], "offers": 0}),
]
GAMES = pytest.mark.parametrize(("game", "keywords"), SETUPS, ids=["ur", "finkel", "ave-caesar", "ben-hvrt"])
MODES = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)


def same(one, two):
    """Return whether two answers of environments are equal, of whatever type."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    if isinstance(one, tuple) or (isinstance(one, np.ndarray) and one.dtype == object):
        return len(one) == len(two) and all(same(a, b) for a, b in zip(one, two, strict=True))
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and np.array_equal(one, two)
    return one == two


@GAMES
def test_gymnasiums_checks_that_do_not_ask_for_a_single_environment_pass(game, keywords):
    """The checker samples an action, resets, and plays it: it does not use masks."""
    envs = QuadrigaVectorEnv(game, 5, illegal="random", **keywords)
    env_checker.check_action_space(envs.action_space)
    env_checker.check_observation_space(envs.observation_space)
    for space, kind in ((envs.action_space, "action"), (envs.observation_space, "observation")):
        env_checker.check_space_limit(space, kind)
    env_checker.check_seed_deprecation(envs)
    env_checker.check_reset_return_info_deprecation(envs)
    env_checker.check_reset_return_type(envs)
    env_checker.check_reset_seed_determinism(envs)
    env_checker.check_reset_options(envs)
    one = QuadrigaVectorEnv(
        game, 1, illegal="random", **keywords
    )  # it asks `if terminated`, which only one can say
    env_checker.check_returned_data_not_reused(one)
    env_reset_passive_checker(envs)


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
@GAMES
def test_a_single_game_passes_the_whole_checker_with_its_render_modes(game, keywords):
    env = gym.make(f"quadriga/{game}-v{find(game).version}", illegal="random", **keywords)
    env_checker.check_env(env.unwrapped)


@MODES
@GAMES
def test_games_side_by_side_are_the_games_that_gymnasium_runs_one_by_one(game, keywords, mode):
    size = 3
    ours = QuadrigaVectorEnv(game, size, autoreset_mode=mode, **keywords)
    theirs = SyncVectorEnv([lambda: QuadrigaEnv(game, **keywords)] * size, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    ours.action_space.seed(7)
    assert same(ours.reset(seed=11), theirs.reset(seed=11))
    over = np.zeros(size, np.bool_)
    ends = 0
    for _ in range(4000):
        if mode == AutoresetMode.DISABLED and over.any():
            renew: dict[str, Any] = {"options": {"reset_mask": over}}
            seen, told = ours.reset(**copy.deepcopy(renew))
            again, also = theirs.reset(**copy.deepcopy(renew))
            assert same(seen, again)
            assert same(told["seat"][over], also["seat"][over])
        actions = ours.action_space.sample()
        one, two = ours.step(actions), theirs.step(actions)
        assert one[0] in ours.observation_space
        for a, b in zip(one, two, strict=True):
            assert same(a, b), (a, b)
        over = one[2]
        ends += int(over.sum())
        if ends >= 2 * size:
            break
    assert ends >= 2 * size


@GAMES
def test_compiled_and_plain_environments_are_the_same(game, keywords):
    fast = QuadrigaVectorEnv(game, 2, **keywords)
    plain = QuadrigaVectorEnv(game, 2, compiled=False, **keywords)
    assert same(fast.reset(seed=5), plain.reset(seed=5))
    for _ in range(60):
        actions = fast.action_space.sample()
        for a, b in zip(fast.step(actions), plain.step(actions), strict=True):
            assert same(a, b)


@GAMES
def test_rows_equal_observe_and_are_equal_in_two_worlds(game, keywords):
    envs = QuadrigaVectorEnv(game, 4, **keywords)
    setup, rng = envs.setup, Rng()
    seen, told = envs.reset(seed=2)
    for moment in range(80):
        for i in range(4):
            seat = int(told["seat"][i])
            state = setup.struct(envs._states[i : i + 1]).copy()
            for _ in range(2):
                row = np.zeros(setup.width, np.int16)
                setup.game.rules.observe(setup.t, state, seat, row.data)
                assert (seen["observation"][i] == row).all()
                start(rng, moment, i)
                setup.game.rules.deal(setup.t, state, seat, rng)
        seen, _, _, _, told = envs.step(envs.action_space.sample())


@GAMES
def test_the_reward_is_that_of_the_seat_that_acted(game, keywords):
    envs = QuadrigaVectorEnv(game, 8, **keywords)
    _, infos = envs.reset(seed=1)
    ended = 0
    while ended < 8:
        acting = infos["seat"]
        _, rewards, over, _, infos = envs.step(envs.action_space.sample())
        assert not rewards[~over].any()
        for i in np.flatnonzero(over):
            assert infos["_returns"][i]
            assert rewards[i] == infos["returns"][i, acting[i]]
            ended += 1
            if game == "ur":
                assert sorted(infos["returns"][i]) == [-1.0, 1.0]


def test_without_copies_the_arrays_are_the_environments_own():
    envs = QuadrigaVectorEnv("ur", 4, copy=False)
    seen, _ = envs.reset(seed=1)
    again, *_ = envs.step(envs.action_space.sample())
    assert again["observation"] is seen["observation"]
    assert again["action_mask"] is seen["action_mask"]


def test_an_illegal_action_is_refused_and_nothing_moves():
    envs = QuadrigaVectorEnv("ur", 4)
    seen, _ = envs.reset(seed=1)
    before = envs._states.tobytes()
    actions = envs.action_space.sample()
    actions[2] = int(np.flatnonzero(seen["action_mask"][2] == 0)[0])
    with pytest.raises(IllegalActionError, match=r"Game 2: action \d+ is not legal"):
        envs.step(actions)
    assert envs._states.tobytes() == before


def test_illegal_actions_of_an_agent_without_masks_can_be_replaced_by_random_legal_ones():
    envs = QuadrigaVectorEnv("ur", 64, illegal="random")
    seen, _ = envs.reset(seed=1)
    legal = envs.action_space.sample()
    plain = QuadrigaVectorEnv("ur", 64)
    plain.reset(seed=1)
    assert same(envs.step(legal), plain.step(legal))
    envs.reset(seed=1)
    assert envs._replace(envs._vector, wrong := np.full(64, -1)) == 64
    assert seen["action_mask"][np.arange(64), wrong].all()
    several = seen["action_mask"].sum(1) > 1
    assert (wrong != seen["action_mask"].argmax(1))[several].any()


@pytest.mark.parametrize("actions", [[0, 0], np.zeros(4), np.zeros((4, 1), np.int64), None])
def test_actions_of_the_wrong_shape_or_kind_are_refused(actions):
    envs = QuadrigaVectorEnv("ur", 4)
    envs.reset(seed=1)
    with pytest.raises(IllegalActionError, match="4 whole numbers"):
        envs.step(actions)


def test_bad_set_ups_are_refused_with_valid_ones():
    with pytest.raises(OptionError, match="There are: NextStep, SameStep, Disabled"):
        QuadrigaVectorEnv("ur", 2, autoreset_mode="never")
    with pytest.raises(OptionError, match="There are: ansi, rgb_array"):
        QuadrigaVectorEnv("ur", 2, render_mode="human")
    for number in (0, -1, 2.0, True):
        with pytest.raises(OptionError, match=r"num_envs cannot be .*; it takes: 1\.\."):
            QuadrigaVectorEnv("ur", num_envs=number)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="There are: refuse, random"):
        QuadrigaVectorEnv("ur", 2, illegal="lose")
    with pytest.raises(OptionError, match="7 seats are not possible"):
        QuadrigaVectorEnv("ur", 2, seats=7)
    with pytest.raises(IllegalActionError, match="call reset"):
        QuadrigaVectorEnv("ur", 2).step(np.zeros(2, np.int64))
    with pytest.raises(OptionError, match="array of 2 booleans"):
        QuadrigaVectorEnv("ur", 2).reset(options={"reset_mask": np.zeros(2, np.bool_)})


def test_a_finished_game_that_is_not_reset_is_an_error():
    envs = QuadrigaVectorEnv("ur", 2, markers=1, autoreset_mode="Disabled")
    envs.reset(seed=3)
    over = np.zeros(2, np.bool_)
    while not over.any():
        over = envs.step(envs.action_space.sample())[2]
    with pytest.raises(IllegalActionError, match="is over"):
        envs.step(envs.action_space.sample())


def test_make_vec_makes_the_compiled_environment():
    envs = gym.make_vec("quadriga/ur-v1", num_envs=6, vectorization_mode="vector_entry_point", rules="finkel")
    assert isinstance(envs.unwrapped, QuadrigaVectorEnv)
    assert envs.reset(seed=1)[0]["observation"].shape == (6, envs.unwrapped.setup.width)


@pytest.mark.parametrize(("game", "keywords"), rows(SETUPS, lambda setup: setup[0] != "ave-caesar"))
def test_greedy_is_the_greedy_player_and_its_actions_are_legal(game, keywords):
    envs = QuadrigaVectorEnv(game, 8, **keywords)
    plain = QuadrigaVectorEnv(game, 8, compiled=False, **keywords)
    seen, _ = envs.reset(seed=3)
    plain.reset(seed=3)
    for _ in range(count(6, 12)):
        actions = envs.greedy()
        assert (actions == plain.greedy()).all()
        going = envs._ended == 0
        assert seen["action_mask"][np.arange(8), actions][going].all()
        seen, *_ = envs.step(actions)
        plain.step(actions)


def test_greedy_beats_chance_at_ur():
    envs = QuadrigaVectorEnv("ur", 200, rules="finkel")
    _, told = envs.reset(seed=5)
    envs.action_space.seed(5)
    mine, won, games = np.arange(200) % 2, 0, 0
    for _ in range(600):
        actions = np.where(told["seat"] == mine, envs.greedy(), envs.action_space.sample())
        _, _, over, _, told = envs.step(actions)
        if over.any():
            won += int((told["returns"][over, mine[over]] > 0).sum())
            games += int(over.sum())
    assert games > 200
    assert won > 0.7 * games


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_every_table_is_rendered(mode):
    envs = QuadrigaVectorEnv("ur", 2, render_mode=mode)
    envs.reset(seed=1)
    frames = there(envs.render())
    assert len(frames) == 2
    if mode == "ansi":
        assert "Black" in frames[0]
    else:
        assert frames[0].dtype == np.uint8
        assert frames[0].ndim == 3


def test_gymnasiums_own_benchmark_runs():
    assert performance.benchmark_vector_step(QuadrigaVectorEnv("ur", 16), target_duration=0.05, seed=1) > 0
