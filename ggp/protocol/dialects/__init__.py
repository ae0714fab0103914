"""The dialects from a game manager's side, one module each."""

from collections.abc import Mapping
from typing import Final

from ggp.protocol.dialects.dresden import Dresden, GdlTwo
from ggp.protocol.dialects.gamemaster import Gamemaster
from ggp.protocol.dialects.ggp_base import GgpBase
from ggp.protocol.dialects.manner import Beginning, Grace, LastTurn, Manner, UnspeakableError

GGP_BASE: Final = GgpBase.name
GAMEMASTER: Final = Gamemaster.name
MANNERS: Final[Mapping[str, Manner]] = {
    kind.name: kind() for kind in (GgpBase, Dresden, GdlTwo, Gamemaster)
}
"""By the names that people give."""

__all__ = [
    "GAMEMASTER",
    "GGP_BASE",
    "MANNERS",
    "Beginning",
    "Grace",
    "LastTurn",
    "Manner",
    "UnspeakableError",
]
