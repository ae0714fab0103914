"""Messages and replies as text, blank for blank."""

from __future__ import annotations

import ast
import re

import pytest

from ggp.protocol import (
    Abort,
    Dialect,
    Happened,
    Info,
    Message,
    Notation,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    Turn,
    decode,
    encode,
    info_reply,
    reply,
)
from tests.shared import require

RULES = "(role x) ; the only one\n(<= (legal x (mark ?m))\n    (true (free ?m)))"
JOINT = Happened("((mark 2 3) noop)", ("(mark 2 3)", "noop"))


@pytest.mark.parametrize(
    ("message", "ggp_base", "dresden", "gamemaster"),
    [
        (Info(), "( INFO )", "(INFO)", "info()"),
        (Ping(identifier="a"), "( PING )", "(PING)", "ping(a)"),
        (Abort("M.1"), "( ABORT M.1 )", "(ABORT M.1)", "abort(M.1)"),
        (Play("M.1"), "( PLAY M.1 NIL )", "(PLAY M.1 NIL)", "play(M.1,nil)"),
        (
            Play("M.1", JOINT),
            "( PLAY M.1 (( mark 2 3 ) noop ) )",
            "(PLAY M.1 ((MARK 2 3) NOOP))",
            None,
        ),
        (
            Stop("M.1", JOINT),
            "( STOP M.1 (( mark 2 3 ) noop ) )",
            "(STOP M.1 ((MARK 2 3) NOOP))",
            None,
        ),
        (
            Preview(RULES, 2),
            "( PREVIEW (( role x ) ( <= ( legal x ( mark ?m ) ) ( true ( free ?m ) ) ) ) 2 )",
            None,
            None,
        ),
        (
            Start("M.1", "x", RULES, 10, 5),
            "( START M.1 x (( role x ) ( <= ( legal x ( mark ?m ) ) ( true ( free ?m ) ) ) ) 10 5)",
            "(START M.1 X ((ROLE X) (<= (LEGAL X (MARK ?M)) (TRUE (FREE ?M))) ) 10 5)",
            None,
        ),
        (
            Play("M.1", Happened("()", ()), Turn(2, "(mark 1 1)")),
            None,
            "(PLAY M.1 2 (MARK 1 1) ())",
            None,
        ),
        (
            Play("M.1", Happened("(mark 2 3)", None)),
            None,
            None,
            "play(M.1,mark(2,3))",
        ),
        (
            Start("m", "x", "role(x)\nlegal(a) :- p", 10, 5),
            None,
            None,
            "start(m,x,[role(x)\nlegal(a) :- p],10,5)",
        ),
    ],
)
def test_each_dialect_has_its_own_spelling(
    message: Message, ggp_base: str | None, dresden: str | None, gamemaster: str | None
) -> None:
    """GGP-Base sets blanks around parentheses, Dresden shouts, Gamemaster writes infix."""
    for dialect, expected in zip(Dialect, (ggp_base, dresden, gamemaster), strict=True):
        if expected is not None:
            assert encode(message, dialect) == expected


def test_real_messages_survive_decoding_and_encoding() -> None:
    """Every message that a real GGP-Base server sent comes out byte for byte as it went in."""
    bodies = recorded_bodies("x.log") + recorded_bodies("o.log")

    for body in bodies:
        assert encode(decode(body), Dialect.GGP_BASE) == body

    assert len(bodies) > 50


def test_real_dresden_messages_survive_decoding_and_encoding() -> None:
    """The same for the Dresden GameController."""
    bodies = recorded_bodies("dresden.log")

    for body in bodies:
        assert encode(decode(body), Dialect.DRESDEN) == body

    assert len(bodies) > 10


def test_replies_take_the_form_of_their_message() -> None:
    """Prefix or infix; wrapped when there is an identifier."""
    assert reply("ready", Notation.PREFIX) == "ready"
    assert reply("ready", Notation.PREFIX, "p1") == "(reply p1 ready)"
    assert reply("ready", Notation.INFIX, "p1") == "reply(p1,ready)"
    assert reply("(move (cell a 1) up)", Notation.INFIX, "m") == "reply(m,move(cell(a,1),up))"
    assert reply("(Mark ?x +)", Notation.INFIX) == '"Mark"("?x","+")'


def test_info_is_answered_in_pairs() -> None:
    """GGP-Base wants parentheses, Gamemaster brackets."""
    pairs = [("name", "me"), ("status", "available")]

    assert info_reply(Info(), pairs) == "((name me) (status available))"
    assert info_reply(Info(Notation.INFIX), pairs) == "[[name,me],[status,available]]"
    assert info_reply(Info(Notation.INFIX, "7"), pairs) == "reply(7,[[name,me],[status,available]])"


def recorded_bodies(name: str) -> list[str]:
    """The bodies of the POSTs that a recorded game server sent."""
    text = require("protocol", name).read_text(encoding="utf-8")
    sent = re.findall(r"server->player \d+B (b(?:'.*'|\".*\"))$", text, re.MULTILINE)
    requests = [ast.literal_eval(literal) for literal in sent]
    return [
        request.partition(b"\r\n\r\n")[2].decode()
        for request in requests
        if request.startswith(b"POST")
    ]
