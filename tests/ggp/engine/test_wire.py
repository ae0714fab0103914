"""The lines between server and engine process."""

from __future__ import annotations

import math

import pytest

from ggp.engine.answers import Choice, EnginePosition, MoveOrigin
from ggp.engine.config import EngineConfig
from ggp.engine.wire import (
    Begin,
    Best,
    Command,
    Done,
    Event,
    Failed,
    Follow,
    MovedReply,
    SearchCommand,
    WireError,
    decode,
    encode,
)
from ggp.match.steps import JointMove, Percepts, SingleMove

CONFIG = EngineConfig(player="mcts:c=1", options={"max_nodes": "7"}, seed=3)
POSITION = EnginePosition(2, ("(mark 1 1)", "noop"), 2, True, False, ("noop", "(mark 2 2)"))


@pytest.mark.parametrize(
    "message",
    [
        Begin(1, '(role "x") ; ä\n', None, "x", CONFIG, 12.5),
        SearchCommand(
            2, 3, (JointMove(("a", "b"), "a"), SingleMove("c"), Percepts(("d",), "e")), math.inf
        ),
        Follow(3, 0, (), is_last=True),
        MovedReply(4, POSITION),
        Best(5, Choice("(mark 1 1)", MoveOrigin.BEST_SO_FAR, '{"#":"Done"}')),
        Done(6, Choice("noop", MoveOrigin.SEARCH), "{}", (100, 0), is_terminal=True),
        Failed(7, "rules", "<rules>:1:1: what is this"),
    ],
    ids=lambda message: type(message).__name__,
)
def test_what_is_written_is_read_back(message: Command | Event) -> None:
    """One line, whatever the texts contain."""
    line = encode(message)

    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert decode(line) == message


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"[1, 2]",
        b'{"#":"Begin"}',
        b'{"#":"Best","request":1,"move":"a","price":2}',
        b'{"#":"EngineConfig"}',
        b'{"#":"Best","request":1,"mo',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_what_is_no_message_is_refused(line: bytes) -> None:
    """Half a line of a killed process, or what a broken one writes."""
    with pytest.raises(WireError, match="expected a message, got"):
        decode(line)
