"""The names under which Gymnasium knows the bundled games: `ggp/connectFour-v0` and so on."""

from __future__ import annotations

from typing import Final

import gymnasium

from ggp import games

NAMESPACE: Final = "ggp"
VERSION: Final = 0
ANY: Final = "Rulesheet"
"""Any rulesheet: `gymnasium.make("ggp/Rulesheet-v0", rules="my.kif")`."""

_ENVIRONMENT: Final = "ggp.environments.single:Environment"
_VECTOR: Final = "ggp.environments.vector_environment:vector"


def environment_id(name: str) -> str:
    """The name of a bundled game's environment."""
    return f"{NAMESPACE}/{name}-v{VERSION}"


def register() -> None:
    """Tell Gymnasium of the bundled games, but for those that it knows already."""
    kwargs = {name: {"rules": name} for name in games.names()}
    for name, options in {**kwargs, ANY: {}}.items():
        if environment_id(name) not in gymnasium.registry:
            gymnasium.register(
                environment_id(name), _ENVIRONMENT, vector_entry_point=_VECTOR, kwargs=options
            )
