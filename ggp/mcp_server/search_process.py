"""The process that runs the searches which MCP tools ask for.

It compiles a game, and it answers requests in the same way as a sandbox process.
A search runs in steps of a fraction of a second. Between steps, the caller can stop the search and
report its results so far.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

import gdl
from ggp.analysis.analysis import Analysis, Subject, searching_player
from ggp.analysis.position import Position
from ggp.analysis.role_view import advise, view_after
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.match.referee import played_roles
from ggp.players import create
from ggp.report.analysis import ReportLimits, report_on
from ggp.report.match_line import MatchLine, line_of
from ggp.sandbox.answering import answer_questions
from ggp.search.core.choices import StuckError, random_index
from ggp.search.evaluation.book.retrograde import solve as solve_backwards
from ggp.search.hidden.solving.game_tree import hides_information
from ggp.search.hidden.solving.growing import UnknowableError, UnsolvableError
from ggp.search.hidden.solving.solution import TARGET, solve_game
from ggp.training.books.building import LaneWorld, SlowWorld
from ggp.training.books.exploring import ExploreLimits
from ggp.warming import MESSAGE
from ggp.warming import kernels as warming

NICENESS: Final = 5
SHARE_OF_EXPLORING: Final = 0.7
"""Share of the time limit for finding all states of a game, before solving it backwards."""
Moves = Sequence[Sequence[str]]

_analyses: list[Analysis] = []
"""The analysis that this process started last, if any."""


def missing_kernels() -> str:
    """Return a message if the kernels of the searches are not compiled yet, else ""."""
    return "" if warming.is_compiled() else MESSAGE


def open_rules(text: str, name: str) -> None:
    """Compile a game and the kernels in advance. Other functions compile them on demand."""
    _game(text, name)


def begin_analysis(
    text: str, name: str, moves: Moves, role: str, player: str, seed: int | None
) -> None:
    """Start the search of a position for a role.

    Raises:
        GgpError: The role has no choice, or the game hides information.
    """
    game, line = _position(text, name, moves)
    if hides_information(game):
        raise GgpError("the roles of this game do not see everything; use the handle of one role")
    position = Position(line.states[-1], line.moves)
    subject = Subject(name, game, position, _role(game, role))
    searcher = searching_player(player, game, subject.role, {}, seed, option="player")
    _analyses[:] = [Analysis(subject, searcher)]


def go_on(seconds: float) -> dict[str, Any]:
    """Search for `seconds`, or until everything is proven, and return the results so far."""
    [analysis] = _analyses
    analysis.run(Deadline.after(seconds), lambda: None)
    found = analysis.found()
    return {**found.thoughts, "words": found.line}


def advise_role(text: str, name: str, moves: Moves, role: str, seconds: float) -> dict[str, Any]:
    """Return what a role knows in a game with hidden information, and how it should play.

    If the game cannot be solved, return `{"unsolved": REASON}`.
    """
    game, line = _position(text, name, moves)
    view = view_after(name, game, _role(game, role), line.moves)
    try:
        advice = advise(view, Deadline.after(seconds), TARGET)
    except UnsolvableError as error:
        return _unsolved(error)
    return {"worlds": view.num_worlds, "is_complete": view.is_complete, **advice.to_json()}


def choose(
    text: str, name: str, moves: Moves, role: str, rounds: int, seconds: float, seed: int | None
) -> dict[str, Any]:
    """Return the engine's move for a role after `rounds` iterations of search."""
    game, line = _position(text, name, moves)
    own = _role(game, role)
    hides = hides_information(game)
    options = {"iterations": str(rounds)}
    player = create("hidden" if hides else "mcts", game, own, options, seed)
    state = line.states[-1]
    if hides:
        state = _believe(player, game, line)
    move = player.choose(state, Deadline.after(seconds))
    return {"move": str(move), "thoughts": player.thoughts}


def _believe(player: Any, game: gdl.Game, line: MatchLine) -> gdl.State:
    """Give a player the belief that its role has after a match. Return a state sampled from it."""
    from ggp.belief import Belief

    view = view_after("", game, player.role, line.moves)
    player.belief = Belief(game, player.role, seed=0)
    for turn in view.turns:
        player.belief.advance(turn.own_move, turn.percepts, is_over=turn.is_over)
    sampled: gdl.State = player.belief.sample().state
    return sampled


