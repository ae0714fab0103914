"""Findings about Epilog speak of what the author has written, not of its translation."""

from __future__ import annotations

import pytest

import gdl

NIM = """
role(white) role(black)
base(stones(N)) :- num(N)
base(control(P)) :- role(P)
num(0) num(1) num(2) num(3)
init(stones(3)) init(control(white))
legal(take(N)) :- stones(S) & leq(N,S) & less(0,N)
take(N) :: stones(S) & evaluate(minus(S,N),R) ==> ~stones(S) & stones(R)
take(N) :: control(white) ==> ~control(white) & control(black)
take(N) :: control(black) ==> ~control(black) & control(white)
terminal :- stones(0)
goal(P,0) :- control(P)
goal(P,100) :- role(P) & ~control(P)
"""


def findings(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    """Of the game after some changes of its text: what is underlined, and the message."""
    text = NIM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return [
        (text[found.span.start : found.span.end], found.message) for found in gdl.check(text, "nim")
    ]


def test_a_sound_sequential_game_has_no_finding() -> None:
    """The changes below start from nothing."""
    assert findings() == []


@pytest.mark.parametrize(
    "change",
    [
        ("legal(take(N)) :- stones(S)", "legal(take(N)) :- stonse(S)"),
        ("take(N) :: stones(S)", "take(N) :: stonse(S)"),
    ],
)
def test_a_misspelt_fact_of_the_state_is_all_that_is_reported(change: tuple[str, str]) -> None:
    """With the right spelling; the built-in relations beside it, now without values, are not."""
    message = (
        "nothing defines 'stonse' with 1 argument(s), so it never holds; did you mean 'stones'?"
    )

    assert findings(change) == [("stonse", message)]


def test_a_fact_of_the_state_with_another_number_of_arguments_is_said_so() -> None:
    """Its name is right."""
    [(place, message)] = findings(("legal(take(N)) :- stones(S)", "legal(take(N)) :- stones(S,S)"))

    assert place == "stones"
    assert message.endswith("it is defined with 1")


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        (("leq(N,S)", "leq(N,S,S)"), "leq", "the built-in relation 'leq' takes 2 arguments, got 3"),
        (("less(0,N)", "less(N)"), "less", "the built-in relation 'less' takes 2 arguments, got 1"),
        (
            ("evaluate(minus(S,N),R)", "evaluate(minus(S,N),R,R)"),
            "evaluate",
            "the built-in relation 'evaluate' takes 2 arguments, got 3",
        ),
    ],
)
def test_a_wrong_number_of_arguments_of_a_builtin_has_a_message_of_its_own(
    change: tuple[str, str], place: str, message: str
) -> None:
    """Also where another rule uses it rightly."""
    found = findings(change, ("goal(P,0) :- ", "goal(P,0) :- less(0,1) & "))

    assert (place, message) in found
    assert not [text for _, text in found if text.startswith("nothing defines 'l")]


def test_a_misspelt_builtin_is_recognised() -> None:
    """The built-in relations are among the names that may be meant."""
    [(place, message)] = findings(("leq(N,S)", "lq(N,S)"))

    assert place == "lq"
    assert message.endswith("did you mean 'leq'?")


def test_a_relation_of_ones_own_with_the_name_of_a_builtin_is_no_builtin() -> None:
    """It is counted and looked for like any other."""
    own = ("num(0)", "leq(0,1,2) num(0)")

    [(place, message), *_] = findings(own, ("leq(N,S)", "leq(N,S,S,S)"))

    assert place == "leq"
    assert message.startswith("nothing defines 'leq' with 4 argument(s)")


@pytest.mark.parametrize(
    ("change", "start"),
    [
        (("goal(P,0)", "goal(Q,0)"), "variable Q of the head is in no condition"),
        (("leq(N,S)", "leq(N,S) & ~num(Q)"), "variable Q under 'not' is in no positive"),
        (("leq(N,S)", "leq(N,S) & ~leq(N,Q)"), "variable Q under 'not' is in no positive"),
        (("leq(N,S)", "leq(N,S) & distinct(N,Q)"), "variable Q under 'distinct' is in no posi"),
        (("& stones(R)", "& stones(Q)"), "variable Q of the head is in no condition"),
    ],
)
def test_variables_are_shown_and_marked_as_they_are_written(
    change: tuple[str, str], start: str
) -> None:
    """`Q` in the text is `Q` in the message, and nothing but it is underlined."""
    [(place, message)] = findings(change)

    assert place == "Q"
    assert message.startswith(start)


