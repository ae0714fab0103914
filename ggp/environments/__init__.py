"""Environments for reinforcement learning: any rulesheet as Gymnasium, PettingZoo or OpenSpiel.

`make` creates one Gymnasium environment, and `vector` creates thousands at once. `aec` and
`parallel` create PettingZoo environments. The package `ggp.environments.openspiel` creates
OpenSpiel games.

    env = environments.make("connectFour", opponents="mcts:iterations=100")
    observation, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])

Importing this module registers the bundled games: `gymnasium.make("ggp/connectFour-v0")`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ggp import games

if TYPE_CHECKING:  # at run time, `__getattr__` imports each when it is first used
    from ggp.environments.pettingzoo import AecEnvironment, ParallelEnvironment
    from ggp.environments.single import Environment
    from ggp.environments.vector_environment import vector as vector

    aec = AecEnvironment
    make = Environment
    parallel = ParallelEnvironment

__all__ = ["aec", "make", "parallel", "vector"]

DOORS: Final = {
    "aec": ("ggp.environments.pettingzoo", "AecEnvironment"),
    "make": ("ggp.environments.single", "Environment"),
    "parallel": ("ggp.environments.pettingzoo", "ParallelEnvironment"),
    "vector": ("ggp.environments.vector_environment", "vector"),
}
VERSION: Final = 0
ANY: Final = "Rulesheet"
"""Stands for any rulesheet: `gymnasium.make("ggp/Rulesheet-v0", rules="my.kif")`."""
PACKAGES: Final = ("gymnasium", "pettingzoo", "pyspiel", "open_spiel")


def _missing(error: ModuleNotFoundError) -> ImportError:
    """Return the error to raise for a missing package. It says how to install an optional one."""
    if (error.name or "").partition(".")[0] not in PACKAGES:
        return error
    return ImportError(
        f"ggp.environments needs {error.name}: type  pip install 'ggp-agent[rl]'  "
        "or, in a clone,  pip install '.[rl]'",
        name=error.name,
    )


try:
    import gymnasium
except ModuleNotFoundError as error:
    raise _missing(error) from None


def environment_id(name: str) -> str:
    """Return the Gymnasium name of the environment for a bundled game, or for `ANY`."""
    return f"ggp/{name}-v{VERSION}"


def register() -> None:
    """Register the bundled games with Gymnasium, except those that are already registered."""
    kwargs = {name: {"rules": name} for name in games.names()}
    for name, options in {**kwargs, ANY: {}}.items():
        if environment_id(name) not in gymnasium.registry:
            single, several = (":".join(DOORS[door]) for door in ("make", "vector"))
            gymnasium.register(
                environment_id(name), single, vector_entry_point=several, kwargs=options
            )


register()


# The return type is Any, because each entry point has its own type.
def __getattr__(name: str) -> Any:
    if name not in DOORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, door = DOORS[name]
    try:
        return getattr(import_module(module), door)
    except ModuleNotFoundError as error:
        raise _missing(error) from None
