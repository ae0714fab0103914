"""Ground rules without what is settled."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.ground.assemble import Settled
from gdl.ground.program import GroundRules

pytestmark = pytest.mark.usefixtures("kernels")


def settled(rules: list[list[int]], opened: list[int], num_atoms: int) -> Settled:
    """The rules, each of which is a head and its literals."""
    offsets = np.cumsum([0, *(len(rule) - 1 for rule in rules)]).astype(np.int32)
    literals = [literal for rule in rules for literal in rule[1:]]
    heads = [rule[0] for rule in rules]
    arrays = (np.array(numbers, np.int32) for numbers in (heads, offsets, literals, opened))
    return Settled(GroundRules(num_atoms, *arrays))


def test_what_is_settled_is_removed_through_chains_of_rules() -> None:
    """Atom 1 is a fact, so 7 is one, so 6 never holds: no rule is left."""
    found = settled([[1], [6, 5, -7], [7, 1]], opened=[5], num_atoms=8)

    assert found.heads.tolist() == []
    assert found.always.nonzero()[0].tolist() == [1, 7]
    assert found.never[6]
    assert not found.never[5]


def test_what_is_open_stays() -> None:
    """Atom 1 may hold or not, and what is decided by it as well."""
    found = settled([[2, 1, -3], [4, 2, -1], [5]], opened=[1], num_atoms=6)

    assert found.heads.tolist() == [2, 4]
    assert found.offsets.tolist() == [0, 1, 3]
    assert found.literals.tolist() == [1, 2, -1]


def test_no_rules_leave_nothing() -> None:
    """Nothing may be a rule."""
    found = settled([], opened=[], num_atoms=1)

    assert (found.heads.tolist(), found.offsets.tolist()) == ([], [0])
