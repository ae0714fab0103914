"""From rules with variables to rules without: what can happen in a game, atom by atom."""

from gdl.ground.budget import Budget, GroundingError, Reason
from gdl.ground.grounding import ground
from gdl.ground.plan import Limits
from gdl.ground.program import FALSE, TRUE, GroundProgram

__all__ = [
    "FALSE",
    "TRUE",
    "Budget",
    "GroundProgram",
    "GroundingError",
    "Limits",
    "Reason",
    "ground",
]
