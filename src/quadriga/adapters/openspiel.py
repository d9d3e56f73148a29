"""OpenSpiel: importing this module registers `quadriga_ur`, `quadriga_ave_caesar` and `quadriga_ben_hvrt`.

    import pyspiel
    import quadriga.adapters.openspiel
    game = pyspiel.load_game("quadriga_ur(rules=finkel,markers=5)")

The games' own options are the parameters, and `players`. Lists are written with slashes (`series=1/2/4`,
`courses=white cw/blue cw`; of one thing `series=1/`), somebody's own file by its path; 0 and the empty text
leave the default. Chance is explicit. Observations, as tensors and strings, are what the game's `observe`
writes. An information state is a string: the seat's own actions and every change of what it observed, from the
beginning; in Ur, where all is seen, the history. Rewards come at the end: in Ur 1 and -1, in Ave Caesar the
points, in Ben Hvrt the Ducats.

A roll of Ur that nobody can use is followed by a `pass` of who rolled, as in OpenSpiel's backgammon: its
solvers follow chance for as long as nobody decides, which without passes is without end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.adapters.desk import Desk, need
from quadriga.adapters.position import Position
from quadriga.engine import solo, words
from quadriga.engine.game import Game
from quadriga.engine.options import Choice, Document, Flag, Option, Whole
from quadriga.engine.slots import CHANCE, OVER
from quadriga.games import find
from quadriga.games.avecaesar.rules.race import REWARDS

need("pyspiel", "openspiel", "OpenSpiel")

import pyspiel  # noqa: E402

LENGTHS = {"ur": 10_000, "ave-caesar": 20_000, "ben-hvrt": 10_000_000}
"""Decisions that no game is known to reach: what OpenSpiel wants as a bound, not a rule that ends a game."""

_NONE: list[int] = []
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)


def name_of(id: str) -> str:
    """What a game is called in OpenSpiel."""
    return f"quadriga_{id.replace('-', '_')}"


def _default(option: Option) -> Any:
    """What stands for an option's default in OpenSpiel, whose parameters have one type each."""
    if isinstance(option, Choice | Flag):
        return option.default
    if isinstance(option, Whole):
        return 0 if callable(option.default) else option.default
    return ""


def _specification(game: Game) -> dict[str, Any]:
    return {"players": game.least, **{option.name: _default(option) for option in game.options}}


def _parsed(option: Option, value: Any) -> object:
    """An option's value from a parameter."""
    if isinstance(option, Choice | Flag | Whole):
        return value
    return option.parse(value if isinstance(option, Document) else value.rstrip("/").replace("/", ","))


