"""Searches for seats of games of hidden information."""

from __future__ import annotations

import pytest

from ggp.mcp_server import searches
from ggp.mcp_server.bounds import ServerBounds
from ggp.mcp_server.match_tools import MatchTools
from ggp.mcp_server.refusals import RefusalError
from tests.ggp.mcp_server.near_search import NearSandbox

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture(autouse=True)
def near_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches run in this process."""
    monkeypatch.setattr(searches, "Sandbox", NearSandbox)
    monkeypatch.setattr(searches, "TELL_SECONDS", 0.01)


async def test_a_position_is_worth_what_its_moves_are() -> None:
    """By what the role knows there: who holds the jack of Kuhn poker expects less than at first."""
    async with MatchTools(ServerBounds()) as tools:
        first, _ = (await tools.new_match("kuhnPoker", 1))[0]["seats"].values()

        found, text = await tools.search_tools.analyse(first, None, 10.0, unheard)
        solved, told = await tools.search_tools.solve(first, 10.0, 1000, unheard)

    expected = sum(move["share"] * move["value"] for move in found["moves"])
    assert found["value"] == pytest.approx(expected, abs=0.01)
    assert found["game_value"] == pytest.approx(50 - 25 / 18, abs=0.05)
    assert abs(found["value"] - found["game_value"]) > 5
    assert f"can expect {found['value']:.1f}" in text
    assert solved["goals"]["first"] == pytest.approx(50 - 25 / 18, abs=0.05)
    assert "from the first position on" in told


async def test_a_game_that_is_too_large_to_solve_is_not_called_faulty() -> None:
    """What to do instead is said, and it can be done."""
    async with MatchTools(ServerBounds()) as tools:
        seat, _ = (await tools.new_match("phantomTicTacToe", 1))[0]["seats"].values()
        search = tools.search_tools
        for work in (search.analyse(seat, None, 1.0, unheard), search.solve(seat, 1.0, 9, unheard)):
            with pytest.raises(RefusalError, match="too large to be solved") as refused:
                await work
            assert refused.value.code == "limit_reached"
            assert "reply" in refused.value.cure

        replied, _ = await search.reply(seat, None, 50, 1.0, 1, unheard)

    assert replied["played"] == {"xplayer": replied["move"]}


async def unheard(done: float, seconds: float | None, message: str) -> None:
    """Hear nothing of how a search goes."""
