"""The head of a START, read without the rest."""

from __future__ import annotations

import pytest

from ggp.protocol import Dialect, Notation, decode, encode, start_header
from ggp.protocol.messages import Info, Play, Start

KIF = "(role x) (legal x wait)"
EPILOG = "role(x) legal(x,wait)"


@pytest.mark.parametrize(
    "text",
    [
        f"( START m.1 x ( {KIF} ) 10 5 )",
        f"(start m.1 x ({KIF}) 10 5)",
        f"(START m.1 x ( ; as written\n{KIF}) 10 5)",
        f"( start m.1 x ({EPILOG}) 10 5)",
        f"( start m.1 x [{EPILOG}] 10 5)",
        f"start(m.1,x,[{EPILOG}],10,5)",
        f" start( m.1 , x, {EPILOG}, 10, 5)",
    ],
)
def test_the_header_says_what_the_whole_says(text: str) -> None:
    """The match's name, and in whose words the answer has to be."""
    seen, read = start_header(text), decode(text)

    assert isinstance(read, Start)
    assert seen is not None
    told = (read.match, read.notation, read.dialect)
    assert (seen.match, seen.notation, seen.dialect) == told


@pytest.mark.parametrize("text", ["", "(", "( PLAY m NIL )", "start", "start(", "(START ; m\n x"])
def test_what_is_no_start_is_none(text: str) -> None:
    """Or what is none at a start_header: then it has to be read."""
    assert start_header(text) is None


def test_other_messages_are_none() -> None:
    """They are short."""
    assert start_header(encode(Play("m"), Dialect.GGP_BASE)) is None
    assert start_header(encode(Info(Notation.INFIX), Dialect.GAMEMASTER)) is None
