"""A player that knows no rules: it guesses, reads why a guess is refused, and finishes games."""

from __future__ import annotations

import os
import random
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ggp import games
from tests.thorough import all_but

if TYPE_CHECKING:
    from mcp import Client

QUICK = ("ticTacToe",)
MAX_TURNS = 400


class Guesser:
    """Plays all roles of a match without a list of legal moves.

    Attributes:
        num_refused: Guesses that were refused.
    """

    def __init__(self, client: Client, seed: int) -> None:
        self.num_refused = 0
        self._client = client
        self._rng = random.Random(seed)

    async def finish(self, game: str) -> None:
        """Play a match to its end."""
        begun = await self._call("new_match", rules=game)
        handles = list(begun["seats"].values()) if "seats" in begun else [begun["match"]]
        for _ in range(MAX_TURNS):
            for handle in handles:
                await self._play(handle)
            if (await self._call("state", match=handles[0]))["is_over"]:
                return
        raise AssertionError(f"{game}: {MAX_TURNS} turns, and it is not over")

    async def _play(self, handle: str) -> None:
        """Make the moves that are waited for here: a nonsense first, then what a refusal names."""
        state = await self._call("state", match=handle)
        own = state.get("role")
        roles = [role for role in state["to_move"] if own in {None, role}]
        for role in roles:
            guess, answer = "a guess", dict[str, Any]()
            while "played" not in answer:
                answer = await self._call("play", match=handle, role=role, move=guess)
                if "error" in answer:
                    self.num_refused += 1
                    guess = self._rng.choice(list(answer["error"]["nearest"]))
        if not state["to_move"] and not state["is_over"]:
            await self._call("play", match=handle)  # nobody has a choice

    async def _call(self, tool: str, **arguments: object) -> dict[str, Any]:
        found = await self._client.call_tool(tool, arguments)
        assert found.structured_content is not None
        return dict(found.structured_content)


@pytest.mark.parametrize("game", all_but(QUICK, games.names()))
async def test_a_guesser_finishes_by_what_refusals_name(game: str) -> None:
    """Legal moves are not listed; what is refused names some, and changes nothing."""
    from mcp import Client

    from ggp.mcp_server.server import make_server

    async with Client(make_server(hides_legal=True)) as client:
        await guess(client, game)


@pytest.mark.thorough
async def test_a_guesser_finishes_over_standard_input() -> None:
    """Likewise, of a server in a process of its own."""
    from mcp import Client, StdioServerParameters, stdio_client

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "ggp", "mcp", "--hide-legal"], env=dict(os.environ)
    )
    async with Client(stdio_client(command)) as client:
        await guess(client, QUICK[0])


async def guess(client: Client, game: str) -> None:
    """Finish a match of a game by guesses."""
    assert "legal_moves" not in {one.name for one in (await client.list_tools()).tools}
    guesser = Guesser(client, seed=1)
    await guesser.finish(game)
    assert guesser.num_refused > 0
