"""Built-in relations of Epilog in plain GDL."""

from __future__ import annotations

import pytest

import gdl
from gdl.epilog import values
from gdl.epilog.tables import MAX_FACTS, apply, compare
from gdl.syntax import MAX_DEPTH

NUMBERS = "num(1) num(2) num(3) num(4)\n"


def answers(condition: str, more: str = "") -> list[str]:
    """The values of X for which a condition holds."""
    text = f"role(a) {NUMBERS}{more}\nlegal(a,X) :- {condition}"
    machine = gdl.load(gdl.read_epilog(text, "test"), "interpreter")
    moves = machine.legal_moves(machine.initial_state(), machine.roles[0])
    return sorted(map(str, moves))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("num(X) & same(X,2)", "2"),
        ("same(X,2)", "2"),
        ("num(X) & ~same(X,2)", "1 3 4"),
        ("num(X) & distinct(X,2)", "1 3 4"),
        ("num(X) & mutex(X,1,4)", "2 3"),
        ("num(X) & ~mutex(X,1,4)", "1 4"),
        ("num(X) & leq(X,2)", "1 2"),
        ("num(X) & less(X,2)", "1"),
        ("num(X) & ~less(X,3)", "3 4"),
        ("num(X) & num(Y) & less(Y,X) & ~leq(X,3)", "4"),
        ("w(X) & symless(X,bb)", "a b"),
        ("w(X) & symleq(X,bb)", "a b bb"),
        ("member(X,[1,b,3])", "1 3 b"),
        ("num(X) & ~member(X,[1,b,3])", "2 4"),
        ("l(L) & member(X,L)", "5 6"),
        ("num(Y) & evaluate(plus(Y,Y,10),X)", "12 14 16 18"),
        ("num(Y) & less(Y,3) & evaluate(times(plus(Y,1),minus(Y,5)),X)", "-8 -9"),
        ("num(X) & evaluate(plus(X,1),3)", "2"),
        ("num(X) & ~evaluate(plus(X,1),3)", "1 3 4"),
        ("evaluate(quotient(7,2),X)", "3.5"),
        ("evaluate(quotient(8,2),X)", "4"),
        ("evaluate(quotient(8,0),X)", ""),
        ("evaluate(max(2,7,3),X)", "7"),
        ("num(Y) & evaluate(times(Y,Y),Z) & evaluate(plus(Z,1),X)", "10 17 2 5"),
        ("num(X) & (less(X,2) | less(3,X))", "1 4"),
        ("num(X) & ~(less(X,2) | less(3,X))", "2 3"),
        ("countofall(Y,num(Y),X)", "4"),
        ("countofall(Y,num(Y) & less(Y,3),X)", "2"),
        ("countofall(Y,num(Y) & less(9,Y),X)", "0"),
        ("num(X) & countofall(Y,num(Y) & less(Y,X),2)", "3"),
        ("num(X) & ~countofall(Y,num(Y) & less(Y,X),2)", "1 2 4"),
        ("evaluate(plus(countofall(Y,num(Y)),1),X)", "5"),
        ("evaluate(countofall(Y,w(Y) & ~same(Y,a)),X)", "2"),
        ("plus(1,2,3,X)", "6"),
        ("num(Y) & num(Z) & less(Y,3) & plus(Y,Y,Z,X)", "3 4 5 6 7 8"),
        ("num(X) & plus(X,1,3)", "2"),
        ("num(X) & ~plus(X,1,3)", "1 3 4"),
        ("num(Y) & times(Y,Y,Z) & minus(Z,1,X)", "0 15 3 8"),
        ("quotient(7,2,Y) & floor(Y,X)", "3"),
        ("max(2,7,3,X)", "7"),
        ("countofall(f(Y,Z),on(Y,Z),X)", "3"),
        ("countofall(f(Y),on(Y,Z),X)", "2"),
        ("countofall(f(g(Y),Z,Y),on(Y,Z) & ~same(Y,Z),X)", "2"),
        ("num(X) & countofall(f(Y,Z),on(Y,Z) & less(Y,X) & less(Z,X),1)", "2"),
        ("countofall(f,on(Y,Z),X)", "1"),
        ("evaluate(countofall(f(Y,Z),on(Y,Z)),X)", "3"),
    ],
)
def test_builtin_relation_means_what_epilog_means(condition: str, expected: str) -> None:
    """Each has the answers that one computes by hand."""
    assert (
        answers(condition, "w(a) w(b) w(bb) l([5,6]) on(1,1) on(1,2) on(2,1)") == expected.split()
    )


