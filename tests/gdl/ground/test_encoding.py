"""Reading ground rules in bulk."""

from __future__ import annotations

from gdl.ground.assemble import Settled
from gdl.ground.program import TRUE, read_aspif

_TEXT = b"""asp 1 0 0 incremental
1 0 1 1 0 0
1 1 1 5 0 1 6
1 0 1 6 0 2 5 -7
1 0 1 7 0 1 1
4 4 i(1) 0
4 4 t(1) 1 5
4 4 n(1) 1 6
0
"""


def test_rules_and_names_are_read() -> None:
    """Choices are told apart from rules; what is shown without condition always holds."""
    rules = read_aspif(_TEXT)

    assert rules.heads.tolist() == [1, 6, 7]
    assert rules.offsets.tolist() == [0, 0, 2, 3]
    assert rules.literals.tolist() == [5, -7, 1]
    assert rules.open.tolist() == [5]
    assert rules.shown == (("i(1)", TRUE), ("t(1)", 5), ("n(1)", 6))


def test_an_empty_program_is_read() -> None:
    """Nothing may be shown and nothing may be a rule."""
    rules = read_aspif(b"asp 1 0 0\n0\n")

    assert (len(rules.heads), rules.offsets.tolist(), rules.shown) == (0, [0], ())


def test_what_is_settled_is_removed_through_chains_of_rules() -> None:
    """Atom 1 is a fact, so 7 is one, so 6 never holds: no rule is left."""
    settled = Settled(read_aspif(_TEXT))

    assert settled.heads.tolist() == []
    assert settled.always.nonzero()[0].tolist() == [1, 7]
    assert settled.never[6]
    assert not settled.never[5]
