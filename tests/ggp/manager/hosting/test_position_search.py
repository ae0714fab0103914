"""A short search of a position, after an install."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import Choice, EnginePool, MatchEngine, MoveOrigin
from ggp.manager.hosting.match_table import NUM_WARM
from ggp.manager.hosting.position_search import UNTIL_WARM, PositionSearch

pytestmark = pytest.mark.usefixtures("kernels")

COLD = """
import sys, time
from types import ModuleType

cold = ModuleType("ggp.warming.kernels")
cold.is_compiled = lambda: False
cold.compile_apart = lambda: time.sleep(60)
if any(argument.startswith("ggp.engine.worker") for argument in sys.orig_argv):
    sys.modules["ggp.warming.kernels"] = cold
"""


@pytest.mark.usefixtures("own_processes")
async def test_a_search_that_waits_for_kernels_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its answer, and once in the log; each of them takes one process and leaves none."""
    (tmp_path / "sitecustomize.py").write_text(COLD)
    monkeypatch.syspath_prepend(str(tmp_path))
    told: list[str] = []
    async with EnginePool(told.append) as pool:
        search = PositionSearch(pool)
        hints = [await search.search(games.text("ticTacToe"), "xplayer", (), 1.0) for _ in range(2)]
        num_waiting = len(pool._waiting)

    assert [hint.reasoner for hint in hints] == [UNTIL_WARM] * 2
    assert "`ggp warm`" in UNTIL_WARM
    assert len(told) == 1
    assert "`ggp warm`" in told[0]
    assert num_waiting == NUM_WARM - 2


async def test_a_value_is_looked_for_where_one_move_is_left() -> None:
    """The others lose at once: it would be made after a handful of looks, and all but unknown."""
    history = [("(mark 1 1)", "noop"), ("noop", "(mark 3 1)"), ("(mark 1 2)", "noop")]
    async with EnginePool() as pool:
        hint = await PositionSearch(pool).search(games.text("ticTacToe"), "oplayer", history, 8.0)

    assert hint.move == "(mark 1 3)"
    assert hint.value == 0


async def test_a_search_takes_the_seconds_that_were_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Getting ready and searching together."""
    given: list[float] = []

    class Engine:
        reasoner, is_cold = "", False

        async def play(self, happened: object, deadline: Deadline) -> Choice:
            given.append(deadline.remaining())
            return Choice("noop", MoveOrigin.SEARCH)

        async def abort(self) -> None:
            pass

    async def start(*args: object) -> Engine:
        given.extend(one.remaining() for one in args if isinstance(one, Deadline))
        return Engine()

    async def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(MatchEngine, "start", start)
    monkeypatch.setattr(EnginePool, "start_once", nothing)
    async with EnginePool(print) as pool:
        await PositionSearch(pool).search("", "x", (), 8.0)

    assert len(given) == 2
    assert 7.0 < sum(given) <= 8.0
