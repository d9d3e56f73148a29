"""OpenSpiel: its own tests, solvers and playthroughs on our games."""

from __future__ import annotations

import copy
import pickle
import random
import sys

import numpy as np
import pytest

from adapters.extras import need
from adapters.playthroughs.make import HERE, PLAYED, condensed

need("pyspiel", "openspiel")

import pyspiel  # noqa: E402
from open_spiel.python.algorithms import mcts, minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import quadriga.adapters.openspiel  # noqa: E402, F401
from quadriga.adapters.position import Position  # noqa: E402
from quadriga.engine.errors import OptionError  # noqa: E402
from quadriga.engine.kernels.rng import Rng, start  # noqa: E402
from soak import only_in_soak, rows  # noqa: E402

GAMES = [
    "quadriga_ur",
    "quadriga_ur(loop=other,markers=2)",
    "quadriga_ur(rules=finkel)",
    "quadriga_ur(rules=masters)",
    "quadriga_ur(markers=3,rules=blitz)",
    "quadriga_ave_caesar(courses=white cw/)",
    "quadriga_ave_caesar(courses=blue ccw/white cw,players=4,variants=bottom-card/dishonour)",
    "quadriga_ben_hvrt(series=1/)",
    "quadriga_ben_hvrt(offers=0,players=3,series=1/)",
]
SIMULATED = [
    "quadriga_ur",
    "quadriga_ur(rules=masters)",
    "quadriga_ave_caesar(courses=blue ccw/white cw,players=4,variants=bottom-card/dishonour)",
    "quadriga_ben_hvrt(offers=0,players=3,series=1/)",
]
SMALL = [
    "quadriga_ur(markers=1)",
    "quadriga_ave_caesar(courses=white cw/)",
    "quadriga_ben_hvrt(offers=0,series=1/)",
]


def played(name, seed, moves=10_000):
    """Return a state after some random moves, at a decision or at the end."""
    chooser = random.Random(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal() and (moves > 0 or state.is_chance_node()):
        moves -= 1
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, chances)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", rows(GAMES, lambda name: name in SIMULATED))
def test_openspiels_random_simulation_and_serialisation_pass(name):
    """Ben Hvrt is played in series of one race: a whole series is as long as many games of the others."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_games_name_with_its_parameters_gives_the_same_game(name):
    game = pyspiel.load_game(name)
    assert str(pyspiel.load_game(str(game))) == str(game)
    if "(" in name:
        assert str(game) == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("quadriga_ur(rules=bridge)", "The option rules cannot be 'bridge'"),
        ("quadriga_ur(markers=9)", "The option markers cannot be 9; it takes: 1..7"),
        ("quadriga_ave_caesar(players=9)", "9 seats are not possible"),
        ("quadriga_ben_hvrt(series=7/)", "The option series cannot be"),
    ],
)
def test_bad_parameters_are_refused_with_valid_ones(name, message):
    with pytest.raises(OptionError) as refusal:
        pyspiel.load_game(name)
    assert message in str(refusal.value)


@pytest.mark.parametrize("name", SMALL)
def test_a_clone_is_an_independent_copy_of_one_record(name):
    state = played(name, 1, moves=40)
    assert list(vars(state)) == ["_position"]
    twin = state.clone()
    one, two = state._position, twin._position
    assert isinstance(two, Position)
    assert one.raw == two.raw
    assert one.raw is not two.raw
    assert two.choices is one.choices
    before = bytes(one.raw)
    twin.apply_action(twin.legal_actions()[0])
    assert bytes(one.raw) == before
    assert state.history() == twin.history()[:-1]
    assert copy.deepcopy(one).raw == one.raw
    assert bytes(pickle.loads(pickle.dumps(one)).raw) == before


@pytest.mark.parametrize("name", SMALL)
def test_a_state_is_serialised_and_read_back(name):
    state = played(name, 2, moves=60)
    game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert str(again) == str(state)
    assert again.history() == state.history()
    assert again.legal_actions() == state.legal_actions()
    for player in range(game.num_players()):
        assert again.information_state_string(player) == state.information_state_string(player)


def test_offers_and_bribes_are_played_piece_by_piece_to_the_end():
    """OpenSpiel's simulation asks for every information state at every move, which takes too long with bribes."""
    state = played("quadriga_ben_hvrt(bribes=True,players=3,series=1/)", 4, moves=10**6)
    assert state.is_terminal()
    assert sum(state.returns()) <= state.get_game().max_utility()
    game = state.get_game().setup.game
    assert any(action >= game.rules.actions - 100 for action in state.history())


@pytest.mark.parametrize("name", GAMES)
def test_chance_is_explicit_and_weighs_as_the_rules_say(name):
    state = pyspiel.load_game(name).new_initial_state()
    assert state.is_chance_node()
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
    if name == "quadriga_ur":
        assert state.chance_outcomes() == [(0, 1 / 8), (1, 3 / 8), (2, 3 / 8), (3, 1 / 8)]


