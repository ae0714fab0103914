"""The reasoners that a command line may ask for."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    """Engine that plays the rules, see `gdl.load`."""

    AUTO = "auto"
    LANES = "lanes"
    SCALAR = "scalar"
    INTERPRETER = "interpreter"


HELP = "What plays the rules: lanes, scalar, interpreter, or auto for the fastest that works."