def test_plain_facts_without_operations_are_explained() -> None:
    """The author meant a sequential game, or has forgotten `true`."""
    text = "role(x) init(stones(5))\nlegal(x,go) :- stones(N)\nnext(stones(N)) :- true(stones(N))"

    messages = [
        found.message for found in gdl.check(text, "it.epilog") if found.code == "undefined"
    ]

    [message] = messages
    assert message == (
        "nothing defines 'stones' with 1 argument(s), so it never holds; ask for a fact of the "
        "state with true(stones(N)); plain facts are for sequential games, which need at least "
        "one operation '::'"
    )


@pytest.mark.parametrize("condition", ["countofall(X,num(X),N)", "evaluate(plus(S,1),N)"])
def test_generated_relations_are_never_mentioned(condition: str) -> None:
    """They are used by a relation that nobody uses, and only that one is reported."""
    [(place, message)] = findings(("num(0)", f"odd(N) :- num(S) & {condition}\nnum(0)"))

    assert place == "odd"
    assert message.startswith("relation 'odd' is not used")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("take(N) :: a => b", "unexpected '=>'; did you mean '==>'?"),
        ("take(N) :: a -> b", "unexpected '->'; did you mean '==>'?"),
        ("a := b", "unexpected ':='; did you mean ':-'?"),
        ("a : b", "unexpected ':'; did you mean ':-' or '::'?"),
        ("a :- X = Y", "unexpected '='; did you mean the relation 'same'?"),
        (
            "a(?x)",
            "unexpected '?'; did you mean a variable, which starts with an upper-case letter?",
        ),
    ],
)
def test_marks_of_other_notations_are_recognised(written: str, meant: str) -> None:
    """The whole mark is named and underlined, with the one of Epilog."""
    [found] = gdl.check(written, "it.epilog")

    assert found.message == meant
    assert f"unexpected '{written[found.span.start : found.span.end]}'" in meant


@pytest.mark.parametrize("arity", range(5))
@pytest.mark.parametrize(
    "name", ["same", "mutex", "member", "leq", "less", "symless", "evaluate", "countofall"]
)
def test_no_number_of_arguments_of_a_builtin_is_a_crash(name: str, arity: int) -> None:
    """Beside right uses of others, whose values are worked out from all rules."""
    call = f"{name}({','.join(['num(X)', 'X', 'N', 'S', '1'][:arity])})"

    found = findings(("less(0,N)", f"less(0,N) & countofall(Y,num(Y),2) & {call}"))

    assert all(message for _, message in found)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("init(p(a))", "write role(NAME)"),
        ("role(x)\nlegal(P,go)", "a fact cannot have the variable P;"),
        (
            "role(x)\nnext(turn(X,Y)) :- true(turn(Y,X))\nterminal :- true(turn(a,a))",
            "turn(A,B) never holds",
        ),
        (
            "role(x)\np(X) :- p(f(X))\np(a)\nterminal :- p(a)",
            "argument f(X) of the recursive condition 'p'",
        ),
    ],
)
def test_terms_of_messages_are_in_the_notation_of_the_file(rules: str, said: str) -> None:
    """Nothing that the author would have to translate."""
    messages = [found.message for found in gdl.check(gdl.read_epilog(rules))]

    assert any(said in message for message in messages), messages


def test_what_a_role_cannot_know_is_told_in_the_notation_of_the_file() -> None:
    """Facts as well as moves."""
    text = """
role(a) role(random) side(heads) side(tails) legal(random,S) :- side(S)
legal(a,go) :- role(a)
legal(a,look(1)) :- true(coin(heads))
next(coin(S)) :- does(random,S)
sees(a,hi) :- true(coin(S))
terminal :- true(coin(edge))
goal(a,0)
"""

    found = gdl.check_play(gdl.read_epilog(text), gdl.PlayLimits(playouts=2, steps=20))

    [message] = [one.message for one in found if one.code == "play-unknowable"]
    assert "look(1) is legal with coin(heads) but not otherwise" in message
