"""PettingZoo: every game of the house as an AEC environment with action masks.

    from quadriga.adapters.pettingzoo import env
    race = env("ave-caesar", seats=4, render_mode="ansi")

An agent observes `{"observation": ..., "action_mask": ...}`. The mask of whoever is not to decide is empty.
Chance happens by itself. All agents are alive until the game is over, though a chariot that is in is not asked
again before the next race; then all terminate at once, each with its utility as its only reward, and each takes
one last step with the action None, as PettingZoo's own loop does. Importing the module also registers
`quadriga/ur-v1` and its kin for `pettingzoo.make`.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.adapters.desk import PACKAGE, Desk, need
from quadriga.adapters.pixels import pixels
from quadriga.engine import solo
from quadriga.engine.errors import IllegalActionError, OptionError
from quadriga.engine.rng import Rng
from quadriga.engine.slots import OVER
from quadriga.games import BUILT_IN, find

need("pettingzoo", "pettingzoo", "PettingZoo")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv, register  # noqa: E402

RENDER_MODES = ("ansi", "rgb_array")


def env(game: str, *, seats: int | None = None, render_mode: str | None = None, **options: Any) -> QuadrigaEnv:
    """An environment of a game by its id, with the game's own options as keywords."""
    return QuadrigaEnv(game, seats=seats, render_mode=render_mode, **options)


class QuadrigaEnv(AECEnv):  # type: ignore[misc]
    """One game, driven one decision at a time. Agents are `player_0` and on, by seat."""

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        render_mode: str | None = None,
        compiled: bool | None = None,
        **options: object,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError("env.render", package=PACKAGE, mode=render_mode, known=list(RENDER_MODES))
        self.desk = desk = Desk(game, options, seats, compiled)
        self.metadata = {
            "name": f"quadriga_{game.replace('-', '_')}_v{desk.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(desk.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, width = desk.game.actions, desk.width
        whole = np.iinfo(np.int16)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(whole.min, whole.max, (width,), np.int16),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._begin, self._turn = desk.link(solo.begin), desk.direct(solo.turn)
        self._look, self._result = desk.direct(solo.look), desk.link(solo.result)
        self._state = desk.machine.states(1)
        self._rng = np.zeros(1, Rng.dtype)
        self._mask = np.zeros(actions, np.int8)
        self._nothing = np.zeros(actions, np.int8)
        self._seed = secrets.randbits(32)
        self._number = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent may be shown."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may be asked to choose from."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. A seed makes it, and those that follow it without one, reproducible."""
        if seed is not None:
            self._seed, self._number = seed, 0
        desk = self.desk
        seat = self._begin(
            desk.tables,
            desk.origin,
            self._state,
            self._rng,
            self._seed,
            self._number,
            desk.out,
            desk.weights,
            self._mask,
        )
        self._number += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[seat]

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; of an agent that is done, None."""
        if not self.agents:
            raise IllegalActionError("env.reset", package=PACKAGE)
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        desk = self.desk
        self._cumulative_rewards[self.agent_selection] = 0.0
        number = -1 if action is None else int(action)
        seat = self._turn(desk.tables, self._state, self._rng, number, desk.out, desk.weights, self._mask)
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
        elif seat == OVER:
            self._finish()
        else:
            legal = np.flatnonzero(self._mask).tolist()
            raise IllegalActionError("action.illegal", text=action, legal=legal)

    def _finish(self) -> None:
        """The game is over: everybody gets what his score is worth, and is done."""
        points = np.zeros(self.desk.seats, np.int64)
        self._result(self.desk.tables, self._state, points)
        self.rewards = dict(zip(self.agents, self.desk.utility(points).tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What an agent may see, by the game's `observe` alone, and what it may do."""
        row = np.empty(self.desk.width, np.int16)
        self._look(self.desk.tables, self._state, self._seat_of[agent], row)
        mask = self._mask if agent == self.agent_selection else self._nothing
        return {"observation": row, "action_mask": mask.copy()}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table as a spectator sees it: text, or the same as an image."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called, but no render_mode was given to env().")
            return None
        drawing = self.desk.drawing(self._state)
        return drawing.plain if self.render_mode == "ansi" else pixels(drawing)

    def close(self) -> None:
        """There is nothing to release."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


for _id in BUILT_IN:
    register("aec", f"quadriga/{_id}-v{find(_id).version}", f"{__name__}:env", kwargs={"game": _id})