@pytest.mark.parametrize("name", GAMES)
def test_observations_equal_observe_and_are_equal_in_two_worlds(name):
    """Redealt by the game's own `redeal`, a position shows its seat the same tensor and string, and no other."""
    game = pyspiel.load_game(name)
    setup = game.setup
    observation = make_observation(game)
    rng = Rng()
    differ = 0
    for moves in (30, 60, 90, 150):
        state = played(name, moves, moves)
        for seat in range(game.num_players()):
            row = np.zeros(setup.width, np.int16)
            setup.game.rules.observe(setup.t, state._position.view, seat, row.data)
            observation.set_from(state, seat)
            assert (observation.tensor == row).all()
            world = state.clone()
            start(rng, moves, seat)
            setup.game.rules.deal(setup.t, world._position.view, seat, rng)
            differ += world._position.raw != state._position.raw
            assert world.observation_tensor(seat) == state.observation_tensor(seat)
            assert world.observation_string(seat) == state.observation_string(seat)
    assert bool(differ) == setup.game.rules.has_hidden_information


@pytest.mark.parametrize("name", SMALL)
def test_an_information_state_decides_what_is_legal_and_only_grows(name):
    legal: dict[tuple[int, str], list[int]] = {}
    for seed in range(3):
        chooser = random.Random(seed)
        state = pyspiel.load_game(name).new_initial_state()
        before = [""] * state.num_players()
        for _ in range(120):
            if state.is_terminal():
                break
            for seat in range(state.num_players()):
                told = state.information_state_string(seat)
                assert told.startswith(before[seat])
                before[seat] = told
            seat = state.current_player()
            if seat >= 0:
                known = legal.setdefault((seat, before[seat]), state.legal_actions())
                assert known == state.legal_actions()
            state.apply_action(chooser.choice(state.legal_actions()))
    assert len(legal) > 50


def test_an_information_state_does_not_depend_on_the_hands_of_others():
    """Two deals of Ave Caesar that differ only in the hands of others are one information state."""
    name = "quadriga_ave_caesar(courses=white cw/)"
    state = pyspiel.load_game(name).new_initial_state()
    for value in (3, 2, 1):  # who cuts the highest begins
        state.apply_action(value)
    other = state.clone()
    while state.is_chance_node():
        seat = state._game.setup.game.notation.roller(state._game.setup.t, state._position.view)
        choices = state.legal_actions()
        state.apply_action(choices[0])
        other.apply_action(choices[0] if seat == 0 else other.legal_actions()[-1])
    assert state.information_state_string(0) == other.information_state_string(0)
    assert state.information_state_string(1) != other.information_state_string(1)


def test_a_roll_of_ur_that_nobody_can_use_is_passed():
    state = pyspiel.load_game("quadriga_ur(rules=finkel)").new_initial_state()
    state.apply_action(0)
    assert state.current_player() == 0
    (only,) = state.legal_actions()
    assert state.action_to_string(only) == "pass"
    assert str(state) != str(state.child(only))
    state.apply_action(only)
    assert state.is_chance_node()
    assert state.history_str() == f"0, {only}"


def _value(state, values):
    if state.is_chance_node():
        return sum(chance * _value(state.child(each), values) for each, chance in state.chance_outcomes())
    return values[str(state)]


@pytest.fixture
def deep():
    """Allow deep recursion: OpenSpiel's walk over all states calls itself at every move."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize(("rules", "fair"), [only_in_soak("ben", True), only_in_soak("finkel", False)])
def test_openspiel_solves_small_ur(rules, fair, deep):
    """Ben's opening roll is fair; by Finkel's rules it is better to begin. A won race is worth 1."""
    game = pyspiel.load_game(f"quadriga_ur(markers=1,rules={rules})")
    from open_spiel.python.algorithms import value_iteration  # two seconds, and every test process reads this file

    values = value_iteration.value_iteration(game, -1, 1e-6, cyclic_game=True)
    assert len(values) > 1000
    root = _value(game.new_initial_state(), values)
    assert root == pytest.approx(0, abs=1e-5) if fair else 0.01 < root < 0.2
    # The solver's values hold where its expectiminimax looks one decision ahead.
    state = played(str(game), 3, 12)
    while state.is_terminal() or len(state.legal_actions()) < 1 or state.current_player() != 0:
        state = played(str(game), random.Random(str(state)).randrange(1000), 12)
    value, _ = minimax.expectiminimax(state, 1, value_function=lambda s: _value(s, values), maximizing_player_id=0)
    assert value == pytest.approx(values[str(state)], abs=1e-4)


@pytest.mark.parametrize("name", SMALL)
def test_openspiels_mcts_plays_our_games(name):
    state = played(name, 5, 30)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(state.get_game(), 2, 20, evaluator, random_state=np.random.RandomState(2))
    assert bot.step(state) in state.legal_actions()


@pytest.mark.soak
def test_openspiels_mcts_beats_chance_at_ur():
    game = pyspiel.load_game("quadriga_ur(markers=2,rules=blitz)")
    chooser = random.Random(1)
    won = 0
    for number in range(20):
        seat = number % 2
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(number))
        bot = mcts.MCTSBot(game, 2, 30, evaluator, random_state=np.random.RandomState(number))
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(outcomes, chances)[0])
            elif state.current_player() == seat and len(state.legal_actions()) > 1:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
        won += state.returns()[seat] > 0
    assert won >= 12


@pytest.mark.parametrize("name", rows(list(PLAYED), lambda name: name != "ben_hvrt"))
def test_the_playthrough_is_unchanged(name):
    from open_spiel.python.algorithms import generate_playthrough

    text = generate_playthrough.playthrough(PLAYED[name], None, seed=1)
    assert condensed(text) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


def test_every_playthrough_has_its_file_and_every_file_its_playthrough():
    assert {path.stem for path in HERE.glob("*.txt")} == set(PLAYED)
