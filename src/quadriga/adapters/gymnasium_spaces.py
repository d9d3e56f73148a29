"""Action spaces for Gymnasium whose samples are legal in the current positions."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from gymnasium import spaces


class Sampler(Protocol):
    """An environment that can choose legal actions."""

    num_envs: int

    def legal_sample(self, generator: np.random.Generator) -> npt.NDArray[np.int64]:
        """Return a random legal action for every game."""
        ...


class LegalActions(spaces.MultiDiscrete):  # type: ignore[misc]
    """One action for each game; a sample without a mask is legal in the current positions."""

    def __init__(self, envs: Sampler, actions: int) -> None:
        super().__init__(np.full(envs.num_envs, actions, np.int64))
        self._envs = envs

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        """Return random legal actions, or a sample by Gymnasium's masks or probabilities if these are given."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)  # type: ignore[no-any-return]
        return self._envs.legal_sample(self.np_random)

    def __deepcopy__(self, memo: object) -> spaces.MultiDiscrete:
        return spaces.MultiDiscrete(self.nvec.copy())


class LegalAction(spaces.Discrete):  # type: ignore[misc]
    """An action of a single game; a sample without a mask is legal in the current position."""

    def __init__(self, envs: Sampler, actions: int) -> None:
        super().__init__(actions)
        self._envs = envs

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random legal action, or a sample by Gymnasium's mask or probabilities if these are given."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)  # type: ignore[no-any-return]
        return self._envs.legal_sample(self.np_random)[0]  # type: ignore[no-any-return]
