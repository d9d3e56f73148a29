"""OpenSpiel: importing this module registers `quadriga_ur`, `quadriga_ave_caesar` and `quadriga_ben_hvrt`.

    import pyspiel
    import quadriga.adapters.openspiel
    game = pyspiel.load_game("quadriga_ur(rules=finkel,markers=5)")

The parameters are `players` and the games' own options. Lists are written with slashes (`series=1/2/4`,
`courses=white cw/blue cw`; a list of one is `series=1/`), a custom file by its path. 0 and the empty text leave the
default. Chance is explicit. Observations, as tensors and strings, are the numbers of the game's `observe`. An
information state is a string: the seat's own actions and every change of its observation, from the beginning. In
Ur, which hides nothing, it is the history. Rewards come at the end: in Ur 1 and -1, in Ave Caesar the points,
in Ben Hvrt the Ducats.

A roll of Ur that cannot be used is followed by a `pass` of the seat that rolled, as in OpenSpiel's backgammon.
OpenSpiel's solvers follow chance until a seat decides, which without passes would never end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from quadriga.adapters.environment_state import GameSetup, need
from quadriga.adapters.position import Position
from quadriga.engine.game import Game
from quadriga.engine.kernels import single_env
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.options import Choice, Document, Flag, Option, Whole
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.games.avecaesar.rules.race import REWARDS

need("pyspiel", "openspiel", "OpenSpiel")

import pyspiel  # noqa: E402

from quadriga.adapters.openspiel_state import TERMINAL, Observer, QuadrigaState  # noqa: E402

LENGTHS = {"ur": 10_000, "ave-caesar": 20_000, "ben-hvrt": 10_000_000}
"""More decisions than any known game has: a bound that OpenSpiel asks for, not a rule that ends a game."""

_NONE: list[int] = []


def name_of(id: str) -> str:
    """Return the name of a game in OpenSpiel."""
    return f"quadriga_{id.replace('-', '_')}"


def _default(option: Option) -> Any:
    """Return the parameter for an option's default; OpenSpiel's parameters have one type each."""
    if isinstance(option, Choice | Flag):
        return option.default
    if isinstance(option, Whole):
        return 0 if callable(option.default) else option.default
    return ""


def _specification(game: Game) -> dict[str, Any]:
    return {"players": game.min_seats, **{option.name: _default(option) for option in game.options}}


def _parsed(option: Option, value: Any) -> object:
    """Return an option's value from a parameter."""
    if isinstance(option, Choice | Flag | Whole):
        return value
    return option.parse(value if isinstance(option, Document) else value.rstrip("/").replace("/", ","))


def _type_of(game: Game) -> Any:
    """Return OpenSpiel's description of a game that is not set up."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=name_of(game.id),
        long_name=catalogues.of("en", game.package)(f"{game.id}.title"),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if game.has_hidden_information
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM if game.id == "ur" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_specification(game),
    )


def _bounds(setup: GameSetup) -> tuple[float, float]:
    """Return the lowest and highest utility of a seat. In Ben Hvrt one seat may hold all Ducats, but no more."""
    if setup.game.id == "ur":
        return -1.0, 1.0
    if setup.game.id == "ave-caesar":
        return 0.0, float(REWARDS[0] * setup.t.races)
    return 0.0, float(sum(setup.record(setup.origin).purse))


class QuadrigaGame(pyspiel.Game):  # type: ignore[misc]
    """A game as OpenSpiel knows games."""

    id: str
    passes = False  # whether a player passes when a roll leads to the next roll

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        game = find(self.id)
        specified = _specification(game)
        given = {name: value for name, value in (parameters or {}).items() if value != specified.get(name)}
        seats = given.get("players", game.min_seats)
        options = {
            option.name: _parsed(option, given[option.name]) for option in game.options if option.name in given
        }
        setup = self.setup = GameSetup(self.id, options, seats)
        low, high = _bounds(setup)
        information = pyspiel.GameInfo(
            num_distinct_actions=game.actions + self.passes,
            max_chance_outcomes=game.max_outcomes + 1,  # outcomes are numbered from 0, or from 1
            num_players=setup.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if setup.zero_sum else None,
            max_game_length=LENGTHS[self.id],
        )
        for name, value in given.items():  # a list of one number would be read as a number
            if isinstance(value, str) and value.isdecimal():
                given[name] = value + "/"
        super().__init__(_TYPES[self.id], information, given)
        self.look, self.result = setup.direct(single_env.write_observation), setup.link(single_env.write_scores)
        self.recall = setup.link(single_env.observation_log)
        self.passing = [game.actions] if self.passes else None
        self.play = _stepper(setup, self.passing)
        self.first = Position(self.id, bytearray(setup.origin.tobytes()), CHANCE, [], [])
        self.play(self.first, None)
        self.seen, self.before = np.zeros(setup.width, np.int16), np.zeros(setup.width, np.int16)
        self.work = setup.machine.states(1)

    def new_initial_state(self) -> QuadrigaState:
        """Return the state at the beginning."""
        return QuadrigaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound, the same as for decisions."""
        return LENGTHS[self.setup.game.id]

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Observer | None:
        """Return an observer of the present or, with perfect recall, of the whole game; None for any other kind."""
        if params:
            raise ValueError(f"There are no observation parameters; passed {params}")
        if kind is None or (kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER):
            return Observer(self.setup.width, recall=kind is not None and kind.perfect_recall)
        return None


def _stepper(setup: GameSetup, passing: list[int] | None) -> Callable[[Position, int | None], None]:
    """Return the function that steps a position by an action or outcome, or by None only lists its choices.

    It is one function with everything it needs in local variables, because it takes most of a game's time.
    """
    advance, asked = setup.direct(single_env.step_and_find), setup.direct(single_env.find_legal)
    tables, out, weights, outcomes, outcome_weights = (
        setup.tables,
        setup.out,
        setup.weights,
        setup.out_view,
        setup.weights_view,
    )
    passed = passing[0] if passing else None
    turn_at: int = setup.game.state.dtype.fields["turn"][1] if passing else 0  # type: ignore[index]

    def move(position: Position, action: int | None) -> None:
        roller = -1
        if action is None or action == passed:
            code = asked(tables, position.batch, out, weights)
        else:
            if passing and position.player == CHANCE:
                roller = position.raw[turn_at]
            code = advance(tables, position.batch, action, out, weights)
        n, seat = code >> 4, (code & 15) - 2
        if seat == CHANCE:
            if passing and roller >= 0:
                position.player, position.choices, position.weights = roller, passing, _NONE
                return
            position.choices = outcomes[:n].tolist()
            position.weights = outcome_weights[:n].tolist()
            position.player = seat
            return
        choices = outcomes[:n].tolist()
        choices.sort()
        position.choices = choices
        position.weights = _NONE
        position.player = seat if seat != OVER else TERMINAL

    return move


class UrGame(QuadrigaGame):
    """The Royal Game of Ur, in Ben's and the common rule sets."""

    id = "ur"
    passes = True


class AveCaesarGame(QuadrigaGame):
    """Ave Caesar."""

    id = "ave-caesar"


class BenHvrtGame(QuadrigaGame):
    """Ben Hvrt."""

    id = "ben-hvrt"


_GAMES = (UrGame, AveCaesarGame, BenHvrtGame)
_TYPES = {each.id: _type_of(find(each.id)) for each in _GAMES}
for _each in _GAMES:  # classes: OpenSpiel releases functions after Python has ended, which crashes
    pyspiel.register_game(_TYPES[_each.id], _each)
