"""Replies that the real game servers were given: ours makes of each what they made of it.

`probe_server.txt` and `probe_dresden.txt` say what the real GGP-Base server and the real Dresden
GameController did with odd replies to PLAY; the bytes of those replies stand here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

import gdl
from ggp.match.referee import MatchSetup, Referee
from ggp.match.rulebook import MachineRulebook
from ggp.protocol.dialects import DIALECTS
from ggp.seating.remote import RemoteSeat
from tests.fakes.foreign import (
    Act,
    Foreign,
    closes,
    ggp_base,
    keeps_open,
    late,
    resets,
    running,
    sends,
    trickles,
)
from tests.shared import require

PLAYCLOCK = 1
RULES = (
    "(role solo) (init (step 0)) (<= (next (step 1)) (true (step 0))) (<= terminal (true (step 1)))"
    "(goal solo 50) (legal solo noop) (legal solo Foo) (legal solo (pair (q 1) 2))"
    "(<= (legal solo (m ?x ?y)) (index ?x) (index ?y))"
) + " ".join(f"(index {number})" for number in range(1, 21))
MOVE = b"(m 3 4)"
OK = b"HTTP/1.0 200 OK\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n(m 3 4)\r\n0\r\n\r\n"
AIOHTTP = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 7\r\n"
    b"Date: Sat, 21 Nov 2026 10:00:00 GMT\r\nServer: Python/3.11 aiohttp/3.14.5\r\n\r\n"
)


def with_length(body: bytes, more: int = 0, name: bytes = b"Content-Length") -> bytes:
    """A reply whose Content-Length is wrong by `more`."""
    return OK + name + b": %d\r\n\r\n" % (len(body) + more) + body


def saying(text: str) -> Act:
    """A sound reply with this body."""
    return sends(with_length(text.encode()))


TO_GGP_BASE: Mapping[int, Act] = {
    0: sends(ggp_base("( m 3 4 )")),
    1: saying("(m 3 4)"),
    2: saying("(M 3 4)"),
    3: saying("FOO"),
    4: saying("Foo"),
    5: saying("  (m 3 4)\r\n"),
    6: saying("(noop)"),
    7: saying("(pair(q 1)2)"),
    8: sends(OK + b"\r\n" + MOVE),
    9: keeps_open(OK + b"\r\n" + MOVE),
    10: keeps_open(with_length(MOVE)),
    11: sends(with_length(MOVE, 5)),
    12: sends(with_length(MOVE, -1)),
    13: sends(OK + b"Content-Length: seven\r\n\r\n" + MOVE),
    14: sends(OK + b"Content-Length :7\r\n\r\n" + MOVE),
    15: sends(with_length(MOVE, name=b"CONTENT-LENGTH")),
    16: sends(AIOHTTP + MOVE),
    17: sends(CHUNKED),
    18: keeps_open(CHUNKED),
    19: sends(b"HTTP/1.1 100 Continue\r\n\r\n" + with_length(MOVE)),
    20: sends(b"HTTP/1.0 404 Not Found\r\nContent-Length: 7\r\n\r\n" + MOVE),
    21: sends(b"HTTP/1.0 500 Oops\r\nContent-Length: 7\r\n\r\n" + MOVE),
    22: sends(b"Content-length: 7\r\n\r\n" + MOVE),
    23: sends(MOVE),
    24: sends(b"HTTP/1.0 200 OK\nContent-Length: 7\n\n" + MOVE),
    25: saying("%28m+3+4%29"),
    26: saying(""),
    27: saying("  \r\n "),
    28: saying("nil"),
    29: saying("NIL"),
    30: saying("busy"),
    31: saying("ready"),
    32: saying("(m 3 4"),
    33: saying("(m 3 4))"),
    34: saying("(m 3 4) (m 5 6)"),
    35: saying("(m 3 4) ; hi"),
    36: saying("((m 3 4))"),
    37: saying("()"),
    38: saying("(does solo (m 3 4))"),
    39: saying("?x"),
    40: saying("(m 99 99)"),
    41: saying("(m 03 4)"),
    42: saying('"(m 3 4)"'),
    43: saying('( (m 3 4) "explanation" )'),
    44: saying("(m 3 4)\u00e9"),
    45: closes,
    46: resets,
    47: late(PLAYCLOCK + 0.6, with_length(MOVE)),
    48: late(PLAYCLOCK + 1.4, with_length(MOVE)),
    49: late(PLAYCLOCK + 1.4, MOVE, first=OK + b"Content-Length: 7\r\n\r\n"),
    50: trickles(PLAYCLOCK, [OK, b"X: 1\r\n", b"Content-Length: 7\r\n", b"\r\n" + MOVE]),
    51: saying("x" * 1_000_000),
    52: saying("(m 3 4)"),
}
OTHERWISE = {
    26: ("IL null", "GGP-Base loses its thread over an empty body and forgets to record it"),
    27: ("IL null", "likewise"),
    50: ("TO", "each part may come within the clock there; here the clock is that of the reply"),
}
"""Replies where we differ from GGP-Base on purpose: what we record instead, and why."""

TO_DRESDEN: Mapping[int, Act] = {
    0: saying("(M 3 4)"),
    1: saying("(m 3 4)"),
    2: saying("foo"),
    3: saying("FOO"),
    4: saying("( m 3 4 )"),
    5: sends(OK + b"\r\n" + MOVE),
    6: keeps_open(with_length(MOVE)),
    7: saying(""),
    8: saying("nil"),
    9: saying("(m 99 99)"),
    10: saying("(noop)"),
    11: saying("(m 3 4) (m 5 6)"),
    12: saying("(m 3 4)\r\n"),
    13: saying("(m 3 4"),
    14: saying("?x"),
    15: sends(b"HTTP/1.0 500 Oops\r\nContent-Length: 7\r\n\r\n" + MOVE),
    16: sends(CHUNKED),
    17: late(PLAYCLOCK + 0.6, with_length(MOVE)),
    18: late(PLAYCLOCK + 1.4, with_length(MOVE)),
    19: closes,
    20: saying("(m 3 4)"),
}
_PROBE = re.compile(
    r"^ *(\d+) .* -> (?:used (.*?) +error='(.*)'|\((.*)\)  (\[.*\]))$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A server's reading of a reply: the move that counted, and the error."""

    move: str
    error: str


