"""Each construct of GDL as the interpreter reads it, the lenient readings included."""

from __future__ import annotations

import pytest

import gdl

GAME = "(role me) (role you) (init (s 0)) (legal me go) (legal you stay) (next (s 1))"


def machine(rules: str) -> gdl.Interpreter:
    """An interpreter of a two-role game with some more rules."""
    return gdl.Interpreter(gdl.read_kif(f"{GAME} {rules}", "test.kif"))


def holds(rules: str, relation: str, arity: int = 1) -> list[str]:
    """The atoms of a relation in the first state."""
    player = machine(rules)
    return [str(atom) for atom in player.holding(relation, arity, player.initial_state())]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("(p a) (p b)", ["(p a)", "(p b)"]),
        ("(<= (p a))", ["(p a)"]),
        ("(<= (p ?x) (q ?x) (distinct ?x b)) (q a) (q b)", ["(p a)"]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x b))) (q a) (q b)", ["(p b)"]),
        ("(<= (p ?x) (not (distinct ?x b)))", ["(p b)"]),
        ("(<= (p ?x) (distinct ?x b) (q ?x)) (q a) (q b)", ["(p a)"]),
        ("(<= (p ?x) (or (q ?x) (r ?x))) (q a) (r b)", ["(p a)", "(p b)"]),
        ("(<= (p ?x) (q ?x) (or)) (q a)", []),
        ("(<= (p ?x) (q ?x) (and)) (q a)", ["(p a)"]),
        ("(<= (p ?x) (q ?x) (not (or (r ?x) (t ?x)))) (q a) (q b) (q c) (r a) (t b)", ["(p c)"]),
        ("(<= (p ?x) (q ?x) (not (and (r ?x) (t ?x)))) (q a) (q b) (r a) (t a) (r b)", ["(p b)"]),
        ("(<= (p ?x) (q ?x) (not (not (r ?x)))) (q a) (q b) (r b)", ["(p b)"]),
        ("(<= (p ?x) (or (q ?x) (or (and (r ?x) (t ?x))))) (r b) (t b) (r c)", ["(p b)"]),
        ("(<= (p yes) (open)) (<= open (true (s 0)))", ["(p yes)"]),
        ("(<= (p yes) open) (<= (open) (true (s ?x)))", ["(p yes)"]),
        ("(<= (p (f ?x)) (q ?x)) (q a)", ["(p (f a))"]),
        ("(<= (p ?x) (q (f ?x))) (q (f a)) (q (g b)) (q c)", ["(p a)"]),
        ("(<= (p ?x) (q (f ?x ?x))) (q (f a b)) (q (f c c))", ["(p c)"]),
        ("(<= (P ?X) (q ?x)) (Q a)", ["(P a)"]),
        ("(<= (p ?x) (true ?x))", ["(p (s 0))"]),
        ("(<= (p ?x) (role ?x))", ["(p me)", "(p you)"]),
        ("(<= (p 2x) (q + <)) (q + <)", ["(p 2x)"]),
        ("(<= (p 2x) (q (+ < 1))) (q (+ < 1))", ["(p 2x)"]),
    ],
)  # fmt: skip
def test_body_means_what_the_specification_says(rules: str, expected: list[str]) -> None:
    """Each connective, and the forms that real rulesheets use beyond the specification."""
    relation = "P" if "(P" in rules else "p"

    assert holds(rules, relation) == expected


def test_negation_of_a_free_variable_asks_whether_any_fact_exists() -> None:
    """An unsafe `not` is read as "there is none", whatever the variable would be."""
    assert holds("(<= (p none) (not (q ?x)))", "p") == ["(p none)"]
    assert holds("(<= (p none) (not (q ?x))) (q a)", "p") == []


def test_recursion_over_a_cyclic_graph_comes_to_its_end() -> None:
    """Reachability finds every node once, however the links run in circles."""
    links = "(link a b) (link b c) (link c a) (link d a)"
    rules = f"{links} (<= (reach ?x ?y) (link ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (link ?y ?z))"

    assert len(holds(rules, "reach", 2)) == 4 * 3


def test_mutual_recursion_with_growing_terms_answers_what_is_bounded() -> None:
    """`even` and `odd` of a given numeral need only its predecessors."""
    rules = """(<= (even (s ?x)) (odd ?x)) (<= (odd (s ?x)) (even ?x)) (even 0)
               (<= (p yes) (even (s (s (s (s 0)))))) (<= (p no) (odd (s (s 0))))"""

    assert holds(rules, "p") == ["(p yes)"]


