"""Games as all three reasoners play them, and walks along which they must agree.

walk = Walk(game_of(path), seed=1, followed=[0, 511])
walk.go(steps=20)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import gdl
from gdl.circuit.assembler.code import gate_code
from gdl.circuit.circuit import Circuit, make_circuit
from gdl.circuit.lanes.playouts.lanes import DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.vectors import WORD_BITS
from gdl.circuit.netlist import NO
from gdl.circuit.scalar.machine import CircuitMachine
from gdl.circuit.schedule import Schedule, schedule
from gdl.ground import Budget
from gdl.ground.grounding import ground
from tests.shared import REPOSITORY

GAMES = sorted(path.stem for path in (REPOSITORY / "games").glob("*.kif"))

Bits = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Game:
    """A game, compiled as for play."""

    interpreter: gdl.Interpreter
    scalar: CircuitMachine
    circuit: Circuit

    def lanes(self, seed: int, width: int = DEFAULT_WIDTH) -> Lanes:
        """Lanes as they play, by machine code where this machine can run any."""
        return Lanes(self.circuit.phases, width, seed, gate_code(self.circuit.phases, width))

    def table_plans(self) -> list[Schedule]:
        """The schedules of the phases for tables."""
        return [schedule(phase.netlist, straight=False) for phase in self.circuit.phases]


@cache
def game_of(path: Path) -> Game:
    """The game of a rulesheet."""
    rulesheet = gdl.read_kif(path.read_text(encoding="latin-1"), path.name)
    circuit = make_circuit(ground(rulesheet, Budget(seconds=60)))
    return Game(gdl.Interpreter(rulesheet), CircuitMachine(circuit.netlist), circuit)


def bundled(name: str) -> Game:
    """A bundled game."""
    return game_of(REPOSITORY / "games" / f"{name}.kif")


def read_lanes(lanes: Lanes, places: NDArray[np.integer], which: Sequence[int]) -> Bits:
    """`[lanes, places]` the values at places in some of the lanes."""
    words = lanes.state.values["words"][np.asarray(places) >> 1]
    chosen = np.asarray(which)
    shifts = (chosen % WORD_BITS).astype(np.uint64)
    bits: Bits = (words[:, chosen // WORD_BITS] >> shifts & np.uint64(1)).T.astype(np.bool_)
    is_complemented: Bits = (np.asarray(places) & 1).astype(np.bool_)
    return bits ^ is_complemented


class Walk:
    """Lanes that play at random as they do in playouts, and what follows some of them."""

    def __init__(
        self, game: Game, seed: int, followed: Sequence[int], *, by_table: bool = False
    ) -> None:
        """Lanes at the first state.

        Args:
            game: What they play.
            seed: Of their choices.
            followed: The lanes that are compared in each step.
            by_table: Run tables instead of machine code.
        """
        self.plans = game.table_plans() if by_table else game.circuit.phases
        self.lanes = Lanes(self.plans, seed=seed) if by_table else game.lanes(seed)
        self.which = list(followed)
        self.followers = [_Follower(game) for _ in followed]
        self.num_compared = 0

    def go(self, steps: int) -> None:
        """Make so many steps; before each, and after the last, all must say the same."""
        for _ in range(steps):
            self._compare()
            self._step()
        self._compare()

    def _compare(self) -> None:
        plan = self.plans[self.lanes.phase]
        self.lanes.settle()
        netlist = plan.netlist
        sizes = [netlist.num_bases, netlist.num_inputs, 1, len(plan.goals)]
        bases = 2 * np.arange(1, 1 + netlist.num_bases)
        places = np.concatenate([bases, plan.legal, [plan.terminal], plan.goals]).astype(np.int64)
        for follower, found in zip(
            self.followers, read_lanes(self.lanes, places, self.which), strict=True
        ):
            if follower.is_playing:
                follower.compare(plan, *np.split(found, np.cumsum(sizes)[:-1]))
                self.num_compared += 1

    def _step(self) -> None:
        plan = self.plans[self.lanes.phase]
        netlist = plan.netlist
        self.lanes.playouts(steps=1)
        inputs = 2 * (netlist.first_input + np.arange(netlist.num_inputs))
        chosen = read_lanes(self.lanes, inputs, self.which) & (plan.legal != NO)
        for follower, moves in zip(self.followers, chosen, strict=True):
            # Lanes begin anew when it is the turn of who begins.
            if not follower.is_playing and self.lanes.phase == 0:
                follower.begin()
            elif follower.is_playing:
                follower.follow(plan, moves)


class _Follower:
    """The interpreter and the scalar machine in the state of one lane."""

    def __init__(self, game: Game) -> None:
        self._slow, self._fast = game.interpreter, game.scalar
        self.begin()

    def begin(self) -> None:
        """Stand in the first state."""
        self._state: gdl.State = self._slow.initial_state()
        self._packed: gdl.State = self._fast.initial_state()
        self.is_playing = True

    def compare(
        self, plan: Schedule, bases: Bits, legal: Bits, terminal: Bits, goals: Bits
    ) -> None:
        """All must say the same of the state; when the game is over, it is followed no more."""
        netlist, state, packed = plan.netlist, self._state, self._packed
        facts = self._slow.facts(state)
        assert self._fast.facts(packed) == facts
        kept = set(facts).intersection(netlist.bases)
        assert {fact for fact, holds in zip(netlist.bases, bases, strict=True) if holds} == kept
        is_over = self._slow.is_terminal(state)
        assert self._fast.is_terminal(packed) == is_over
        assert bool(terminal[0]) == is_over
        for index, role in enumerate(netlist.roles):
            moves = self._slow.legal_moves(state, role)
            assert self._fast.legal_moves(packed, role) == moves
            first, last = netlist.role_starts[index : index + 2]
            assert {netlist.inputs[first + i][1] for i in np.flatnonzero(legal[first:last])} == set(
                moves
            )
            values = self._slow.goals(state, role)
            assert self._fast.goals(packed, role) == values
            stated = zip(netlist.goals, goals, strict=True)
            assert sorted(v for (r, v, _), holds in stated if r == index and holds) == list(values)
        self.is_playing = not is_over

    def follow(self, plan: Schedule, chosen: Bits) -> None:
        """Make the moves of the lane; each role that has a legal one must have made one."""
        netlist = plan.netlist
        moves = []
        for (first, last), role in zip(pairwise(netlist.role_starts), netlist.roles, strict=True):
            made = first + np.flatnonzero(chosen[first:last])
            legal = self._slow.legal_moves(self._state, role)
            assert len(made) == min(1, len(legal))
            moves += [netlist.inputs[i][1] for i in made]
        if len(moves) < len(netlist.roles):
            self.is_playing = False  # the rules do not say what follows
            return
        self._state = self._slow.next_state(self._state, moves)
        self._packed = self._fast.next_state(self._packed, moves)