def _type_of(game: Game) -> Any:
    """What OpenSpiel is told of a game before it is set up."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=name_of(game.id),
        long_name=words.of("en", game.package)(f"{game.id}.title"),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION if game.hidden else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM if game.id == "ur" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.most,
        min_num_players=game.least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_specification(game),
    )


def _bounds(desk: Desk) -> tuple[float, float]:
    """The least and the most that a seat can get. In Ben Hvrt no Ducat is ever made: one seat may hold them all."""
    if desk.game.id == "ur":
        return -1.0, 1.0
    if desk.game.id == "ave-caesar":
        return 0.0, float(REWARDS[0] * desk.t.races)
    return 0.0, float(sum(desk.record(desk.origin).purse))


class QuadrigaGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games as OpenSpiel knows games."""

    id: str
    passes = False  # whether a player passes where a roll leads to the next roll

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        game = find(self.id)
        specified = _specification(game)
        given = {name: value for name, value in (parameters or {}).items() if value != specified.get(name)}
        seats = given.get("players", game.least)
        options = {
            option.name: _parsed(option, given[option.name]) for option in game.options if option.name in given
        }
        desk = self.desk = Desk(self.id, options, seats)
        low, high = _bounds(desk)
        information = pyspiel.GameInfo(
            num_distinct_actions=game.actions + self.passes,
            max_chance_outcomes=game.most_outcomes + 1,  # outcomes are numbered from 0, or from 1
            num_players=desk.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if desk.zero_sum else None,
            max_game_length=LENGTHS[self.id],
        )
        for name, value in given.items():  # a list of one number would be read as a number
            if isinstance(value, str) and value.isdecimal():
                given[name] = value + "/"
        super().__init__(_TYPES[self.id], information, given)
        self.look, self.result = desk.direct(solo.look), desk.link(solo.result)
        self.recall = desk.link(solo.recall)
        self.passing = [game.actions] if self.passes else None
        self.play = _stepper(desk, self.passing)
        self.first = Position(self.id, bytearray(desk.origin.tobytes()), CHANCE, [], [])
        self.play(self.first, None)
        self.seen, self.before = np.zeros(desk.width, np.int16), np.zeros(desk.width, np.int16)
        self.work = desk.machine.states(1)

    def new_initial_state(self) -> QuadrigaState:
        """The beginning."""
        return QuadrigaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound like that on decisions."""
        return LENGTHS[self.desk.game.id]

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Observer | None:
        """What a seat sees now, or all that it has seen; what all see is not told apart from that."""
        if params:
            raise ValueError(f"There are no observation parameters; passed {params}")
        if kind is None or (kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER):
            return Observer(self.desk.width, recall=kind is not None and kind.perfect_recall)
        return None


def _stepper(desk: Desk, passing: list[int] | None) -> Callable[[Position, int | None], None]:
    """How a position is moved on: by an action or outcome, or by None just to be told what may be done there.

    Written as one function with all that it needs at hand, since it is what a game driven from Python waits for.
    """
    advance, asked = desk.direct(solo.advance), desk.direct(solo.asked)
    tables, out, weights, written, weighed = desk.tables, desk.out, desk.weights, desk.written, desk.weighed
    passed = passing[0] if passing else None
    turn_at: int = desk.game.state.dtype.fields["turn"][1] if passing else 0  # type: ignore[index]

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
            position.choices = written[:n].tolist()
            position.weights = weighed[:n].tolist()
            position.player = seat
            return
        choices = written[:n].tolist()
        choices.sort()
        position.choices = choices
        position.weights = _NONE
        position.player = seat if seat != OVER else _TERMINAL

    return move


class QuadrigaState(pyspiel.State):  # type: ignore[misc]
    """A position with its history. All that is copied or written of it, beside the history, is one record."""

    __slots__ = ("__dict__", "_game")

    def __init__(self, game: QuadrigaGame) -> None:
        super().__init__(game)
        self._game = game  # in a slot: OpenSpiel copies what stands in the dictionary
        self._position = game.first.copy()

    def current_player(self) -> int:
        """Who is to decide, or CHANCE or TERMINAL."""
        return self._position.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._position.player == _TERMINAL

    def is_chance_node(self) -> bool:
        """Whether chance is to happen."""
        return self._position.player == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return self._position.choices

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What a player, by default who is to decide, may do; at a chance node what can happen."""
        if player is None or player == self._position.player:
            return self._position.choices[:]
        return super().legal_actions(player)  # type: ignore[no-any-return]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What can happen, and how likely."""
        position = self._position
        total = sum(position.weights)
        return [(each, weight / total) for each, weight in zip(position.choices, position.weights)]  # noqa: B905

    def _apply_action(self, action: int) -> None:
        self._game.play(self._position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        desk = self._game.desk
        return "pass" if action == desk.game.actions else desk.game.text(desk.t, self._position.view, action)

    def returns(self) -> list[float]:
        """What each seat has got: nothing before the end."""
        desk = self._game.desk
        if self._position.player != _TERMINAL:
            return [0.0] * desk.seats
        points = np.zeros(desk.seats, np.int64)
        self._game.result(desk.tables, self._position.batch, points)
        return list(map(float, desk.utility(points)))

    def observed(self, seat: int) -> npt.NDArray[np.int16]:
        """What a seat sees now; the array is the game's own and is written again."""
        game = self._game
        game.look(game.desk.tables, self._position.batch, seat, game.seen)
        return game.seen

    def recalled(self, seat: int) -> str:
        """All that a seat has seen: `place:number` for each change of its observation, `!action` for its own.

        Where nothing is hidden, that is the history.
        """
        game = self._game
        desk = game.desk
        if not desk.game.hidden:
            return str(self.history_str())
        actions = np.array(self.history(), np.int64)
        room = 1 << 14
        told = solo.TRIMMED
        while told == solo.TRIMMED:
            room *= 2
            log = np.zeros(room, np.int64)
            told = game.recall(
                desk.tables, desk.origin, game.work, actions, len(actions), seat, game.before, game.seen, log
            )
        pairs = log[:told].reshape(-1, 2).tolist()
        return " ".join(f"!{number}" if place == solo.ACTED else f"{place}:{number}" for place, number in pairs)

    def __str__(self) -> str:
        passing = self._position.choices == self._game.passing
        return f"{self._position} pass" if passing else str(self._position)


class Observer:
    """What a seat sees now, as a tensor and a string; or all that it has seen, as a string."""

    def __init__(self, width: int, recall: bool) -> None:
        self.recall = recall
        self.tensor = None if recall else np.zeros(width, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: QuadrigaState, player: int) -> None:
        """Fill the tensor."""
        if self.tensor is not None:
            self.tensor[:] = state.observed(player)

    def string_from(self, state: QuadrigaState, player: int) -> str:
        """The numbers that are not zero, by their places; or what `recalled` tells."""
        if self.recall:
            return state.recalled(player)
        return " ".join(
            f"{place}:{number}" for place, number in enumerate(state.observed(player).tolist()) if number
        )


class UrGame(QuadrigaGame):
    """The Royal Game of Ur, Ben's and the world's rule sets."""

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
for _each in _GAMES:  # classes, since OpenSpiel lets go of them after Python has ended, which kills mere functions
    pyspiel.register_game(_TYPES[_each.id], _each)
