"""Resources and prompts of the server."""

from __future__ import annotations

from typing import Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from ggp.boards.plain_names import without_names
from ggp.mcp_server.match_tools import MatchTools
from ggp.mcp_server.refusals import refusal_of

GUIDE: Final = """\
# Writing a game in GDL

A state is a set of facts. Rules are Datalog in prefix notation; variables begin with `?`.

- `(role x)`: a role. All roles move simultaneously; a role that waits has only the move `noop`.
- `(init (cell 1 1 b))`: a fact of the first state.
- `(<= (legal ?r (mark ?m)) (true (control ?r)) (true (cell ?m b)))`: when a move is legal.
- `(<= (next (cell ?m x)) (does x (mark ?m)))`: facts of the next state. A fact stays true only if a
  rule says so.
- `(<= terminal line)`: when the game is over.  `(<= (goal x 100) (line x))`: goals, 0 to 100.
- `(not F)`, `(or F G)`, `(distinct ?a ?b)`; each variable in a head, in `not` or in `distinct` must
  also occur in a positive condition.

Each role needs a legal move in each state that is not terminal, and exactly one goal in each
terminal state. Each game must end. Check rules with load_rules, count with perft, play with
new_match. `why` explains why a fact holds or not. For examples, see bundled games:
ggp://rules/ticTacToe.
"""


def add_resources(server: MCPServer[None], tools: MatchTools) -> None:
    """Add rules, matches and the guide as resources."""

    @server.resource("ggp://rules/{rules}", mime_type="text/plain")
    async def rules_text(rules: str) -> str:
        """The rules of a bundled game, or of a handle, as they are written."""
        with _plainly():
            return without_names((await tools.rules.find(rules)).text)

    @server.resource("ggp://matches/{match}/record", mime_type="application/json")
    async def record(match: str) -> str:
        """A match as a record in the JSON of GGP-Base."""
        with _plainly():
            return tools.record(match)

    @server.resource("ggp://matches/{match}/picture", mime_type="image/svg+xml")
    async def picture(match: str) -> str:
        """The position of a match as a picture."""
        with _plainly():
            return await tools.picture(match)

    @server.resource("ggp://docs/gdl", mime_type="text/markdown")
    async def guide() -> str:
        """How to write a game in GDL."""
        return GUIDE


class _plainly:  # noqa: N801  # used as a function
    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        found = None if error is None else refusal_of(error)
        if found is not None:
            raise ResourceError(found.to_text()) from error


def add_prompts(server: MCPServer[None]) -> None:
    """Add prompts for people whose model has access to the tools."""

    @server.prompt()
    def play_game(game: str = "ticTacToe") -> str:
        """Play this game."""
        return (
            f"Play a match of {game} with me. Read ggp://rules/{game}, call new_match, and call "
            "state before each move. Think ahead to choose a move, and make it with play. If the "
            "move is refused, read why and choose again. Show me the board after each turn."
        )

    @server.prompt()
    def write_game(description: str) -> str:
        """Write this game in GDL from a description."""
        return (
            "Write the rules of this game in GDL, prefix notation. Read ggp://docs/gdl first.\n\n"
            f"{description}\n\nCall load_rules and correct each finding until there is none. Then "
            "call perft to depth 3 and compare the counts with those that you expect. Then call "
            "new_match and play a whole game. If something surprises you, ask why. At the end, "
            "show me the rules."
        )

    @server.prompt()
    def explain_position(match: str) -> str:
        """Explain this position."""
        return (
            f"Explain the position of match {match}: call state, then analyse for 5 seconds. Say "
            "who is better and why, give the best move and its line, and name moves that would be "
            "mistakes."
        )
