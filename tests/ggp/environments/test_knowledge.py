"""Environments of games that hide something show a role only what it knows."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np
import pytest

from ggp import environments
from ggp.environments.rendering import RenderMode
from ggp.environments.single import Environment
from tests.ggp.environments.rulesheets import HIDDEN
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

QUICK: Final = ("kuhnPoker", "phantomTicTacToe")
NUM_GAMES: Final = {"kuhnPoker": 15, "phantomTicTacToe": 4}
"""Games that are played, of those that the quick tests try."""


def shown_to(env: Environment, observation: Any, info: dict[str, Any]) -> bytes:
    """All bytes that an environment gives to a role, but for its reward."""
    return bytes_of((observation, info, env.render()))


def bytes_of(value: Any) -> bytes:
    """All that a value says: pickle would tell as well which of its parts are one object."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}".encode() + value.tobytes()
    if isinstance(value, dict):
        return bytes_of(sorted(value.items()))
    if isinstance(value, tuple | list):
        return b"(" + b",".join(map(bytes_of, value)) + b")"
    return repr(value).encode()


def random_games(name: str, mode: RenderMode, num: int, **options: Any) -> tuple[int, int]:
    """Play at random, and compare what a role is shown wherever it knows the same.

    Returns:
        How often that was compared, and how often the true positions were different.
    """
    env = environments.make(name, opponents="self", render_mode=mode, **options)
    rng, compared, different = random.Random(0), 0, 0
    first: dict[object, tuple[bytes, object]] = {}
    for seed in range(num):
        observation, info = env.reset(seed=seed)
        is_over = False
        while True:
            episode, role = env._begun(), env.role
            key = role, tuple(episode.seen[role]), is_over
            here = shown_to(env, observation, info), episode.state
            if key in first:
                compared += 1
                different += episode.state != first[key][1]
                assert here[0] == first[key][0], f"{name}: {env.role_names[role]} sees more: {key}"
            first.setdefault(key, here)
            if is_over:
                break
            chosen = rng.choice(sorted(env.legal_actions()))
            observation, _, terminated, truncated, info = env.step(chosen)
            is_over = terminated or truncated
    return compared, different


@pytest.mark.parametrize("name", all_but(QUICK, HIDDEN))
def test_what_a_role_cannot_tell_apart_looks_the_same(name: str) -> None:
    """Every byte of observations, infos and text, in random play."""
    _, different = random_games(name, "ansi", NUM_GAMES.get(name, 15))

    assert different > 0


@pytest.mark.thorough
@pytest.mark.parametrize("name", HIDDEN)
def test_pictures_look_the_same_too(name: str) -> None:
    """In more games, and with facts in bits."""
    _, different = random_games(name, "svg", 20, observation="packed")

    assert different > 0


def test_the_state_is_shown_to_whoever_says_so() -> None:
    """The deal stands in it, and in the moves."""
    plain = environments.make("kuhnPoker", role="second", render_mode="ansi")
    whole = environments.make("kuhnPoker", role="second", observation="state", render_mode="ansi")
    (seen, info), (state, told) = plain.reset(seed=1), whole.reset(seed=1)
    names = [name for name, is_true in zip(whole.observation_names, state, strict=True) if is_true]

    assert sum("(card first" in name for name in names) == 1
    assert "(card first" in str(whole.render())
    assert "deal" in str(told["moves"])
    known = [name for name, is_true in zip(plain.observation_names, seen, strict=True) if is_true]
    assert any(name.startswith("last percept (") for name in known)
    assert sum("(card second" in name for name in known) == 1
    assert not any("(card first" in name for name in known)
    assert "(card first" not in str(plain.render())
    assert "deal" not in str(info["moves"])


def test_at_the_end_each_agent_is_shown_its_own_card() -> None:
    """PettingZoo asks all agents once more then; who acted last is not the one that looks."""
    env = environments.aec("kuhnPoker", render_mode="ansi")
    env.reset(seed=1)
    shown = dict[str, str]()
    for agent in env.agent_iter():
        *_, is_over, _, info = env.last()
        if is_over:
            shown[agent] = str(env.render())
        env.step(None if is_over else int(info["action_mask"].argmax()))

    assert {agent: text.count("(card ") for agent, text in shown.items()} == {
        "player_0": 1,
        "player_1": 1,
    }
    assert "(card first " in shown["player_0"]
    assert "(card second " in shown["player_1"]


@pytest.mark.parametrize("name", all_but(["kuhnPoker"], HIDDEN))
def test_agents_of_pettingzoo_are_shown_what_they_know(name: str) -> None:
    """Observations, infos and renderings of all agents, in random play."""
    env = environments.parallel(name, render_mode="ansi", render_agent="player_0")
    rng, different = random.Random(0), 0
    first: dict[object, tuple[bytes, object]] = {}
    for seed in range(8):
        observations, infos = env.reset(seed=seed)
        while True:
            episode = env._episode
            for agent, observation in observations.items():
                role = infos[agent]["role"]
                key = role, tuple(episode.seen[role]), episode.is_over
                env.render_agent = agent
                here = bytes_of((observation, infos[agent], env.render()))
                known, state = first.setdefault(key, (here, episode.state))
                assert known == here
                different += state != episode.state
            if not env.agents:
                break
            actions = {a: rng.choice(sorted(env.legal_actions(a))) for a in env.agents}
            observations, _, _, _, infos = env.step(actions)

    assert different > 0


@pytest.mark.parametrize("agent", [None, "second"])
def test_a_rendering_of_all_agents_at_once_is_for_one_of_them(agent: str | None) -> None:
    """What all of them know would tell each what the others know."""
    with pytest.raises(ValueError, match=r"render_agent: .*player_0, player_1"):
        environments.parallel("kuhnPoker", render_mode="ansi", render_agent=agent)
    whole = environments.parallel("kuhnPoker", render_mode="ansi", observation="state")
    whole.reset(seed=1)
    assert whole.render()


def test_many_games_at_once_hide_as_much_as_one() -> None:
    """They have the same observations; with the state they are on lanes."""
    hidden = environments.vector("kuhnPoker", 2, role="second")
    lanes = environments.vector("kuhnPoker", 2, role="second", observation="state")
    single = environments.make("kuhnPoker", role="second")

    assert hidden.single_observation_space == single.observation_space
    assert lanes.single_observation_space != single.observation_space
    assert hidden.reset(seed=1)[0].shape == (2, *(single.observation_space.shape or ()))
