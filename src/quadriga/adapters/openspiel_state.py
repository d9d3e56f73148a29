"""States and observers for OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyspiel

from quadriga.engine.kernels import single_env
from quadriga.engine.kernels.slots import CHANCE

if TYPE_CHECKING:
    from quadriga.adapters.openspiel import QuadrigaGame

TERMINAL = int(pyspiel.PlayerId.TERMINAL)


class QuadrigaState(pyspiel.State):  # type: ignore[misc]
    """A position with its history. Beside the history, only one struct is copied or pickled."""

    __slots__ = ("__dict__", "_game")

    def __init__(self, game: QuadrigaGame) -> None:
        super().__init__(game)
        self._game = game  # in a slot, because OpenSpiel copies what is in the dictionary
        self._position = game.first.copy()

    def current_player(self) -> int:
        """Return the player to decide, or CHANCE or TERMINAL."""
        return self._position.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._position.player == TERMINAL

    def is_chance_node(self) -> bool:
        """Return whether the next step is an outcome of chance."""
        return self._position.player == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return self._position.choices

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player, by default of the one to decide; at a chance node, the outcomes."""
        if player is None or player == self._position.player:
            return self._position.choices[:]
        return super().legal_actions(player)  # type: ignore[no-any-return]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes and their probabilities."""
        position = self._position
        total = sum(position.weights)
        return [(each, weight / total) for each, weight in zip(position.choices, position.weights)]  # noqa: B905

    def _apply_action(self, action: int) -> None:
        self._game.play(self._position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        setup = self._game.setup
        return (
            "pass"
            if action == setup.game.rules.actions
            else setup.game.notation.text(setup.t, self._position.view, action)
        )

    def returns(self) -> list[float]:
        """Return the utility of each seat: 0 before the end."""
        setup = self._game.setup
        if self._position.player != TERMINAL:
            return [0.0] * setup.seats
        points = np.zeros(setup.seats, np.int64)
        self._game.result(setup.tables, self._position.batch, points)
        return list(map(float, setup.utility(points)))

    def observed(self, seat: int) -> npt.NDArray[np.int16]:
        """Return what a seat sees now; the array is the game's own, and the next call overwrites it."""
        game = self._game
        game.look(game.setup.tables, self._position.batch, seat, game.seen)
        return game.seen

    def recalled(self, seat: int) -> str:
        """Return a seat's information state: `index:number` for a change of its observation, `!action` for its own.

        In a game that hides nothing, return the history.
        """
        game = self._game
        setup = game.setup
        if not setup.game.rules.has_hidden_information:
            return str(self.history_str())
        actions = np.array(self.history(), np.int64)
        room = 1 << 14
        size = single_env.LOG_FULL
        while size == single_env.LOG_FULL:
            room *= 2
            log = np.zeros(room, np.int64)
            size = game.recall(
                setup.tables, setup.origin, game.work, actions, len(actions), seat, game.before, game.seen, log
            )
        pairs = log[:size].reshape(-1, 2).tolist()
        return " ".join(
            f"!{number}" if place == single_env.OWN_ACTION else f"{place}:{number}" for place, number in pairs
        )

    def __str__(self) -> str:
        passing = self._position.choices == self._game.passing
        return f"{self._position} pass" if passing else str(self._position)


class Observer:
    """The observation of a seat as a tensor and a string; with perfect recall, its information state."""

    def __init__(self, width: int, recall: bool) -> None:
        self.recall = recall
        self.tensor = None if recall else np.zeros(width, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: QuadrigaState, player: int) -> None:
        """Fill the tensor."""
        if self.tensor is not None:
            self.tensor[:] = state.observed(player)

    def string_from(self, state: QuadrigaState, player: int) -> str:
        """Return the non-zero numbers as `index:number`; with perfect recall, the seat's information state."""
        if self.recall:
            return state.recalled(player)
        return " ".join(
            f"{place}:{number}" for place, number in enumerate(state.observed(player).tolist()) if number
        )
