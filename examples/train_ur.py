"""Train an agent on the Royal Game of Ur: `python examples/train_ur.py`, a few minutes.

A small network, in NumPy alone, plays both sides of a thousand games at once in the vector environment and learns
from the results (an actor and a critic with clipped updates). Then it plays whole games against the bots `random`
and `greedy`, on each side in turn, and its win rates are printed with their 95 % intervals.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import numpy as np

from quadriga.adapters.gymnasium import QuadrigaVectorEnv

HIDDEN, ENVS, STEPS = 128, 1024, 24
RATE, CLIP, ENTROPY, TRACE = 1e-3, 0.2, 0.01, 0.9
DISCOUNT = 0.998  # the worth of a win one move later; at 1, agents that learn to block each other never finish
LONGEST = 5000  # moves of a game against bots; a longer game counts as lost


class Network:
    """Computes a preference for each action and the chance of winning, from -1 to 1, from observations."""

    def __init__(self, width: int, actions: int, rng: np.random.Generator) -> None:
        def layer(rows: int, columns: int, gain: float = 1.4) -> np.ndarray:
            return (rng.standard_normal((rows, columns)) * gain / math.sqrt(rows)).astype(np.float32)

        self.weights = [layer(width + 1, HIDDEN), layer(HIDDEN + 1, HIDDEN), layer(HIDDEN + 1, actions + 1, 0.1)]
        self._means = [np.zeros_like(w) for w in self.weights]
        self._squares = [np.zeros_like(w) for w in self.weights]
        self._updates = 0

    def forward(self, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return preferences and value; the activations are kept for `learn`."""
        self._held = [_with_one(seen.astype(np.float32) * 0.5)]
        for w in self.weights[:-1]:
            self._held.append(_with_one(np.maximum(self._held[-1] @ w, 0)))
        out = self._held[-1] @ self.weights[-1]
        return out[:, :-1], np.tanh(out[:, -1])

    def learn(self, slope: np.ndarray, rate: float) -> None:
        """Take one step of Adam by the gradient of the loss at the outputs of the last `forward`."""
        self._updates += 1
        slopes = []
        for at in range(len(self.weights) - 1, -1, -1):
            slopes.append(self._held[at].T @ slope)
            if at:
                slope = (slope @ self.weights[at].T)[:, :-1] * (self._held[at][:, :-1] > 0)
        for w, g, m, s in zip(self.weights, reversed(slopes), self._means, self._squares, strict=True):
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            down = m / (1 - 0.9**self._updates) / (np.sqrt(s / (1 - 0.999**self._updates)) + 1e-8)
            w -= np.float32(rate) * down


def _with_one(rows: np.ndarray) -> np.ndarray:
    return np.concatenate([rows, np.ones((len(rows), 1), np.float32)], axis=1)


