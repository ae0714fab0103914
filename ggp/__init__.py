"""A General Game Playing agent: players, matches, the protocol, the server and the command `ggp`.

The language itself, and all reasoning about rules, is in the package `gdl`.
"""

from __future__ import annotations

__version__: str


def __getattr__(name: str) -> str:
    """Look up `__version__` only when needed, because importing `importlib.metadata` is slow."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("ggp-agent")
