"""Standard error of engine processes comes into the log, within bounds."""

from __future__ import annotations

import asyncio
import logging

import pytest

from ggp.engine.process import MAX_LINE_CHARACTERS, MAX_LINES_PER_WINDOW, forward


async def forwarded(text: bytes, caplog: pytest.LogCaptureFixture) -> list[str]:
    """The log after a process has written something and closed its standard error."""
    caplog.set_level(logging.INFO)
    stream = asyncio.StreamReader()
    stream.feed_data(text)
    stream.feed_eof()
    await forward(stream, pid=7)
    return caplog.messages


async def test_each_line_is_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    """With the process it came from; blank lines are left out, a last line may be unfinished."""
    assert await forwarded(b"one\n\n\xff two\nthree", caplog) == [
        "engine 7: one",
        "engine 7: \N{REPLACEMENT CHARACTER} two",
        "engine 7: three",
    ]


async def test_long_lines_are_cut(caplog: pytest.LogCaptureFixture) -> None:
    """A megabyte without a line end is one short line."""
    messages = await forwarded(b"x" * 1_000_000, caplog)

    assert messages == ["engine 7: " + "x" * MAX_LINE_CHARACTERS]


async def test_a_flood_is_stemmed(caplog: pytest.LogCaptureFixture) -> None:
    """A player that prints in its innermost loop must not fill the disk."""
    messages = await forwarded(b"x\n" * 10_000, caplog)

    assert len(messages) == MAX_LINES_PER_WINDOW
