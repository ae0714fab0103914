"""The ground program: the rules of a game without variables, as flat arrays of literals.

Atoms are numbered. A *base* is a fact that may be true in a state, an *input* is a move that a role
may make. Their atoms come first. All other atoms are defined by rules:

    0             no atom
    1 .. B        bases, in the order of `bases`
    B+1 .. B+I    inputs, in the order of `inputs` (the inputs of a role are next to each other)
    B+I+1 ..      atoms defined by rules

The atom `TRUE` always holds, and the atom `FALSE` never holds. Neither occurs in a body.
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
    """The rules of a game over numbered atoms. `R` is the number of rules.

    A rule holds if all its literals hold. An atom holds if one of its rules holds. A positive
    literal is the number of an atom, and a negated literal is the negative of that number.
    """

    roles: tuple[Constant, ...]  # in rulesheet order
    bases: tuple[Term, ...]  # the fact of each base
    inputs: tuple[tuple[int, Term], ...]  # role index and move of each input, sorted by role
    init: NDArray[np.bool_]  # [B] whether each base is true in the first state
    heads: IntArray  # [R] the atom that each rule defines
    offsets: IntArray  # [R + 1] index in `literals` where each rule begins
    literals: IntArray  # the bodies of all rules
    next: IntArray  # [B] for each base, the atom that makes it true next, or TRUE or FALSE
    legal: IntArray  # [I] for each input, the atom that makes it legal, or TRUE or FALSE
    terminal: int  # the atom that says that the game is over, or TRUE or FALSE
    goals: tuple[tuple[int, int, int], ...]  # (role index, value, atom or TRUE), sorted
    sees: tuple[tuple[int, Term, int], ...] = ()  # in GDL-II: (role index, percept, atom or TRUE)


@dataclass(frozen=True, eq=False)
class GroundRules:
    """Rules over atoms with other numbers than in the ground program. `R` is their number."""

    num_atoms: int  # one more than the highest atom
    heads: IntArray  # [R] the atom that each rule defines
    offsets: IntArray  # [R + 1] index in `literals` where each rule begins
    literals: IntArray  # of all rules
    open: IntArray  # atoms that are left open: what is true or done
