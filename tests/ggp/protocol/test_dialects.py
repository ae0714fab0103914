"""Dialects from the manager's side: what is sent, and what a reply means."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.protocol import Dialect, decode
from ggp.protocol.dialects import DIALECTS, Invitation, TurnReport, UnspeakableError
from ggp.protocol.rules import epilog_of
from tests.shared import require

LEGAL = ("noop", "Foo", "(mark 1 1)", "(pair (q 1) 2)")
BEGUN = Invitation(
    match_id="ggp.x.1",
    role="White",
    rules="(role White)",
    startclock=3,
    playclock=2,
    epilog="role(x)",
)
TURN = TurnReport(
    turn=1,
    roles=("a", "b"),
    moves=("(mark 1 1)", "noop"),
    own_move="noop",
    single_move="(mark 1 1)",
)


@pytest.mark.parametrize(
    ("dialect", "reply", "move"),
    [
        ("ggp-base", "(MARK 1 1)", "(MARK 1 1)"),
        ("ggp-base", " noop ", " noop "),
        ("dresden", "( MARK  1 1 )", "(mark 1 1)"),
        ("dresden", "FOO", "Foo"),
        ("dresden", "(noop)", "(noop)"),
        ("dresden", "noop noop", ""),
        ("dresden", "(mark 1 1))", ""),
        ("dresden", "(mark 1 1", ""),
        ("dresden", "(mark ?x 1)", ""),
        ("dresden", ")(", ""),
        ("dresden", "", ""),
        ("gdl-ii", "(pair (Q 1) 2)", "(pair (q 1) 2)"),
        ("gamemaster", "reply(m,mark(1,1))", "(mark 1 1)"),
        ("gamemaster", "reply( m , pair( q(1), 2) )", "(pair (q 1) 2)"),
        ("gamemaster", "(reply m (mark 1 1))", "(mark 1 1)"),
        ("gamemaster", "mark(1, 1)", "(mark 1 1)"),
        ("gamemaster", "(mark 1 1)", "(mark 1 1)"),
        ("gamemaster", 'reply(m,"Foo")', "Foo"),
        ("gamemaster", "reply(m)", "reply(m)"),
        ("gamemaster", "mark(1,", "mark(1,"),
        ("gamemaster", "reply(m,", "reply(m,"),
        ("gamemaster", "(", "("),
        ("gamemaster", "", ""),
    ],
)
def test_a_reply_is_read_as_its_dialect_means_it(dialect: str, reply: str, move: str) -> None:
    """To what a referee compares with the legal moves; what is none stays what it is."""
    assert DIALECTS[dialect].move(reply, LEGAL) == move


def test_who_has_no_choice_may_be_silent_in_gamemasters_dialect() -> None:
    """And nowhere else."""
    assert {name: dialect.move("", ("noop",)) for name, dialect in DIALECTS.items()} == {
        "ggp-base": "",
        "dresden": "",
        "gdl-ii": "",
        "gamemaster": "noop",
    }


@pytest.mark.parametrize("name", DIALECTS)
def test_our_decoder_understands_what_we_send(name: str) -> None:
    """Every message, with its match, its role and its clocks."""
    dialect = DIALECTS[name]
    match = "ggp_x_1" if name == "gamemaster" else "ggp.x.1"

    start = decode(dialect.start(BEGUN))
    others = [
        decode(dialect.play("ggp.x.1", TurnReport(0, None))),
        decode(dialect.play("ggp.x.1", TURN)),
        decode(dialect.stop("ggp.x.1", TURN)),
        decode(dialect.abort("ggp.x.1", TURN)),
    ]

    assert [getattr(one, "match", "") for one in (start, *others)] == [match] * 5
    assert (getattr(start, "startclock", 0), getattr(start, "playclock", 0)) == (3, 2)
    words = ["Play", "Play", "Stop", "Stop" if name in {"dresden", "gdl-ii"} else "Abort"]
    assert [type(one).__name__ for one in others] == words
    is_infix = getattr(start, "dialect", None) is Dialect.GAMEMASTER
    assert is_infix == (name == "gamemaster")


def test_moves_made_at_once_are_a_list_in_gamemasters_dialect() -> None:
    """It has no message for that; our own player takes a list."""
    both = TurnReport(turn=1, roles=("a", "b"), moves=("rock", "(go 1)"))

    assert DIALECTS["gamemaster"].play("m", both) == "play(m,[rock,go(1)])"
    assert DIALECTS["gamemaster"].stop("m", both) == "stop(m,[rock,go(1)])"


def test_who_sees_nothing_is_told_so_as_the_gamecontroller_did() -> None:
    """Recorded with GDL version 2, in a game in which there was nothing to see."""
    recorded = require("protocol", "probe_dresden_gdl2.txt").read_text().splitlines()[-1]
    dresden, nothing = DIALECTS["dresden"], replace(TURN, percepts=())

    told = [
        dresden.play("D.probe", TurnReport(0, None)),
        dresden.play("D.probe", nothing),
        dresden.play("D.probe", nothing),
    ]

    assert recorded == f"{told} {dresden.stop('D.probe', nothing)}"


@pytest.mark.parametrize("changes", [{"has_percepts": True}, {"epilog": ""}])
def test_gamemaster_cannot_tell_everything(changes: dict[str, object]) -> None:
    """Percepts, and rules in KIF."""
    begun = Invitation(
        match_id="m",
        role="x",
        rules="(role x)",
        startclock=1,
        playclock=1,
        epilog=str(changes.get("epilog", "role(x)")),
        has_percepts=bool(changes.get("has_percepts")),
    )

    with pytest.raises(UnspeakableError, match="Gamemaster"):
        DIALECTS["gamemaster"].start(begun)


def test_rules_become_epilog_without_comments() -> None:
    """As they stand if they are Epilog; translated if they are not."""
    infix = '% who\nrole(x) // one\n/* and\nmore */ legal(x,"% no comment") :- true(a)\n'

    assert epilog_of(infix) == 'role(x)\nlegal(x,"% no comment") :- true(a)'
    assert epilog_of("(role x) ; who\n(<= (legal x a) (true b))") == (
        "role(x)\nlegal(x,a) :- true(b)"
    )
