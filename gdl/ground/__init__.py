"""From rules with variables to rules without: what can happen in a game, atom by atom.

`grounding` does it, and what it makes is a `program`. They are imported from there: whoever
only names a `Budget` does not wait for numpy.
"""

from gdl.ground.budget import Budget, GroundingError, Reason

__all__ = ["Budget", "GroundingError", "Reason"]
