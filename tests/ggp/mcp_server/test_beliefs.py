"""Beliefs of seats in games of hidden information: worked out turn by turn, once each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ggp.mcp_server.beliefs import Beliefs
from ggp.mcp_server.bounds import ServerBounds
from ggp.mcp_server.match_tools import MatchTools
from ggp.mcp_server.matches import HeldMatch
from ggp.sandbox import BelievedPosition, SandboxBeliefs
from ggp.sandbox.match_questions import SeenTurn


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of turns that processes are asked about; -1 where one is begun."""
    found: list[int] = []
    begin, follow = SandboxBeliefs.__init__, SandboxBeliefs.after

    def begun(self: SandboxBeliefs, *args: object) -> None:
        found.append(-1)
        begin(self, *args)  # type: ignore[arg-type]

    async def after(
        self: SandboxBeliefs, role: str, turns: Sequence[SeenTurn], *, is_over: bool = False
    ) -> BelievedPosition:
        found.append(len(turns))
        return await follow(self, role, turns, is_over=is_over)

    monkeypatch.setattr(SandboxBeliefs, "__init__", begun)
    monkeypatch.setattr(SandboxBeliefs, "after", after)
    return found


async def begun(tools: MatchTools) -> tuple[HeldMatch, str]:
    """A match of which a role does not see all, and the role to move."""
    seats = (await tools.new_match("kuhnPoker", 1))[0]["seats"]
    role, handle = next(iter(seats.items()))
    return tools.matches.find(handle).match, role


async def test_a_belief_goes_on_from_turn_to_turn(asked: list[int]) -> None:
    """One process for the whole match, asked about each turn once."""
    async with (
        MatchTools(ServerBounds()) as tools,
        Beliefs(ServerBounds()) as beliefs,
    ):
        match, role = await begun(tools)
        first = [await beliefs.likely(match, role) for _ in range(2)]
        await match.play({role: "pass"}, ServerBounds())
        waiting = await beliefs.likely(match, role)
        await match.play({"second": "bet"}, ServerBounds())
        told = [await beliefs.likely(match, role) for _ in range(2)]

    assert asked == [-1, 1, 3]
    assert first == [waiting, waiting]
    assert told == [told[0]] * 2 != first


async def test_a_belief_ends_with_its_match(asked: list[int]) -> None:
    """And rests when nobody asks for it: then it is worked out anew from the first turn on."""
    bounds = ServerBounds(search_idle_seconds=0.0)
    async with MatchTools(bounds) as tools, Beliefs(bounds) as beliefs:
        match, role = await begun(tools)
        first = await beliefs.likely(match, role)
        await beliefs.rest([match])
        assert await beliefs.likely(match, role) == first
        await match.play({role: "pass"}, bounds)
        await match.play({"second": "bet"}, bounds)
        await beliefs.likely(match, role)
        await beliefs.rest([])
        await beliefs.likely(match, role)

    assert asked == [-1, 1, -1, 3, -1, 3]
