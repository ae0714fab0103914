"""The Epilog notation: forms, places and errors."""

from __future__ import annotations

import pytest

import gdl
from gdl.epilog.reader import read_forms
from gdl.syntax import MAX_DEPTH, Group
from tests.timing import seconds_of


def texts(epilog: str) -> list[str]:
    """The forms of a text as KIF."""
    return [str(form) for form in read_forms(epilog)]


@pytest.mark.parametrize(
    ("epilog", "kif"),
    [
        ("p(a) q(b)", ["(p a)", "(q b)"]),
        ("r(X) :- p(X) & ~q(X)", ["(<= (r ?x) (p ?x) (not (q ?x)))"]),
        ("a :- ~b & c | d", ["(<= a (or (and (not b) c) d))"]),
        ("a :- b & (c | d)", ["(<= a b (or c d))"]),
        ("a :- ~(b & c)", ["(<= a (not (and b c)))"]),
        ("p([a,b]) p([]) p(X!Y!nil)", [
            "(p (cons a (cons b nil)))", "(p nil)", "(p (cons ?x (cons ?y nil)))"]),
        ("p(f(g(a),-1,0.5))", ["(p (f (g a) -1 0.5))"]),
        ('p("+","a b","")', ["(p + a%20b %00)"]),
        ("a :: c & ~d ==> e & ~f", ["(:: a (and c (not d)) e (not f))"]),
        ("a :: e & ~f", ["(:: a (and) e (not f))"]),
        ("a :: ==> e", ["(:: a (and) e)"]),
        ("p(a). q(b).", ["(p a)", "(q b)"]),
        ("[ruleset, p(a), q(X) :- p(X)]", ["ruleset", "(p a)", "(<= (q ?x) (p ?x))"]),
        ("\ufeffp(a)\r\n\tq(b)", ["(p a)", "(q b)"]),
        ("; one\np(a) ;; two\nq :- r ; what follows\n  & s", ["(p a)", "(<= q r s)"]),
        ("% one\np /* two\n */ q // three\nr", ["p", "q", "r"]),
        ("p :- q\n~r & ~s p", ["(<= p q)", "(and (not r) (not s))", "p"]),
        ("", []),
    ],
)  # fmt: skip
def test_text_has_the_forms_of_prefix_kif(epilog: str, kif: list[str]) -> None:
    """Both notations share their parse tree."""
    assert texts(epilog) == kif


def test_each_unnamed_variable_is_another_one() -> None:
    """`_` is a variable that nobody names twice."""
    assert texts("a :- p(_,_) & q(_)") == ["(<= a (p ?_1 ?_2) (q ?_3))"]


def test_variables_that_differ_by_case_stay_different() -> None:
    """The variables of GDL have no case, those of Epilog do."""
    assert texts("p(XY,Xy,XY)") == ["(p ?xy ?xy_2 ?xy)"]


def test_forms_know_their_place_in_the_epilog_text() -> None:
    """Every check points into the text that the author wrote."""
    (rule,) = read_forms("\nrow(X) :-\n  cell(X,Y)", "rows.epilog")

    assert isinstance(rule, Group)
    assert str(rule.span) == "rows.epilog:2:1"
    assert str(rule.items[2].span) == "rows.epilog:3:3"
    assert rule.items[2].span.picture() == "  cell(X,Y)\n  ^~~~~~~~~"


@pytest.mark.parametrize(
    ("epilog", "message"),
    [
        ("p(a", "1:2: this '(' is never closed"),
        ("p :- (a | b", "1:6: this '(' is never closed"),
        ("p)", "1:2: this ')' closes nothing; remove it"),
        ("p(a]", "1:4: expected ')' for the '(' at bad:1:2, got ']'"),
        ("p(a,", "1:5: expected a term, got the end of the text"),
        ("p(a b)", "1:5: expected ',' or ')', got 'b'"),
        ("p :- (q ~r)", "1:9: expected '&', '|' or ')', got '~'"),
        ("p :- (a, b)", "1:8: expected '&', '|' or ')', got ','"),
        ("p :- & q", "1:6: expected a term, got '&'"),
        ("p :- q :- r", "1:8: expected a single atom before ':-'"),
        ("p(a :- b)", "1:5: ':-' cannot stand inside parentheses"),
        ("a ==> b", "1:3: expected an operation 'action :: conditions ==> effects'"),
        ('p("abc)', "1:3: this '\"' is never closed"),
        ("p /* q", "1:3: expected '//' or a comment"),
        ("p $ q", "1:3: unexpected character '$'; put it into a string"),
    ],
)
def test_error_says_where_and_what_was_expected(epilog: str, message: str) -> None:
    """A syntax error names the place and what would be right."""
    with pytest.raises(gdl.GdlSyntaxError) as caught:
        read_forms(epilog, "bad")

    assert str(caught.value).startswith(f"bad:{message}")


