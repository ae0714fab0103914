"""Gymnasium finds the bundled games by name, and nobody pays for it who does not play."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pytest

from ggp import environments, games
from ggp.environments.single import Environment
from ggp.environments.vector_environment import VectorEnvironment
from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")

BLOCKED = """
import sys
sys.modules[{package!r}] = None
from ggp import environments
environments.{door}
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_bundled_games_have_a_name() -> None:
    """`ggp/NAME-v0`, and one for any rulesheet."""
    known = {name for name in gymnasium.registry if name.startswith("ggp/")}

    expected = {f"ggp/{name}-v0" for name in games.names()} | {"ggp/Rulesheet-v0"}
    assert known == expected


def test_names_are_told_once() -> None:
    """A second time there is no warning that something is overridden."""
    before = dict(gymnasium.registry)

    environments.register()

    assert dict(gymnasium.registry) == before


def test_options_pass_through() -> None:
    """Those that `make` has."""
    env = gymnasium.make("ggp/ticTacToe-v0", role="oplayer", opponents="legal", reward="raw")

    found = env.unwrapped
    assert isinstance(found, Environment)
    assert found.role_names[found.role] == "oplayer"


def test_many_at_once_are_played_on_lanes() -> None:
    """Unless Gymnasium is told to put single ones side by side."""
    envs = gymnasium.make_vec("ggp/ticTacToe-v0", num_envs=5, role="oplayer")
    beside = gymnasium.make_vec("ggp/ticTacToe-v0", num_envs=5, vectorization_mode="sync")

    _, infos = envs.reset(seed=1)

    assert isinstance(envs, VectorEnvironment)
    assert infos["action_mask"].sum(axis=1).tolist() == [8] * 5
    assert isinstance(beside, gymnasium.vector.SyncVectorEnv)


def test_a_name_with_its_module_is_found() -> None:
    """As a name of all that are not part of Gymnasium."""
    env = gymnasium.make("ggp.environments:ggp/ticTacToe-v0")

    _, info = env.reset(seed=1)

    assert info["action_mask"].sum() == 9


@pytest.mark.thorough
def test_gymnasium_imports_the_room_itself() -> None:
    """By a name with the module before it, as it does for all who are not part of it."""
    program = """
import gymnasium
env = gymnasium.make("ggp.environments:ggp/ticTacToe-v0")
observation, info = env.reset(seed=1)
print(len(observation), info["action_mask"].sum())
"""

    done = run(program)

    assert done.stderr == ""
    assert done.stdout.split()[1] == "9"


def test_names_alone_cost_no_reasoner() -> None:
    """Neither numba nor the players are loaded before somebody plays."""
    program = """
import sys
import ggp.environments
print([name for name in ("numba", "pettingzoo", "ggp.players") if name in sys.modules])
"""

    assert run(program).stdout == "[]\n"


@pytest.mark.parametrize(
    ("package", "door"),
    [
        ("gymnasium", "make"),
        ("pettingzoo", "aec"),
        pytest.param("pettingzoo", "parallel", marks=pytest.mark.thorough),
    ],
)
def test_without_the_extra_one_line_says_what_to_install(package: str, door: str) -> None:
    """The last of a traceback that has nothing before the caller's fault."""
    done = run(BLOCKED.format(package=package, door=door))

    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: ggp.environments needs {package}: type  pip install ")
    assert "'ggp-agent[rl]'" in last
    assert "During handling" not in done.stderr


def test_what_is_no_door_is_no_attribute() -> None:
    """As of any module."""
    assert not hasattr(environments, "mkae")
