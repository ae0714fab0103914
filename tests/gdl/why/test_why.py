"""Reasons of facts: derivations, and the conditions that fail."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
import why as benchmark

import gdl
from ggp import games
from tests.thorough import all_but

Kind = gdl.ReasonKind
GAMES = ("ticTacToe", "hex", "pig", "lightsOut")
RECURSIVE = """(role me) (init (at a)) (legal me stay) (next (at b)) (goal me 1)
(<= terminal (path a z))
(edge a b) (edge b c) (edge c a) (edge a c) (edge x y)
(<= (path ?x ?y) (path ?x ?z) (path ?z ?y))
(<= (path ?x ?y) (edge ?x ?y))
(<= (apart ?x ?y) (edge ?x ?any) (edge ?y ?other) (not (path ?x ?y)))
"""


def asked(rules: str, fact: str, **more: object) -> gdl.Answer:
    """The answer about rules that are written here."""
    return gdl.why(gdl.read_rules(rules, "it.kif"), fact, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", all_but(["ticTacToe", "hex"], GAMES))
def test_answers_are_right(name: str) -> None:
    """Of random facts: `why` exactly where true, and all that is said to hold or fail does so."""
    rules = gdl.read_rules(games.text(name), name)

    tally = benchmark.judge_game(rules, 30, Random(1))

    assert tally.faults == []
    assert min(tally.kinds["true"], tally.kinds["false"]) > 3


def test_a_recursive_fact_has_the_smallest_derivation() -> None:
    """Not one over a cycle, though that comes first in the rules."""
    reason = asked(RECURSIVE, "(path a c)").reasons[0]

    assert reason.kind is Kind.RULE
    assert [str(one.text) for one in reason.conditions] == ["(edge a c)"]
    assert str(reason.place) == "it.kif:5:1"


def test_a_fact_over_a_cycle_is_derived() -> None:
    """`(path a a)` by three edges, none of them from itself."""
    answer = asked(RECURSIVE, "(path a a)")
    kinds = Counter(row["why"] for row in answer.to_json()["reasons"])

    assert answer.holds
    assert kinds["a fact of the rules"] == 2
    assert not any(row["why"] == Kind.LARGE for row in answer.to_json()["reasons"])


def test_a_recursive_fact_that_does_not_hold() -> None:
    """The rule without recursion is nearest, and what depends on itself ends there."""
    reason = asked(RECURSIVE, "(path a z)").reasons[0]

    assert reason.kind is Kind.FAILED
    assert {str(one.place) for one in reason.attempts} == {"it.kif:4:1", "it.kif:5:1"}
    assert any(one.failed.text == "(edge a z)" for one in reason.attempts)


def test_what_denies_a_fact_is_derived() -> None:
    """A condition `not` fails because something holds, which has its own reason."""
    reason = asked(RECURSIVE, "(apart a b)").reasons[0]
    failed = reason.attempts[0].failed

    assert (failed.text, failed.holds) == ("(not (path a b))", False)
    assert failed.reason is not None
    assert (failed.reason.fact, failed.reason.kind) == ("(path a b)", Kind.RULE)


def test_a_denied_question_is_answered_by_the_fact() -> None:
    """`(not terminal)` holds because nothing makes `terminal`."""
    answer = asked(RECURSIVE, "(not terminal)")

    assert answer.holds
    assert answer.reasons[0].kind is Kind.FAILED


def test_variables_stand_for_what_holds() -> None:
    """Each instance is explained, and how many more there are is said."""
    rules = RECURSIVE + "".join(f"(edge n{i} m)" for i in range(20))

    answer = asked(rules, "(edge ?from ?to)")

    assert (len(answer.reasons), answer.num_more) == (10, 15)


def test_an_unsafe_rule_makes_no_list() -> None:
    """Its fact holds for any value that is named, but no values are found."""
    rules = RECURSIVE + "(<= (any ?x) (true (at a)))"

    assert asked(rules, "(any 7)").holds
    assert asked(rules, "(any ?x)").reasons[0].kind is Kind.UNLISTED


def test_no_move_is_legal_for_any_value() -> None:
    """A player is offered those that can be listed, and no others."""
    rules = """(role me) (init (at a)) (goal me 1) (legal me (go a))
    (<= (legal me (step ?x)) (true (at ?y))) (<= (legal me (walk ?x)) (or (true (at ?x))))"""

    answer = asked(rules, "(legal me (step banana))")

    assert not answer.holds
    assert answer.reasons[0].kind is Kind.UNLISTED
    assert answer.reasons[0].place is not None
    assert asked(rules, "(not (legal me (step banana)))").holds
    assert asked(rules, "(legal me (go a))").holds
    assert asked(rules, "(legal me (walk a))").holds


def test_a_disjunction_shows_its_branch() -> None:
    """The one that holds; or, of one that fails, what each misses."""
    rules = """(role me) (init (p a)) (legal me go) (next (p b)) (goal me 1)
    (<= terminal (or (true (p b)) (and (true (p a)) (true (p c)))))
    (<= (either ?x) (or (true (p ?x)) (true (q ?x))))"""

    (condition,) = asked(rules, "(either a)").reasons[0].conditions
    failed = asked(rules, "terminal").reasons[0].attempts[0].failed

    assert condition.reason is not None
    assert [one.text for one in condition.reason.conditions] == ["(true (p a))"]
    assert failed.reason is not None
    assert [one.failed.text for one in failed.reason.attempts] == ["(true (p b))", "(true (p c))"]


def test_a_term_may_be_asked_about_as_well_as_a_text() -> None:
    """With the same answer."""
    rules = gdl.read_rules(games.text("ticTacToe"), "t.kif")
    text = "(legal xplayer (mark 1 1))"

    by_term, by_text = gdl.why(rules, gdl.read_term(text, rules)), gdl.why(rules, text)

    assert by_term.sentence == by_text.sentence


def test_the_turn_before_says_how_a_fact_came_there() -> None:
    """And for one that is not in the state, why no rule made it."""
    rules = gdl.read_rules(games.text("ticTacToe"), "t.kif")
    joint = tuple(gdl.read_term(text, rules) for text in ("(mark 1 1)", "noop"))
    explainer = gdl.Explainer(rules)

    made = explainer.why("(true (cell 1 1 x))", [joint]).reasons[0].before
    missed = explainer.why("(true (cell 1 1 o))", [joint]).reasons[0]

    assert made is not None
    assert made.conditions[0].text == "(does xplayer (mark 1 1))"
    assert made.turn == 0
    assert missed.near == ("(cell 1 1 x)",)
    assert missed.before is not None
    assert missed.before.kind is Kind.FAILED


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (
            "(leagl me stay)",
            "<fact>:1:2: the rules have no relation 'leagl/2'; did you mean 'legal'",
        ),
        ("(at a)", "'at' is a fact of the state; ask for it as (true (at a))"),
        ("(true (att a))", "no 'init' or 'next' makes a fact 'att/1'; did you mean 'at'?"),
        ("(legal me stya)", "<fact>:1:11: no 'legal' allows a move 'stya/0'; did you mean 'stay'?"),
        ("(does me (stay 1))", "'stay' takes 0 argument(s), got 1"),
        ("(true (at a b))", "'at' takes 1 argument(s), got 2"),
        ("(path a)", "'path' takes 2 argument(s), got 1"),
        ("(next (at b))", "depends on the moves"),
        ("(or terminal)", "got 'or'"),
        ("?x", "got the variable ?x"),
        ("()", "expected a term"),
        ("", "expected one fact"),
        ("terminal terminal", "expected one fact, such as (legal ROLE MOVE), got 2"),
        ("(terminal", "never closed"),
    ],
)
def test_what_is_no_fact_is_refused(fact: str, said: str) -> None:
    """With its place, and what is near to it."""
    rules = RECURSIVE.replace("(next (at b))", "(<= (next (at b)) (does me stay))")

    with pytest.raises(gdl.GdlError) as raised:
        asked(rules, fact)

    assert said in str(raised.value)


def test_outer_parentheses_may_be_left_out() -> None:
    """A bare move is told how to be asked for."""
    rules = games.text("ticTacToe")

    assert asked(rules, "legal xplayer (mark 1 1)").question == "(legal xplayer (mark 1 1))"
    with pytest.raises(gdl.GdlError, match=r"ask for it as \(legal ROLE \(mark 1 1\)\)"):
        asked(rules, "mark 1 1")


def test_a_cause_is_said_once() -> None:
    """That there is no fact of the rules is what it means that it does not hold."""
    rules = (
        "(role me) (init s) (minus 3 1) (<= (legal me (take ?n)) (true s) (minus ?n ?m))"
        "(legal me wait) (<= terminal (not (true s))) (goal me 0)"
    )

    sentence = asked(rules, "(legal me (take 7))").sentence

    assert sentence.count("(minus 7 ?m)") == 1


def test_epilog_is_asked_in_epilog() -> None:
    """As in KIF."""
    rules = gdl.read_rules(games.text("ticTacToe", "epilog"), "t.epilog")
    name = rules.roles[1]
    explainer = gdl.Explainer(rules)

    answer = explainer.why(f"legal({name},mark(1,1))")

    assert not answer.holds
    assert str(answer.reasons[0].attempts[0].place).startswith("t.epilog:")


def test_a_fact_that_nothing_keeps_was_there() -> None:
    """It is not said that nobody makes the move which made it, as that was made before."""
    rules = """(role me) (init (step 1)) (init (hand left))
