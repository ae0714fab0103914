"""Prefix KIF is laid out so that it can be read again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gdl
from gdl.errors import Source
from gdl.kif.formatting import LINE_LENGTH
from gdl.kif.reader import Comment, scan
from gdl.syntax import MAX_DEPTH
from ggp import games
from tests.gdl.kif.test_reader import forms
from tests.shared import require
from tests.thorough import KINDS, all_but

LONG = (
    "(<= (next (cell ?x ?y ?mark)) (true (cell ?x ?y ?mark))"
    " (not (touched ?x ?y)) (role ?mark) end)"
)
SPLIT = """\
(<= (next (cell ?x ?y ?mark))
    (true (cell ?x ?y ?mark))
    (not (touched ?x ?y))
    (role ?mark)
    (end ?x ?y))
"""

WORD = st.text(alphabet="abc?+1Z", min_size=1, max_size=12)
FORM = st.recursive(
    WORD | st.just("<="),
    lambda inner: st.lists(inner, max_size=6).map(lambda x: f"({' '.join(x)})"),
)
GAP = st.sampled_from([" ", "\n", "\n\n\n", " ; a remark ()\n", "\n; alone  \n", "\r\n", "\t;\r\n"])


@st.composite
def rulesheets(draw: st.DrawFn) -> str:
    """Balanced texts with comments, blank lines and line ends anywhere between words."""
    text = " ".join(draw(st.lists(FORM, max_size=8)))
    parts = text.replace("(", " ( ").replace(")", " ) ").split()
    return "".join(part + draw(GAP) for part in parts)


def comments(text: str) -> list[str]:
    """The comments of a text without the blanks at their ends."""
    tokens = scan(Source("<text>", text))
    return [token.text.rstrip() for token in tokens if isinstance(token, Comment)]


def assert_only_the_layout_changes(text: str) -> None:
    """Formatting is idempotent and keeps all forms and comments."""
    formatted = gdl.format_kif(text)

    assert gdl.format_kif(formatted) == formatted
    assert forms(formatted) == forms(text)
    assert comments(formatted) == comments(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("(role   X)(role o)", "(role X)\n(role o)\n"),
        ("(a)\n\n\n\n(b)", "(a)\n\n(b)\n"),
        ("\n\n(a)\n\n", "(a)\n"),
        ("(a) ;why  \n;what\n(b)", "(a)  ;why\n;what\n(b)\n"),
        ("; title\n\n(a)", "; title\n\n(a)\n"),
        ("(init (cell 1 1\n   b))", "(init (cell 1 1 b))\n"),
        ("(<= a (b)\n c)", "(<= a (b) c)\n"),
        ("(<= a\n (b) c)", "(<= a\n    (b)\n    c)\n"),
        (SPLIT.replace("\n   ", ""), SPLIT),
        ("(<= a ; why\n b ; last\n)", "(<= a  ; why\n    b  ; last\n)\n"),
        ("(a\r\n; inside\r\nb)", "(a\n    ; inside\n    b)\n"),
        ("noop", "noop\n"),
        ("((role x)\n (role o))", "((role x) (role o))\n"),
        ("(p 1)  (p  2) ; two\n(p 3) (p 4)", "(p 1) (p 2)  ; two\n(p 3) (p 4)\n"),
        ("(p 1)  (p 2)\n(p 10) (p 3)\n", "(p 1)  (p 2)\n(p 10) (p 3)\n"),
        ("(p  1)  (p 2)\n(p 10)  (p 3)", "(p 1)  (p 2)\n(p 10) (p 3)\n"),
        ("(role x) (<= a b) (p 1) (p 2)", "(role x)\n(<= a b)\n(p 1) (p 2)\n"),
    ],
    ids=repr,
)
def test_text_is_laid_out_so(text: str, expected: str) -> None:
    """Short statements on one line, long ones a condition a line, comments where they were."""
    assert gdl.format_kif(text) == expected


def test_statement_of_exactly_the_line_length_stays_on_its_line() -> None:
    """One character more breaks it."""
    fitting = LONG.replace("end", "e" * (3 + LINE_LENGTH - len(LONG)))

    assert gdl.format_kif(fitting) == f"{fitting}\n"
    assert gdl.format_kif(fitting.replace("eee", "eeee")).count("\n") == 5


def test_condition_too_long_for_a_line_is_broken_further_inside() -> None:
    """Each level is indented by four more columns."""
    branch = f"(and {'(relation ?x) ' * 4})"
    text = gdl.format_kif(f"(<= head (or {branch * 3}))")

    line = "        (and (relation ?x) (relation ?x) (relation ?x) (relation ?x))"
    assert text == f"(<= head\n    (or\n{line}\n{line}\n{line}))\n"


@given(rulesheets())
@settings(deadline=None, max_examples=15)
def test_formatting_is_idempotent_and_loses_nothing(text: str) -> None:
    """Same forms, same comments, and a second pass changes nothing."""
    assert_only_the_layout_changes(text)


@pytest.mark.parametrize("step", [110, pytest.param(24, marks=pytest.mark.thorough)])
def test_corpus_survives_formatting(step: int) -> None:
    """Real layouts: comments at every place, tabs, CRLF, statements across lines."""
    for path in sorted(require("corpus", "rules").glob("*.kif"))[::step]:
        assert_only_the_layout_changes(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_bundled_games_are_formatted(name: str) -> None:
    """Our own rulesheets are written as the formatter writes them."""
    text = games.text(name)

    assert gdl.format_kif(text, name) == text


def test_text_that_is_no_rulesheet_is_an_error() -> None:
    """Nothing is written that was not understood."""
    with pytest.raises(gdl.GdlSyntaxError, match=r"bad.kif:1:1"):
        gdl.format_kif("(role x", "bad.kif")


def test_deepest_nesting_is_formatted() -> None:
    """A text that can be read can be written."""
    text = "(" * MAX_DEPTH + "a ; b\n" + ")" * MAX_DEPTH

    assert_only_the_layout_changes(text)
