"""Build a book of a game.

The book of a small game holds the values of all states. That of a larger game holds moves for the
first states, and the values of some states near the end, both from self-play.

book = build(game, "connectFour", Deadline.after(60), BuildSettings(), print)

If the game is compiled, its states are expanded on lanes, otherwise one at a time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.log import ReportLine
from ggp.search.core.choices import Choices, StuckError, choices_in, random_index, require_moves
from ggp.search.evaluation.book.book import Book, BookError, OpeningBook, Tried
from ggp.search.evaluation.book.endgame import Solved, StateCode
from ggp.search.evaluation.book.retrograde import WORD_BITS, Graph, Solution, solve
from ggp.search.evaluation.weights import Figure, digest
from ggp.training.books.exploring import ExploreLimits, Place, explore, silent
from ggp.training.books.selfplay import SelfPlay, SelfPlaySettings


class LaneWorld:
    """The states of a compiled game, expanded hundreds at a time."""

    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._expander = game.expander()
        assert game.circuit is not None
        bases = game.circuit.phases[0].netlist.bases
        # Facts that make no difference have no bit, because the expander leaves them out.
        self.code = StateCode([str(fact) for fact in bases], ignores_others=True)

    def note(self, state: gdl.State) -> None:
        """Do nothing, because all facts are known in advance."""

    def graph(
        self,
        places: Sequence[Place],
        limits: ExploreLimits,
        deadline: Deadline,
        progress: ReportLine,
    ) -> Graph:
        """Return the graph of all states that follow from `places`, within the limits."""
        expander = self._expander
        roots = [
            (expander.pack(self._game.facts(state)), num_moves % expander.num_phases)
            for state, num_moves in places
        ]
        return explore(expander, roots, limits, deadline, progress)


class SlowWorld:
    """The states of any game, expanded one at a time."""

    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._bits: dict[str, int] = {}

    @property
    def code(self) -> StateCode:
        """The code of facts as bits: one bit for every fact seen so far."""
        return StateCode(tuple(self._bits), ignores_others=False)

    def note(self, state: gdl.State) -> None:
        """Assign bits to the facts of this state."""
        self._pack(state)

    def graph(
        self,
        places: Sequence[Place],
        limits: ExploreLimits,
        deadline: Deadline,
        progress: ReportLine,
    ) -> Graph:
        """Return the graph of all states that follow from `places`, within the limits."""
        game = self._game
        states = list(dict.fromkeys(state for state, _ in places))
        numbers = {state: number for number, state in enumerate(states)}
        choices: list[Choices] = []
        children: list[int] = []
        for state in states:  # the list grows during the loop
            is_over = len(states) >= limits.states or len(children) >= limits.moves
            if is_over or deadline.is_over():
                break
            choices.append(() if game.is_terminal(state) else choices_in(game, state))
            for joint in product(*choices[-1]) if choices[-1] else ():
                after = game.next_state(state, joint)
                number = numbers.setdefault(after, len(states))
                if number == len(states):
                    states.append(after)
                children.append(number)
            if len(choices) % 1000 == 0:
                progress(f"{len(states):,} states, {len(children):,} moves")
        return self._graph(states, choices, children)

    def _graph(self, states: list[gdl.State], choices: list[Choices], children: list[int]) -> Graph:
        game, num_roles = self._game, len(self._game.roles)
        shapes = [tuple(map(len, found)) or (0,) * num_roles for found in choices]
        shapes += [(0,) * num_roles] * (len(states) - len(choices))
        counts = [prod(shape) for shape in shapes]
        goals = [[game.goal(state, role) for role in game.roles] for state in states]
        packed = [self._pack(state) for state in states]
        size = max(1, -(-len(self._bits) // WORD_BITS))
        data = b"".join(bits.to_bytes(8 * size, "little") for bits in packed)
        return Graph(
            states=np.frombuffer(data, "<u8").astype(np.uint64).reshape(-1, size),
            is_terminal=np.array([game.is_terminal(state) for state in states]),
            goals=np.array(goals, np.int16).reshape(-1, num_roles),
            num_moves=np.array(shapes, np.int32).reshape(-1, num_roles),
            starts=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)]),
            children=np.array(children, np.int32),
            is_complete=len(choices) == len(states),
        )

    def _pack(self, state: gdl.State) -> int:
        bits = 0
        for fact in self._game.facts(state):
            bits |= 1 << self._bits.setdefault(str(fact), len(self._bits))
        return bits


# Shares of the remaining time: first for exploring all states, then for self-play.
SHARE_OF_EXPLORING = 0.5
SHARE_OF_PLAYING = 0.5


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """Parameters of building: how much of a game to explore."""

    limits: ExploreLimits = field(default_factory=ExploreLimits)
    games: int = 100  # maximum number of games of self-play, if the game cannot be solved
    play: SelfPlaySettings = field(default_factory=SelfPlaySettings)
    is_on_cluster: bool = False  # whether to play on the cluster that this process is connected to


def build(
    game: gdl.Game,
    name: str,
    deadline: Deadline,
    settings: BuildSettings,
    progress: ReportLine = silent,
) -> Book:
    """Build a book of a game, with all states if possible.

    Otherwise the book has moves for the first states, and values of some states near the end.

    Args:
        game: The game. If it is compiled, building is a hundred times faster.
        name: The name of the game in the book.
        deadline: When to finish, approximately. Once all states have been found, solving them may
            take longer.
        progress: Receives lines of text about the progress.

    Raises:
        BookError: The game is over before it begins.
        StuckError: The rules leave a role without a move in the initial state, or in any other
            state if all states were found.
    """
    return Builder(game, name, deadline, settings, progress).run()


class Builder:
    """A builder of one book."""

    def __init__(
        self,
        game: gdl.Game,
        name: str,
        deadline: Deadline,
        settings: BuildSettings,
        progress: ReportLine,
    ) -> None:
        self._game, self._name = game, name
        self._deadline, self._settings, self._progress = deadline, settings, progress
        self._world: LaneWorld | SlowWorld = (
            SlowWorld(game) if game.simulator is None else LaneWorld(game)
        )
        self._began = time.monotonic()

    def run(self) -> Book:
        """Solve the game, or learn from self-play if that is impossible. Return the book."""
        state = self._game.initial_state()
        if self._game.is_terminal(state):
            raise BookError(f"{self._name}: the game is over before it begins")
        require_moves(self._game, state, "on turn 1")
        self._progress("looking for all states")
        graph = self._graph([(state, 0)], SHARE_OF_EXPLORING, self._settings.limits)
        if not graph.is_complete:
            return self._partial()
        if graph.num_stuck:
            num_going_on = int(np.count_nonzero(~graph.is_terminal))
            raise StuckError(
                f"the rules give a role no legal move in {graph.num_stuck:,} "
                f"of {num_going_on:,} states that are not terminal"
            )
        solution = self._solve(graph)
        figures: dict[str, Figure] = {
            "method": "all states of the game, solved backwards",
            "states": graph.num_states,
            "of these, ends": int(np.count_nonzero(graph.is_terminal)),
            "joint moves": len(graph.children),
        }
        unsolved = graph.num_states - int(solution.is_solved.sum())
        if unsolved:
            figures["states that may go on for ever"] = unsolved
        solved = Solved(len(self._game.roles))
        solved.add(graph, solution)
        return self._book(solved, {}, not unsolved, figures)

    def _partial(self) -> Book:
        play = SelfPlay(self._game, self._settings.play, self._settings.is_on_cluster)
        play.play(self._settings.games, self._share(SHARE_OF_PLAYING), self._progress)
        for state in play.entries:
            self._world.note(state)
        solved = Solved(len(self._game.roles))
        num_ends = 0
        limits = self._settings.limits.shared(max(1, len(play.trails)))
        for number, trail in enumerate(play.trails, start=1):
            self._progress(f"the end of game {number} of {len(play.trails)}")
            found = self._end(trail, limits)
            if found is not None:
                solved.add(found, self._solve(found))
                num_ends += 1
        figures: dict[str, Figure] = {
            "method": "self-play, and all that may follow from near its ends, solved backwards",
            "games to their end": len(play.trails),
            "of these, ends solved": num_ends,
        }
        return self._book(solved, play.entries, False, figures)

    def _end(self, trail: Sequence[Place], limits: ExploreLimits) -> Graph | None:
        found = None
        for place in reversed(trail):
            graph = self._graph([place], 1.0, limits)
            if not graph.is_complete:
                break
            found = graph
        return found

    def _graph(self, places: list[Place], share: float, limits: ExploreLimits) -> Graph:
        return self._world.graph(places, limits, self._share(share), self._progress)

    def _share(self, share: float) -> Deadline:
        return Deadline.after(self._deadline.remaining() * share)

    def _solve(self, graph: Graph) -> Solution:
        self._progress(f"solving {graph.num_states:,} states")
        return solve(graph, random_index(self._game))

    def _book(
        self,
        solved: Solved,
        entries: Mapping[gdl.State, Mapping[int, tuple[Tried, ...]]],
        is_complete: bool,
        figures: dict[str, Figure],
    ) -> Book:
        # A `SlowWorld` has its complete code only now.
        game, code = self._game, self._world.code
        keyed = {code.key(game.facts(state)): entry for state, entry in entries.items()}
        figures["seconds"] = round(time.monotonic() - self._began, 2)
        return Book(
            game=self._name,
            rules=digest(game),
            roles=tuple(map(str, game.roles)),
            endgame=solved.table(code),
            opening=OpeningBook(code, {k: e for k, e in keyed.items() if k is not None}),
            is_complete=is_complete,
            figures=figures,
        )
