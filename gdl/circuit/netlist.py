"""The netlist: a game as AND gates with complemented edges.

Nodes are numbered in topological order. A *literal* is twice a node, plus one if complemented:

    node 0            constant false, so literal 0 is false and literal 1 is true
    1 .. B            bases
    B+1 .. B+I        inputs: `does`, sorted by role
    B+I+1 .. B+I+F    feedback: for recursion inside a state, see `feedback`
    then              gates; each is the AND of literals of lower nodes
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gdl.terms import Constant, Term

BoolArray = NDArray[np.bool_]
ByteArray = NDArray[np.uint8]
IntArray = NDArray[np.int32]
Words = NDArray[np.uint64]

NO: int = 0
YES: int = 1


@dataclass(frozen=True, eq=False)
class Netlist:
    """A game as gates: `B` bases, `I` inputs, `F` feedback nodes, `G` gates, `R` roles."""

    roles: tuple[Constant, ...]  # in rulesheet order
    bases: tuple[Term, ...]  # the fact of each base
    inputs: tuple[tuple[int, Term], ...]  # role index and move of each input, sorted by role
    init: NDArray[np.bool_]  # [B] whether each base is true in the first state
    offsets: IntArray  # [G + 1] index in `literals` where each gate begins
    literals: IntArray  # the literals that the gates read, gate by gate
    next: IntArray  # [B] literal of each base's value in the next state
    legal: IntArray  # [I] literal of each input's legality. It does not depend on inputs.
    terminal: int  # literal: the game is over. It does not depend on inputs.
    # (role index, value, literal), sorted. They do not depend on inputs.
    goals: tuple[tuple[int, int, int], ...]
    sees: tuple[tuple[int, Term, int], ...] = ()  # (role index, percept, literal)
    # [F] literal that defines each feedback node. The values of the nodes are the least fixpoint:
    # all start false, and are repeatedly set to their literals until nothing changes. They do not
    # depend on inputs, nor on the negation of each other.
    feedback: IntArray = field(default_factory=lambda: np.zeros(0, np.int32))
    # [F] a number for each feedback node that stays true for the rest of a playout once it is true,
    # and -1 for the others. A node has the same number in all phases. Empty if nothing is known.
    growth: IntArray = field(default_factory=lambda: np.zeros(0, np.int32))
    # [K + 1] where each block of feedback nodes begins, see `gdl.circuit.passes.blocks`; empty if
    # all gates may be shared.
    blocks: IntArray = field(default_factory=lambda: np.zeros(0, np.int32))

    @property
    def num_bases(self) -> int:
        """Number of bases, `B`."""
        return len(self.bases)

    @property
    def num_inputs(self) -> int:
        """Number of inputs, `I`."""
        return len(self.inputs)

    @property
    def num_gates(self) -> int:
        """Number of gates, `G`."""
        return len(self.offsets) - 1

    @property
    def first_input(self) -> int:
        """Node number of the first input."""
        return 1 + self.num_bases

    @property
    def first_feedback(self) -> int:
        """Node number of the first feedback node."""
        return self.first_input + self.num_inputs

    @property
    def first_gate(self) -> int:
        """Node number of the first gate."""
        return self.first_feedback + len(self.feedback)

    @property
    def goal_literals(self) -> IntArray:
        """Literals of `goals`, in the same order."""
        return np.array([literal for _, _, literal in self.goals], np.int32)

    @cached_property
    def role_starts(self) -> IntArray:
        """`[R + 1]` where the inputs of each role begin; the last entry is the number of inputs."""
        roles = np.array([role for role, _ in self.inputs], np.int32)
        return np.searchsorted(roles, np.arange(len(self.roles) + 1)).astype(np.int32)


def pack(bases: NDArray[np.bool_]) -> IntArray:
    """Pack `[N, B]` states into `[N, W]` words: bit k of word j is base 32 j + k.

    W is even and at least 2, so a packed state is also an array of 64-bit words.
    """
    num_words = 2 * max(1, -(-bases.shape[1] // 64))
    padded = np.zeros((len(bases), 32 * num_words), np.bool_)
    padded[:, : bases.shape[1]] = bases
    return np.packbits(padded, axis=1, bitorder="little").view(np.int32)


def unpack(words: IntArray, num_bases: int) -> NDArray[np.bool_]:
    """Return the values of the bases in one packed state, `[num_bases]`."""
    bits = np.unpackbits(words.view(np.uint8), count=num_bases, bitorder="little")
    return bits.astype(np.bool_)


def literal_values(values: BoolArray, literals: ArrayLike) -> BoolArray:
    """Return the values of literals, `[N, L]`, given the values of the nodes, `[N, nodes]`."""
    array = np.asarray(literals, np.int32)
    return values[:, array >> 1] ^ (array & 1).astype(np.bool_)
