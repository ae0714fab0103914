"""Tools that search, independent of the protocol. A separate process does the work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from ggp.mcp_server.matches import HeldMatch
from ggp.mcp_server.refusals import Code, RefusalError
from ggp.mcp_server.rules_tools import Answer
from ggp.mcp_server.searches import ClientProgress, Searches, SearchQuestion
from ggp.mcp_server.seats import MatchHandle, MatchStore

MAX_MOVES: Final = 20
"""Maximum number of moves in the text of an answer."""
SOLVE_CURE: Final = (
    "Allow more `seconds` or `max_states`. Or call analyse, which needs no solution."
)
HIDDEN_CURE: Final = (
    "Call reply: its search chooses a move without a solution. If only time was short, allow more "
    "`seconds`."
)
Play = Callable[[str, str, str, None, int], Awaitable[Answer]]
"""Function that makes a move in a match. Its arguments are handle, move, role, None and turn."""


class SearchTools:
    """The tools that need a search."""

    def __init__(self, matches: MatchStore, searches: Searches, play: Play) -> None:
        self._matches = matches
        self._searches = searches
        self._play = play

    async def analyse(
        self, handle: str, role: str | None, seconds: float, progress: ClientProgress
    ) -> Answer:
        """Search a position for a role, and return the results.

        If the game hides information, solve the game, and return how the role should play.
        """
        seat, acting = self._searched(handle, role)
        rules, asked = seat.match.rules, _asked(seat.match)
        if seat.role is not None:
            question = SearchQuestion("advise_role", (*asked, acting, seconds), seconds)
            found = await self._searches.ask(rules, question, progress)
            _require_solved(found, HIDDEN_CURE)
            return {"role": acting, **found}, _told_advice(acting, found)
        question = SearchQuestion("begin_analysis", (*asked, acting, "mcts", None), seconds)
        found = await self._searches.in_steps(rules, question, "go_on", progress)
        proven = "proven" if found["solved"] else "estimated"
        text = (
            f"{acting}: {found['move']}, value {found['value']} ({proven}), "
            f"{found.get('iterations', 0):,} iterations; line: {', then '.join(found['words'])}"
        )
        return {"role": acting, **found}, text

    async def reply(
        self,
        handle: str,
        role: str | None,
        rounds: int,
        seconds: float,
        seed: int | None,
        progress: ClientProgress,
    ) -> Answer:
        """Let the engine choose and make a move for a role. Return the state after it."""
        seat, acting = self._searched(handle, role)
        match, turn = seat.match, seat.turn
        question = SearchQuestion(
            "choose", (*_asked(match), acting, rounds, seconds, seed), seconds
        )
        found = await self._searches.ask(match.rules, question, progress)
        state, text = await self._play(handle, found["move"], acting, None, turn)
        return {**state, "move": found["move"], "thoughts": found["thoughts"]}, text

    async def report(self, handle: str, seconds: float, progress: ClientProgress) -> Answer:
        """Return a report on the moves of a match."""
        seat = self._matches.find(handle)
        seat.require_whole("a report")
        if not seat.match.moves:
            raise RefusalError(Code.NOT_NOW, "no turn has been played yet", "Play first.")
        question = SearchQuestion("report", (*_asked(seat.match), seconds), seconds)
        found = await self._searches.ask(seat.match.rules, question, progress)
        lines = [
            f"turn {one['turn']}, {one['role']}: {one['move']} lost {one['lost']}"
            for one in found["moves"]
            if one["mark"]
        ]
        return found, "\n".join(lines) or "No move gave anything away."

    async def solve(
        self, handle: str, seconds: float, max_states: int, progress: ClientProgress
    ) -> Answer:
        """Return the value of a position with perfect play.

        If the game hides information, return the value of its initial position.
        """
        seat = self._matches.find(handle)
        asked, where, cure = _asked(seat.match), "", SOLVE_CURE
        if seat.role is not None:
            asked, where, cure = (*asked[:2], []), "from the first position on, ", HIDDEN_CURE
        elif seat.match.is_over:
            raise RefusalError(Code.NOT_NOW, "the game is over", "Call undo to go back.")
        question = SearchQuestion("solve", (*asked, max_states, seconds), seconds)
        found = await self._searches.ask(seat.match.rules, question, progress)
        _require_solved(found, cure)
        goals = ", ".join(f"{role} {value:.2f}" for role, value in found["goals"].items())
        return found, f"With perfect play: {where}{goals} ({found['states']:,} states)"

    def _searched(self, handle: str, role: str | None) -> tuple[MatchHandle, str]:
        seat = self._matches.find(handle)
        if seat.match.is_over:
            raise RefusalError(Code.NOT_NOW, "the game is over", "Call undo to go back.")
        seat.require_choice()
        return seat, seat.acting_role(role)


def _require_solved(found: Mapping[str, Any], cure: str) -> None:
    if "unsolved" in found:
        raise RefusalError(Code.LIMIT, found["unsolved"], cure)


def _told_advice(role: str, found: Mapping[str, Any]) -> str:
    """Return a text on how a role should play, according to the solution of the game."""
    worth = "an unknown value" if found["value"] is None else f"{found['value']:.1f}"
    moves = [
        f"{one['move']} in {one['share']:.0%}"
        + ("" if one["value"] is None else f", worth {one['value']:.1f}")
        for one in (found["moves"] or [])[:MAX_MOVES]
    ]
    return "\n".join([f"{role}, given what it knows, can expect {worth}", *moves])


def _asked(match: HeldMatch) -> tuple[Any, ...]:
    rules = match.rules
    return rules.text, rules.name, [list(joint) for joint in match.moves]