def test_lists_are_taken_apart_before_they_are_built() -> None:
    """`append` asked about any lists at all would never end; asked about given ones it does."""
    append = """(<= (append nil ?y ?y) (list ?y))
                (<= (append (cons ?h ?t) ?y (cons ?h ?z)) (append ?t ?y ?z))
                (list nil) (<= (list (cons ?h ?t)) (item ?h) (list ?t)) (item a) (item b)"""
    rules = """(<= (p ?z) (end ?y) (append ?x ?y ?z) (given ?x ?z)) (end (cons b nil))
               (given (cons a nil) (cons a (cons b nil)))"""
    many = " ".join(f"(given nil x{number})" for number in range(50))  # makes `append` look cheap

    assert holds(f"{append} {rules} {many}", "p") == ["(p (cons a (cons b nil)))"]


def test_a_rule_for_any_value_is_asked_once_the_value_is_known() -> None:
    """`member` says nothing about the rest of a list: unsafe, but public rulesheets have it."""
    member = """(<= (member ?x (cons ?x ?rest)))
                (<= (member ?x (cons ?y ?rest)) (member ?x ?rest))"""
    rules = "(<= (p ?x) (q ?x) (member ?x ?list) (bag ?list)) (bag (cons a (cons b nil))) (q b)"
    many = " ".join(f"(bag x{number})" for number in range(50))  # makes `member` look cheap

    assert holds(f"{member} {rules} {many}", "p") == ["(p b)"]


def test_negation_inside_one_relation_is_fine_when_the_questions_differ() -> None:
    """Public rulesheets define a goal of 0 as "no other goal"."""
    player = machine("(<= (goal me 100) (true (s 1))) (<= (goal me 0) (not (goal me 100)))")
    me, you = player.roles
    first = player.initial_state()
    second = player.next_state(
        first, [*player.legal_moves(first, me), *player.legal_moves(first, you)]
    )

    assert player.goals(first, me) == (0,)
    assert player.goals(second, me) == (100,)


def test_negation_of_itself_is_an_error_with_the_place() -> None:
    """Rules without a meaning are refused when they are asked."""
    player = machine("\n(<= p (not q))\n(<= q (not p))\n(<= terminal p)")

    with pytest.raises(gdl.UnstratifiedError, match=r"test\.kif:2:1: .*own negation"):
        player.is_terminal(player.initial_state())


def test_long_bodies_are_split_into_functions() -> None:
    """Python nests at most twenty loops; a rule may need more."""
    body = " ".join(f"(q ?x{place})" for place in range(40))
    head = " ".join(f"?x{place}" for place in range(40))
    rules = f"(<= (p ?x0 ?x39) (r {head})) (<= (r {head}) {body}) (q a)"

    assert holds(rules, "p", 2) == ["(p a a)"]


def test_deep_chains_of_rules_do_not_overflow() -> None:
    """A chain of a thousand relations, and one of a thousand calls, are both answered."""
    chain = " ".join(f"(<= (p{i} ?x) (p{i + 1} ?x))" for i in range(1000))
    numbers = " ".join(f"(succ {i} {i + 1})" for i in range(1000))
    count = "(<= (count 0)) (<= (count ?y) (succ ?x ?y) (count ?x))"

    assert holds(f"{chain} (p1000 a)", "p0") == ["(p0 a)"]
    assert len(holds(f"{numbers} {count}", "count")) == 1001


def test_goals_lists_all_values_and_goal_takes_the_highest() -> None:
    """Rulesheets that give several goal values, or none, are played all the same."""
    player = machine("(goal me 0) (goal me 100) (goal me high)")
    me, you = player.roles
    state = player.initial_state()

    assert player.goals(state, me) == (0, 100)
    assert player.goal(state, me) == 100
    assert player.goal(state, you) == 0


def test_percepts_are_what_sees_derives_from_the_moves() -> None:
    """GDL-II: `sees` depends on the joint move."""
    player = machine("(<= (sees you ?m) (does me ?m))")
    me, you = player.roles
    state = player.initial_state()
    moves = [*player.legal_moves(state, me), *player.legal_moves(state, you)]

    assert [str(percept) for percept in player.percepts(state, moves, you)] == ["go"]
    assert player.percepts(state, moves, me) == ()


def test_wrong_number_of_moves_is_refused() -> None:
    """A joint move has one move per role."""
    player = machine("")

    with pytest.raises(gdl.IllegalMoveError, match=r"expected 2 moves.*\(me you\), got 1"):
        player.next_state(player.initial_state(), [gdl.Constant("go")])


def test_rulesheet_without_roles_is_refused() -> None:
    """There is nobody to play."""
    with pytest.raises(gdl.RulesheetError, match="no role is defined"):
        gdl.Interpreter(gdl.read_kif("(init (s 0))", "empty.kif"))


def test_statement_without_meaning_is_refused_with_its_place() -> None:
    """A keyword with the wrong number of arguments has no clear meaning."""
    with pytest.raises(gdl.RulesheetError, match=r"test\.kif:1:\d+: 'distinct' takes 2"):
        machine("(<= (p ?x) (q ?x) (distinct ?x))")
