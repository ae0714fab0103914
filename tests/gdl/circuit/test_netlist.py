"""The slow evaluator, by known answers: it is what all others are compared with."""

from __future__ import annotations

import numpy as np

from gdl.circuit import Netlist
from gdl.circuit.netlist import literal_values
from gdl.terms import Constant
from tests.fakes.netlists import evaluate


def test_gates_are_ands_of_literals() -> None:
    """Base a, base b and input c: `a and not b`, and `not (a and not b) and c`."""
    netlist = _netlist(offsets=[0, 2, 4], literals=[2, 5, 9, 6], feedback=[])
    bases = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.bool_)
    inputs = np.array([[1], [1], [1], [0]], np.bool_)

    values = evaluate(netlist, bases, inputs)

    assert values[:, 4].tolist() == [False, True, False, False]
    assert values[:, 5].tolist() == [True, False, True, False]
    assert literal_values(values, [1, 11]).tolist() == [[1, 0], [1, 1], [1, 0], [1, 1]]


def test_feedback_is_the_least_fixpoint() -> None:
    """`f = a or (f and b)` is a, whatever b is: f does not keep itself up."""
    # Node 4 is f; 5 is f and b; 6 is not a and not 5.
    netlist = _netlist(offsets=[0, 2, 4], literals=[8, 4, 3, 11], feedback=[13])
    bases = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.bool_)

    values = evaluate(netlist, bases, np.zeros((4, 1), np.bool_))

    assert values[:, 4].tolist() == [False, False, True, True]


def _netlist(offsets: list[int], literals: list[int], feedback: list[int]) -> Netlist:
    return Netlist(
        roles=(Constant("me"),),
        bases=(Constant("a"), Constant("b")),
        inputs=((0, Constant("c")),),
        init=np.zeros(2, np.bool_),
        offsets=np.array(offsets, np.int32),
        literals=np.array(literals, np.int32),
        next=np.zeros(2, np.int32),
        legal=np.ones(1, np.int32),
        terminal=0,
        goals=(),
        feedback=np.array(feedback, np.int32),
    )
