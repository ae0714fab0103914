"""Errors name their place and show it."""

from __future__ import annotations

import copy
import pickle

import pytest

import gdl
from gdl.errors import PICTURE_WIDTH, GdlError, GrowthError, Source, Span
from gdl.ground import Reason
from ggp.errors import GgpError, UnknownNameError


def span(text: str, word: str) -> Span:
    """The first place of a word in a text."""
    start = text.index(word)
    return Span(Source("it.kif", text), start, start + len(word))


def descendants(kind: type[Exception]) -> list[type[Exception]]:
    """A class and all that derive from it."""
    return [kind, *(one for child in kind.__subclasses__() for one in descendants(child))]


@pytest.mark.parametrize(
    "error",
    [
        GrowthError("it grows", "f"),
        gdl.GroundingError(Reason.SIZE, "too large", span("(a b)", "b")),
        UnknownNameError("game", "hexx", ["hex"]),
        *(kind.__new__(kind, "it") for kind in descendants(GdlError)),
        *(kind.__new__(kind, "it") for kind in descendants(GgpError)),
    ],
    ids=repr,
)
def test_every_error_can_be_pickled(error: Exception) -> None:
    """Whatever its `__init__` takes: a pool of processes hangs when it cannot read an error."""
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is type(error)
        assert other.args == error.args
        assert vars(other).keys() == vars(error).keys()


@pytest.mark.parametrize(
    ("text", "word", "place"),
    [
        ("abc", "a", "it.kif:1:1"),
        ("abc", "c", "it.kif:1:3"),
        ("a\nb\n", "b", "it.kif:2:1"),
        ("a\r\n\r\n b", "b", "it.kif:3:2"),
        ("\tb", "b", "it.kif:1:2"),
    ],
)
def test_span_names_file_line_and_column(text: str, word: str, place: str) -> None:
    """Lines and columns are counted from 1."""
    assert str(span(text, word)) == place


@pytest.mark.parametrize(
    ("text", "word", "picture"),
    [
        ("(a bcd)", "bcd", "(a bcd)\n   ^~~"),
        ("x\n\t(a)\r\ny", "(a)", " (a)\n ^~~"),
        ("(a\n b)", "(a\n b)", "(a\n^~"),
        ("", "", "\n^"),
    ],
)
def test_picture_marks_the_place_under_its_line(text: str, word: str, picture: str) -> None:
    """Only the first line of a longer place is shown; a tab takes one column."""
    assert span(text, word).picture() == picture


@pytest.mark.parametrize("before", [0, 50, 500, 100_000])
def test_picture_of_a_long_line_is_a_window_around_the_place(before: int) -> None:
    """A START message is one line of up to a megabyte."""
    text = "x" * before + "(WRONG)" + "y" * 5000

    line, marks = span(text, "(WRONG)").picture().split("\n")

    assert len(line) <= PICTURE_WIDTH
    assert line[marks.index("^") : len(marks)] == "(WRONG)"


def test_error_reads_place_first_and_explains_with_a_picture() -> None:
    """One line for logs, three for people."""
    error = gdl.RulesheetError("expected a head", span("(<=)", "(<=)"))

    assert str(error) == "it.kif:1:1: expected a head"
    assert error.explain() == "it.kif:1:1: expected a head\n    (<=)\n    ^~~~"


def test_error_without_a_place_is_its_message() -> None:
    """Some errors concern the rules as a whole."""
    error = gdl.EvaluationLimitError("too many facts")

    assert (str(error), error.explain()) == ("too many facts", "too many facts")


@pytest.mark.parametrize(
    "kind",
    [
        gdl.GdlSyntaxError,
        gdl.RulesheetError,
        gdl.UnstratifiedError,
        gdl.EvaluationLimitError,
        gdl.IllegalMoveError,
    ],
)
def test_every_error_is_a_gdl_error(kind: type[gdl.GdlError]) -> None:
    """A caller catches one root."""
    with pytest.raises(gdl.GdlError):
        raise kind("why")
