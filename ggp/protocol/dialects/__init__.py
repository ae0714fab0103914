"""The dialects of game managers, one module each."""

from collections.abc import Mapping
from typing import Final

from ggp.protocol.dialects.base import (
    GgpBase,
    Grace,
    Invitation,
    ManagerDialect,
    TurnReport,
    UnspeakableError,
)
from ggp.protocol.dialects.dresden import Dresden, GdlTwo
from ggp.protocol.dialects.gamemaster import Gamemaster

GGP_BASE: Final = GgpBase.name
GAMEMASTER: Final = Gamemaster.name
DIALECTS: Final[Mapping[str, ManagerDialect]] = {
    kind.name: kind() for kind in (GgpBase, Dresden, GdlTwo, Gamemaster)
}
"""Dialects by the names that users enter."""

__all__ = [
    "DIALECTS",
    "GAMEMASTER",
    "GGP_BASE",
    "Grace",
    "Invitation",
    "ManagerDialect",
    "TurnReport",
    "UnspeakableError",
]
