"""PettingZoo: its own tests on our games, the loop of its tutorial, and the observations."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest

from adapters.extras import need
from soak import count, rows

need("pettingzoo", "pettingzoo")

import pettingzoo  # noqa: E402

with warnings.catch_warnings():  # PettingZoo's tests import its games in a way that it warns of
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.utils import wrappers  # noqa: E402

from quadriga.adapters.pettingzoo import env  # noqa: E402
from quadriga.engine.errors import IllegalActionError, OptionError, UnknownGameError  # noqa: E402
from quadriga.engine.kernels.rng import Rng, start  # noqa: E402
from quadriga.engine.text import catalogues  # noqa: E402

SETUPS = [
    ("ur", {}),
    ("ur", {"rules": "finkel", "markers": 2}),
    ("ave-caesar", {"seats": 4}),
    ("ave-caesar", {"seats": 6, "courses": ["yellow cw"], "variants": ["crash-and-burn"]}),
    ("ben-hvrt", {"seats": 2, "series": [1]}),
    ("ben-hvrt", {"seats": 5, "series": [1], "bribes": True}),
    ("highcard", {"seats": 3}),
]
GAMES = pytest.mark.parametrize(
    ("game", "keywords"), SETUPS, ids=lambda value: value if isinstance(value, str) else ""
)

# api_test knows environments with masks by a list of its own, of PettingZoo's classics; it warns of all others.
MASKED = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # of agents that are done
)


def masked(test):
    for warning in MASKED:
        test = pytest.mark.filterwarnings(warning)(test)
    return test


def finished(race, seed=0):
    """Play an environment to its end by PettingZoo's tutorial; return the reward of every agent."""
    race.reset(seed=seed)
    got = {}
    for agent in race.possible_agents:
        race.action_space(agent).seed(seed)
    for agent in race.agent_iter():
        observation, reward, termination, truncation, _ = race.last()
        action = None if termination or truncation else race.action_space(agent).sample(observation["action_mask"])
        race.step(action)
        got[agent] = reward
    return got


@masked
@pytest.mark.parametrize(("game", "keywords"), rows(SETUPS, lambda setup: SETUPS.index(setup) in (1, 3, 5, 6)))
def test_pettingzoos_api_test_passes(game, keywords):
    api_test(env(game, **keywords), num_cycles=count(40, 300))


@GAMES
def test_pettingzoos_seed_test_passes(game, keywords):
    seed_test(lambda: env(game, **keywords), num_cycles=count(40, 200))


def test_pettingzoos_performance_benchmark_runs(monkeypatch, capsys):
    """It runs for five seconds by the clock that it is shown."""
    clock = iter(range(10**9))
    monkeypatch.setattr(sys.modules[performance_benchmark.__module__].time, "time", lambda: float(next(clock)))
    performance_benchmark(env("ave-caesar"))
    assert "turns per second" in capsys.readouterr().out


@GAMES
def test_the_loop_of_the_tutorial_plays_to_the_end(game, keywords):
    race = env(game, **keywords)
    got = finished(race)
    assert race.agents == []
    assert set(got) == set(race.possible_agents)
    if game == "ur":
        assert sorted(got.values()) == [-1.0, 1.0]


def test_chariots_finish_at_different_times_and_agents_are_done_together():
    """A finished chariot is not asked again. Its agent gets its points, and takes its last step, at the end."""
    race = env("ave-caesar", seats=4, courses=["white cw"])
    for seed in range(40):  # until one gets home before the others
        asked_last: dict[str, int] = {}
        race.reset(seed=seed)
        race.action_space("player_0").seed(seed)
        step = 0
        while not race.terminations[race.agent_selection]:
            asked_last[race.agent_selection] = step = step + 1
            assert len(race.agents) == 4
            race.step(race.action_space("player_0").sample(race.last()[0]["action_mask"]))
        winner = max(race.rewards, key=race.rewards.__getitem__)
        if race.rewards[winner] == 6 and asked_last[winner] + 2 < step:
            break
    assert race.rewards[winner] == 6
    assert asked_last[winner] + 2 < step
    assert all(race.terminations.values())
    for _ in range(4):
        with pytest.raises(ValueError, match="None"):
            race.step(0)
        race.step(None)
    assert race.agents == []


@GAMES
def test_observations_equal_observe_and_are_equal_in_two_worlds(game, keywords):
    race = env(game, **keywords)
    setup = race.setup
    rng = Rng()
    race.reset(seed=5)
    for agent in race.possible_agents:
        race.action_space(agent).seed(5)
    for moment in range(120):
        if race.terminations[race.agent_selection]:
            break
        state = setup.struct(race._state)
        truth = state.tobytes()
        for seat, agent in enumerate(race.possible_agents):
            seen = race.observe(agent)
            row = np.zeros(setup.width, np.int16)
            setup.game.rules.observe(setup.t, state, seat, row.data)
            assert (seen["observation"] == row).all()
            assert seen["action_mask"].any() == (agent == race.agent_selection)
            start(rng, moment, seat)
            setup.game.rules.deal(setup.t, state, seat, rng)
            assert (race.observe(agent)["observation"] == row).all()
            state.assign(truth)
        race.step(race.action_space(race.agent_selection).sample(race.observe(race.agent_selection)["action_mask"]))


