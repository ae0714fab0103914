"""Seats of games of hidden information: each is told what its role may know, and no more."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import AsyncIterator

import pytest

import gdl
from ggp import games
from ggp.mcp_server.beliefs import Beliefs
from ggp.mcp_server.bounds import ServerBounds
from ggp.mcp_server.match_tools import MatchTools
from ggp.mcp_server.matches import HeldMatch
from ggp.mcp_server.refusals import RefusalError
from ggp.mcp_server.rules_tools import Answer
from tests.thorough import all_but

HIDDEN = [name for name in games.names() if gdl.read_rules(games.text(name), name).has_percepts]
QUICK = {"kuhnPoker": 10, "phantomTicTacToe": 2}
"""Matches of games that are tried in each run."""
MATCHES = 20
FEW_MOVES = 2
"""Of which one is drawn, so that matches look alike to a role again and again."""
View = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]
"""A role, its moves and its percepts."""


class Watched:
    """A match whose seats all ask after each move what they may ask.

    Attributes:
        told: What each role's seat was told, one thing after another; what came twice in a row
            stands there once, as nobody knows how long others think.
    """

    def __init__(self, tools: MatchTools, seats: dict[str, str], rng: random.Random) -> None:
        self.told = defaultdict[str, list[str]](list)
        self._tools = tools
        self._seats = seats
        self._rng = rng

    async def choices(self) -> AsyncIterator[tuple[View, list[str]]]:
        """Play to the end: what a role knows whose move is wanted, and what it was told so far."""
        match = self._tools.matches.find(next(iter(self._seats.values()))).match
        while not match.is_over:
            able = [role for role in self._seats if await self._is_wanted(role)]
            for role in able:
                yield (role, true_view(match, role)), list(self.told[role])
            await self._go_on(self._rng.choice(able))

    async def _is_wanted(self, role: str) -> bool:
        handle = self._seats[role]
        state = await self._tools.state(handle)
        self._hear(role, state)
        self._hear(role, await self._tools.legal_moves(handle, None, 0, 100))
        with pytest.raises(RefusalError) as refused:
            await self._tools.play(handle, "nonsense", None, None, None)
        self._hear(role, (refused.value.to_json(), refused.value.to_text()))
        assert state[0]["to_move"] in ([], [role])
        return bool(state[0]["to_move"])

    async def _go_on(self, role: str) -> None:
        page, _ = await self._tools.legal_moves(self._seats[role], None, 0, FEW_MOVES)
        move = self._rng.choice(page["moves"])["move"]
        self._hear(role, await self._tools.play(self._seats[role], move, None, None, None))

    def _hear(self, role: str, answer: Answer) -> None:
        text = json.dumps(answer).replace(self._seats[role], "HANDLE")
        if text not in self.told[role][-3:]:
            self.told[role].append(text)


def true_view(match: HeldMatch, role: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The moves and percepts of a role in all turns so far."""
    own = match.rules.roles.index(role)
    turns = zip(match.moves, match.positions[1:], strict=True)
    return tuple((joint[own], tuple(after.percepts[own])) for joint, after in turns)


@pytest.mark.parametrize("name", all_but(list(QUICK), HIDDEN))
async def test_who_knows_the_same_is_told_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, up to each choice: also who does not move learns nothing of those who do."""

    async def believed(_: Beliefs, match: HeldMatch, role: str) -> dict[str, float]:
        return {} if match.seen_by(role) else {"(nothing seen)": 1.0}

    monkeypatch.setattr(Beliefs, "likely", believed)
    heard = dict[View, list[str]]()
    num_again = 0
    async with MatchTools(ServerBounds()) as tools:
        for seed in range(QUICK.get(name, MATCHES)):
            seats = (await tools.new_match(name, seed))[0]["seats"]
            async for view, told in Watched(tools, seats, random.Random(seed)).choices():
                num_again += view in heard
                assert heard.setdefault(view, told) == told

    assert num_again >= QUICK.get(name, MATCHES)


async def test_who_is_not_to_move_waits() -> None:
    """The cards are dealt by themselves; who is not asked yet has no moves, and may not choose."""
    async with MatchTools(ServerBounds()) as tools:
        first, second = (await tools.new_match("kuhnPoker", 1))[0]["seats"].values()

        asked, waiting = await tools.state(first), await tools.state(second)
        moves, _ = await tools.legal_moves(second, None, 0, 10)
        with pytest.raises(RefusalError, match="second is not to move now") as refused:
            await tools.play(second, "noop", None, None, None)
        played, _ = await tools.play(first, "pass", None, None, None)
        asked_then, _ = await tools.state(second)

    assert (asked[0]["turn"], asked[0]["to_move"]) == (2, ["first"])
    assert (waiting[0]["turn"], waiting[0]["to_move"], waiting[0]["seen"]) == (1, [], [])
    assert "second is not to move now" in waiting[1]
    assert moves["total"] == 0
    assert refused.value.code == "not_now"
    assert (played["is_made"], played["turn"], played["to_move"]) == (False, 2, [])
    assert [one["move"] for one in asked_then["seen"]] == ["noop", "noop"]
    assert asked_then["to_move"] == ["second"]