def probabilities(preferences: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the probability of each action; 0 for illegal ones."""
    masked = np.where(mask > 0, preferences, -1e9)
    likely = np.exp(masked - masked.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def experience(
    envs: QuadrigaVectorEnv, net: Network, seen: dict[str, Any], seat: np.ndarray, rng: np.random.Generator
) -> tuple[Any, ...]:
    """Play some moves of every game; return them with the advantage of each over the expectation."""
    rows = []
    for _ in range(STEPS):
        preferences, value = net.forward(seen["observation"])
        chance = probabilities(preferences, seen["action_mask"])
        drawn = (chance.cumsum(axis=1) < rng.random((len(chance), 1)) * 0.999999).sum(axis=1)
        action = np.where(seen["action_mask"][np.arange(len(drawn)), drawn] > 0, drawn, chance.argmax(axis=1))
        then, reward, over, _, told = envs.step(action)
        again = (
            np.where(told["seat"] == seat, 1.0, -1.0) * ~over
        )  # the sign of the next value for this seat; 0 at the end
        rows.append((seen["observation"], seen["action_mask"], action, chance, value, reward, again))
        seen, seat = then, told["seat"]
    observed, masks, actions, chances, values, rewards, again = (
        np.stack(column) for column in zip(*rows, strict=True)
    )
    gain = np.zeros(envs.num_envs)
    gains = np.zeros_like(rewards)
    after = net.forward(seen["observation"])[1]
    for at in range(STEPS - 1, -1, -1):
        gain = rewards[at] - values[at] + DISCOUNT * again[at] * (after + TRACE * gain)
        gains[at], after = gain, values[at]
    taken = np.take_along_axis(chances, actions[..., None], axis=2)[..., 0]
    flat = [a.reshape(-1, *a.shape[2:]) for a in (observed, masks, actions, taken, gains, gains + values)]
    return flat, seen, seat


def improve(net: Network, flat: list[np.ndarray], rate: float, rng: np.random.Generator, parts: int = 6) -> None:
    """Make actions with an advantage more likely, within bounds, and improve the values."""
    observed, masks, actions, taken, gains, targets = flat
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    for part in np.array_split(rng.permutation(len(actions)), parts):
        preferences, value = net.forward(observed[part])
        chance = probabilities(preferences, masks[part])
        lines, chosen = np.arange(len(part)), actions[part]
        ratio = chance[lines, chosen] / taken[part]
        good = gains[part]
        bounded = np.where(good > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        push = good * ratio * bounded
        slope = chance * push[:, None]
        slope[lines, chosen] -= push
        logs = np.log(chance + 1e-9)
        slope += ENTROPY * chance * (logs - (chance * logs).sum(axis=1, keepdims=True))
        error = (value - targets[part]) * (1 - value**2)
        net.learn(np.concatenate([slope, error[:, None]], axis=1).astype(np.float32) / len(part), rate)


def trained(rules: str, updates: int, seed: int, report: int = 50) -> Network:
    """Return an agent that was trained by this many updates."""
    rng = np.random.default_rng(seed)
    envs = QuadrigaVectorEnv("ur", ENVS, rules=rules, autoreset_mode="SameStep")
    seen, told = envs.reset(seed=seed)
    seat = told["seat"]
    net = Network(envs.single_observation_space["observation"].shape[0], int(envs.single_action_space.n), rng)
    began = time.monotonic()
    for update in range(updates):
        flat, seen, seat = experience(envs, net, seen, seat, rng)
        rate = RATE * (1 - update / updates) + 1e-5
        improve(net, flat, rate, rng)
        if report and (update + 1) % report == 0:
            moves = (update + 1) * ENVS * STEPS
            print(f"{moves / 1e6:6.1f} million moves, {time.monotonic() - began:5.0f} s", flush=True)
    return net


def wins(net: Network, rules: str, opponent: str, games: int, seed: int) -> int:
    """Return the number of games that the agent wins, on each side in turn, with its preferred actions."""
    envs = QuadrigaVectorEnv("ur", games, rules=rules, autoreset_mode="NextStep")
    seen, told = envs.reset(seed=seed)
    envs.action_space.seed(seed)
    mine = np.arange(games) % 2
    result = np.zeros(games)
    for _ in range(LONGEST):
        liked = np.where(seen["action_mask"] > 0, net.forward(seen["observation"])[0], -np.inf).argmax(axis=1)
        others = envs.greedy() if opponent == "greedy" else envs.action_space.sample()
        seen, _, over, _, told = envs.step(np.where(told["seat"] == mine, liked, others))
        if "returns" in told:
            fresh = over & (result == 0)  # only the first game of each counts
            result[fresh] = told["returns"][fresh, mine[fresh]]
            if result.all():
                break
    return int((result > 0).sum())


def interval(won: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    share, more = won / games, z * z / games
    middle = (share + more / 2) / (1 + more)
    half = z * math.sqrt(share * (1 - share) / games + more / games / 4) / (1 + more)
    return middle - half, middle + half


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Train, then measure."""
    asked = argparse.ArgumentParser(description="Train an agent on the Royal Game of Ur.")
    asked.add_argument("--rules", default="finkel", choices=["ben", "finkel", "masters", "blitz"])
    asked.add_argument("--updates", type=int, default=600)
    asked.add_argument("--games", type=int, default=2000, help="against each opponent")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args(arguments)
    net = trained(given.rules, given.updates, given.seed)
    shares = {}
    for opponent in ("random", "greedy"):
        won = wins(net, given.rules, opponent, given.games, given.seed)
        low, high = interval(won, given.games)
        shares[opponent] = won / given.games
        told = f"{100 * shares[opponent]:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        print(f"against {opponent}: {won} of {given.games} won, {told}", flush=True)
    return shares


if __name__ == "__main__":
    main()
