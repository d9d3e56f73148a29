"""OpenSpiel: importing this module registers every game that has utilities, such as `quadriga_ur`.

    import pyspiel
    import quadriga.adapters.openspiel
    game = pyspiel.load_game("quadriga_ur(rules=finkel,markers=5)")

The parameters are `players` and the games' own options. Lists are written with slashes (`series=1/2/4`,
`courses=white cw/blue cw`; a list of one is `series=1/`), a custom file by its path. 0 and the empty text leave the
default. Chance is explicit. Observations, as tensors and strings, are the numbers of the game's `observe`. An
information state is a string: the seat's own actions and every change of its observation, from the beginning. In
a game that hides nothing, it is the history. Rewards come at the end: 1 and -1 in a game for a win alone, else the
scores.

In a game with a `passing_seat`, a roll that cannot be used is followed by a `pass` of the seat that rolled, as in
OpenSpiel's backgammon. Its solvers follow chance until a seat decides, which without passes would never end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from quadriga.adapters.environment_state import GameSetup, need
from quadriga.adapters.position import Position
from quadriga.engine.game import Game
from quadriga.engine.kernels import single_env
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.options import Choice, Document, Flag, Option, Whole
from quadriga.engine.parts.rules import Utilities
from quadriga.engine.text import catalogues
from quadriga.games import find, ids

need("pyspiel", "openspiel", "OpenSpiel")

import pyspiel  # noqa: E402

from quadriga.adapters.openspiel_state import TERMINAL, Observer, QuadrigaState  # noqa: E402

_NONE: list[int] = []


def name_of(id: str) -> str:
    """Return the name of a game in OpenSpiel."""
    return f"quadriga_{id.replace('-', '_')}"


def _default(option: Option) -> Any:
    """Return the default of an option as an OpenSpiel parameter, which has one type; 0 or "" if it is computed."""
    if isinstance(option, Choice | Flag | Whole) and not callable(option.default):
        return option.default
    return 0 if isinstance(option, Whole) else ""  # stands for a default that depends on other options


def _specification(game: Game) -> dict[str, Any]:
    return {"players": game.min_seats, **{option.name: _default(option) for option in game.options}}


def _parsed(option: Option, value: Any) -> object:
    """Return an option's value from a parameter."""
    if isinstance(option, Choice) or not isinstance(value, str):
        return value
    return option.parse(value if isinstance(option, Document) else value.rstrip("/").replace("/", ","))


def _type_of(game: Game) -> Any:
    """Return the `pyspiel.GameType` of a game: name, kinds of information and utility, players, parameters."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=name_of(game.id),
        long_name=catalogues.of("en", game.package)(f"{game.id}.title"),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if game.rules.has_hidden_information
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM if _utilities(game).is_zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_specification(game),
    )


def _utilities(game: Game) -> Utilities:
    """Return the utilities of a game. Only games that have them are registered."""
    found = game.rules.utilities
    assert found is not None
    return found


class QuadrigaGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options as a `pyspiel.Game`."""

    id: str

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        game = find(self.id)
        specified = _specification(game)
        given = {name: value for name, value in (parameters or {}).items() if value != specified.get(name)}
        seats = given.get("players", game.min_seats)
        options = {
            option.name: _parsed(option, given[option.name]) for option in game.options if option.name in given
        }
        setup = self.setup = GameSetup(self.id, options, seats)
        utilities = _utilities(game)
        low, high = utilities.bounds(setup.t, setup.struct(setup.origin))
        passes = utilities.passing_seat is not None
        information = pyspiel.GameInfo(
            num_distinct_actions=game.rules.actions + passes,
            max_chance_outcomes=game.rules.max_outcomes + 1,  # outcomes are numbered from 0, or from 1
            num_players=setup.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if setup.zero_sum else None,
            max_game_length=utilities.longest,
        )
        for name, value in given.items():  # a list of one number would be read as a number
            if isinstance(value, str) and value.isdecimal():
                given[name] = value + "/"
        super().__init__(_TYPES[self.id], information, given)
        self.look, self.result = setup.direct(single_env.write_observation), setup.link(single_env.write_scores)
        self.recall = setup.link(single_env.observation_log)
        self.passing = [game.rules.actions] if passes else None
        self.play = _stepper(setup, self.passing)
        self.first = Position(self.id, bytearray(setup.origin.tobytes()), CHANCE, [], [])
        self.play(self.first, None)
        self.seen, self.before = np.zeros(setup.width, np.int16), np.zeros(setup.width, np.int16)
        self.work = setup.machine.states(1)

    def new_initial_state(self) -> QuadrigaState:
        """Return the state at the beginning."""
        return QuadrigaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound on the chance nodes of a game, the same as on its decisions."""
        return _utilities(self.setup.game).longest

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Observer | None:
        """Return an observer of the position or, with perfect recall, of the game; None for any other kind."""
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
    seat_field = _utilities(setup.game).passing_seat
    turn_at: int = setup.game.rules.state.dtype.fields[seat_field][1] if seat_field else 0  # type: ignore[index]

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


def _registered() -> Iterator[type[QuadrigaGame]]:
    """Yield a subclass for each game to register. OpenSpiel frees a function after Python's end, and crashes."""
    for each in ids():
        if find(each).rules.utilities is not None:
            name = "".join(word.capitalize() for word in each.split("-")) + "Game"
            yield type(name, (QuadrigaGame,), {"id": each, "__module__": __name__, "__doc__": f"The game {each}."})


_GAMES = tuple(_registered())
_TYPES = {each.id: _type_of(find(each.id)) for each in _GAMES}
for _each in _GAMES:
    pyspiel.register_game(_TYPES[_each.id], _each)
