"""A rulesheet that would run for ever ends in a clear error, soon and in little memory."""

from __future__ import annotations

import pytest

import gdl

GAME = "(role me) (init (s 0)) (legal me go) (<= terminal (true (s 1))) (goal me 1)"


def ask(rules: str, limits: gdl.Limits | None = None) -> tuple[gdl.Term, ...]:
    """The atoms of relation `p` in the first state."""
    player = gdl.Interpreter(gdl.read_kif(f"{GAME} {rules}", "endless"), limits)
    return player.holding("p", 1, player.initial_state())


@pytest.mark.parametrize(
    "rules",
    [
        "(p 0) (<= (p (s ?x)) (p ?x))",
        "(p 0) (<= (p (pair ?x ?y)) (p ?x) (p ?y))",
        "(<= (p a) (q 0)) (<= (q ?x) (q (s ?x)))",
        "(p 0) (<= (p (twice ?x ?x)) (p ?x))",
    ],
)
def test_function_terms_that_grow_without_bound_are_an_error(rules: str) -> None:
    """The error names the function symbol that grows."""
    with pytest.raises(gdl.EvaluationLimitError, match="grow without bound"):
        ask(rules)


def test_endless_first_state_is_an_error_on_loading() -> None:
    """`init` may be defined by rules, so it may be endless too."""
    with pytest.raises(gdl.EvaluationLimitError, match="grow without bound"):
        ask("(<= (init (n (s ?x))) (init (n ?x))) (init (n 0))")


def test_a_join_that_explodes_is_stopped_by_the_number_of_answers() -> None:
    """No relation may have more answers than the limit."""
    numbers = " ".join(f"(d {number})" for number in range(40))
    rules = f"{numbers} (<= (q ?a ?b ?c) (d ?a) (d ?b) (d ?c)) (<= (p ?a) (q ?a ?b ?c))"

    with pytest.raises(gdl.EvaluationLimitError, match="more than 20000 answers"):
        ask(rules, gdl.Limits(answers=20_000))


def test_a_question_that_takes_too_long_is_stopped() -> None:
    """The clock is looked at inside nested loops, although nothing is found there."""
    numbers = range(60)
    facts = " ".join(f"(d {first})" for first in numbers)
    links = " ".join(f"(link {first} {second})" for first in numbers for second in numbers)
    rule = "(<= (p ?a) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (not (link ?a ?f)))"

    with pytest.raises(gdl.EvaluationLimitError, match=r"longer than 0\.2 s"):
        ask(f"{facts} {links} {rule}", gdl.Limits(seconds=0.2))


def test_an_error_leaves_the_machine_usable() -> None:
    """After a limit is passed other questions are still answered."""
    rules = f"{GAME} (n 0) (<= (n (s ?x)) (n ?x)) (<= (p ?x) (n ?x)) (q a)"
    player = gdl.Interpreter(gdl.read_kif(rules, "endless"))
    state = player.initial_state()

    for _ in range(2):
        with pytest.raises(gdl.EvaluationLimitError):
            player.holding("p", 1, state)

    assert [str(atom) for atom in player.holding("q", 1, state)] == ["(q a)"]
    assert not player.is_terminal(state)
