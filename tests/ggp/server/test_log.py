"""One line per event, whoever writes into it."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest

from ggp.engine import EngineConfig
from ggp.log import LOGGER, JsonFormatter, TextFormatter, log_event
from tests.ggp.server.test_clocks import CHOICE
from tests.ggp.server.wire import serving, start


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """The lines that the server's logger writes, as text."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextFormatter())
    monkeypatch.setattr(LOGGER, "handlers", [handler])
    level = LOGGER.level
    LOGGER.setLevel(logging.INFO)
    yield stream
    LOGGER.setLevel(level)


async def test_each_message_is_one_line(lines: io.StringIO) -> None:
    """The line has who asked what of which match, how long it took and what was answered."""
    async with serving() as wire:
        await wire.say(start("m.1"))
        await wire.say("( PLAY m.1 NIL )")
        await wire.say("( STOP m.1 (take noop ) )")

    told = [line for line in lines.getvalue().splitlines() if " message " in line]
    assert len(told) == 3
    assert " client=127.0.0.1 method=POST " in told[1]  # then waited_ms=, if the machine is busy
    assert " kind=PLAY match=m.1 role=white " in told[1]
    assert "turn=0 origin=" in told[1]
    assert "reply=take" in told[1]


async def test_the_final_goals_are_logged(lines: io.StringIO) -> None:
    """STOP is answered at once; the last moves are applied and the goals told afterwards."""
    async with serving() as wire:
        await wire.say(start("m"))
        await wire.say("( PLAY m NIL )")
        await wire.say("( PLAY m (take noop ) )")
        await wire.say("( PLAY m (noop take ) )")
        await wire.say("( STOP m (take noop ) )")

    assert 'match stopped match=m role=white goals="100 0"' in lines.getvalue()


async def test_engines_that_died_are_counted(lines: io.StringIO) -> None:
    """In INFO while the match is played, and in the last line of the match."""
    engine = EngineConfig(player="tests.ggp.engine.odd_players:Leaving", reasoner="interpreter")
    async with serving(engine=engine) as wire:
        before = await wire.say("( INFO )")
        await wire.say(start("m", rules=CHOICE))
        beginning = await wire.say("( INFO )")
        await wire.say("( PLAY m NIL )")
        after = await wire.say("( INFO )")
        await wire.say("( ABORT m )")

    assert "replaced" not in before
    assert "(replaced 0)" in beginning
    assert re.search(r"\(replaced [1-9]", after)
    assert re.search(r"match aborted match=m role=white replaced=[1-9]", lines.getvalue())


@pytest.mark.usefixtures("ready_forkers")
async def test_failures_of_the_player_are_counted_at_the_end(lines: io.StringIO) -> None:
    """The manager gets legal moves all the same, and cannot see them."""
    engine = EngineConfig(player="tests.ggp.engine.odd_players:Cheating", reasoner="interpreter")
    async with serving(engine=engine, has_processes=True) as wire:
        await wire.say(start("m", rules=CHOICE))
        await wire.say("( PLAY m NIL )")
        await wire.say("( ABORT m )")
        await wire.say(start("n"))  # one move is legal in each turn
        await wire.say("( PLAY n NIL )")
        await wire.say("( ABORT n )")

    told = [line for line in lines.getvalue().splitlines() if "failed or was late" in line]
    assert len(told) == 1
    assert (
        " WARNING the player failed or was late; its answers were replaced by other moves"
        in told[0]
    )
    assert told[0].endswith("match=m role=white turns=1 of=1")


async def test_a_client_cannot_forge_a_line(lines: io.StringIO) -> None:
    """Line ends and escape codes are shown, not obeyed; what is long is cut."""
    async with serving() as wire:
        await wire.post("(\n2026-01-01 INFO message reply=fake\x1b[2J" + "x" * 5000 + ")")
        await wire.post("( ABORT \x85\u2028\u202efake" + "y" * 400 + " )")

    written = lines.getvalue()
    assert len(written.splitlines()) == 2
    assert "\x1b" not in written
    assert all(len(line) < 1500 for line in written.splitlines())


def test_json_lines_are_json() -> None:
    """With the time in seconds, the level and the event."""
    record = make_record("message", {"match": "m\n1", "duration_ms": 1.5, "reply": 'a "b"'})

    line = JsonFormatter().format(record)

    found = json.loads(line)
    assert "\n" not in line
    assert found["level"] == "info"
    assert found["event"] == "message"
    assert (found["match"], found["duration_ms"], found["reply"]) == ("m\\n1", 1.5, 'a "b"')


def test_an_exception_is_told_in_one_line(lines: io.StringIO) -> None:
    """Its type, its message and the place; no stack."""
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        log_event(logging.ERROR, "failed", error=error)
        LOGGER.exception("from a library")

    first, second = lines.getvalue().splitlines()
    assert 'error="ValueError: two\\\\nlines"' in first
    assert "test_log.py:" in first
    assert "from a library" in second
    assert "Traceback" not in lines.getvalue()


def make_record(event: str, fields: dict[str, object]) -> logging.LogRecord:
    """A record as `log_event` makes it."""
    record = logging.LogRecord("ggp.events", logging.INFO, "", 0, event, None, None)
    record.fields = fields
    return record
