"""The canonical form: equal for the same game under other names, and for no other game."""

from __future__ import annotations

from collections import Counter

import pytest

import gdl
from gdl.rulesheet.canonical import canonical_form
from ggp import games
from tests.gdl.rulesheet.renaming import five_in_a_row, with_other_names
from tests.shared import require
from tests.thorough import KINDS, all_but


def read(name: str) -> gdl.Rulesheet:
    """A bundled game."""
    return gdl.read_rules(games.text(name), name)


def form(text: str) -> gdl.CanonicalForm:
    """The canonical form of rules that have one."""
    found = gdl.read_kif(text).canonical
    assert found is not None
    return found


def check_renaming(rulesheet: gdl.Rulesheet, seed: int) -> None:
    """Rules with other names have the same form, which tells what the names of facts are."""
    other = gdl.read_kif(with_other_names(rulesheet, seed)[0])
    ours, theirs = rulesheet.canonical, other.canonical
    assert ours is not None
    assert theirs is not None
    assert ours.digest == theirs.digest
    assert rulesheet.shape == other.shape
    assert rulesheet.digest != other.digest
    names = ours.names_in(theirs)
    facts = Counter(gdl.renamed(str(rule.head), names) for rule in rulesheet.rules if rule.is_fact)
    assert facts == Counter(str(rule.head) for rule in other.rules if rule.is_fact)


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_other_names_and_another_order_have_the_same_form(name: str) -> None:
    """Also where symbols are each other's mirror image, as in lightsOut."""
    check_renaming(read(name), seed=5)


def test_states_of_renamed_rules_are_renamed_states() -> None:
    """The names translate what is true after the same moves, not only the facts of the text."""
    ours = gdl.load(read("ticTacToe"), "interpreter")
    assert ours.rulesheet is not None
    theirs = gdl.load(gdl.read_kif(with_other_names(ours.rulesheet, 3)[0]), "interpreter")
    assert theirs.rulesheet is not None
    assert ours.rulesheet.canonical is not None
    assert theirs.rulesheet.canonical is not None
    names = ours.rulesheet.canonical.names_in(theirs.rulesheet.canonical)
    roles = {gdl.renamed(str(role), names): role for role in ours.roles}
    state, other = ours.initial_state(), theirs.initial_state()
    for _ in range(4):
        moves = [ours.legal_moves(state, role)[0] for role in ours.roles]
        move_of = dict(zip(ours.roles, moves, strict=True))
        other_moves = [
            gdl.read_term(gdl.renamed(str(move_of[roles[str(role)]]), names))
            for role in theirs.roles
        ]
        state, other = ours.next_state(state, moves), theirs.next_state(other, other_moves)
        expected = {gdl.renamed(str(fact), names) for fact in ours.facts(state)}
        assert {str(fact) for fact in theirs.facts(other)} == expected


def test_bundled_games_have_forms_of_their_own() -> None:
    """No two of them are one game."""
    forms = [read(name).canonical for name in games.names()]
    assert len({found.digest for found in forms if found}) == len(games.names())


def test_five_in_a_row_is_another_game() -> None:
    """A changed rule changes the form."""
    assert form(games.text("connectFour")).digest != form(five_in_a_row()).digest


RING = "(role r) (next (a ?x)) (goal r 100) "


def test_what_colours_do_not_tell_apart_the_text_does() -> None:
    """A ring of six and two rings of three look alike from every place in them."""
    one = RING + " ".join(f"(after p{n} p{(n + 1) % 6})" for n in range(6))
    two = RING + " ".join(f"(after p{n} p{n // 3 * 3 + (n + 1) % 3})" for n in range(6))
    assert form(one).digest != form(two).digest
    check_renaming(gdl.read_kif(one), seed=1)
    check_renaming(gdl.read_kif(two), seed=2)


def test_goals_keep_their_numbers() -> None:
    """A game that pays 25 is another one than a game that pays 75; elsewhere numbers are names."""
    sheet = "(role r) (init (at {square})) (<= (goal r {points}) (true (at {square})))"
    first = form(sheet.format(square=1, points=25)).digest
    assert first == form(sheet.format(square=7, points=25)).digest
    assert first != form(sheet.format(square=1, points=75)).digest


def test_numbers_that_goals_may_become_keep_their_names() -> None:
    """A goal that is a variable may be any of the numbers."""
    sheet = "(role r) (init (points {points})) (<= (goal r ?n) (true (points ?n)))"
    assert form(sheet.format(points=25)).digest != form(sheet.format(points=75)).digest


def test_order_of_arguments_counts() -> None:
    """Conditions may stand in any order, sides of `distinct` too, arguments not."""
    rule = "(role r) (<= (next (p ?x)) {})"
    first = form(rule.format("(q ?x ?y) (t ?y) (distinct ?x ?y)")).digest
    assert first == form(rule.format("(distinct ?b ?x) (t ?b) (q ?x ?b)")).digest
    assert first != form(rule.format("(q ?y ?x) (t ?y) (distinct ?x ?y)")).digest
    assert first != form(rule.format("(q ?x ?y) (not (t ?y)) (distinct ?x ?y)")).digest


def test_work_is_bounded() -> None:
    """Rules that take too long have no form; nor have rules with faults."""
    rules = gdl.read_kif(RING + " ".join(f"(mark m{n} {n})" for n in range(9))).rules
    assert canonical_form(rules, most_work=1) is None
    assert canonical_form(rules) is not None
    assert gdl.read_kif("(role r) (<= (not p))").canonical is None


@pytest.mark.parametrize("step", [90, pytest.param(20, marks=pytest.mark.thorough)])
def test_rulesheets_of_the_corpus_have_the_same_form_under_other_names(step: int) -> None:
    """Real ones, with what their authors have thought of."""
    rulesheets = sorted(require("corpus", "rules").glob("*.kif"))[::step]
    for number, file in enumerate(rulesheets):
        check_renaming(gdl.read_rules(file.read_text(errors="replace"), file.name), number)