@pytest.mark.parametrize(
    "epilog",
    [
        "p(" * 5_000,
        "(" * 5_000,
        "p :- " + "~" * 5_000 + "q",
        "p([" + "a," * 5_000 + "a])",
        "p(" + "a!" * 5_000 + "nil)",
    ],
    ids=["terms", "parentheses", "negations", "list", "pairs"],
)
def test_hostile_depth_is_an_error(epilog: str) -> None:
    """No text makes the reader overflow its stack."""
    with pytest.raises(gdl.GdlSyntaxError, match=f"nest deeper than {MAX_DEPTH}"):
        read_forms(epilog)


def test_wide_sentences_are_no_depth() -> None:
    """A thousand conditions in a row are read, each with arguments of its own."""
    body = " & ".join(f"p(X,{number}) & ~q(X)" for number in range(1000))

    (form,) = read_forms(f"a(X) :- {body}")

    assert len(list(form.items)) == 2002  # type: ignore[union-attr]  # a rule is a group


def test_reading_is_linear_in_the_size() -> None:
    """Four times the text takes about four times as long, not sixteen."""
    sentence = "cell(X,Y,b) :- index(X) & ~(index(Y) | row(X,Y)) & distinct(X,Y)\n"

    def seconds(repetitions: int) -> float:
        text = sentence * repetitions
        return seconds_of(lambda: read_forms(text))

    assert seconds(400) < 10 * max(seconds(100), 0.02)


IN_KIF = "(role x)\n(init (s 0))\n(<= terminal\n    (true (s 1)))\n"
IN_EPILOG = "role(x)\ninit(s(0))\nterminal :-\n    true(s(1)) & (a | b)\n"
TITLES = [
    *(
        "",
        "\ufeff",
        "My game\n",
        "# My game\n",
        "Game(v2) ",
        "(c) 2024\n",
        "terminal\n",
        "```kif\n",
    ),
    *("; p(a)\n", "% (role x)\n// p(a)\n", "/* p(a) */", '"a (b) c"\n', "-*- lisp -*-\n"),
]


@pytest.mark.parametrize("title", TITLES)
def test_the_notation_is_that_of_the_statements(title: str) -> None:
    """Whatever stands before them; all readers, checks and editors agree."""
    for rules, is_epilog in ((IN_KIF, False), (IN_EPILOG, True)):
        text = title + rules
        assert gdl.is_epilog(text) is is_epilog
        assert gdl.document(text).is_epilog is is_epilog
    assert (
        gdl.read_rules(title.replace("Game(v2)", "") + IN_KIF).roles == gdl.read_kif(IN_KIF).roles
    )


@pytest.mark.parametrize(
    ("text", "is_epilog"),
    [
        ("\ufeff[role(x), role(y)]", True),
        ("((role x)(role y) (<= p(a) q(b)))", False),
        ("(<= p\n  does(x a) &\n  true(s))", False),
        ("(role x)\n(p 1)\np(X) :- q(X), r(X).", False),
        ("(role x\n(p 1)\n(p 2)\nq(1)", False),
        ("p(a) :- (q(a) | r(b)) &\n(s(a) | t(b))", True),
        ("terminal", True),
        ("", False),
    ],
)
def test_the_notation_in_which_more_statements_begin_decides(text: str, is_epilog: bool) -> None:
    """A rule of Prolog among those of KIF, or a call in a condition, makes no Epilog."""
    assert gdl.is_epilog(text) is is_epilog


def test_either_notation_gives_the_same_rulesheet() -> None:
    """Whoever reads rules need not know the notation."""
    kif = gdl.read_rules("(role x) (<= (goal x 100) (true (on ?y)))")
    epilog = gdl.read_rules("ruleset role(x) goal(x,100) :- true(on(Y))")

    assert str(kif) == str(epilog)


def test_a_semicolon_between_alternatives_is_no_comment() -> None:
    """As in Prolog: half of the rule would be left out."""
    with pytest.raises(gdl.GdlSyntaxError, match=r"did you mean '\|', or '%' before a comment"):
        gdl.read_epilog("p :- q(X) ; ~r(X)")


def test_each_reader_names_the_other_notation() -> None:
    """Not a rulesheet without a role, and no fault of a single character."""
    with pytest.raises(gdl.GdlSyntaxError, match=r"expected prefix KIF, got Epilog.*read_epilog"):
        gdl.read_kif("; a game\nrole(x)\ninit(p(1))")
    with pytest.raises(gdl.GdlSyntaxError, match=r"expected Epilog, got prefix KIF.*read_kif"):
        gdl.read_epilog("; a game\n(role x)\n(<= terminal (true (p ?x)))")
