"""An answer as lines of a tree."""

from __future__ import annotations

import gdl

RULES = """(role me) (init (s 0)) (goal me 50) (near 0 1)
(<= (legal me (go ?n)) (true (s ?m)) (near ?m ?n))
(<= (next (s ?n)) (does me (go ?n)))
(<= terminal (done me) (not (legal me (go 1))))
(<= (done me) (true (s 1)))
(<= (done me) (true (s 2)))
"""


def rows(fact: str, depth: int = 4) -> list[str]:
    """The lines of an answer, indented."""
    answer = gdl.why(gdl.read_kif(RULES, "it.kif"), fact)
    return [f"{'  ' * line.level}{line.text}: {line.said}" for line in gdl.lines_of(answer, depth)]


def test_a_derivation_stands_under_its_fact() -> None:
    """Each condition one level deeper."""
    assert rows("(legal me (go 1))") == [
        "(legal me (go 1)): by a rule",
        "  (true (s 0)): in the state",
        "  (near 0 1): a fact of the rules",
    ]


def test_rules_that_could_make_it_stand_under_what_does_not_hold() -> None:
    """With their conditions; the first that fails is explained."""
    found = rows("terminal")

    assert found[0] == "terminal: no rule makes it"
    assert found[1] == "  2 conditions fail: "
    assert found[2] == "    (done me): no rule makes it"
    assert "      1 condition fails: " in found
    assert "    (not (legal me (go 1))): " in found


def test_what_is_deeper_than_asked_for_is_noted() -> None:
    """In a line of its own."""
    assert "      ... (more with a larger depth): " in rows("terminal", depth=1)


def test_a_line_is_data_for_programs() -> None:
    """A place is one of the rules."""
    answer = gdl.why(gdl.read_kif(RULES, "it.kif"), "(legal me ?m)")
    first = next(iter(gdl.lines_of(answer, 4))).to_json()

    assert first == {
        "level": 0,
        "kind": "fact",
        "holds": True,
        "text": "(legal me (go 1))",
        "said": "by a rule",
        "place": {"file": "it.kif", "line": 2, "column": 1, "length": 50},
    }
