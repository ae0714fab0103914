"""Netlists for the tests of the lanes: random ones, and tiny games whose playouts are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gdl.circuit import NO, YES, Netlist
from gdl.terms import Constant


class _Growing:
    """A netlist under construction.

    Each node has a sign: +1 it grows with feedback, -1 it shrinks, 0 it does not depend on it.
    """

    def __init__(self, num_sources: int, num_feedback: int, rng: np.random.Generator) -> None:
        self.signs = [0] * (1 + num_sources) + [1] * num_feedback
        self.gates: list[list[int]] = []
        self.rng = rng

    def add_gate(self, nodes: Sequence[int]) -> None:
        """A gate that reads 1 to 4 of some nodes and is monotone in the feedback nodes."""
        size = int(self.rng.integers(1, 5))
        sign = int(self.rng.choice([-1, 1]))
        literals = []
        for index in self.rng.choice(len(nodes), size, replace=False).tolist():
            node = nodes[index]  # to choose from the list would make an array of all of it
            flips = self.rng.random() < 0.5 if self.signs[node] == 0 else self.signs[node] != sign
            literals.append(2 * node + int(flips))
        depends = any(self.signs[literal >> 1] for literal in literals)
        self.signs.append(sign if depends else 0)
        self.gates.append(literals)

    def growing_literal(self, nodes: Sequence[int]) -> int:
        """A literal that does not shrink when feedback grows."""
        node = int(self.rng.choice(nodes))
        return 2 * node + int(self.signs[node] < 0)

    def literals(self, nodes: Sequence[int], count: int) -> list[int]:
        """Random literals of some nodes."""
        chosen = 2 * self.rng.choice(nodes, count) + self.rng.integers(0, 2, count)
        return [int(literal) for literal in chosen]


def random_netlist(seed: int, *, bases: int = 9, gates: int = 60, feedback: int = 0) -> Netlist:
    """A netlist without meaning: two roles, 6 and 5 inputs, gates of 1 to 4 literals."""
    rng = np.random.default_rng(seed)
    num_inputs = 11
    growing = _Growing(bases + num_inputs, feedback, rng)
    first_feedback = 1 + bases + num_inputs
    first_gate = first_feedback + feedback
    state = [*range(1, 1 + bases), *range(first_feedback, first_gate)]
    for _ in range(gates):
        growing.add_gate(state)
        state.append(len(growing.signs) - 1)
    everything = [*state, *range(1 + bases, first_feedback)]
    for _ in range(gates):
        growing.add_gate(everything)
        everything.append(len(growing.signs) - 1)
    goals = zip([0, 0, 1], [0, 100, 50], growing.literals(state, 3), strict=True)
    return _netlist(
        roles=("red", "blue"),
        owners=[0] * 6 + [1] * 5,
        init=rng.random(bases) < 0.5,
        gates=growing.gates,
        next=growing.literals(everything, bases),
        legal=growing.literals(state, num_inputs),
        terminal=growing.literals(state, 1)[0],
        goals=tuple(goals),
        feedback=[growing.growing_literal(state) for _ in range(feedback)],
    )


def alternating(netlist: Netlist) -> Netlist:
    """The game whose base 1 says whose turn it is: the other role may make its first move only."""
    first_gate = netlist.first_gate + netlist.num_gates
    turn = 2 * 1
    legal, gates = netlist.legal.tolist(), []
    for role, own in ((0, turn), (1, turn + 1)):
        inputs = range(netlist.role_starts[role], netlist.role_starts[role + 1])
        legal[inputs[0]] = YES
        for index in inputs[1:]:
            gates.append([own, legal[index]])
            legal[index] = 2 * (first_gate + len(gates) - 1)
    following = netlist.next.copy()
    following[0] = turn + 1
    init = netlist.init.copy()
    init[0] = True
    ends = netlist.offsets[-1] + 2 * np.arange(1, 1 + len(gates), dtype=np.int32)
    return replace(
        netlist,
        init=init,
        next=following,
        legal=np.array(legal, np.int32),
        offsets=np.concatenate([netlist.offsets, ends]),
        literals=np.concatenate([netlist.literals, np.array(gates, np.int32).ravel()]),
    )


def open_choice(num_inputs: int) -> Netlist:
    """One role; its input i is legal where base i is true, if i is odd where it is false."""
    return _netlist(
        roles=("robot",),
        owners=[0] * num_inputs,
        init=np.zeros(num_inputs, np.bool_),
        gates=[],
        next=[2 * (1 + base) for base in range(num_inputs)],
        legal=[2 * (1 + base) + base % 2 for base in range(num_inputs)],
        terminal=NO,
        goals=(),
    )


def three_moves(*, ends: bool = True) -> Netlist:
    """A game of three moves, left or right; the goal is 100 if the last was right, otherwise 0.

    Bases 1 to 4 say how many moves were made (a ring), base 5 that the last was right; input 6 is
    left, 7 right, and 8 the only move of the other role.
    """
    return _netlist(
        roles=("robot", "witness"),
        owners=[0, 0, 1],
        init=np.array([1, 0, 0, 0, 0], np.bool_),
        gates=[[2 * 7, 2 * 8]],
        next=[2 * 4, 2 * 1, 2 * 2, 2 * 3, 2 * 9],
        legal=[1, 1, 1],
        terminal=2 * 4 if ends else NO,
        goals=((0, 0, 2 * 5 + 1), (0, 100, 2 * 5), (1, 70, 1)),
    )


def _netlist(
    *,
    roles: tuple[str, ...],
    owners: list[int],
    init: np.ndarray[tuple[int], np.dtype[np.bool_]],
    gates: list[list[int]],
    next: list[int],
    legal: list[int],
    terminal: int,
    goals: tuple[tuple[int, int, int], ...],
    feedback: Sequence[int] = (),
) -> Netlist:
    return Netlist(
        roles=tuple(Constant(role) for role in roles),
        bases=tuple(Constant(f"base{index}") for index in range(len(init))),
        inputs=tuple((role, Constant(f"move{index}")) for index, role in enumerate(owners)),
        init=init,
        offsets=np.cumsum([0, *(len(gate) for gate in gates)]).astype(np.int32),
        literals=np.array([literal for gate in gates for literal in gate], np.int32),
        next=np.array(next, np.int32),
        legal=np.array(legal, np.int32),
        terminal=terminal,
        goals=goals,
        feedback=np.array(feedback, np.int32),
    )
