"""Players, and the registry that finds them by name.

Most players only connect a search of `ggp.search` to a match. To write a player, derive a class
from `Player` and implement its method `choose`. See `docs/players.md`.
"""

from ggp.players.base import Player
from ggp.players.options import Option, PlayerSpecError, number, one_of, whole
from ggp.players.registry import PlayerSpec, create, names, parse_spec, player_class

__all__ = [
    "Option",
    "Player",
    "PlayerSpec",
    "PlayerSpecError",
    "create",
    "names",
    "number",
    "one_of",
    "parse_spec",
    "player_class",
    "whole",
]
