"""Nothing that comes from the network makes the codec fail in a way of its own."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.protocol import Dialect, Message, Notation, ProtocolError, decode, encode, reply
from ggp.protocol.client import read_info
from ggp.protocol.errors import shown

WORDS = ["START", "play", "STOP", "abort", "info", "PING", "preview", "NIL", "m", "10", "ruleset"]
SIGNS = ["(", ")", "[", "]", ",", " ", "\n", ";", "%", "/*", "*/", '"', "\\", "?", ":-", "&", "\0"]
SOUP = st.lists(st.sampled_from(WORDS + SIGNS) | st.text(max_size=3), max_size=40).map("".join)
SEEDS = [
    "( START m x (( role x ) ( <= ( legal x a ) ( true ( s 0 ) ) ) ) 10 5)",
    "( PLAY m (( mark 2 3 ) noop ) )",
    "(STOP D.1 3 (MARK 1 1) ((SEES X) Y))",
    "start(m,x,[ruleset,role(x),legal(a) :- p(X) & ~q],10,5)",
    "play(m,move(cell(a,1),up))",
]


@given(SOUP | st.text())
@settings(max_examples=60, deadline=None)
def test_soup_is_a_message_or_a_protocol_error(text: str) -> None:
    """Whatever is decoded can also be written, and whatever is refused is refused in one line."""
    check(text)


@given(st.sampled_from(SEEDS), st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_messages_are_messages_or_protocol_errors(seed: str, data: st.DataObject) -> None:
    """Cut, doubled or changed in one place."""
    start = data.draw(st.integers(0, len(seed)))
    end = data.draw(st.integers(start, len(seed)))
    middle = data.draw(st.sampled_from([*SIGNS, "", seed[start:end] * 2]))

    check(seed[:start] + middle + seed[end:])


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_any_answer_to_info_has_a_meaning(text: str) -> None:
    """Another player's answer is untrusted as well."""
    found = read_info(text)

    assert not re.search(r"\s", found.name)


def check(text: str) -> None:
    """Decode, and write what was understood in every dialect."""
    message, error = attempt(text)
    if error is not None:
        assert str(error).isprintable()
        assert 1 <= error.position <= len(text) + 1
    if message is None:
        return
    for dialect in Dialect:
        assert encode(message, dialect)
    assert reply(shown(text), Notation.INFIX) is not None


def attempt(text: str) -> tuple[Message | None, ProtocolError | None]:
    """The message that a text is, or why it is none."""
    try:
        return decode(text), None
    except ProtocolError as error:
        return None, error