def test_own_definition_wins() -> None:
    """A rulesheet may define a relation of such a name itself."""
    assert answers("num(X) & less(X,2)", "less(4,2) less(3,2)") == ["3", "4"]


def test_values_follow_derived_relations_beyond_the_numbers_of_the_file() -> None:
    """A sum that another relation passes on can still be compared."""
    more = "sum(Z) :- num(X) & num(Y) & evaluate(times(X,Y,10),Z)"

    assert answers("sum(X) & less(120,X)", more) == ["160"]


def test_recursion_with_arithmetic_ends_at_the_largest_number() -> None:
    """Numbers that would grow for ever are bounded by those of the rulesheet."""
    more = "up(1) up(Y) :- up(X) & evaluate(plus(X,1),Y)\ntop(200)"

    found = answers("up(X)", more)

    assert len(found) in (200, 201)


def test_base_bounds_the_facts_of_the_state() -> None:
    """A counter needs a table as long as its `base`, not longer."""
    rules = gdl.read_epilog(
        "role(a) base(n(X)) :- num(X) num(0) num(1) num(2) top(1000) init(n(0)) legal(go)"
        " go :: n(X) & evaluate(plus(X,1),Y) ==> ~n(X) & n(Y)"
    )

    table = [str(form) for form in rules.forms if "evaluate_plus" in str(form).split()[0]]

    assert table == ["(evaluate_plus 0 1 1)", "(evaluate_plus 1 1 2)", "(evaluate_plus 2 1 3)"]


def test_counting_sees_the_state() -> None:
    """A count over facts of the state changes with it."""
    text = (
        "role(a) cell(1) cell(2) init(on(X)) :- cell(X) legal(off(X)) :- on(X)"
        " off(X) :: ~on(X)  goal(a,N) :- countofall(X,on(X),N) terminal :- goal(a,0)"
    )
    rules = gdl.read_epilog(text)
    machine = gdl.load(rules, "interpreter")
    state = machine.initial_state()

    goals = [machine.goal(state, machine.roles[0])]
    for move in ("(off 1)", "(off 2)"):
        state = machine.next_state(state, [gdl.read_term(move, rules)])
        goals.append(machine.goal(state, machine.roles[0]))

    assert goals == [2, 1, 0]
    assert machine.is_terminal(state)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("sumofall(X,num(X),N)", "not supported: the built-in relation 'sumofall'"),
        (
            "evaluate(rond(4),X)",
            "not supported: evaluating 'rond' with 1 argument(s); did you mean 'round'?",
        ),
        ("countofall(f(Y,Z),num(Y),X)", "no condition inside the count binds Z"),
        (
            "num(Y) & countofall(f(Y),num(Y),X)",
            "Y has a value before it is counted; rename one of them",
        ),
        (
            "many(Y) & countofall(f(A,B),many(A) & many(B),X)",
            "not supported: counting more than 1000 candidates; bound f(A,B) by conditions",
        ),
        ("length([1,2],X) & matches(X,1)", "not supported: the built-in relation 'matches'"),
        ("plus(X,times(2,3),7)", "'plus' takes numbers and variables, got times(2,3); write"),
        (
            "plus(3,X)",
            "the function 'plus' takes 2 or more argument(s), got 1, and one more for its value",
        ),
        ("abs(1,2,X)", "the function 'abs' takes 1 argument(s), got 2, and one more for its value"),
        ("countofall(Y,c(Y),X)", "not supported: counting Y, which can be a compound"),
        ("countofall(Y,num(Y) & countofall(Z,num(Z),Y),X)", "not supported: a count inside"),
        ("countofall(Y,~num(Y),X)", "no condition inside the count binds Y"),
        ("countofall(Y,num(Y) & less(Y,Z),X) & ~num(Z)", "no condition outside the count binds Z"),
        ("evaluate(f(4),X)", "not supported: evaluating 'f' with 1 argument(s); known functions"),
        ("evaluate(plus(4),X)", "the function 'plus' takes 2 or more argument(s), got 1"),
        ("evaluate(minus(),X)", "the function 'minus' takes 1 or 2 or more argument(s), got 0"),
        ("p(L) & member(X,L)", "not supported: 'member' of a list that a rule puts together"),
    ],
)
def test_what_cannot_be_translated_is_an_error_with_its_place(condition: str, message: str) -> None:
    """The author learns which condition it is, and what is known instead."""
    many = " ".join(f"many({number})" for number in range(40))
    text = f"{many} c(f(1)) p(X!nil) :- num(X)\n{NUMBERS}\nlegal(a,X) :- {condition}"

    with pytest.raises(gdl.RulesheetError, match=r"^test:4:\d+") as caught:
        gdl.read_epilog(text, "test")

    assert caught.value.message.startswith(message)


