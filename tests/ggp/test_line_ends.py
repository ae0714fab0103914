"""Texts whose lines end with CR or CRLF, or have other signs that Python takes for a line's end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from lsprotocol import types

import gdl
from ggp.boards.grids import find_orders
from ggp.boards.plain_names import read_names, without_names
from ggp.lsp.open_document import Version
from ggp.manager.domain.games import SEES, first_comment
from ggp.naming.annotations import check_annotations, head_comment, read_annotations
from ggp.protocol import Preview, Start, decode
from ggp.protocol.rules import epilog_of
from ggp.protocol.terms import compact_spelling, ggp_base_spelling

KIF = """; A race (of one
;; to three.
(role me) ; alone )
;;@move (go ?n): go to ?n
;;@word b: bee
;;@mvoe (go ?n): a slip
;;@places x=1 y=2
(init (at 1))
(next1 a c) ; (next1 b a)
(next1 c b)
; What may be done ((
(<= (legal me (go ?n))
    (true (at ?n))) ; and (sees me x)
(<= (next (at ?n)) (does me (go ?n)))
(<= terminal
    (true (at (b))))
(goal me 100)
"""
EPILOG = """% One, two (
role(me)
init(at(1)) // three )
legal(me,go) :- true(at(1))
"""
UTF16 = types.PositionEncodingKind.Utf16


def _hovered(text: str) -> str:
    found = gdl.document(text).hover(text.index("legal me") + 1)
    return found.text if found else ""


Answer = Callable[[str], object]
ANSWERS: tuple[Answer, ...] = (
    lambda text: list(map(str, gdl.read_kif(text).forms)),
    lambda text: _sent(f"(START m me ({text}) 9 5)"),
    lambda text: _sent(f"(START m me {text} 9 5)"),
    lambda text: _sent(f"(PREVIEW {text} 9)"),
    lambda text: decode(f"{text.partition('(role')[0]}(PLAY m NIL)"),
    lambda text: _places(gdl.check(text)),
    lambda text: _places(check_annotations(text, "", gdl.read_kif(text))),
    lambda text: [_cures(gdl.document(text), one) for one in gdl.document(text).diagnostics],
    lambda text: _completed(text, "(true (at (b"),
    lambda text: _completed(text, "; What may be"),
    _hovered,
    lambda text: (read_annotations(text).words, read_annotations(text).moves),
    find_orders,
    read_names,
    lambda text: gdl.format_kif(without_names(text)),
    head_comment,
    first_comment,
    lambda text: SEES.search(text) is None,
    gdl.format_kif,
    compact_spelling,
    ggp_base_spelling,
    lambda text: Version("", text, UTF16).places.position(text.index("terminal")),
)


@pytest.mark.parametrize("end", ["\r", "\r\n"], ids=["CR", "CRLF"])
@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_a_line_may_end_with_anything(answer: Answer, end: str) -> None:
    """Whatever is read of a text, and wherever it says something is."""
    assert answer(KIF.replace("\n", end)) == answer(KIF)


@pytest.mark.parametrize("end", ["\r", "\r\n"], ids=["CR", "CRLF"])
def test_so_may_a_line_of_epilog(end: str) -> None:
    """Its comments, and the place of an error."""
    text = EPILOG.replace("\n", end)

    assert epilog_of(text) == epilog_of(EPILOG)
    assert str(gdl.read_rules(text)) == str(gdl.read_rules(EPILOG))
    assert _places(gdl.check(text)) == _places(gdl.check(EPILOG))


@pytest.mark.parametrize("sign", "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_nothing_else_ends_a_line(sign: str) -> None:
    """A comment goes on behind it."""
    text = f"; A race{sign}(role you)\n{KIF.partition(chr(10))[2]}"

    assert list(map(str, gdl.read_kif(text).forms)) == list(map(str, gdl.read_kif(KIF).forms))
    assert compact_spelling(text) == compact_spelling(KIF)
    assert "role you" in first_comment(text)
    assert "role you" in head_comment(text)
    assert epilog_of(f"% A{sign}role(you)\n{EPILOG}") == epilog_of(EPILOG)
    with pytest.raises(gdl.GdlSyntaxError) as caught:
        gdl.read_kif(f"; A{sign}b\n(role me))")
    assert caught.value.explain().count("\n") == 2
    with pytest.raises(gdl.GdlSyntaxError) as caught:
        gdl.read_kif(f"(role me)) ; A{sign}b")
    assert caught.value.explain().count("\n") == 2


def _sent(text: str) -> list[str]:
    message = decode(text)
    assert isinstance(message, Start | Preview)
    return list(map(str, gdl.read_kif(message.rules).forms))


def _places(found: Iterable[gdl.Diagnostic]) -> list[tuple[str, int, int, str]]:
    return [(one.code, one.span.line, one.span.column, one.message) for one in found]


def _cures(document: object, found: object) -> list[str]:
    return [cure.title for cure in document.cures(found)]  # type: ignore[attr-defined]


def _completed(text: str, words: str) -> list[object]:
    return list(gdl.document(text).completions(text.index(words) + len(words)))
