"""The ground program: the rules of a game without variables, as flat arrays of literals.

Atoms are numbered. A *base* is a fact that may be true in a state, an *input* a move that a role
may make; their atoms come first, everything else is defined by the rules:

    0             no atom
    1 .. B        bases, in the order of `bases`
    B+1 .. B+I    inputs, in the order of `inputs` (all inputs of a role stand together)
    B+I+1 ..      atoms defined by rules

What always holds is the atom `TRUE`, what never holds `FALSE`; neither occurs in a body.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gdl.terms import Constant, Term

IntArray = NDArray[np.int32]

TRUE: Final = -1
FALSE: Final = 0


@dataclass(frozen=True, eq=False)
class GroundProgram:
    """All that can happen in a game, as rules over numbered atoms. `R` is the number of rules.

    A rule holds if all its literals do; an atom holds if one of its rules does. A positive literal
    is the number of an atom, a negative one its negative.
    """

    roles: tuple[Constant, ...]  # in rulesheet order
    bases: tuple[Term, ...]  # the fact of each base
    inputs: tuple[tuple[int, Term], ...]  # role index and move of each input, sorted by role
    init: NDArray[np.bool_]  # [B] whether each base is true in the first state
    heads: IntArray  # [R] the atom that a rule defines
    offsets: IntArray  # [R + 1] where the literals of each rule begin in `literals`
    literals: IntArray  # the bodies of all rules
    next: IntArray  # [B] for each base the atom that says it is true next, TRUE or FALSE
    legal: IntArray  # [I] for each input the atom that says it is legal, TRUE or FALSE
    terminal: int  # the atom that says the game is over, TRUE or FALSE
    goals: tuple[tuple[int, int, int], ...]  # (role index, value, atom or TRUE), sorted
    sees: tuple[tuple[int, Term, int], ...] = ()  # of GDL-II: (role index, percept, atom or TRUE)
