"""The server and its tools, over standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent
from pydantic import Field, ValidationError

from ggp import __version__, games
from ggp.mcp_server import answers
from ggp.mcp_server.bounds import (
    MAX_MOVE,
    MAX_NODES,
    MAX_PAGE,
    MAX_ROUNDS,
    MAX_SECONDS,
    MAX_TRACE_BYTES,
    ServerBounds,
)
from ggp.mcp_server.desk import Desk
from ggp.mcp_server.documents import add_prompts, add_resources
from ggp.mcp_server.refusals import Code, RefusalError, refusal_of
from ggp.mcp_server.searches import Progress

INSTRUCTIONS: Final = (
    "Play any game whose rules are written in the Game Description Language (GDL), search its "
    "positions, and check rules that you write. Begin with list_games or load_rules, then "
    "new_match. What is refused says why, and what would be right."
)
Handle = Annotated[str, Field(max_length=100, description="A handle that new_match gave.")]
RoleName = Annotated[str | None, Field(max_length=200, description="A role; none: who moves.")]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS)]
JointMove = Annotated[
    dict[str, str] | list[str] | str | None,
    Field(
        max_length=MAX_MOVE,
        description="A joint move: role to move, or a list in the order of roles.",
    ),
]
RulesName = Annotated[
    str, Field(max_length=100, description="A bundled game's name, or a handle of load_rules.")
]


def _result(found: Mapping[str, Any], text: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(found)
    )


class GameServer(MCPServer[None]):
    """A server whose refusals say what is wrong and what would be right, also for programs."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> Any:
        """The result of a tool; a refusal is a result as well."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            refusal = _refusal(error)
            return CallToolResult(
                content=[TextContent(type="text", text=refusal.to_text())],
                structured_content=refusal.to_json(),
                is_error=True,
            )

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[None, Any] | None = None,
    ) -> Any:
        """A prompt; whoever asks for it wrongly is told which there are and what they take."""
        found = {one.name: one.arguments or [] for one in await self.list_prompts()}
        if name not in found:
            raise MCPError(INVALID_PARAMS, f"prompt {name:.60}: expected {' or '.join(found)}")
        given, known = set(arguments or ()), [one.name for one in found[name]]
        missing = [one.name for one in found[name] if one.required and one.name not in given]
        if missing or given - set(known):
            wrong = f"without {missing[0]}" if missing else f"with {min(given - set(known)):.60}"
            told = f"prompt {name} {wrong}: it takes {', '.join(known)}"
            raise MCPError(INVALID_PARAMS, told)
        return await super().get_prompt(name, arguments, context)


def _refusal(error: ToolError) -> RefusalError:
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in cause.errors()]
        return RefusalError(Code.ARGUMENT, "; ".join(wrong)[:1000], "Correct these arguments.")
    found = None if cause is None else refusal_of(cause)
    if found is not None:
        return found
    if cause is None:
        return RefusalError(Code.ARGUMENT, str(error)[:300], "tools/list names the tools.")
    return RefusalError(
        Code.FAULT, "the server made a mistake", "Try something else; its log has more."
    )


def make_server(*, hides_legal: bool = False, bounds: ServerBounds | None = None) -> GameServer:
    """The server; its processes begin and end with it.

    Args:
        hides_legal: Whether legal moves are not listed: players must find them in the rules.
    """
    desk = Desk(bounds or ServerBounds(), hides_legal=hides_legal)

    @asynccontextmanager
    async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
        async with desk:
            yield None

    server = GameServer(
        *("ggp", "General Game Playing"),
        instructions=INSTRUCTIONS,
        version=__version__,
        lifespan=lifespan,
        log_level="ERROR",
    )
    _add_match_tools(server, desk)
    if not hides_legal:
        _add_legal_moves(server, desk)
    _add_search_tools(server, desk)
    _add_rules_tools(server, desk)
    add_resources(server, desk)
    add_prompts(server)
    return server


def _progress(context: Context[None, Any]) -> Progress:
    async def tell(done: float, seconds: float | None, message: str) -> None:
        await context.report_progress(done, seconds, message)

    return tell


def _add_match_tools(server: GameServer, desk: Desk) -> None:
    @server.tool()
    async def list_games() -> Annotated[CallToolResult, answers.GameList]:
        """List the bundled games: names, titles, roles and the rules in a sentence."""
        found = [
            {"name": name, "title": one.title, "roles": list(one.roles), "rules": one.rules}
            for name, one in games.catalogue().items()
        ]
        text = "\n".join(f"{one['name']}: {one['title']}. {one['rules']}" for one in found)
        return _result({"games": found}, text)

    @server.tool()
    async def new_match(
        rules: RulesName, seed: Annotated[int | None, Field(ge=0, lt=2**63)] = None
    ) -> Annotated[CallToolResult, answers.NewMatch]:
        """Begin a match. In games of hidden information each role gets a handle of its own."""
        return _result(*await desk.new_match(rules, seed))

    @server.tool()
    async def state(match: Handle) -> Annotated[CallToolResult, answers.MatchState]:
        """Where a match stands: facts, the board as text, who moves, goals at the end."""
        return _result(*await desk.state(match))

    @server.tool()
    async def play(
        match: Handle,
        move: Annotated[
            str | None, Field(max_length=MAX_MOVE, description="In words or as a GDL term.")
        ] = None,
        role: RoleName = None,
        moves: JointMove = None,
        turn: Annotated[
            int | None, Field(ge=1, description="Refused if another turn is to be played.")
        ] = None,
    ) -> Annotated[CallToolResult, answers.PlayedMove]:
        """Make a move of a role, or a joint move. An illegal one says why, and changes nothing.

        Without a move, a turn in which nobody has a choice is played.
        """
        return _result(*await desk.play(match, move, role, moves, turn))

    @server.tool()
    async def undo(
        match: Handle, turns: Annotated[int, Field(ge=1, le=10_000)] = 1
    ) -> Annotated[CallToolResult, answers.MatchState]:
        """Take joint moves back."""
        return _result(*await desk.undo(match, turns))

    @server.tool()
    async def why(
        match: Handle,
        fact: Annotated[str, Field(max_length=10_000, description="Such as (legal x (mark 1 1)).")],
        moves: JointMove = None,
        depth: Annotated[int, Field(ge=1, le=20)] = 4,
    ) -> Annotated[CallToolResult, answers.FactDerivation]:
        """Tell why a fact holds in the position, or what is missing for it, by the rules.

        Facts such as next depend on moves: give these as play takes them.
        """
        return _result(*await desk.why(match, fact, moves, depth))


def _add_legal_moves(server: GameServer, desk: Desk) -> None:
    @server.tool()
    async def legal_moves(
        match: Handle,
        role: RoleName = None,
        offset: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 200,
    ) -> Annotated[CallToolResult, answers.LegalMoves]:
        """List the legal moves of a role, as terms and in words, a page at a time."""
        return _result(*await desk.legal_moves(match, role, offset, limit))


def _add_search_tools(server: GameServer, desk: Desk) -> None:
    @server.tool()
    async def analyse(
        match: Handle, context: Context[None, Any], role: RoleName = None, seconds: Seconds = 5.0
    ) -> Annotated[CallToolResult, answers.SearchResult]:
        """Search the position: value, best line, each move, what is proven, how much was seen."""
        progress = _progress(context)
        return _result(*await desk.search_desk.analyse(match, role, seconds, progress))

    @server.tool()
    async def reply(
        match: Handle,
        context: Context[None, Any],
        role: RoleName = None,
        rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS, description="Strength.")] = 1000,
        seconds: Seconds = 20.0,
        seed: Annotated[int | None, Field(ge=0, lt=2**63)] = None,
    ) -> Annotated[CallToolResult, answers.EngineMove]:
        """Let the engine move for a role, after so many rounds of search."""
        progress = _progress(context)
        return _result(*await desk.search_desk.reply(match, role, rounds, seconds, seed, progress))

    @server.tool()
    async def report(
        match: Handle, context: Context[None, Any], seconds: Seconds = 30.0
    ) -> Annotated[CallToolResult, answers.MatchReport]:
        """Report on the match: what positions were worth, and which moves gave something away."""
        return _result(*await desk.search_desk.report(match, seconds, _progress(context)))

    @server.tool()
    async def solve(
        match: Handle,
        context: Context[None, Any],
        seconds: Seconds = 20.0,
        max_states: Annotated[int, Field(ge=1, le=MAX_NODES)] = 1_000_000,
    ) -> Annotated[CallToolResult, answers.SolvedPosition]:
        """Solve the position of a small game: what each role gets if all play perfectly."""
        return _result(
            *await desk.search_desk.solve(match, seconds, max_states, _progress(context))
        )


def _add_rules_tools(server: GameServer, desk: Desk) -> None:
    @server.tool()
    async def load_rules(
        text: Annotated[str, Field(description="GDL: prefix KIF, infix or Epilog.")],
        name: Annotated[str, Field(max_length=60)] = "rules",
    ) -> Annotated[CallToolResult, answers.LoadedRules]:
        """Read and check rules: findings with place and cure, and a handle if all is sound."""
        return _result(*await desk.rules_desk.load_rules(text, name))

    @server.tool()
    async def scramble(
        rules: RulesName,
        seed: Annotated[int, Field(ge=0, lt=2**63)] = 0,
        symbols: Annotated[bool, Field(description="Other names, rules in another order.")] = True,
        board: Annotated[bool, Field(description="Arguments in another order.")] = True,
        mapping: Annotated[
            bool, Field(description="Tell what translates moves and facts.")
        ] = False,
    ) -> Annotated[CallToolResult, answers.ScrambledRules]:
        """Make the same game under other names, which nobody can have read of: a new handle."""
        return _result(
            *await desk.rules_desk.scramble(
                rules, seed, symbols=symbols, board=board, has_mapping=mapping
            )
        )

    @server.tool()
    async def perft(
        rules: RulesName,
        depth: Annotated[int, Field(ge=1, le=50)] = 3,
        max_nodes: Annotated[int, Field(ge=1, le=MAX_NODES)] = 100_000,
        seconds: Annotated[float, Field(gt=0, le=15)] = 5.0,
    ) -> Annotated[CallToolResult, answers.CountedTree]:
        """Count the tree of a game level by level, and play it at random."""
        return _result(*await desk.rules_desk.perft(rules, depth, max_nodes, seconds))

    @server.tool()
    async def compare_traces(
        rules: RulesName,
        reference: Annotated[str | None, Field(max_length=100)] = None,
        trace: Annotated[str | None, Field(max_length=MAX_TRACE_BYTES)] = None,
        facts: Annotated[bool, Field(description="Compare facts of states as well.")] = False,
        playouts: Annotated[int, Field(ge=1, le=1000)] = 20,
        seed: Annotated[int, Field(ge=0, lt=2**63)] = 0,
    ) -> Annotated[CallToolResult, answers.TraceComparison]:
        """Name the first difference to other rules in random games, or to a recorded trace."""
        return _result(
            *await desk.rules_desk.compare(
                rules, reference, trace, facts=facts, playouts=playouts, seed=seed
            )
        )


async def serve_stdio(server: GameServer) -> None:
    """Serve one client on standard input and output, until it closes its end."""
    try:
        await server.run_stdio_async()
    except* BrokenPipeError:  # it closed the other end first
        pass


def run_stdio(*, hides_legal: bool) -> None:
    """Serve one client on standard input and output."""
    asyncio.run(serve_stdio(make_server(hides_legal=hides_legal)))
