"""Log lines: what they say of a player that fails, and do not say when a match ends."""

from __future__ import annotations

import asyncio
import logging
import re

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from tests.fakes.engine_processes import FakePool
from tests.ggp.engine.conftest import StartMatch
from tests.ggp.engine.test_never_late import in_mid_turn, play

ODD = "tests.ggp.engine.odd_players"


def alarms(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Logged lines that a user would worry about."""
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


@pytest.mark.usefixtures("kernels")
async def test_a_player_that_fails_is_named_with_the_line_of_its_author(
    start_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Player, role, what it was doing, file and line, error: all in one line."""
    engine = await start_match("Failing")

    await engine.play(None, Deadline.after(60.0))

    pattern = (
        rf"engine \d+: player {ODD}:Failing as xplayer failed in choose: "
        r"\S*odd_players\.py:\d+: RuntimeError: no idea"
    )
    assert [line for line in alarms(caplog) if re.fullmatch(pattern, line)]
    assert "Traceback" not in caplog.text


@pytest.mark.usefixtures("own_processes", "kernels")
async def test_the_whole_traceback_is_shown_on_demand(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With GGP_TRACEBACK=1, line by line and indented as Python shows it."""
    monkeypatch.setenv("GGP_TRACEBACK", "1")
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", 5)
    async with EnginePool() as pool:
        config = EngineConfig(player=f"{ODD}:Failing", reasoner="interpreter")
        engine = await MatchEngine.start(pool, setup, config, Deadline.after(60))
        await engine.play(None, Deadline.after(60.0))
        await engine.abort()

    lines = [line.partition(": ")[2] for line in alarms(caplog)]
    assert "Traceback (most recent call last):" in lines
    assert '    raise RuntimeError("no idea")' in lines


@pytest.mark.parametrize(("match_id", "named"), [("m1", " in match m1"), ("", "")])
async def test_a_turn_without_a_choice_names_player_role_and_match(
    fakes: FakePool, caplog: pytest.LogCaptureFixture, match_id: str, named: str
) -> None:
    """A server plays many matches at once."""
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", 5, match_id=match_id)
    config = EngineConfig(player=f"{ODD}:Mute", reasoner="interpreter")
    engine = await MatchEngine.start(fakes, setup, config, Deadline.after(10))

    choice = await play(engine)
    await engine.abort()

    assert choice.origin is MoveOrigin.FIRST_LEGAL
    assert alarms(caplog) == [
        f"player {ODD}:Mute as xplayer{named}: the engine did not choose by the deadline"
    ]


async def test_an_abort_in_mid_turn_is_no_alarm(
    start_fake_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The process is ended on purpose; only who looks for it finds that in the log."""
    engine = await start_fake_match("Watchful")
    playing = await in_mid_turn(engine)

    await engine.abort()
    await asyncio.wait_for(playing, 5.0)

    assert alarms(caplog) == []


async def test_a_pool_that_closes_in_mid_turn_is_no_alarm(
    start_fake_match: StartMatch, fakes: FakePool, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that is stopped with Ctrl-C ends its processes and its matches in any order."""
    waiting, engine = await start_fake_match("Watchful"), await start_fake_match("Watchful")
    playing = await in_mid_turn(engine)

    await fakes.close()
    await asyncio.wait_for(playing, 5.0)
    await waiting.abort()

    assert alarms(caplog) == []


async def test_a_match_that_is_closed_while_it_begins_is_no_alarm(
    fakes: FakePool, caplog: pytest.LogCaptureFixture
) -> None:
    """ABORT, or Ctrl-C, may come before START is answered."""
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", 5)
    config = EngineConfig(player=f"{ODD}:Unready", reasoner="interpreter")
    starting = asyncio.create_task(MatchEngine.start(fakes, setup, config, Deadline.after(10)))
    await asyncio.sleep(1.0)

    await fakes.close()
    await asyncio.gather(starting, return_exceptions=True)

    assert fakes.lent.processes
    assert alarms(caplog) == []
