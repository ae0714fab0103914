"""Train a small policy against random opponents with REINFORCE and a learned baseline, in numpy.

    python examples/train_tictactoe.py [--rules ticTacToe] [--role xplayer] [--updates 600]

The rules may be those of any compiled game, bundled or in a file. After half a minute on one core,
the policy gets more than 95 % of the points at tic-tac-toe, in 2,000 games with another seed.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp import environments

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

NUM_ENVS, NUM_STEPS, HIDDEN = 256, 10, 128
LEARNING_RATE, ENTROPY, VALUE = 2e-3, 0.01, 0.5
EVALUATION_SEED, NUM_GAMES = 1_000_003, 2_000


class Network:
    """A network with one hidden layer, which outputs action logits and the value of the state."""

    def __init__(self, num_inputs: int, num_actions: int, rng: np.random.Generator) -> None:
        # The last row of each layer is the bias; the last column of the second is the value.
        shapes = [(num_inputs + 1, HIDDEN), (HIDDEN + 1, num_actions + 1)]
        self.weights: list[Floats] = [
            (scale * rng.standard_normal(shape) / shape[0] ** 0.5).astype(np.float32)
            for shape, scale in zip(shapes, (1.4, 0.1), strict=True)
        ]
        self._means = [np.zeros_like(one) for one in self.weights]
        self._squares = [np.zeros_like(one) for one in self.weights]
        self._num_updates = 0

    def forward(self, facts: NDArray[np.uint8], mask: NDArray[np.int8]) -> tuple[Any, ...]:
        """Return inputs, hidden units, action probabilities (0 if illegal) and values."""
        inputs = with_ones(facts)
        hidden = with_ones(np.maximum(inputs @ self.weights[0], 0))
        outputs = hidden @ self.weights[1]
        logits = np.where(mask == 1, outputs[:, :-1], -np.inf)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return inputs, hidden, powers / powers.sum(axis=1, keepdims=True), outputs[:, -1]

    def learn(
        self, facts: NDArray[np.uint8], mask: NDArray[np.int8], actions: Ints, returns: Floats
    ) -> None:
        """Take an Adam step on log-probabilities times advantages, entropy, and squared errors."""
        inputs, hidden, policy, values = self.forward(facts, mask)
        num = len(actions)
        advantages = returns - values
        logs = np.log(np.where(policy > 0, policy, 1))
        entropies = -(policy * logs).sum(axis=1, keepdims=True)
        # Derivatives of the loss with respect to the outputs.
        slopes = policy * advantages[:, None]
        slopes[np.arange(num), actions] -= advantages
        slopes += ENTROPY * policy * (logs + entropies)
        slopes = np.concatenate([slopes, VALUE * -2 * advantages[:, None]], axis=1) / num
        back = (slopes @ self.weights[1].T)[:, :-1] * (hidden[:, :-1] > 0)
        self._descend([inputs.T @ back, hidden.T @ slopes])

    def _descend(self, gradients: list[Floats]) -> None:
        self._num_updates += 1
        first, second = 1 - 0.9**self._num_updates, 1 - 0.999**self._num_updates
        for layer, gradient in enumerate(gradients):
            mean, square = self._means[layer], self._squares[layer]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            change = (mean / first) / (np.sqrt(square / second) + 1e-8)
            self.weights[layer] -= LEARNING_RATE * change


def with_ones(rows: NDArray[Any]) -> Floats:
    """Return the rows with a 1 appended to each, for the bias."""
    return np.pad(rows.astype(np.float32), ((0, 0), (0, 1)), constant_values=1)


def train(rules: str, role: str | None, num_updates: int, seed: int = 0) -> Network:
    """Return a policy after `num_updates` updates, that is, thousands of games."""
    rng = np.random.default_rng(seed)
    envs = environments.vector(
        rules, NUM_ENVS, role=role, opponents="random", autoreset_mode="same_step"
    )
    facts, info = envs.reset(seed=seed)
    network = Network(facts.shape[1], info["action_mask"].shape[1], rng)
    points, num_games = 0.0, 0
    for update in range(1, num_updates + 1):
        steps, returns = [], []
        for _ in range(NUM_STEPS):
            mask = info["action_mask"]
            policy = network.forward(facts, mask)[2]
            # Choose the first action at which the sum of the probabilities exceeds a random number.
            sums = policy.cumsum(axis=1)
            actions = (sums > rng.random((NUM_ENVS, 1)) * sums[:, -1:]).argmax(axis=1)
            following, rewards, terminated, truncated, info = envs.step(actions)
            over = terminated | truncated
            steps.append((facts, mask, actions, rewards, over))
            facts, points, num_games = following, points + rewards.sum(), num_games + over.sum()
        following = network.forward(facts, info["action_mask"])[3]
        for _, _, _, rewards, over in reversed(steps):
            following = (rewards + np.where(over, 0, following)).astype(np.float32)
            returns.append(following)
        seen, masks, made, _, _ = (np.concatenate(part) for part in zip(*steps, strict=True))
        network.learn(seen, masks, made, np.concatenate(returns[::-1]))
        if update % 100 == 0:
            print(f"update {update}: {points / num_games:.1%} of {num_games:,.0f} games")
            points, num_games = 0.0, 0
    envs.close()
    return network


def evaluate(network: Network, rules: str, role: str | None) -> float:
    """Return the mean points in games in which the policy makes its likeliest moves."""
    envs = environments.vector(rules, NUM_GAMES, role=role, opponents="random")
    facts, info = envs.reset(seed=EVALUATION_SEED)
    points, is_over = np.zeros(NUM_GAMES), np.zeros(NUM_GAMES, np.bool_)
    while not is_over.all():
        actions = network.forward(facts, info["action_mask"])[2].argmax(axis=1)
        facts, rewards, terminated, truncated, info = envs.step(actions)
        points += np.where(is_over, 0, rewards)  # only the first game in each environment
        is_over |= terminated | truncated
    envs.close()
    return float(points.mean())


def main() -> None:
    """Train, evaluate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="ticTacToe")
    parser.add_argument("--role", help="default: the first role")
    parser.add_argument("--updates", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started = time.perf_counter()
    network = train(arguments.rules, arguments.role, arguments.updates, arguments.seed)
    share = evaluate(network, arguments.rules, arguments.role)
    print(f"{share:.1%} of the points in {NUM_GAMES:,} games of another seed,", end=" ")
    print(f"{time.perf_counter() - started:.0f} s in all")


if __name__ == "__main__":
    main()
