"""Building a book: the whole game if it is small, else its opening and its ends.

book = build(machine, "connectFour", Deadline.after(60), BuildSettings(), print)
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.books.book import Book, BookError, Figure
from ggp.search.books.endgame import EndgameTable, empty_table, table_of
from ggp.search.books.exploring import ExploreLimits, Progress, silent
from ggp.search.books.graph import Graph
from ggp.search.books.opening import OpeningBook, Tried
from ggp.search.books.retrograde import Solution, solve
from ggp.search.books.selfplay import SelfPlay, SelfPlaySettings
from ggp.search.books.worlds import Place, World, world_of
from ggp.search.choices import random_index
from ggp.search.evaluation.weights import digest

# What the first steps may take of the time that is left.
SHARE_OF_EXPLORING = 0.5
SHARE_OF_PLAYING = 0.5


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """How much of a game to look at."""

    limits: ExploreLimits = field(default_factory=ExploreLimits)
    games: int = 100
    """Games of self-play at most, if the game cannot be solved."""
    play: SelfPlaySettings = field(default_factory=SelfPlaySettings)


def build(
    machine: gdl.StateMachine,
    game: str,
    deadline: Deadline,
    settings: BuildSettings,
    progress: Progress = silent,
) -> Book:
    """A book of a game: all its states if they can be seen, else an opening book and some ends.

    Args:
        machine: The game; compiled it is a hundred times faster.
        game: What it is called.
        deadline: When to stop, about; a game that was seen is also solved.
        settings: How much to look at.
        progress: Is told in words how far it is.

    Raises:
        BookError: The game is over before it begins.
    """
    return Builder(machine, game, deadline, settings, progress).run()


class Builder:
    """One book in the making."""

    def __init__(
        self,
        machine: gdl.StateMachine,
        game: str,
        deadline: Deadline,
        settings: BuildSettings,
        progress: Progress,
    ) -> None:
        self._machine, self._game = machine, game
        self._deadline, self._settings, self._progress = deadline, settings, progress
        self._world: World = world_of(machine)
        self._began = time.monotonic()

    def run(self) -> Book:
        """Solve the game; if that cannot be done, play it."""
        state = self._machine.initial_state()
        if self._machine.is_terminal(state):
            raise BookError(f"{self._game}: the game is over before it begins")
        self._progress("looking for all states")
        graph = self._graph([(state, 0)], SHARE_OF_EXPLORING)
        if not graph.is_complete:
            return self._partial()
        solution = self._solve(graph)
        figures = self._counted(graph, "all states of the game, solved backwards")
        unsolved = graph.num_states - int(solution.is_solved.sum())
        if unsolved:
            figures["states that may go on for ever"] = unsolved
        table = table_of(graph, solution, self._world.code)
        return self._book(table, {}, not unsolved, figures)

    def _partial(self) -> Book:
        play = SelfPlay(self._machine, self._settings.play)
        play.play(self._settings.games, self._share(SHARE_OF_PLAYING), self._progress)
        for state in play.entries:
            self._world.note(state)
        figures: dict[str, Figure] = {"games of self-play": len(play.trails)}
        found: tuple[Graph, Solution] | None = None
        for plies in range(1, max(map(len, play.trails), default=0) + 1):
            # All states so few plies before the end of a game, and all that may follow from them.
            roots = {
                trail[-plies][0]: trail[-plies] for trail in play.trails if len(trail) >= plies
            }
            self._progress(f"ends: the last {plies} plies of {len(play.trails)} games")
            graph = self._graph(list(roots.values()), 1.0)
            if not graph.is_complete:
                break
            found = graph, self._solve(graph)
            method = f"what may follow from the last {plies} plies of the games, solved backwards"
            figures |= self._counted(graph, method)
        # The code of a slow world is known only now.
        code = self._world.code
        table = empty_table(code, len(self._machine.roles))
        if found is not None:
            table = table_of(*found, code)
        return self._book(table, play.entries, False, figures)

    def _graph(self, places: list[Place], share: float) -> Graph:
        limits, deadline = self._settings.limits, self._share(share)
        return self._world.graph(places, limits, deadline, self._progress)

    def _share(self, share: float) -> Deadline:
        return Deadline.after(self._deadline.remaining() * share)

    def _solve(self, graph: Graph) -> Solution:
        self._progress(f"solving {graph.num_states:,} states")
        return solve(graph, random_index(self._machine))

    def _counted(self, graph: Graph, method: str) -> dict[str, Figure]:
        return {
            "method": method,
            "states": graph.num_states,
            "of these, ends": int(np.count_nonzero(graph.is_terminal)),
            "joint moves": len(graph.children),
        }

    def _book(
        self,
        table: EndgameTable,
        entries: Mapping[gdl.State, Mapping[int, tuple[Tried, ...]]],
        is_complete: bool,
        figures: dict[str, Figure],
    ) -> Book:
        machine, code = self._machine, table.code
        keyed = {code.key(machine.facts(state)): entry for state, entry in entries.items()}
        figures["seconds"] = round(time.monotonic() - self._began, 2)
        return Book(
            game=self._game,
            rules=digest(machine),
            roles=tuple(map(str, machine.roles)),
            endgame=table,
            opening=OpeningBook(code, {k: e for k, e in keyed.items() if k is not None}),
            is_complete=is_complete,
            figures=figures,
        )