def test_relation_that_gamemaster_computes_may_be_a_fact_of_the_state() -> None:
    """Or the author's own; then nothing is computed."""
    rules = gdl.read_epilog(
        "role(a) init(round(1)) legal(go) go :: round(1) ==> ~round(1) & round(2)"
        " goal(a,5) :- sum(1,2,4) terminal :- round(2) sum(1,2,4)"
    )
    machine = gdl.load(rules, "interpreter")

    assert machine.goal(machine.initial_state(), machine.roles[0]) == 5


def test_variable_of_a_head_takes_the_values_it_is_asked_with() -> None:
    """Gamemaster knows them when it comes to the rule, be it by many steps."""
    text = (
        "role(a) role(b) init(cell(1,a)) init(cell(2,a)) init(control(a)) terminal :- ~odd(x)"
        " legal(go) go :: cell(1,a) ==> ~cell(1,a)"
        " goal(R,N) :- score(R,N) score(R,N) :- owned(N,R)"
        " owned(N,R) :- countofall(X,cell(X,R),N)"
        " odd(X) :- ~even(X)  even(y)"
    )
    machine = gdl.load(gdl.read_epilog(text), "interpreter")
    state = machine.initial_state()

    assert [machine.goal(state, role) for role in machine.roles] == [2, 0]
    assert not machine.is_terminal(state)


def test_variable_of_a_head_that_nobody_gives_a_value_is_an_error() -> None:
    """A fact about everything has no end."""
    findings = gdl.check("role(a) legal(go) go :: p(Y,Z) ==> q p(X,1)")

    assert "variable-fact" in {found.code for found in findings}


def test_table_that_is_too_large_is_an_error() -> None:
    """A comparison of a thousand numbers with each other is refused at its place."""
    facts = " ".join(f"n({number})" for number in range(1000))

    with pytest.raises(gdl.RulesheetError, match=f"more than {MAX_FACTS} facts"):
        gdl.read_epilog(f"{facts} p :- n(X) & n(Y) & less(X,Y)")


def test_recursion_that_counts_too_far_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large number in the file is no reason to count up to it."""
    monkeypatch.setattr(values, "MAX_ROUNDS", 300)
    text = "up(1) top(1000000000000) up(Y) :- up(X) & evaluate(plus(X,1),Y)"

    with pytest.raises(gdl.RulesheetError, match="counts beyond"):
        gdl.read_epilog(text)


@pytest.mark.parametrize(
    "condition",
    [
        "evaluate(" + "plus(1," * (MAX_DEPTH - 5) + "X" + ")" * (MAX_DEPTH - 5) + ",Y)",
        "~(" * (MAX_DEPTH // 2 - 3) + "same(X,1) & p" + ")" * (MAX_DEPTH // 2 - 3),
        "(p & (q | " * (MAX_DEPTH // 2 - 3) + "less(X,1)" + "))" * (MAX_DEPTH // 2 - 3),
    ],
    ids=["expression", "negations", "connectives"],
)
def test_deepest_conditions_are_translated(condition: str) -> None:
    """A condition that the reader lets through does not overflow the stack behind it."""
    rules = gdl.read_epilog(f"num(1) go :: num(X) & {condition} ==> p(X) legal(go) role(a)")

    assert not rules.problems


def test_order_of_facts_is_fixed() -> None:
    """The same text gives the same statements in every process."""
    rules = gdl.read_epilog(NUMBERS + "p(X) :- num(X) & num(Y) & less(X,Y)")

    found = [str(form) for form in rules.forms if str(form).startswith("(less")]

    assert found == sorted(found)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("plus", ("1", "2"), "3"),
        ("plus", ("0.5", "0.5"), "1"),
        ("minus", ("3",), "-3"),
        ("rem", ("-7", "2"), "-1"),
        ("mod", ("-7", "2"), "1"),
        ("round", ("2.5",), "3"),
        ("times", ("9999999999999999", "9999999999999999"), None),
        ("plus", ("1", "a"), None),
        ("mod", ("1", "0"), None),
    ],
)
def test_functions_of_evaluate(name: str, values: tuple[str, ...], expected: str | None) -> None:
    """Whole numbers are written without a point; what is no number has no value."""
    assert apply(name, values) == expected


def test_numbers_are_compared_by_value_and_symbols_by_text() -> None:
    """9 is less than 10, but its text is not."""
    assert compare("less", "9", "10")
    assert not compare("symless", "9", "10")
    assert not compare("less", "a", "10")