def report(text: str, name: str, moves: Moves, seconds: float) -> dict[str, Any]:
    """Return a report on a match, computed in about `seconds`."""
    game, line = _position(text, name, moves)
    limits = ReportLimits(seconds=seconds / max(1, line.num_turns))
    return report_on(name, game, line, limits).to_json()


def solve(text: str, name: str, moves: Moves, most_states: int, seconds: float) -> dict[str, Any]:
    """Return the value of a position with perfect play, as the fields of `answers.SolvedPosition`.

    If the game hides information, return the value of its initial position. If the position cannot
    be solved, return `{"unsolved": REASON}`.
    """
    game, line = _position(text, name, moves)
    try:
        if hides_information(game):
            return _solve_hidden(game, seconds)
        return _solve_backwards(game, line, most_states, seconds)
    except UnsolvableError as error:
        return _unsolved(error)


def _unsolved(error: UnsolvableError) -> dict[str, Any]:
    if isinstance(error, UnknowableError):
        raise error
    return {"unsolved": str(error)}


def _solve_backwards(
    game: gdl.Game, line: MatchLine, most_states: int, seconds: float
) -> dict[str, Any]:
    world = SlowWorld(game) if game.simulator is None else LaneWorld(game)
    deadline = Deadline.after(SHARE_OF_EXPLORING * seconds)
    place = line.states[-1], line.num_turns
    graph = world.graph([place], ExploreLimits(states=most_states), deadline, lambda _: None)
    if not graph.is_complete:
        raise UnsolvableError(
            f"too large to be solved within the limits: {graph.num_states:,} states were seen, and "
            "there are more"
        )
    if graph.num_stuck:
        raise StuckError(f"the rules give a role no legal move in {graph.num_stuck:,} states")
    solution = solve_backwards(graph, random_index(game))
    if not solution.is_solved[0]:
        raise UnsolvableError(
            f"some of the {graph.num_states:,} states that can follow this position can be "
            "reached more than once in a match, so play may never end, and the value of the "
            "position cannot be found backwards from the ends"
        )
    return {
        "method": "all states that follow, solved backwards",
        "goals": _goals(game, solution.values[0].tolist()),
        "plies": int(solution.lengths[0]),
        "states": graph.num_states,
        "ends": int(np.count_nonzero(graph.is_terminal)),
        "exploitability": 0.0,
    }


def _solve_hidden(game: gdl.Game, seconds: float) -> dict[str, Any]:
    """Return the value of the game from its initial position."""
    solution = solve_game(game, deadline=Deadline.after(seconds))
    names = [str(role) for role in played_roles(game)]
    return {
        "method": "counterfactual regret minimisation over the whole tree",
        "goals": dict(zip(names, solution.values, strict=False)),
        "plies": None,
        "states": solution.tree.num_nodes,
        "ends": None,
        "exploitability": solution.exploitability,
    }


def _goals(game: gdl.Game, values: Sequence[float]) -> dict[str, float]:
    shown = {str(role): value for role, value in zip(game.roles, values, strict=True)}
    return {role: shown[role] for role in map(str, played_roles(game))}


def _position(text: str, name: str, moves: Moves) -> tuple[gdl.Game, MatchLine]:
    game = _game(text, name)
    line = line_of(game, moves)
    if line.broken:
        raise GgpError(line.broken)
    return game, line


@lru_cache(maxsize=2)
def _game(text: str, name: str) -> gdl.Game:
    warming.warm_up(lambda _: None)
    return gdl.load(gdl.read_rules(text, name), "auto")


def _role(game: gdl.Game, name: str) -> gdl.Role:
    return next(role for role in game.roles if role.name == name)


QUESTIONS: Final = (
    missing_kernels,
    open_rules,
    begin_analysis,
    go_on,
    advise_role,
    choose,
    report,
    solve,
)
"""The functions that `Searches` calls by their names."""

if __name__ == "__main__":
    os.nice(NICENESS)
    answer_questions(QUESTIONS)