(<= (legal me (hide ?h)) (true (step 1)) (true (hand ?h))) (legal me wait)
(<= (next (coin ?h)) (does me (hide ?h))) (<= (next (hand ?h)) (true (hand ?h)))
(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
(<= terminal (true (step 3))) (<= (goal me 100) (true (coin left)))"""
    hide, wait = gdl.read_term("(hide left)"), gdl.read_term("wait")

    lost = asked(rules, "(goal me 100)", moves=[[hide], [wait]])
    never = asked(rules, "(goal me 100)", moves=[[wait], [wait]])

    assert lost.sentence == (
        "(goal me 100) does not hold after 2 joint moves, because (coin left) was there "
        "after 1 joint move, but no rule kept it."
    )
    assert "was there" not in never.sentence


def test_a_sentence_says_which_state_it_speaks_of() -> None:
    """In the present what is asked about, in the past and by its turn what is before it."""
    explainer = gdl.Explainer(gdl.read_rules(games.text("ticTacToe"), "it.kif"))
    machine = gdl.load(explainer.rules, "interpreter")
    mark, noop = (gdl.read_term(text, explainer.rules) for text in ("(mark 1 1)", "noop"))
    assert machine.roles[0].name == "xplayer"

    legal = explainer.why("(legal xplayer (mark 1 2))", [(mark, noop)])
    control = explainer.why("(true (control xplayer))", [(mark, noop)])

    assert legal.sentence == (
        "(mark 1 2) is not legal for xplayer after 1 joint move, because (control xplayer) is not "
        "in the state (there is (control oplayer)), as (control oplayer) was not there in the "
        "first state (there was (control xplayer))."
    )
    assert control.sentence == (
        "(true (control xplayer)) does not hold after 1 joint move, because (control oplayer) was "
        "not there in the first state (there was (control xplayer))."
    )


@pytest.mark.parametrize("rules", ["kif", "epilog"])
@pytest.mark.parametrize(
    "question",
    [
        *("(legal me stay)", "legal me stay", "legal(me,stay)", "legal(me, stay)."),
        *("(not (not (legal me stay)))", "~~legal(me,stay)"),
    ],
)
def test_a_question_may_be_in_either_notation(rules: str, question: str) -> None:
    """Whichever the rules are in, and without its outer parentheses."""
    sheet = gdl.read_kif(RECURSIVE)
    sheet = sheet if rules == "kif" else gdl.read_rules(gdl.write_epilog(sheet))

    assert gdl.why(sheet, question).holds
    assert str(gdl.Explainer(sheet).question(question)) == "(legal me stay)"
