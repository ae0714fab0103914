"""Copies and pickles of environments play on as the original does, each by itself."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ggp import environments

pytestmark = pytest.mark.usefixtures("kernels")

WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "cloudpickle": lambda env: cloudpickle.loads(cloudpickle.dumps(env)),
    "both": lambda env: copy.deepcopy(pickle.loads(pickle.dumps(env))),
}
PATIENT: dict[str, Any] = {"think_seconds": 60.0}
SINGLE: list[tuple[str, dict[str, Any]]] = [
    ("pig", {}),
    ("goofspiel", {"opponents": "self"}),
    ("kuhnPoker", {}),
    ("ticTacToe", {"engine": "interpreter"}),
    ("ticTacToe", {"observation": "planes", "view": "mover", "render_mode": "svg"}),
    ("ticTacToe", {"opponents": "mcts:iterations=20,tree=python", **PATIENT}),
    ("ticTacToe", {"role": "oplayer", "opponents": "greedy:iterations=10", **PATIENT}),
]
AGENTS = [
    ("pig", {}),
    ("goofspiel", {}),
    ("kuhnPoker", {}),
    ("ticTacToe", {"engine": "interpreter"}),
]


def seen(value: Any) -> Any:
    """A value that can be compared: arrays as bytes."""
    if isinstance(value, dict):
        return {key: seen(one) for key, one in value.items()}
    return value.tobytes() if isinstance(value, np.ndarray) else value


def pick(mask: Any, rng: random.Random) -> int:
    """A legal action."""
    legal = np.flatnonzero(mask).tolist()
    return int(rng.choice(legal or [0]))


def play_alone(env: Any, rng: random.Random, num_steps: int) -> list[Any]:
    """What an environment of Gymnasium returns, game after game."""
    told = []
    for _ in range(num_steps):
        told.append(seen_step := env.step(pick(env.unwrapped.action_masks(), rng)))
        if seen_step[2] or seen_step[3]:
            told.append(env.reset())
    return [[seen(part) for part in step] for step in told] + [env.render()]


def play_in_turn(env: Any, rng: random.Random, num_steps: int) -> list[Any]:
    """What an AEC environment returns, game after game."""
    told = []
    for _ in range(num_steps):
        if not env.agents:
            env.reset()
        observation, *rest, info = env.last()
        told.append([seen(observation), *rest, seen(info)])
        is_over = rest[1] or rest[2]
        env.step(None if is_over else pick(observation["action_mask"], rng))
    return told


def play_at_once(env: Any, rng: random.Random, num_steps: int) -> list[Any]:
    """What a parallel environment returns, game after game."""
    told: list[Any] = []
    for _ in range(num_steps):
        if not env.agents:
            told.append(seen(env.reset()[0]))
        masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
        told.append([*map(seen, env.step({one: pick(masks[one], rng) for one in masks}))])
    return told


def check(env: Any, play: Callable[[Any, random.Random, int], list[Any]], num_steps: int) -> None:
    """Play on in a copy, then in the original, then in more copies of the original as it was."""
    env.reset(seed=5)
    play(env, random.Random(1), 2)
    # A shallow copy of a wrapper has the same environment inside.
    is_wrapped = env.unwrapped is not env
    copies = {way: make(env) for way, make in WAYS.items() if way != "copy" or not is_wrapped}
    first = play(copies.pop("deepcopy"), random.Random(2), num_steps)

    assert play(env, random.Random(2), num_steps) == first
    for way, other in copies.items():
        assert play(other, random.Random(2), num_steps) == first, way


@pytest.mark.parametrize(("name", "options"), SINGLE)
def test_an_environment_of_gymnasium_is_copied_in_the_middle(
    name: str, options: dict[str, Any]
) -> None:
    """Chance, opponents, what was seen and the games that follow are the same."""
    check(environments.make(name, **options), play_alone, 12)


@pytest.mark.parametrize(("name", "options"), AGENTS)
def test_environments_of_pettingzoo_are_copied_in_the_middle(
    name: str, options: dict[str, Any]
) -> None:
    """Also between the choices of roles that move at the same time."""
    check(environments.aec(name, **options), play_in_turn, 9)
    check(environments.parallel(name, **options), play_at_once, 9)


def test_wrapped_environments_are_copied() -> None:
    """Gymnasium's and PettingZoo's wrappers leave it to the environment."""
    check(gymnasium.make("ggp/pig-v0", max_episode_steps=50), play_alone, 9)
    check(OrderEnforcingWrapper(environments.aec("pig")), play_in_turn, 9)


def test_copies_may_play_in_threads() -> None:
    """Each has a machine of its own, which belongs to one thread."""
    env = environments.make("connectFour")
    env.reset(seed=1)
    copies = [copy.deepcopy(env) for _ in range(8)]

    assert len({id(one.game.machine) for one in copies}) == len(copies)
    with ThreadPoolExecutor(4) as pool:
        plays = list(pool.map(lambda one: play_alone(one, random.Random(3), 60), copies))
    assert all(one == plays[0] for one in plays)
    assert play_alone(env, random.Random(3), 60) == plays[0]


def test_a_copy_can_be_made_before_the_first_game_and_after_the_last() -> None:
    """There is nothing to play on with, and nothing that is lost."""
    env = environments.make("ticTacToe")
    fresh = copy.deepcopy(env)
    env.reset(seed=1)
    play_alone(env, random.Random(1), 3)
    env.close()
    late = pickle.loads(pickle.dumps(env))

    assert play_alone(late, random.Random(2), 5) == play_alone(env, random.Random(2), 5)
    assert seen(fresh.reset(seed=4)[0]) == seen(env.reset(seed=4)[0])


@pytest.mark.parametrize("way", list(WAYS))
def test_a_vector_environment_says_how_to_get_another(way: str) -> None:
    """Machine code writes to its arrays."""
    env: Any = environments.vector("ticTacToe", 2)

    with pytest.raises(TypeError, match=r"another one with environments\.vector\(\.\.\.\) and the"):
        WAYS[way](env)
    with pytest.raises(TypeError, match=r"make another one with Game\.batch\(\)"):
        WAYS[way](env.batch)


def test_games_of_opponents_that_search_are_copied_together() -> None:
    """They play one after the other, each in an environment of its own."""
    env = environments.vector("ticTacToe", 2, opponents="mcts:iterations=5,tree=python", **PATIENT)
    env.reset(seed=1)
    others = copy.deepcopy(env), cloudpickle.loads(cloudpickle.dumps(env))
    actions = np.array([0, 4])

    expected = [seen(part) for part in env.step(actions)[:4]]

    for other in others:
        assert [seen(part) for part in other.step(actions)[:4]] == expected
