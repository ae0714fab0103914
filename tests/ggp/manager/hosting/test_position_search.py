"""A short search of a position, after an install."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import Choice, EnginePool, MatchEngine, MoveOrigin
from ggp.manager.hosting.match_table import NUM_WARM
from ggp.manager.hosting.position_search import UNTIL_WARM, PositionSearch


class Engine:
    """An engine without a process."""

    reasoner = ""

    def __init__(self, *, is_cold: bool = False) -> None:
        self.is_cold = is_cold
        self.given: list[float] = []
        self.num_ended = 0

    async def start(self, *args: object) -> Engine:
        """Do nothing that takes long; in place of `MatchEngine.start`."""
        self.given.extend(one.remaining() for one in args if isinstance(one, Deadline))
        return self

    async def play(self, happened: object, deadline: Deadline) -> Choice:
        """Choose the only move."""
        self.given.append(deadline.remaining())
        return Choice("noop", MoveOrigin.SEARCH)

    async def abort(self) -> None:
        """End."""
        self.num_ended += 1


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine process waits in a pool."""

    async def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(EnginePool, "start_once", nothing)


@pytest.mark.usefixtures("no_processes")
async def test_a_search_that_waits_for_kernels_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the answer of each search, and none of them leaves its process."""
    engine = Engine(is_cold=True)
    monkeypatch.setattr(MatchEngine, "start", engine.start)
    async with EnginePool(print) as pool:
        search = PositionSearch(pool)
        hints = [await search.search("", "x", (), 1.0) for _ in range(2)]

    assert [hint.reasoner for hint in hints] == [UNTIL_WARM] * 2
    assert "`ggp warm`" in UNTIL_WARM
    assert engine.num_ended == 2


@pytest.mark.usefixtures("no_processes")
async def test_a_search_takes_the_seconds_that_were_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Getting ready and searching together."""
    engine = Engine()
    monkeypatch.setattr(MatchEngine, "start", engine.start)
    async with EnginePool(print) as pool:
        await PositionSearch(pool).search("", "x", (), 600.0)

    assert len(engine.given) == 2
    assert 540.0 < sum(engine.given) <= 600.0


SOLVED = [("(mark 1 1)", "noop"), ("noop", "(mark 3 1)")]
"""Moves after which few are left."""
COLD = """
import sys, time
from types import ModuleType

cold = ModuleType("ggp.warming.kernels")
cold.is_compiled = lambda: False
cold.compile_apart = lambda: time.sleep(60)
if any(argument.startswith("ggp.engine.worker") for argument in sys.orig_argv):
    sys.modules["ggp.warming.kernels"] = cold
"""


@pytest.mark.thorough
@pytest.mark.usefixtures("own_processes", "kernels")
async def test_a_process_that_waits_for_kernels_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each answer, and once in the log; each search takes one process and leaves none."""
    (tmp_path / "sitecustomize.py").write_text(COLD)
    monkeypatch.syspath_prepend(str(tmp_path))
    told: list[str] = []
    async with EnginePool(told.append) as pool:
        search = PositionSearch(pool)
        # The position is solved in a few seconds, so more are used on a busy machine only.
        rules = games.text("ticTacToe")
        hints = [await search.search(rules, "xplayer", SOLVED, 20.0) for _ in range(2)]
        num_waiting = len(pool._waiting)

    assert [hint.reasoner for hint in hints] == [UNTIL_WARM] * 2
    assert "`ggp warm`" in UNTIL_WARM
    assert len(told) == 1
    assert "`ggp warm`" in told[0]
    assert num_waiting == NUM_WARM - 2


@pytest.mark.usefixtures("kernels")
async def test_a_value_is_looked_for_where_one_move_is_left() -> None:
    """The others lose at once: it would be made after a handful of looks, and all but unknown."""
    history = [("(mark 1 1)", "noop"), ("noop", "(mark 3 1)"), ("(mark 1 2)", "noop")]
    async with EnginePool() as pool:
        hint = await PositionSearch(pool).search(games.text("ticTacToe"), "oplayer", history, 8.0)

    assert hint.move == "(mark 1 3)"
    assert hint.value == 0
