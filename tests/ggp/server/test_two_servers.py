"""Whole matches between two servers, as `ggp match GAME URL URL` plays them."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from typing import Any

import pytest

from ggp import games
from tests.ggp.server.processes import ggp_serve
from tests.shared import REPOSITORY

GAMES = ["tron", "eightPuzzle", "threePlayerTicTacToe"]


@pytest.mark.parametrize(
    "names",
    [["pig"], pytest.param(GAMES, marks=pytest.mark.thorough)],
    ids=["one", "all"],
)
def test_matches_between_servers_have_no_errors(names: list[str]) -> None:
    """No `IL`, no `TO`, no `CE`: one move, many; in turn and at once; alone and with chance."""
    with ExitStack() as stack:
        serve = ("--player", "random", "--log-level", "error")
        addresses = [stack.enter_context(ggp_serve(*serve))[0] for _ in range(2)]
        for game in names:
            roles = [role for role in games.catalogue()[game].roles if role != "random"]
            seats = [*addresses, "random"][: len(roles)]
            record = played(game, *seats)

            assert record["isCompleted"], game
            assert {error for turn in record["errors"] for error in turn} == {""}, game


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
