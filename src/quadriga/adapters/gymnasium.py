"""Gymnasium: thousands of games as a vector environment, stepped in compiled code.

    from quadriga.adapters.gymnasium import QuadrigaVectorEnv
    envs = QuadrigaVectorEnv("ur", num_envs=1024)

The seat to decide in a game is its agent: the observation and the mask of legal actions are that seat's, and
`infos["seat"]` is its number. The reward of a step is that of the seat that acted. When a game ends, the returns of
all seats are in `infos["returns"]`. An action that is not legal is an error, and then no game has moved. For agents
that do not use masks, `illegal="random"` plays a random legal action instead. `action_space.sample()` returns legal
actions. Importing the module also registers `quadriga/ur-v1` and the other games for `gymnasium.make` and
`gymnasium.make_vec`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from quadriga.adapters.environment_state import PACKAGE, GameSetup, need
from quadriga.adapters.pixels import pixels
from quadriga.engine.errors import IllegalActionError, OptionError
from quadriga.engine.kernels import vector_env
from quadriga.engine.kernels.rng import Rng
from quadriga.games import BUILT_IN, find
from quadriga.players.vector_greedy import advise_all, vector_greedy

need("gymnasium", "gymnasium", "Gymnasium")

import gymnasium as gym  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.utils import seeding  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

from quadriga.adapters.gymnasium_spaces import LegalAction, LegalActions  # noqa: E402

ILLEGAL = ("refuse", "random")
RENDER_MODES = ("ansi", "rgb_array")

Arrays = dict[str, npt.NDArray[Any]]


class QuadrigaVectorEnv(VectorEnv):  # type: ignore[misc]
    """Many games side by side, with autoreset by Gymnasium's rules.

    `step` and `reset` return new arrays with every call. With `copy=False` they return the environment's own
    arrays: read them only, and before the next call, which writes what has changed.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seats: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        illegal: str = "refuse",
        copy: bool = True,
        render_mode: str | None = None,
        compiled: bool | None = None,
        **options: object,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError("env.render", package=PACKAGE, mode=render_mode, known=list(RENDER_MODES))
        if type(num_envs) is not int or num_envs < 1:
            raise OptionError("option.value", name="num_envs", value=num_envs, allowed="1..")
        if illegal not in ILLEGAL:
            raise OptionError("env.illegality", package=PACKAGE, how=illegal, known=list(ILLEGAL))
        self.setup = setup = GameSetup(game, options, seats, compiled)
        self.replaces_illegal = illegal == "random"
        self.num_envs, self.copy, self.render_mode = num_envs, copy, render_mode
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        actions = setup.game.rules.actions
        whole = np.iinfo(np.int16)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(whole.min, whole.max, (setup.width,), np.int16),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(actions)
        self.action_space = LegalActions(self, actions)
        self._seed, self._deal = setup.direct(vector_env.vector_seed), setup.direct(vector_env.vector_deal)
        self._check, self._step = setup.direct(vector_env.vector_check), setup.direct(vector_env.vector_step)
        self._choose, self._replace = (
            setup.direct(vector_env.vector_choose),
            setup.direct(vector_env.vector_replace),
        )
        self._vector = cast(
            "Any", vector_env.allocate(setup.machine, setup.tables, setup.origin, setup.seats, num_envs)
        )
        self._states, self._rngs, self._points = self._vector.batch, self._vector.rngs, self._vector.points
        self._seats, self._masks = self._vector.seats, self._vector.masks
        self._rows, self._ended = self._vector.rows, self._vector.ended
        self._always = np.ones(num_envs, np.bool_)
        self._rng = np.zeros(1, Rng.dtype)
        self._dealt = False
        self._advise: Callable[..., None] | None = None

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Start all games, or those of `options["reset_mask"]`; game i of seed s is the game of seed s + i."""
        which = self._which((options or {}).get("reset_mask"))
        if isinstance(seed, int) or (seed is None and not self._dealt):
            self._np_random, self._np_random_seed = seeding.np_random(seed)
            first = int(self._np_random_seed or 0) % 2**62
            self._seed(self._rngs, first + np.arange(self.num_envs, dtype=np.int64), which)
        elif seed is not None:
            self._seed(self._rngs, np.array(seed, np.int64), which)
        self._deal(self._vector, which)
        self._dealt = True
        return self._observations(), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Arrays, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Play one action in every game; start games that have ended again, as the autoreset mode says."""
        ends = self._step(self._vector, self._checked(actions))
        rewards = np.zeros(self.num_envs)
        over = self._ended.astype(np.bool_)
        infos: dict[str, Any] = {}
        if ends:
            which = np.flatnonzero(over)
            returns = np.zeros((self.num_envs, self.setup.seats))
            returns[which] = self.setup.utility(self._points[which])
            rewards[which] = returns[which, self._seats[which]]
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                infos = self._final(over, returns)
                self._deal(self._vector, self._ended.copy())
            else:
                infos = {"returns": returns, "_returns": over.copy()}
        return self._observations(), rewards, over, np.zeros(self.num_envs, np.bool_), infos | self._infos()

    def _which(self, mask: Any) -> npt.NDArray[np.int8]:
        """Return a flag per game, 1 if it is to be reset. Raise OptionError for a mask of a wrong shape."""
        if mask is None:
            return self._always.view(np.int8)
        if (
            not isinstance(mask, np.ndarray)
            or mask.shape != (self.num_envs,)
            or mask.dtype != np.bool_
            or not mask.any()
        ):
            raise OptionError("env.mask", package=PACKAGE, size=self.num_envs)
        return np.ascontiguousarray(mask).view(np.int8)

    def _checked(self, actions: Any) -> npt.NDArray[np.int64]:
        """Return the actions as 64-bit integers, all legal. Raise IllegalActionError before any game has moved."""
        if not self._dealt:
            raise IllegalActionError("env.reset", package=PACKAGE)
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise IllegalActionError("env.batch", package=PACKAGE, size=self.num_envs)
        chosen = np.array(given, np.int64)
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            number = int(np.flatnonzero(self._ended)[0])
            raise IllegalActionError("env.over", package=PACKAGE, number=number)
        if self.replaces_illegal:
            self._replace(self._vector, chosen)
            return chosen
        wrong = self._check(self._vector, chosen)
        if wrong != vector_env.ALL_LEGAL:
            legal = np.flatnonzero(self._masks[wrong]).tolist()
            raise IllegalActionError(
                "env.illegal", package=PACKAGE, number=wrong, action=int(chosen[wrong]), legal=legal
            )
        return chosen

    def _observations(self) -> Arrays:
        if self.copy:
            return {"observation": self._rows.copy(), "action_mask": self._masks.copy()}
        return {"observation": self._rows, "action_mask": self._masks}

    def _infos(self) -> dict[str, Any]:
        """Return the seat to decide in every game, or the one that acted last if it is over."""
        return {"seat": self._seats.copy() if self.copy else self._seats, "_seat": self._always.copy()}

    def _final(self, over: npt.NDArray[np.bool_], returns: Any) -> dict[str, Any]:
        """Return `final_obs` and `final_info` of ended games, which an autoreset replaces in the same step."""
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            final[i] = {"observation": self._rows[i].copy(), "action_mask": self._masks[i].copy()}
        infos = {
            "seat": np.where(over, self._seats, 0),
            "_seat": over.copy(),
            "returns": returns,
            "_returns": over.copy(),
        }
        return {"final_obs": final, "_final_obs": over.copy(), "final_info": infos, "_final_info": over.copy()}

    def legal_sample(self, generator: np.random.Generator) -> npt.NDArray[np.int64]:
        """Return a random legal action for every game; 0 if it is over."""
        actions = np.zeros(self.num_envs, np.int64)
        if not self._dealt:
            return actions
        self._choose(self._vector, self._rng, int(generator.integers(2**62)), actions)
        return actions

    def greedy(self) -> npt.NDArray[np.int64]:
        """Return the action of the `greedy` player in every game, by what its seat may see; 0 if it is over."""
        if self._advise is None:
            machine = vector_greedy(self.setup.game, self.setup.machine.compiled)
            self._advise = machine.link(advise_all)
            self._world, self._greedy_rng = machine.states(1), np.zeros(1, Rng.dtype)
            self._seed(self._greedy_rng, np.array([1]), np.ones(1, np.int8))
        actions = np.zeros(self.num_envs, np.int64)
        self._advise(self._vector, self._world, self._greedy_rng, actions)
        return actions

    def render(self) -> tuple[Any, ...] | None:
        """Return every game as a spectator sees it."""
        if self.render_mode is None:
            return None
        drawings = (self.setup.drawing(self._states[i : i + 1]) for i in range(self.num_envs))
        return tuple(drawing.plain if self.render_mode == "ansi" else pixels(drawing) for drawing in drawings)