@GAMES
def test_compiled_and_plain_environments_are_the_same(game, keywords):
    fast, plain = env(game, **keywords), env(game, compiled=False, **keywords)
    fast.reset(seed=8)
    plain.reset(seed=8)
    fast.action_space("player_0").seed(8)
    for _ in range(80):
        assert fast.agent_selection == plain.agent_selection
        one, two = fast.last(), plain.last()
        assert one[1:] == two[1:]
        assert all((one[0][key] == two[0][key]).all() for key in one[0])
        if one[2]:
            break
        action = fast.action_space("player_0").sample(one[0]["action_mask"])
        fast.step(action)
        plain.step(action)


def test_observations_are_new_with_every_call():
    race = env("ur")
    race.reset(seed=1)
    first = race.observe("player_0")
    kept = {key: value.copy() for key, value in first.items()}
    race.step(int(np.flatnonzero(race.last()[0]["action_mask"])[0]))
    race.observe("player_0")
    assert all((first[key] == kept[key]).all() for key in first)


def test_seeds_make_games_and_games_that_follow_reproducible():
    one, two = env("ave-caesar"), env("ave-caesar")
    assert [finished(one, seed=4), finished(one, seed=None)][0] == finished(two, seed=4)
    races = []
    for race in (one, two):
        race.reset(seed=9)
        race.reset()
        races.append(race._state.tobytes())
    assert races[0] == races[1]
    one.reset(seed=9)
    assert one._state.tobytes() != races[0]


def test_an_illegal_action_is_refused_with_what_is_legal_and_changes_nothing():
    race = env("ur")
    with pytest.raises(IllegalActionError, match="call reset"):
        race.step(0)
    race.reset(seed=1)
    before = race._state.tobytes()
    for wrong in (95, -1, 96, None):
        with pytest.raises(IllegalActionError, match=r"is not legal here. Legal: \d"):
            race.step(wrong)
    assert race._state.tobytes() == before


def test_pettingzoos_wrapper_against_illegal_actions_works():
    race = wrappers.TerminateIllegalWrapper(env("ur"), illegal_reward=-1)
    race.reset(seed=1)
    race.step(95)
    assert race.terminations == {"player_0": True, "player_1": True}


def test_bad_set_ups_are_refused():
    with pytest.raises(UnknownGameError, match="There is no game 'chess'"):
        env("chess")
    with pytest.raises(OptionError, match="There are: ansi, rgb_array"):
        env("ur", render_mode="human")
    with pytest.raises(OptionError, match="There is no option 'colour'"):
        env("ur", colour="red")


def test_pettingzoos_registry_makes_our_games():
    race = pettingzoo.make("aec", "quadriga/ave-caesar-v2", seats=5)
    assert race.possible_agents == [f"player_{seat}" for seat in range(5)]


def test_errors_have_french_texts():
    with pytest.raises(OptionError) as refusal:
        env("ur", render_mode="human")
    assert refusal.value.text("fr") == "Il n'y a pas de mode d'affichage 'human' ici. Il y a : ansi, rgb_array."


@GAMES
def test_text_is_what_a_spectator_sees_and_the_image_shows_the_same(game, keywords):
    race, pictured = env(game, render_mode="ansi", **keywords), env(game, render_mode="rgb_array", **keywords)
    frames = []
    for each in (race, pictured):
        each.reset(seed=2)
        each.action_space("player_0").seed(2)
        for _ in range(20):
            if not each.terminations[each.agent_selection]:
                each.step(each.action_space("player_0").sample(each.last()[0]["action_mask"]))
        frames.append(each.render())
    text, image = frames
    assert isinstance(text, str)
    assert isinstance(image, np.ndarray)
    setup = race.setup
    seen = setup.game.display.view(setup.t, setup.struct(race._state), -1)
    assert text == setup.game.display.render_text(setup.t, seen, catalogues.of("en", setup.game.package)).plain
    assert image.dtype == np.uint8
    assert image.shape[0] == 20 * (len(text.split("\n")) + 1)
    assert image.shape[2] == 3
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 2
    race.close()


@pytest.mark.filterwarnings("ignore:.*no render_mode was given")
def test_without_a_render_mode_there_is_nothing_to_see():
    race = env("ur")
    race.reset(seed=1)
    assert race.render() is None
