"""Prefix KIF is read form by form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gdl
from gdl.errors import Source
from gdl.kif.reader import Comment, rescan, scan
from gdl.syntax import MAX_DEPTH, Group, Word, words
from tests.shared import require
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
        ("(a)\n(<= (b))\n    (c)\n    (d))", "it.kif:2:8", "closes the rule too early"),
        ("(<= (b))\n    (c))\n    (d))", "it.kif:1:8", "closes the rule too early"),
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


@pytest.mark.parametrize("copies", [1, pytest.param(8, marks=pytest.mark.thorough)])
def test_reading_is_linear_in_the_size(copies: int) -> None:
    """Half a megabyte on one line, as a START message has it, is read within ten seconds of CPU."""
    text = (require("corpus", "rules") / "duplicateStateLarge.kif").read_text(encoding="utf-8")
    lines = (line.partition(";")[0] for line in text.splitlines())
    message = f"({' '.join(lines)})" * copies
    assert len(message) > 56_000 * copies
    read: list[object] = []

    seconds = seconds_of(lambda: read.extend(gdl.read_forms(message)))

    assert seconds < 10 * copies / 8
    assert len(read) == copies


def test_chess_reads_at_once() -> None:
    """The largest hand-written rulesheet takes some tenths of a second; the bound is generous."""
    text = (require("corpus", "rules") / "chess_200.kif").read_text(encoding="utf-8")

    assert seconds_of(lambda: gdl.read_kif(text)) < 5


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


def test_form_is_written_on_one_line() -> None:
    """Single blanks, nothing else."""
    (form,) = gdl.read_forms("(<= ( p ?x )\n   (q ; remark\n ?x))")

    assert str(form) == "(<= (p ?x) (q ?x))"
