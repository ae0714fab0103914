"""From ground programs to netlists."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.circuit.build import build
from gdl.errors import UnstratifiedError
from tests.gdl.circuit.programs import (
    PROGRAMS,
    Rules,
    grid,
    lights,
    netlist_outputs,
    program_outputs,
    states,
)

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_netlist_means_what_its_program_means(name: str) -> None:
    """Every output has the value that the rules give it, in any state and after any moves."""
    program = PROGRAMS[name]
    netlist = build(program)
    bases, inputs = states(netlist.num_bases, netlist.num_inputs, 200)

    expected = program_outputs(program, bases, inputs)

    assert (netlist_outputs(netlist, bases, inputs) == expected).all()
    assert expected.any(axis=0).sum() > 3


def test_gates_read_lower_nodes_only() -> None:
    """Nodes are in topological order, and no gate is made twice."""
    netlist = build(grid(4))

    gates = [
        tuple(netlist.literals[a:b].tolist())
        for a, b in zip(netlist.offsets[:-1], netlist.offsets[1:], strict=True)
    ]

    assert len(set(gates)) == len(gates) == netlist.num_gates
    assert all(max(gate) >> 1 < netlist.first_gate + k for k, gate in enumerate(gates))
    assert all(min(gate) > 1 and len(gate) > 1 for gate in gates)


def test_small_components_are_unrolled_and_large_ones_fed_back() -> None:
    """Up to ten atoms that define each other need no feedback; of more, each has a node."""
    small, large = build(grid(3)), build(grid(4))

    assert len(small.feedback) == 0
    assert len(large.feedback) == 16


def test_recursion_over_the_negation_of_recursion_is_unrolled() -> None:
    """Feedback never depends on the negation of feedback: that would be no least fixpoint."""
    once, twice = build(grid(4)), build(grid(4, walls_after=True))

    assert len(twice.feedback) == len(once.feedback)
    assert twice.num_gates > 2 * once.num_gates


@pytest.mark.parametrize("length", [1, 2, 20])
def test_a_negative_cycle_is_an_error(length: int) -> None:
    """An atom that depends on its own negation within a state has no meaning."""
    rules = Rules(("me",), ("b",), ((0, "go"),))
    for k in range(length):
        rules.add(f"x{k}", f"{'' if k else '-'}x{(k + 1) % length}", "b")
    rules.add("terminal", "x0")

    with pytest.raises(UnstratifiedError, match="depends on its own negation"):
        build(rules.program())


def test_an_atom_that_only_supports_itself_does_not_hold() -> None:
    """The meaning of recursion is its least fixpoint."""
    rules = Rules(("me",), ("b",), ((0, "go"),))
    rules.add("x", "x", "b")
    rules.add("terminal", "x")

    assert build(rules.program()).terminal == 0


def test_facts_and_what_never_holds_are_constants() -> None:
    """Atoms that are TRUE or have no rules become the constant literals."""
    netlist = build(lights())
    goals = {(role, value): literal for role, value, literal in netlist.goals}

    assert goals[1, 50] == 1
    assert netlist.legal[4] == 1
    assert np.isin([0, 1], netlist.literals).sum() == 0