def outcomes(dialect: str, replies: Mapping[int, Act]) -> dict[int, Outcome]:
    """Our manager's reading of each reply; all at once, as most of them wait."""

    async def all_of_them() -> list[Outcome]:
        return await asyncio.gather(*(_outcome(dialect, act) for act in replies.values()))

    return dict(zip(replies, asyncio.run(all_of_them()), strict=True))


async def _outcome(dialect: str, act: Act) -> Outcome:
    """Of one reply, in a match of one turn."""
    player = Foreign({"PLAY": act})
    setup = MatchSetup(
        match_id="probe",
        rulebook=MachineRulebook(gdl.load(gdl.read_kif(RULES), "interpreter")),
        rules=RULES,
        startclock=5,
        playclock=PLAYCLOCK,
        seed=1,
    )
    async with running(player) as address:
        seat = RemoteSeat(address, "solo", lambda _: None, DIALECTS[dialect])
        record = await Referee(setup, [seat]).run()
    assert player.words == ["START", "PLAY", "STOP"]
    return Outcome(record.moves[0][0], record.errors[1][0])


@pytest.fixture(scope="module")
def ours() -> dict[int, Outcome]:
    """Our manager's reading of each reply in GGP-Base's dialect."""
    require("protocol", "probe_server.txt")
    return outcomes("ggp-base", TO_GGP_BASE)


@pytest.fixture(scope="module")
def ours_in_dresden() -> dict[int, Outcome]:
    """Our manager's reading of each reply in Dresden's dialect."""
    require("protocol", "probe_dresden.txt")
    return outcomes("dresden", TO_DRESDEN)


def theirs(name: str) -> dict[int, re.Match[str]]:
    """A real server's reading of each reply."""
    text = require("protocol", name).read_text(encoding="utf-8")
    return {int(found[1]): found for found in _PROBE.finditer(text)}


@pytest.mark.parametrize("number", TO_GGP_BASE)
def test_a_reply_counts_as_it_did_for_ggp_base(number: int, ours: dict[int, Outcome]) -> None:
    """The same move is made, or the same error is recorded and a legal move made."""
    found = theirs("probe_server.txt")[number]
    used, recorded = found[2].replace("( ", "(").replace(" )", ")"), found[3]
    expected = OTHERWISE[number][0] if number in OTHERWISE else recorded
    ours_is = ours[number]

    if len(expected) > 50:  # the real server's log is cut off
        assert ours_is.error.startswith(expected)
    else:
        assert ours_is.error == expected
    if not expected:
        assert ours_is.move == used


def test_every_reply_that_was_probed_is_tried() -> None:
    """None is left out."""
    assert list(theirs("probe_server.txt")) == list(TO_GGP_BASE)
    assert list(theirs("probe_dresden.txt")) == list(TO_DRESDEN)


def test_all_replacements_are_legal(ours: dict[int, Outcome]) -> None:
    """Whatever a player answers, a legal move is made; not always the same."""
    moves = {outcome.move for outcome in ours.values() if outcome.error}
    machine = gdl.load(gdl.read_kif(RULES), "interpreter")
    legal = set(map(str, machine.legal_moves(machine.initial_state(), machine.roles[0])))

    assert moves <= legal


@pytest.mark.parametrize("number", TO_DRESDEN)
def test_a_reply_counts_as_it_did_in_dresden(
    number: int, ours_in_dresden: dict[int, Outcome]
) -> None:
    """A move accepted there is accepted; for the rest a legal move is made, at random here."""
    found = theirs("probe_dresden.txt")[number]
    used, complaints = found[4], found[5]
    ours_is = ours_in_dresden[number]

    if complaints == "[]":
        assert (ours_is.move.upper(), ours_is.error) == (used, "")
    elif "timed out" in complaints:
        assert ours_is.error == "TO"
    elif number == 19:
        assert ours_is.error == "CE"  # closed without a word; Dresden calls that an illegal move
    else:
        assert ours_is.error.startswith("IL ")