def _mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = [each.value for each in AutoresetMode]
        raise OptionError("env.autoreset", package=PACKAGE, mode=mode, known=known) from None


class QuadrigaEnv(gym.Env):  # type: ignore[misc,type-arg]
    """A Gymnasium environment of one game, without autoreset. Its agent is the seat to decide."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(self, game: str, *, render_mode: str | None = None, **keywords: Any) -> None:
        self._envs = QuadrigaVectorEnv(
            game, 1, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **keywords
        )
        self.render_mode = render_mode
        self.observation_space = self._envs.single_observation_space
        self.action_space = LegalAction(self._envs, self._envs.setup.game.rules.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Start a game."""
        super().reset(seed=seed)
        if seed is None and not self._envs._dealt:
            seed = int(self.np_random.integers(2**31))
        observations, infos = self._envs.reset(seed=seed)
        return {name: rows[0] for name, rows in observations.items()}, {"seat": int(infos["seat"][0])}

    def step(self, action: int) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Play one action."""
        observations, rewards, over, _, infos = self._envs.step(np.array([action]))
        info: dict[str, Any] = {"seat": int(infos["seat"][0])}
        if "returns" in infos:
            info["returns"] = infos["returns"][0]
        observation = {name: rows[0] for name, rows in observations.items()}
        return observation, float(rewards[0]), bool(over[0]), False, info

    def render(self) -> Any:
        """Return the game as a spectator sees it."""
        frames = self._envs.render()
        return frames[0] if frames else None


for _id in BUILT_IN:
    gym.register(
        f"quadriga/{_id}-v{find(_id).version}",
        entry_point="quadriga.adapters.gymnasium:QuadrigaEnv",
        vector_entry_point="quadriga.adapters.gymnasium:QuadrigaVectorEnv",
        kwargs={"game": _id},
        order_enforce=False,
        disable_env_checker=True,
    )
