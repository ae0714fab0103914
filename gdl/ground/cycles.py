"""Whether the ground rules have a single meaning although a relation depends on its own negation.

`(<= (goal ?r 0) (not (goal ?r 100)))` is such a case: the relation does, no atom does.
"""

from __future__ import annotations

import numpy as np

from gdl.ground.budget import GroundingError, Reason
from gdl.ground.simplify import Settled
from gdl.rulesheet.components import Components


def check_negation(rules: Settled) -> None:
    """Say that an atom depends on its own negation.

    Raises:
        GroundingError: One does.
    """
    owners = np.repeat(rules.heads, np.diff(rules.offsets)).tolist()
    literals = rules.literals.tolist()
    callees: dict[int, list[int]] = {atom: [] for atom in range(len(rules.always))}
    for owner, literal in zip(owners, literals, strict=True):
        callees[owner].append(abs(literal))
    component_of = {
        atom: index
        for index, component in enumerate(Components(callees).find())
        for atom in component
    }
    for owner, literal in zip(owners, literals, strict=True):
        if literal < 0 and component_of[owner] == component_of[-literal]:
            raise GroundingError(Reason.UNSTRATIFIED, "an atom depends on its own negation")
