"""The dialects that a command line may ask for."""

from __future__ import annotations

from enum import StrEnum


class DialectName(StrEnum):
    """Those of `ggp.protocol.dialects`, which takes longer to import than `--help` may."""

    GGP_BASE = "ggp-base"
    DRESDEN = "dresden"
    GDL_II = "gdl-ii"
    GAMEMASTER = "gamemaster"


HELP = "Whose words players at an address are told in: ggp-base, dresden, gdl-ii, gamemaster."
