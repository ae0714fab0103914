"""A compiled game for searches with kernels of their own: its arrays, and kernels that use them.

game = ScalarGame(netlist)
at, layout, memory = game.at, game.layout, game.memory
kernels = scalar_kernels()
kernels.load(at, layout, memory, game.pack(state))
kernels.holds(at, memory, at.terminal)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray, Netlist, pack, unpack
from gdl.circuit.numbering import Numbering
from gdl.circuit.passes.cone import for_play
from gdl.circuit.scalar import kernels
from gdl.circuit.scalar.layout import Places, plan
from gdl.machine import Move, Role, State
from gdl.terms import Term

LongArray = NDArray[np.int64]
ScalarPlaces = Places


class ScalarPercepts(NamedTuple):
    """The percepts of roles: `P` percepts, numbered as in `Numbering`. There are `I` inputs.

    The literals are valid after a joint move is made, until the next state becomes the current one.
    """

    starts: IntArray  # [R + 1] where the percepts of each role begin
    literals: IntArray  # [P] the literal of each percept, by role and number
    move_numbers: IntArray  # [I] the number of each input's move among those of its role


class ScalarGame:
    """A game with a current state, which can be any state.

    Facts that do not affect play are missing. Only one thread at a time may use an instance. There
    are `I` inputs, and a move of a role is given as the number of its input. A packed state is
    `[W]` int32: bit k of word j is fact 32 j + k. `W` is even.

    Attributes:
        at: Where each part of the arrays begins, for the kernels.
        layout: `int32` array that describes the game.
        memory: `int32` array of the current state and all values that follow from it.
        roles: In rulesheet order.
        facts: The facts of a packed state, by number.
        inputs: `[I]` role index and move of each input, sorted by role.
        percepts: What roles see. Empty unless the game was created with `has_percepts`.
    """

    def __init__(
        self,
        netlist: Netlist,
        keeps: Callable[[Term], bool] | None = None,
        *,
        has_percepts: bool = False,
    ) -> None:
        """Create the game of a netlist.

        Args:
            keeps: Returns whether to keep a fact that does not affect play.
            has_percepts: Whether the game keeps what roles see.
        """
        kept = for_play(netlist, keeps, has_percepts=has_percepts)
        planned = plan(kept)
        numbering = Numbering(netlist)
        self.at: Places = planned.at
        self.layout: IntArray = planned.layout
        self.memory: IntArray = planned.memory
        self.roles: tuple[Role, ...] = netlist.roles
        self.facts: tuple[Term, ...] = kept.bases
        self.inputs: tuple[tuple[int, Move], ...] = netlist.inputs
        self._num_bases = netlist.num_bases
        number = {fact: base for base, fact in enumerate(netlist.bases)}
        self._kept = np.array([number[fact] for fact in kept.bases], np.int32)
        self._goals = kept.goals
        self.percepts: ScalarPercepts = _percepts_of(planned.netlist, numbering)
        place = np.empty(netlist.num_bases, np.int32)
        place[numbering.bases] = np.arange(netlist.num_bases)
        self._places = place[self._kept]

    @property
    def num_words(self) -> int:
        """Number of words of a packed state, `W`."""
        return self.at.num_words

    def pack(self, state: State) -> IntArray:
        """Pack a state of the circuit's machine into words `[W]`."""
        assert isinstance(state, bytes)
        bases = unpack(np.frombuffer(state, np.int32), self._num_bases)
        words: IntArray = pack(bases[None, self._kept])[0]
        return words

    def pack_all(self, packed: NDArray[np.uint64]) -> IntArray:
        """Return packed states `[N, W]`, given states in the format of `Numbering` and batches."""
        bits = np.unpackbits(np.ascontiguousarray(packed).view(np.uint8), axis=1, bitorder="little")
        words: IntArray = pack(bits[:, self._places].astype(np.bool_))
        return words

    def goal_values(self, role: int) -> tuple[int, ...]:
        """Return all goals that a role can get, in ascending order.

        0 is always included, because the rules may give the role no goal.
        """
        return tuple(sorted({0} | {value for r, value, _ in self._goals if r == role}))


def _percepts_of(netlist: Netlist, numbering: Numbering) -> ScalarPercepts:
    literals = np.array([literal for _, _, literal in netlist.sees], np.int32)
    places = [places if len(literals) else places[:0] for places in numbering.sees]
    sizes = np.array([0, *map(len, places)], np.int32)
    numbers = np.empty(netlist.num_inputs, np.int32)
    starts = netlist.role_starts
    for role in range(len(netlist.roles)):
        first, end = int(starts[role]), int(starts[role + 1])
        numbers[numbering.inputs[first:end]] = np.arange(end - first)
    return ScalarPercepts(
        starts=np.cumsum(sizes).astype(np.int32),
        literals=literals[np.concatenate([np.zeros(0, np.int32), *places])],
        move_numbers=numbers,
    )


class ScalarKernels(NamedTuple):
    """Kernels that work on the arrays of a `ScalarGame`.

    Python and other kernels can call them, see `gdl.kernel`. Each takes `at`, the arrays that it
    needs, and further arguments, which the docstrings of `gdl.circuit.scalar.kernels` describe.
    Write a joint move to `memory[at.chosen : at.chosen + R]` before making it. The current state is
    in `memory[at.current : at.current + W]`.
    """

    load: Callable[[Places, IntArray, IntArray, IntArray], None]
    make: Callable[[Places, IntArray, IntArray], None]
    make_from: Callable[[Places, IntArray, IntArray, IntArray], None]
    advance: Callable[[Places, IntArray, IntArray], None]
    holds: Callable[[Places, IntArray, int], bool]
    goal_of: Callable[[Places, IntArray, IntArray, int], int]
    list_legal: Callable[[Places, IntArray, IntArray, int, IntArray, int], int]
    count_legal: Callable[[Places, IntArray, IntArray, int], int]
    choose: Callable[[Places, IntArray, IntArray, LongArray, int], int]
    draw: Callable[[LongArray, int], int]


def scalar_kernels() -> ScalarKernels:
    """Return the scalar kernels."""
    return ScalarKernels(*(getattr(kernels, name) for name in ScalarKernels._fields))
