"""A compiled game for searches that bring their own kernels: its arrays, and what walks in them.

game = scalar_game(machine)
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

from gdl.circuit.netlist import Netlist, pack, unpack
from gdl.circuit.passes.cone import for_play
from gdl.circuit.scalar import kernels
from gdl.circuit.scalar.layout import Places, plan
from gdl.machine import Move, Role, State
from gdl.terms import Term

IntArray = NDArray[np.int32]
ScalarPlaces = Places


class ScalarGame:
    """A game in one state, which can be any, without the facts that make no difference to play.

    Of one thread at a time. `I` inputs: a move of a role is the number of its input. `W` words: a
    packed state is `[W]` int32, bit k of word j is fact 32 j + k. W is even.

    Attributes:
        at: What begins where in the arrays, for the kernels.
        layout: `int32` the game.
        memory: `int32` the state and all that follows from it.
        roles: In rulesheet order.
        facts: What a packed state holds, by number.
        inputs: `[I]` role index and move of each input, sorted by role.
    """

    def __init__(self, netlist: Netlist, keeps: Callable[[Term], bool] | None = None) -> None:
        """The game of a netlist, with the facts that make a difference or that `keeps` names."""
        kept = for_play(netlist, keeps)
        planned = plan(kept)
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

    @property
    def num_words(self) -> int:
        """W."""
        return self.at.num_words

    def pack(self, state: State) -> IntArray:
        """`[W]` a state of the machine, packed."""
        assert isinstance(state, bytes)
        bases = unpack(np.frombuffer(state, np.int32), self._num_bases)
        words: IntArray = pack(bases[None, self._kept])[0]
        return words

    def goal_values(self, role: int) -> tuple[int, ...]:
        """All goals that the rules can give a role, ascending; 0 is one, they may give none."""
        return tuple(sorted({0} | {value for r, value, _ in self._goals if r == role}))


class ScalarKernels(NamedTuple):
    """Operations on the arrays of a `ScalarGame`, in kernels too: see `gdl.kernel`.

    Each takes `at`, the arrays it needs and what stands behind them in the docstrings of
    `gdl.circuit.scalar.kernels`. A joint move is written to `memory[at.chosen : at.chosen + R]`
    before it is made; the state stands in `memory[at.current : at.current + W]`.
    """

    load: Callable[[Places, IntArray, IntArray, IntArray], None]
    make_from: Callable[[Places, IntArray, IntArray, IntArray], None]
    advance: Callable[[Places, IntArray, IntArray], None]
    holds: Callable[[Places, IntArray, int], bool]
    goal_of: Callable[[Places, IntArray, IntArray, int], int]
    list_legal: Callable[[Places, IntArray, IntArray, int, IntArray, int], int]
    count_legal: Callable[[Places, IntArray, IntArray, int], int]


def scalar_kernels() -> ScalarKernels:
    """The kernels."""
    return ScalarKernels(
        load=kernels.load,
        make_from=kernels.make_from,
        advance=kernels.advance,
        holds=kernels.holds,
        goal_of=kernels.goal_of,
        list_legal=kernels.list_legal,
        count_legal=kernels.count_legal,
    )
