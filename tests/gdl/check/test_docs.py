"""The page about the language documents every check, with an example that shows it."""

from __future__ import annotations

import re

import pytest

import gdl
from gdl.check.diagnostic import CODES
from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")

PAGE = (REPOSITORY / "docs" / "gdl.md").read_text(encoding="utf-8")
SECTION = re.compile(
    r"^#### `(?P<code>[a-z-]+)` \((?P<severity>\w+)\)\n\n(?P<text>.*?)(?=^#)", re.M | re.S
)
SECTIONS = {match["code"]: match for match in SECTION.finditer(PAGE + "\n#")}
QUICK = gdl.PlayLimits(playouts=5, steps=50)


def test_every_code_has_a_section_and_every_section_a_code() -> None:
    """In the order in which the codes stand in the source."""
    assert list(SECTIONS) == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_section_says_how_bad_it_is_and_what_it_means(code: str) -> None:
    """The words are those of the source."""
    section = SECTIONS[code]

    assert section["severity"] == CODES[code].severity
    assert " ".join(section["text"].split()).startswith(CODES[code].meaning.rstrip("."))


@pytest.mark.parametrize("code", sorted(CODES.keys() - {"play-time"}))
def test_example_has_the_fault(code: str) -> None:
    """A copy of the example shows the finding; it takes two lines."""
    found = re.search(r"```(?:kif|epilog)\n(.*?)```", SECTIONS[code]["text"], re.S)
    assert found is not None
    example = found[1]

    codes = {one.code for one in gdl.check(example)}
    if code.startswith("play-"):
        codes = {one.code for one in gdl.check_play(gdl.read_kif(example), QUICK)}

    assert code in codes
    assert example.count("\n") == 2


PLAYED = "(role x) (init (s 0)) (legal x go) (<= (next (s 1)) (true (s 0))) (p 1) "
"""A game that may end after a move, if more rules say so."""


@pytest.mark.parametrize(
    ("code", "rules", "is_over"),
    [
        ("variable-fact", "(input ?r (take 1))", False),
        ("variable-fact", "(q ?n) (<= terminal (q 2))", True),
        ("unsafe-head", "(<= (legal x (mark ?n)) (p 1))", False),
        ("unsafe-not", "(<= terminal (not (true (s ?n))))", False),
        ("unsafe-not", "(<= terminal (not (true (t ?n))))", True),
        ("unsafe-distinct", "(<= terminal (p ?n) (distinct ?n ?m))", True),
        ("keyword-arity", "(<= (terminal 1) (p 1))", False),
        ("keyword-head", "(true (s 3)) (<= terminal (true (s 3)))", False),
        ("depends-on-moves", "(<= terminal (does x go))", False),
        ("depends-on-state", "(<= (init (s 5)) (true (s 0))) (<= terminal (true (s 5)))", False),
        ("negation-cycle", "(<= (q 1) (not (q 1)))", False),
    ],
)
def test_errors_that_are_played(code: str, rules: str, is_over: bool) -> None:
    """As the table on the page says, compiled or not."""
    rulesheet = gdl.read_kif(PLAYED + rules)
    assert code in {found.code for found in gdl.check(rulesheet)}
    for machine in (gdl.Interpreter(rulesheet), gdl.load(rulesheet)):
        state, [role] = machine.initial_state(), machine.roles
        assert list(map(str, machine.legal_moves(state, role))) == ["go"]
        assert machine.is_terminal(state) == is_over


@pytest.mark.parametrize(
    "rules", ["(role ?r)", "(init (at ?n))", "(legal x (mark ?n))", "(goal ?r ?n)"]
)
def test_errors_that_are_not_played(rules: str) -> None:
    """A fact says nothing of a variable; but `(legal ?r noop)` is asked for one role at a time."""
    rulesheet = gdl.read_kif(f"{PLAYED}\n{rules}", "it.kif")
    column = rules.rindex("?") + 1

    for play in (gdl.Interpreter, gdl.load, lambda it: gdl.load(it, "scalar")):
        with pytest.raises(gdl.RulesheetError, match="a fact cannot have the variable") as caught:
            play(rulesheet)
        assert str(caught.value).startswith(f"it.kif:2:{column}: ")
    assert "variable-fact" in {found.code for found in gdl.check(rulesheet)}
    assert gdl.check_play(rulesheet) == ()
