"""KIF to Epilog and back: the same rules up to the names of variables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gdl
from gdl.rulesheet import Rule
from tests.shared import REPOSITORY, require
from tests.thorough import KINDS, all_but

BUNDLED = sorted((REPOSITORY / "games").glob("*.kif"))
QUICK = [path for path in BUNDLED if path.stem in KINDS]
SEQUENTIAL = sorted((REPOSITORY / "games" / "epilog").glob("*.epilog"))


def normal(rule: Rule) -> str:
    """The rule with its variables numbered in order of their first occurrence."""
    numbers: dict[str, str] = {}
    return re.sub(
        r"\?[^\s()]+", lambda match: numbers.setdefault(match[0], f"?{len(numbers)}"), str(rule)
    )


def assert_round_trip(path: Path) -> None:
    """The rules of a KIF file, written as Epilog, read the same."""
    before = gdl.read_kif(path.read_text(encoding="utf-8"), path.name)

    after = gdl.read_epilog(gdl.write_epilog(before), path.name)

    assert [normal(rule) for rule in after.rules] == [normal(rule) for rule in before.rules]
    assert after.roles == before.roles
    assert len(after.problems) == len(before.problems)


@pytest.mark.parametrize("path", all_but(QUICK, BUNDLED, is_whole=True), ids=lambda path: path.stem)
def test_bundled_game_survives_the_way_through_epilog(path: Path) -> None:
    """Both notations say the same."""
    assert_round_trip(path)


def test_all_bundled_games_are_found() -> None:
    """An empty list of games would make the tests above say nothing."""
    assert len(BUNDLED) >= 16
    assert len(SEQUENTIAL) >= 6


@pytest.mark.parametrize("path", SEQUENTIAL, ids=lambda path: path.stem)
def test_sequential_game_survives_being_written_as_gdl(path: Path) -> None:
    """An Epilog game that was read can be written in either notation."""
    rules = gdl.read_epilog(path.read_text(encoding="utf-8"), path.name)

    again = gdl.read_epilog(gdl.write_epilog(rules))

    assert [len(rule.body) for rule in again.rules] == [len(rule.body) for rule in rules.rules]
    assert list(again.definitions) == list(rules.definitions)


@pytest.mark.parametrize("step", [70, pytest.param(8, marks=pytest.mark.thorough)])
def test_public_rulesheets_survive_the_way_through_epilog(step: int) -> None:
    """Whatever symbols real rulesheets use, Epilog can spell them."""
    paths = sorted(require("corpus", "rules").glob("*.kif"))

    for path in paths[::step]:
        assert_round_trip(path)

    assert len(paths) > 200


@pytest.mark.parametrize(
    "statement",
    [
        '(f + < 2x a-b Mark a.b %20 %2520 a%20b %41 "q" \' \\ :- & ü Ü _ -)',
        "(Mark 1 (F x))",
        "(<= (p ?X ?y-1 ?y_1 ?1 ?+) (q ?x ?y-1 ?y_1 ?1 ?+) (not (r ?X)))",
        "(<= a (or) (and) (or b) (or (and c d) (or e (not f)) (not (or g h))))",
        "(<= (terminal) (distinct a b) (not (distinct a b)))",
        "(<= a (not (not b)) (not (and b c)))",
        "(<= (goal ?w 100))",
    ],
)
def test_odd_spelling_survives_the_way_through_epilog(statement: str) -> None:
    """Symbols that Epilog does not have become strings, other variables new names."""
    before = gdl.read_kif(statement)

    after = gdl.read_epilog(gdl.write_epilog(before))

    assert [normal(rule) for rule in after.rules] == [normal(rule) for rule in before.rules]
    assert not after.problems


def test_long_rule_is_written_one_condition_a_line() -> None:
    """A rule that is longer than a line is wrapped after `&`."""
    body = " ".join(f"(condition{number} ?x)" for number in range(9))

    text = gdl.write_epilog(gdl.read_kif(f"(<= (p ?x) {body})"))

    lines = text.splitlines()
    assert lines[:2] == ["p(X) :-", "  condition0(X) &"]
    assert len(lines) == 10


def test_statement_without_spelling_is_refused_with_its_place() -> None:
    """`((f) a)` has no relation, so there is nothing to write before the parenthesis."""
    with pytest.raises(gdl.RulesheetError, match=r"odd\.kif:2:2: expected a symbol"):
        gdl.write_epilog(gdl.read_forms("(role x)\n((f) a)", "odd.kif"))


def test_move_is_written_and_read_as_a_term() -> None:
    """Moves travel as terms, in the rulesheet's own spelling."""
    rules = gdl.read_kif("(role x) (legal x (Mark 1 noop))")
    move = gdl.read_term("(mark 1 noop)", rules)

    text = gdl.write_epilog_term(move)

    assert text == '"Mark"(1,noop)'
    assert gdl.read_epilog_term("mark(1,noop)", rules) is move
    assert gdl.read_epilog_term(text, rules) is move
