"""A General Game Playing agent: players, matches, the protocol, the server and the command `ggp`.

The language itself, and everything that reasons about rules, is in the package `gdl`.
"""

from importlib.metadata import version

__version__ = version("ggp-agent")
