"""`ggp bench match`: matches of a server that does not know the game, in figures."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.bench.server_process import ServerProcess
from ggp.cli import app
from tests.ggp.cli.test_match import player_saying

pytestmark = pytest.mark.usefixtures("kernels")

QUICK = ("--startclock", "1", "--playclock", "1", "--turns", "2", "--seconds", "0.1")
FOUR_TURNS = """
(role one) (role two) (init (turn 1 one)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal ?r go) (true (turn ?n ?r))) (<= (legal ?r stay) (true (turn ?n ?r)))
(<= (legal ?r noop) (role ?r) (not (moves ?r))) (<= (moves ?r) (true (turn ?n ?r)))
(<= (next (turn ?m one)) (true (turn ?n two)) (succ ?n ?m))
(<= (next (turn ?m two)) (true (turn ?n one)) (succ ?n ?m))
(<= terminal (true (turn 5 ?r))) (goal one 50) (goal two 50)
"""
SEARCHED = {"event": "turn", "origin": "search", "iterations": 300, "playouts": 600}


@dataclass
class FakeServer:
    """A server that has written this log when its match is over."""

    address: str
    lines: list[Mapping[str, object]]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Mapping[str, object]]]:
    """The log of the server that plays: it makes the moves go, noop, and go."""
    found: list[Mapping[str, object]] = []
    moves = iter(["go", "noop", "go"])
    answers = {"INFO": "((name me) (status available))", "START": "ready"}
    with player_saying({**answers, "PLAY": lambda: next(moves)}, []) as address:

        @asynccontextmanager
        async def running(*_: object, **__: object) -> AsyncIterator[FakeServer]:
            yield FakeServer(address, found)

        monkeypatch.setattr(ServerProcess, "running", running)
        yield found


@pytest.fixture
def rules(tmp_path: Path) -> str:
    """A game of four turns, in two of which the player has a choice."""
    file = tmp_path / "short.kif"
    file.write_text(FOUR_TURNS)
    return str(file)


def run(*args: str) -> Any:
    """The result of `ggp bench match`."""
    return CliRunner().invoke(app, ["bench", "match", *args, *QUICK])


def test_each_turn_with_a_choice_is_told(rules: str, log: list[Mapping[str, object]]) -> None:
    """With what the search did from the question to the answer, as the server's log has it."""
    log += [{**SEARCHED, "turn": 0, "iterations_before": 40}, {**SEARCHED, "turn": 2}]

    done = run(rules, "--json")

    assert done.exit_code == 0, done.output
    [found] = json.loads(done.stdout)
    assert (found["game"], found["playclock"], found["replaced"]) == ("short", 1, 0)
    assert found["gates"] > 0
    assert found["bench_iterations_per_second"] > 0
    assert [turn["turn"] for turn in found["turns"]] == [1, 3]  # the others move in between
    for turn in found["turns"]:
        assert turn["iterations_per_second"] == pytest.approx(turn["iterations"] / turn["seconds"])
        assert turn["is_counted"]
    assert found["iterations_at_start"] == 40


def test_a_clear_move_has_no_rate(rules: str, log: list[Mapping[str, object]]) -> None:
    """A search that has proven its move ends before its time: nothing is compared."""
    log += [{**SEARCHED, "turn": turn, "proven": "win in 3 plies"} for turn in (0, 2)]

    done = run(rules)

    assert done.exit_code == 0, done.output
    assert "short: every move was clear" in done.stdout
    assert "No game to compare." in done.stdout


@pytest.mark.thorough
def test_a_match_of_a_real_server_is_measured() -> None:
    """Each turn has what the search did; how much that is depends on the machine."""
    done = run("connectFour", "--player", "mcts:network=none", "--json")

    assert done.exit_code == 0, done.output
    [found] = json.loads(done.stdout)
    assert (found["game"], found["playclock"]) == ("connectFour", 1)
    assert found["gates"] > 0
    assert found["bench_iterations_per_second"] > 0
    assert [turn["turn"] for turn in found["turns"]] == [1, 3]  # the others move in between
    assert found["iterations_at_start"] == found["turns"][0]["iterations_before"]


def test_rules_that_cannot_be_read_are_shown(tmp_path: Path) -> None:
    """Exit 1, with file, line and column; no server is started."""
    broken = tmp_path / "broken.kif"
    broken.write_text("(role me")

    done = run(str(broken), "--json")

    assert done.exit_code == 1
    assert done.stderr.startswith(f"ggp bench match: {broken}:1:1: ")


def test_players_without_a_search_are_refused() -> None:
    """There would be nothing to count."""
    done = run("ticTacToe", "--player", "random")

    assert done.exit_code == 2
    assert "expected a player that keeps a search tree" in done.stderr
