"""Prefix KIF is read form by form, and printed so that it can be read again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gdl
from gdl.errors import Source
from gdl.kif import LINE_LENGTH, Comment, rescan, scan
from gdl.syntax import MAX_DEPTH, Group, Word, words
from tests.shared import REPOSITORY, require
from tests.timing import seconds_of


def forms(text: str) -> list[str]:
    """The forms of a text, each on one line."""
    return [str(form) for form in gdl.read_forms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("; nothing but a remark", []),
        ("(role x)(role o)", ["(role x)", "(role o)"]),
        ("(role\tx)\r\n(role\r\n o)\r\n", ["(role x)", "(role o)"]),
        ("\ufeff(role x)", ["(role x)"]),
        ("(a;(b)\nc)", ["(a c)"]),
        ("(<= a (or) (and))", ["(<= a (or) (and))"]),
        ("(p + - < 2x a.b Upper ?x)", ["(p + - < 2x a.b Upper ?x)"]),
        ("noop", ["noop"]),
        ("(p(q)r)", ["(p (q) r)"]),
    ],
    ids=repr,
)
def test_text_is_read_as_these_forms(text: str, expected: list[str]) -> None:
    """Blanks, line ends, tabs, byte order marks and comments separate words; nothing else does."""
    assert forms(text) == expected


def test_every_word_knows_its_line_and_column() -> None:
    """Both are counted from 1; a tab is one column, a CRLF one line end."""
    (form,) = gdl.read_forms("; first\r\n(cell\t1\r\n  ?y)", "it.kif")

    assert [str(word.span) for word in words(form)] == ["it.kif:2:2", "it.kif:2:7", "it.kif:3:3"]
    assert str(form.span) == "it.kif:2:1"


def test_span_of_a_group_covers_its_parentheses() -> None:
    """The text between start and end is the group as written."""
    text = "(a) (b  (c d))"
    group = gdl.read_forms(text)[1]
    assert isinstance(group, Group)
    inner = group.items[1]

    assert text[group.span.start : group.span.end] == "(b  (c d))"
    assert text[inner.span.start : inner.span.end] == "(c d)"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(role x))", "it.kif:1:9", "closes nothing"),
        ("(role x", "it.kif:1:1", "never closed"),
        ("(a)\n(b (c)\n(d)", "it.kif:2:1", "never closed"),
        ("(a)\n(b (c)\n(d\n", "it.kif:2:1", "never closed"),
        (")", "it.kif:1:1", "closes nothing"),
        ("(a)\n(<= (b))\n    (c)\n    (d))", "it.kif:2:8", "closes the rule, and more of it"),
        ("(<= (b))\n    (c))\n    (d))", "it.kif:1:8", "closes the rule, and more of it"),
        ("(<= (b))\n(c))", "it.kif:2:4", "closes nothing"),
        ("(role me\n(init (a))\n(init (b)))\n)\n)", "it.kif:1:1", "never closed"),
    ],
)
def test_parenthesis_without_partner_is_named(text: str, place: str, message: str) -> None:
    """The error stands at the parenthesis to blame."""
    with pytest.raises(gdl.GdlSyntaxError, match=message) as caught:
        gdl.read_forms(text, "it.kif")

    assert str(caught.value).startswith(f"{place}: ")


def test_nesting_is_bounded() -> None:
    """The deepest text allowed is read; one level more is an error at its parenthesis."""
    deepest = "(" * MAX_DEPTH + ")" * MAX_DEPTH

    assert forms(deepest) == [deepest]
    with pytest.raises(gdl.GdlSyntaxError, match="nest deeper") as caught:
        gdl.read_forms(f"({deepest})")
    assert caught.value.span is not None
    assert caught.value.span.column == MAX_DEPTH + 1


def test_ten_thousand_parentheses_are_an_error_and_no_crash() -> None:
    """A hostile depth ends in a `GdlSyntaxError`."""
    with pytest.raises(gdl.GdlSyntaxError, match="nest deeper"):
        gdl.read_forms("(" * 10_000 + ")" * 10_000)


def test_start_message_may_wrap_all_statements_in_one_group() -> None:
    """The rules of a START message are one list; they read like a file."""
    wrapped = gdl.read_kif("((role x) (role o))")

    assert [str(role) for role in wrapped.roles] == ["x", "o"]


@pytest.mark.parametrize("text", ["", "a b", "(f x) (f y)"])
def test_term_must_be_exactly_one(text: str) -> None:
    """A move is one term, no more and no less."""
    with pytest.raises(gdl.GdlSyntaxError, match="expected one term"):
        gdl.read_term(text)


def test_term_takes_the_spelling_of_the_rulesheet() -> None:
    """A manager may send upper case; the answer has the author's case."""
    rules = gdl.read_kif("(role White) (legal White (moveTo A 1))")

    assert str(gdl.read_term("(MOVETO a 1)", rules)) == "(moveTo A 1)"


