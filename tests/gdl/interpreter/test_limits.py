"""A rulesheet that would run for ever ends in a clear error, soon and in little memory."""

from __future__ import annotations

import pytest

import gdl
from ggp import games

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

    with pytest.raises(gdl.EvaluationLimitError, match=r"longer than 0\.05 s"):
        ask(f"{facts} {links} {rule}", gdl.Limits(seconds=0.05))


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


MANY = (
    " ".join(f"(number {number})" for number in range(83))
    + """
(role me) (init (s 0)) (legal me go) (<= (legal me stay) (not (true (s 0)))) (goal me 1)
(<= (legal me (pick ?a ?b ?c ?d)) (number ?a) (number ?b) (number ?c) (number ?d) (distinct ?a ?b))
(<= terminal (true (s 1)))"""
)


def test_moves_that_nobody_could_list_are_found_one_by_one() -> None:
    """The first ones end the search for more, and a given one is looked at alone."""
    limits = gdl.Limits(new_terms=1000)
    machine = gdl.Interpreter(gdl.read_kif(MANY), limits)
    state, role = machine.initial_state(), machine.roles[0]

    first = machine.some_legal_moves(state, role, 1)
    some = machine.some_legal_moves(state, role, 100)

    assert list(map(str, first)) == ["go"]
    assert len(set(some)) == 100
    assert all(machine.is_legal(state, role, move) for move in some)
    assert machine.is_legal(state, role, gdl.read_term("(pick 82 1 82 82)"))
    assert not machine.is_legal(state, role, gdl.read_term("(pick 1 1 82 82)"))
    with pytest.raises(gdl.EvaluationLimitError, match="more than 1000 new function terms"):
        machine.legal_moves(state, role)


def test_few_legal_moves_are_found_as_if_all_were_asked_for() -> None:
    """In each state anew, whichever is asked first."""
    machine = gdl.Interpreter(gdl.read_kif(games.text("ticTacToe")))
    state, role = machine.initial_state(), machine.roles[0]
    found = []
    for _ in range(3):
        found.append(machine.some_legal_moves(state, role, 10))
        assert found[-1] == machine.legal_moves(state, role)
        assert set(machine.some_legal_moves(state, role, 4)) <= set(found[-1])
        joint = [machine.legal_moves(state, one)[0] for one in machine.roles]
        state = machine.next_state(state, joint)

    assert list(map(len, found)) == [9, 1, 7]
