"""PettingZoo: every game as an AEC environment with action masks.

    from quadriga.adapters.pettingzoo import env
    race = env("ave-caesar", seats=4, render_mode="ansi")

An agent observes `{"observation": ..., "action_mask": ...}`. The mask of an agent that is not to decide is empty.
Chance happens by itself. All agents are alive until the game is over, though a chariot that has finished is not
asked again before the next race. Then all terminate at once, each with its utility as its only reward, and each
takes one last step with the action None, as PettingZoo's own loop does. Importing the module also registers
`quadriga/ur-v1` and the other games for `pettingzoo.make`.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.adapters.environment_state import PACKAGE, GameSetup, need
from quadriga.adapters.pixels import pixels
from quadriga.engine.errors import IllegalActionError, OptionError
from quadriga.engine.kernels import single_env
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.kernels.slots import OVER
from quadriga.games import BUILT_IN, find

need("pettingzoo", "pettingzoo", "PettingZoo")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv, register  # noqa: E402

RENDER_MODES = ("ansi", "rgb_array")


def env(game: str, *, seats: int | None = None, render_mode: str | None = None, **options: Any) -> QuadrigaEnv:
    """Return an environment of a game by its id, with the game's own options as keywords."""
    return QuadrigaEnv(game, seats=seats, render_mode=render_mode, **options)


class QuadrigaEnv(AECEnv):  # type: ignore[misc]
    """One game, stepped one decision at a time. Agents are `player_0` and on, by seat."""

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
        self.setup = setup = GameSetup(game, options, seats, compiled)
        self.metadata = {
            "name": f"quadriga_{game.replace('-', '_')}_v{setup.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(setup.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, width = setup.game.rules.actions, setup.width
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
        self._begin, self._turn = setup.link(single_env.start_game), setup.direct(single_env.play_action)
        self._look, self._result = setup.direct(single_env.write_observation), setup.link(single_env.write_scores)
        self._state = setup.machine.states(1)
        self._mask = np.zeros(actions, np.int8)
        arrays: dict[str, Any] = {
            "tables": setup.tables,
            "origin": setup.origin,
            "batch": self._state,
            "rngs": np.zeros(1, Rng.dtype),
            "out": setup.out,
            "weights": setup.weights,
            "mask": self._mask,
        }
        self._single = single_env.Single(**arrays)
        self._nothing = np.zeros(actions, np.int8)
        self._seed = secrets.randbits(32)
        self._number = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. A seed makes it, and those that follow without one, reproducible."""
        if seed is not None:
            self._seed, self._number = seed, 0
        seat = self._begin(self._single, self._seed, self._number)
        self._number += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[seat]

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; for an agent that is done it is None."""
        if not self.agents:
            raise IllegalActionError("env.reset", package=PACKAGE)
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        seat = self._turn(self._single, -1 if action is None else int(action))
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
        elif seat == OVER:
            self._finish()
        else:
            legal = np.flatnonzero(self._mask).tolist()
            raise IllegalActionError("action.illegal", text=action, legal=legal)

    def _finish(self) -> None:
        """End the game: every agent gets the utility of its score and terminates."""
        points = np.zeros(self.setup.seats, np.int64)
        self._result(self.setup.tables, self._state, points)
        self.rewards = dict(zip(self.agents, self.setup.utility(points).tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return what an agent may see, by the game's `observe` alone, and its legal actions."""
        row = np.empty(self.setup.width, np.int16)
        self._look(self.setup.tables, self._state, self._seat_of[agent], row)
        mask = self._mask if agent == self.agent_selection else self._nothing
        return {"observation": row, "action_mask": mask.copy()}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the game as a spectator sees it: text, or the same as an image."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called, but no render_mode was given to env().")
            return None
        drawing = self.setup.drawing(self._state)
        return drawing.plain if self.render_mode == "ansi" else pixels(drawing)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


for _id in BUILT_IN:
    register("aec", f"quadriga/{_id}-v{find(_id).version}", f"{__name__}:env", kwargs={"game": _id})
