"""Of arithmetic it is said how GDL does without, and no cure drops it."""

from __future__ import annotations

import pytest

import gdl

GAME = "(role x) (legal x go) (goal x 0) (init (n 0)) (<= terminal (true (n 0)))\n"
TABLE = (
    "GDL cannot compute: write a table of facts, (succ 0 1) (succ 1 2) ..., and the condition "
    "(succ ?n ?m)"
)


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (next (n ?n+1)) (true (n ?n)))",
        "(<= (next over) (true (n ?n)) (not (true (n ?n+1))))",
        "(<= (next (n ?m)) (true (n ?n)) (is ?m (+ ?n 1)))",
        "(<= (next (n ?m)) (true (n ?n)) (= ?m (+ ?n 1)))",
        "(<= (next (n ?m)) (true (n ?n)) (plus ?n 1 ?m))",
        "(<= (next (n ?m)) (true (n ?n)) (?m is ?n + 1))",
        "(<= (next (n (?n + 1))) (true (n ?n)))",
    ],
)
def test_a_sum_is_said_by_a_table_of_facts(rule: str) -> None:
    """Nothing else is offered: `?n` for `?n+1` would be a number that never rises."""
    document = gdl.document(GAME + rule)

    [found] = [one for one in document.diagnostics if one.span.line == 2 and one.severity > 1]

    assert found.message.endswith(TABLE)
    assert document.cures(found) == []


def test_a_variable_that_has_a_value_may_be_called_anything() -> None:
    """Such as `?n-1`."""
    rule = "(<= (next (n ?n-1)) (true (n ?n-1)))"

    assert not any("compute" in one.message for one in gdl.check(GAME + rule))


def test_the_variable_of_prolog_for_anything_is_written_as_one_of_its_own() -> None:
    """Where no constant can stand that is so called."""
    [found] = gdl.check(GAME + "(<= (next (n 0)) (true (n _)))")

    assert found.message == (
        "nothing has '_' at this place, so this never holds; a variable is written ?x, and each "
        "'_' needs its own: ?x, ?y"
    )
