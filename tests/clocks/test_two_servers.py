"""Whole matches between two servers, as `ggp match GAME URL URL` plays them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from ggp import games
from ggp.engine import EngineConfig
from ggp.server.app import running
from ggp.server.config import ServerConfig
from tests.ggp.server.processes import ggp_serve
from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = ["tron", "eightPuzzle", "threePlayerTicTacToe"]


async def test_a_match_between_servers_has_no_errors() -> None:
    """No `IL`, no `TO`, no `CE`; with chance. The servers are in this process."""
    config = ServerConfig(port=0, engine=EngineConfig(player="random"), num_warm=0)
    async with running(config) as one, running(config) as other:
        record = await asyncio.to_thread(played, "pig", one, other)

    assert_sound(record)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_matches_between_server_processes_have_no_errors(
    server_processes: list[str], game: str
) -> None:
    """One move, many; in turn and at once; alone and with three roles."""
    seats = [*server_processes, "random"][: len(games.catalogue()[game].roles)]

    assert_sound(played(game, *seats))


@pytest.fixture(scope="module")
def server_processes() -> Iterator[list[str]]:
    """The addresses of two servers as users start them."""
    with ExitStack() as stack:
        serve = ("--player", "random", "--log-level", "error")
        yield [stack.enter_context(ggp_serve(*serve))[0] for _ in range(2)]


def assert_sound(record: dict[str, Any]) -> None:
    """A match went to its end and nobody made a mistake."""
    assert record["isCompleted"]
    assert {error for turn in record["errors"] for error in turn} == {""}


def played(game: str, *players: str) -> dict[str, Any]:
    """The record of one match."""
    command = [sys.executable, "-m", "ggp", "match", game, *players, "--json", "--seed", "1"]
    done = subprocess.run(
        [*command, "--startclock", "2", "--playclock", "2", "--move-limit", "200"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(f"{game}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found