@given(st.text(alphabet="()ab?;\n\r\t \ufeff"))
@settings(deadline=None)
def test_comments_and_words_are_all_that_is_not_blank(text: str) -> None:
    """No character is lost: what the scanner leaves out is blank."""
    tokens = scan(Source("<text>", text))

    rest = list(text)
    for token in tokens:
        assert isinstance(token, Comment | Word)
        assert text[token.span.start : token.span.end] == token.text
        rest[token.span.start : token.span.end] = " " * len(token.text)
    assert "".join(rest).strip(" \t\r\n\ufeff") == ""


def test_reading_is_linear_in_the_size() -> None:
    """Half a megabyte on one line, as a START message has it, is read within five seconds."""
    text = (require("corpus", "rules") / "duplicateStateLarge.kif").read_text(encoding="utf-8")
    lines = (line.partition(";")[0] for line in text.splitlines())
    message = f"({' '.join(lines)})" * 8
    assert len(message) > 455_000
    read: list[object] = []

    seconds = seconds_of(lambda: read.extend(gdl.read_forms(message)))

    assert seconds < 5
    assert len(read) == 8


def test_chess_reads_at_once() -> None:
    """The largest hand-written rulesheet reads within 0.6 s."""
    text = (require("corpus", "rules") / "chess_200.kif").read_text(encoding="utf-8")

    assert seconds_of(lambda: gdl.read_kif(text)) < 0.6


TEXTS = st.lists(
    st.sampled_from(["(", ")", "a", "?x", " ", "\n", "\n", "\r\n", "; b", "\ufeff"]), max_size=30
).map("".join)


@given(TEXTS, TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_changed_lines_are_read_again_and_no_others(
    text: str, put: str, start: int, length: int
) -> None:
    """Whatever takes the place of whatever."""
    before = Source("before", text)
    after = Source("after", text[:start] + put + text[start + length :])

    found = rescan(after, before, scan(before))

    assert [(type(one), one.text, one.span) for one in found] == [
        (type(one), one.text, one.span) for one in scan(after)
    ]


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


def test_form_is_written_on_one_line() -> None:
    """Single blanks, nothing else."""
    (form,) = gdl.read_forms("(<= ( p ?x )\n   (q ; remark\n ?x))")

    assert str(form) == "(<= (p ?x) (q ?x))"


@given(rulesheets())
@settings(deadline=None, max_examples=25)
def test_formatting_is_idempotent_and_loses_nothing(text: str) -> None:
    """Same forms, same comments, and a second pass changes nothing."""
    assert_only_the_layout_changes(text)


@pytest.mark.parametrize("step", [72, pytest.param(24, marks=pytest.mark.thorough)])
def test_corpus_survives_formatting(step: int) -> None:
    """Real layouts: comments at every place, tabs, CRLF, statements across lines."""
    for path in sorted(require("corpus", "rules").glob("*.kif"))[::step]:
        assert_only_the_layout_changes(path.read_text(encoding="utf-8"))


def test_bundled_games_are_formatted() -> None:
    """Our own rulesheets are written as the formatter writes them."""
    for path in sorted((REPOSITORY / "games").glob("*.kif")):
        text = path.read_text(encoding="utf-8")

        assert gdl.format_kif(text, path.name) == text, path.name


def test_text_that_is_no_rulesheet_is_an_error() -> None:
    """Nothing is written that was not understood."""
    with pytest.raises(gdl.GdlSyntaxError, match=r"bad.kif:1:1"):
        gdl.format_kif("(role x", "bad.kif")


def test_deepest_nesting_is_formatted() -> None:
    """A text that can be read can be written."""
    text = "(" * MAX_DEPTH + "a ; b\n" + ")" * MAX_DEPTH

    assert_only_the_layout_changes(text)
