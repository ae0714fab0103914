"""The server and its tools, and serving on standard input and output."""

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
from ggp.mcp_server.documents import add_prompts, add_resources
from ggp.mcp_server.match_tools import MatchTools
from ggp.mcp_server.refusals import Code, RefusalError, refusal_of
from ggp.mcp_server.searches import ClientProgress

INSTRUCTIONS: Final = (
    "Play any game whose rules are written in the Game Description Language (GDL), search its "
    "positions, and check rules that you write. Begin with list_games or load_rules, then call "
    "new_match. A refused call says what is wrong and what to do instead."
)
Handle = Annotated[str, Field(max_length=100, description="A handle from new_match.")]
RoleName = Annotated[
    str | None, Field(max_length=200, description="A role. Default: the role to move.")
]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS)]
JointMove = Annotated[
    dict[str, str] | list[str] | str | None,
    Field(
        max_length=MAX_MOVE,
        description="A joint move: an object from role to move, or a list in the order of roles.",
    ),
]
RulesName = Annotated[
    str, Field(max_length=100, description="Name of a bundled game, or a handle from load_rules.")
]


def _result(found: Mapping[str, Any], text: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(found)
    )


class GameServer(MCPServer[None]):
    """A server whose refusals explain the problem and the fix, for people and programs."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> Any:
        """Return the result of a tool. Refusals are returned as results, too."""
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
        """Return a prompt. Error messages list the existing prompts and their arguments."""
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
        return RefusalError(Code.ARGUMENT, str(error)[:300], "Call tools/list for the tools.")
    return RefusalError(
        Code.FAULT,
        "internal error of the server",
        "Try another call; the log of the server has the details.",
    )


def make_server(*, hides_legal: bool = False, bounds: ServerBounds | None = None) -> GameServer:
    """Create the server. Its processes start and end together with it.

    Args:
        hides_legal: Whether to omit the list of legal moves, so that players must infer them.
    """
    tools = MatchTools(bounds or ServerBounds())

    @asynccontextmanager
    async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
        async with tools:
            yield None

    server = GameServer(
        *("ggp", "General Game Playing"),
        instructions=INSTRUCTIONS,
        version=__version__,
        lifespan=lifespan,
        log_level="ERROR",
    )
    _add_match_tools(server, tools)
    if not hides_legal:
        _add_legal_moves(server, tools)
    _add_search_tools(server, tools)
    _add_rules_tools(server, tools)
    add_resources(server, tools)
    add_prompts(server)
    return server


def _progress(context: Context[None, Any]) -> ClientProgress:
    async def tell(done: float, seconds: float | None, message: str) -> None:
        await context.report_progress(done, seconds, message)

    return tell


def _add_match_tools(server: GameServer, tools: MatchTools) -> None:
    @server.tool()
    async def list_games() -> Annotated[CallToolResult, answers.GameList]:
        """List the bundled games: name, title, roles, and the rules in one sentence."""
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
        """Start a match. In games of hidden information each role gets its own handle."""
        return _result(*await tools.new_match(rules, seed))

    @server.tool()
    async def state(match: Handle) -> Annotated[CallToolResult, answers.MatchState]:
        """Return the state of a match: facts, the board as text, roles to move, and final goals."""
        return _result(*await tools.state(match))

    @server.tool()
    async def play(
        match: Handle,
        move: Annotated[
            str | None,
            Field(max_length=MAX_MOVE, description="The move in words or as a GDL term."),
        ] = None,
        role: RoleName = None,
        moves: JointMove = None,
        turn: Annotated[
            int | None, Field(ge=1, description="The expected turn. Another turn is refused.")
        ] = None,
    ) -> Annotated[CallToolResult, answers.PlayedMove]:
        """Make a move for a role, or a joint move. An illegal move is explained; nothing changes.

        Call it without a move to play a turn in which no role has a choice.
        """
        return _result(*await tools.play(match, move, role, moves, turn))

    @server.tool()
    async def undo(
        match: Handle, turns: Annotated[int, Field(ge=1, le=10_000)] = 1
    ) -> Annotated[CallToolResult, answers.MatchState]:
        """Take back joint moves."""
        return _result(*await tools.undo(match, turns))

    @server.tool()
    async def why(
        match: Handle,
        fact: Annotated[
            str, Field(max_length=10_000, description="A fact, such as (legal x (mark 1 1)).")
        ],
        moves: JointMove = None,
        depth: Annotated[int, Field(ge=1, le=20)] = 4,
    ) -> Annotated[CallToolResult, answers.FactDerivation]:
        """Explain by the rules why a fact holds in the position, or what is missing for it.

        Facts such as next depend on moves: give the moves in the form that play accepts.
        """
        return _result(*await tools.why(match, fact, moves, depth))


def _add_legal_moves(server: GameServer, tools: MatchTools) -> None:
    @server.tool()
    async def legal_moves(
        match: Handle,
        role: RoleName = None,
        offset: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 200,
    ) -> Annotated[CallToolResult, answers.LegalMoves]:
        """List the legal moves of a role, as terms and in words, a page at a time."""
        return _result(*await tools.legal_moves(match, role, offset, limit))


def _add_search_tools(server: GameServer, tools: MatchTools) -> None:
    @server.tool()
    async def analyse(
        match: Handle, context: Context[None, Any], role: RoleName = None, seconds: Seconds = 5.0
    ) -> Annotated[CallToolResult, answers.SearchResult]:
        """Search the position: its value, best line, each move, what is proven, and the effort."""
        progress = _progress(context)
        return _result(*await tools.search_tools.analyse(match, role, seconds, progress))

    @server.tool()
    async def reply(
        match: Handle,
        context: Context[None, Any],
        role: RoleName = None,
        rounds: Annotated[
            int, Field(ge=1, le=MAX_ROUNDS, description="Iterations of the search: its strength.")
        ] = 1000,
        seconds: Seconds = 20.0,
        seed: Annotated[int | None, Field(ge=0, lt=2**63)] = None,
    ) -> Annotated[CallToolResult, answers.EngineMove]:
        """Let the engine make a move for a role, after `rounds` iterations of search."""
        progress = _progress(context)
        return _result(
            *await tools.search_tools.reply(match, role, rounds, seconds, seed, progress)
        )

    @server.tool()
    async def report(
        match: Handle, context: Context[None, Any], seconds: Seconds = 30.0
    ) -> Annotated[CallToolResult, answers.MatchReport]:
        """Report on the match: what each position was worth, and which moves were mistakes."""
        return _result(*await tools.search_tools.report(match, seconds, _progress(context)))

    @server.tool()
    async def solve(
        match: Handle,
        context: Context[None, Any],
        seconds: Seconds = 20.0,
        max_states: Annotated[int, Field(ge=1, le=MAX_NODES)] = 1_000_000,
    ) -> Annotated[CallToolResult, answers.SolvedPosition]:
        """Solve the position of a small game: the goal of each role with perfect play."""
        return _result(
            *await tools.search_tools.solve(match, seconds, max_states, _progress(context))
        )


def _add_rules_tools(server: GameServer, tools: MatchTools) -> None:
    @server.tool()
    async def load_rules(
        text: Annotated[str, Field(description="Rules in GDL: prefix KIF, infix or Epilog.")],
        name: Annotated[str, Field(max_length=60)] = "rules",
    ) -> Annotated[CallToolResult, answers.LoadedRules]:
        """Check rules. Return faults with line and fix, and a handle if there is no error."""
        return _result(*await tools.rules_tools.load_rules(text, name))

    @server.tool()
    async def scramble(
        rules: RulesName,
        seed: Annotated[int, Field(ge=0, lt=2**63)] = 0,
        symbols: Annotated[bool, Field(description="Change names and the order of rules.")] = True,
        board: Annotated[bool, Field(description="Change the order of arguments.")] = True,
        mapping: Annotated[
            bool,
            Field(description="Also return the mapping of moves and facts to their new names."),
        ] = False,
    ) -> Annotated[CallToolResult, answers.ScrambledRules]:
        """Make the same game under other names, which no model can know. Return a new handle."""
        return _result(
            *await tools.rules_tools.scramble(
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
        """Count the tree of a game level by level, and play random games."""
        return _result(*await tools.rules_tools.perft(rules, depth, max_nodes, seconds))

    @server.tool()
    async def compare_traces(
        rules: RulesName,
        reference: Annotated[str | None, Field(max_length=100)] = None,
        trace: Annotated[str | None, Field(max_length=MAX_TRACE_BYTES)] = None,
        facts: Annotated[bool, Field(description="Also compare the facts of states.")] = False,
        playouts: Annotated[int, Field(ge=1, le=1000)] = 20,
        seed: Annotated[int, Field(ge=0, lt=2**63)] = 0,
    ) -> Annotated[CallToolResult, answers.TraceComparison]:
        """Find the first difference from other rules in random games, or from a recorded trace."""
        return _result(
            *await tools.rules_tools.compare(
                rules, reference, trace, facts=facts, playouts=playouts, seed=seed
            )
        )


async def serve_stdio(server: GameServer) -> None:
    """Serve one client on standard input and output, until the client closes its end."""
    try:
        await server.run_stdio_async()
    except* BrokenPipeError:  # the client closed its end first
        pass


def run_stdio(*, hides_legal: bool) -> None:
    """Serve one client on standard input and output."""
    asyncio.run(serve_stdio(make_server(hides_legal=hides_legal)))
