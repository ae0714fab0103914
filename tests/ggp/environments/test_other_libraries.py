"""Libraries that copy environments, and send them to other processes, learn on rulesheets.

Those that are not among our requirements are tried where they are installed:
`pip install supersuit sb3-contrib`.
"""

from __future__ import annotations

import copy
import multiprocessing
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

from ggp import environments, games
from ggp.environments.single import Environment
from ggp.errors import GameNotFoundError

pytestmark = [
    pytest.mark.usefixtures("kernels"),
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore"),  # of others
]

STARTS = ("fork", "spawn")
NUM_STEPS = 30


def library(name: str, package: str) -> ModuleType:
    """A library that is no requirement of ours; the test is skipped where it is missing."""
    found: ModuleType = pytest.importorskip(
        name, reason=f"{name} is missing: pip install {package}", exc_type=ImportError
    )
    return found


def begun() -> Environment:
    """An environment in the middle of a game, with an opponent that searches."""
    opponents = "mcts:iterations=10,tree=python"
    env = environments.make("ticTacToe", opponents=opponents, think_seconds=60)
    env.reset(seed=1)
    return env


def sent() -> Callable[[], Environment]:
    """Makes copies of one environment."""
    return partial(copy.deepcopy, begun())


def first_legal(masks: Any) -> Any:
    """The first legal action of each game."""
    return np.asarray(masks).argmax(axis=-1)


def rest_of_the_game(env: Environment) -> list[Any]:
    """The moves of the game, in which the caller makes its first legal one."""
    told, is_over = [], False
    while not is_over:
        _, _, is_over, _, info = env.step(int(first_legal(env.action_masks())))
        told.append(info["moves"])
    return told


def points(env: Any, num_steps: int = NUM_STEPS) -> float:
    """The sum of the rewards of many games at once."""
    total, (_, infos) = 0.0, env.reset(seed=1)
    for _ in range(num_steps):
        _, rewards, _, _, infos = env.step(first_legal(infos["action_mask"]))
        total += float(np.sum(rewards))
    env.close()
    return total


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    "maker",
    [
        pytest.param(lambda: partial(environments.make, "connectFour"), id="made there"),
        pytest.param(sent, id="sent there"),
        pytest.param(lambda: partial(gymnasium.make, "ggp.environments:ggp/pig-v0"), id="by name"),
    ],
)
def test_gymnasium_plays_in_other_processes(
    maker: Callable[[], Callable[[], Any]], start: str
) -> None:
    """The games are those that this process would play."""
    make = maker()
    here = points(gymnasium.vector.SyncVectorEnv([make] * 2))

    assert points(AsyncVectorEnv([make] * 2, context=start)) == here


@pytest.mark.parametrize("start", STARTS)
def test_a_pool_of_processes_takes_games_and_gives_back_errors(start: str) -> None:
    """An error that could not be read would leave the pool waiting for ever."""
    env = begun()
    with multiprocessing.get_context(start).Pool(1) as pool:
        assert pool.map(rest_of_the_game, [env, env]) == [rest_of_the_game(env)] * 2
        assert pool.map(repr, [env.game]) == [repr(env.game)]
        with pytest.raises(GameNotFoundError, match="did you mean ticTacToe"):
            pool.map(games.text, ["ticTacToo"])


@pytest.mark.parametrize("num_cpus", [0, 2])
def test_supersuit_joins_environments(num_cpus: int) -> None:
    """Copies of one parallel environment, here and in two processes."""
    supersuit = library("supersuit", "supersuit")
    each = supersuit.pettingzoo_env_to_vec_env_v1(environments.parallel("ticTacToe"))
    env = supersuit.concat_vec_envs_v1(each, 4, num_cpus=num_cpus, base_class="gymnasium")
    total = 0.0
    try:
        observations, _ = env.reset(seed=1)
        for _ in range(NUM_STEPS):
            observations, rewards, *_ = env.step(first_legal(observations["action_mask"]))
            total += float(np.sum(rewards))
    finally:  # its processes outlive a failure
        env.close()

    # All games are over after the same seven moves.
    assert total == pytest.approx(4 * (NUM_STEPS // 7))


@pytest.mark.parametrize("start", [None, *STARTS])
def test_maskable_ppo_learns(start: str | None, tmp_path: Any) -> None:
    """In this process and in others, on copies of one environment; and it makes legal moves."""
    contrib = library("sb3_contrib", "sb3-contrib")
    vectors = library("stable_baselines3.common.vec_env", "sb3-contrib")
    makes = [sent()] * 2
    envs = (
        vectors.DummyVecEnv(makes)
        if start is None
        else vectors.SubprocVecEnv(makes, start_method=start)
    )
    learner = contrib.MaskablePPO(
        "MlpPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, seed=1, device="cpu"
    )
    learner.learn(64)
    learner.save(tmp_path / "learner")
    envs.close()

    env, learned = begun(), contrib.MaskablePPO.load(tmp_path / "learner", device="cpu")
    observation, _ = env.reset(seed=2)
    is_over = False
    while not is_over:
        action, _ = learned.predict(observation, action_masks=env.action_masks())
        observation, _, is_over, _, _ = env.step(int(action))
