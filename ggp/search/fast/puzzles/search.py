"""The search for the best path to the end in a compiled game of one role.

Three searches take turns, a few milliseconds each. Breadth-first search finds the shortest path to
the best goal, or proves that none exists, if it can see all states. Best-first search finds long
paths if the goal's conditions guide it. Beam search always has a path to some end. The best path
that any of them finds is the plan. If the game has independent parts, each part is also searched in
this way.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, TurnUnknownError, require_moves
from ggp.search.core.result import BEST, WORST, CompleteLine, Effort, MoveValue, SearchResult
from ggp.search.fast.puzzles.board import Board
from ggp.search.fast.puzzles.decomposition import DecomposedSearch
from ggp.search.fast.puzzles.plan_search import Beam, BestFirst, Breadth, PlanSearch
from ggp.search.fast.puzzles.store import GOAL, NODES, PLIES, bytes_in_use, depth_of, way_to
from ggp.search.kernels.arrays import NONE, Words

UNTRIED = 50.0


class FirstLook:
    """The legal moves of a state, valued by a few playouts each until a path to an end is found.

    Attributes:
        is_done: Whether the playouts were made.
    """

    def __init__(self, board: Board, state: Words, phase: int) -> None:
        expander = board.expander
        self._board, self._state, self._phase = board, state, phase
        self.is_done = False
        expander.children[0] = state
        expander.look(1, phase)
        self._inputs = expander.legal[: expander.legal_starts[1]].copy()
        self._means = np.full(len(self._inputs), UNTRIED)
        self._num_playouts = 0

    @property
    def is_forced(self) -> bool:
        """Whether there is at most one legal move."""
        return len(self._inputs) < 2

    def play(self, horizon: int) -> None:
        """Play out each move equally often, in one run of all lanes.

        If there are more moves than a batch has room for, leave out the last ones.
        """
        expander = self._board.expander
        num = min(len(self._inputs), expander.num_leaves_max)
        if num:
            expander.parents[:num] = self._state
            expander.moves[:num, 0] = self._inputs[:num]
            expander.expand(num, self._phase)
            expander.play(num, (self._phase + 1) % expander.num_phases, 1, horizon)
            self._num_playouts = expander.num_playouts_per_leaf
            self._means[:num] = expander.totals[:num, 0] / self._num_playouts
        self.is_done = True

    def result(self) -> SearchResult:
        """Return the moves, the best first. There must be at least one move."""
        num = self._num_playouts
        ranked = sorted(
            zip(self._means.tolist(), self._inputs.tolist(), strict=True), key=lambda pair: -pair[0]
        )
        moves = tuple(MoveValue(self._board.move(i), mean, num) for mean, i in ranked)
        return SearchResult.ranked(moves, num * len(moves))


MAX_SECONDS = 0.003  # longest time of a step
APART_SHARE = 64  # a part that is searched separately gets 1/64 of the memory
WEIGHT = 4  # weight of the distance in best-first search
# How long a search runs alone at first, and how long it looks for a shorter path to the best goal
SECONDS_ALONE = 0.3
SECONDS_FOR_LENGTH = 1.0

APART = "apart"


@dataclass(frozen=True, slots=True)
class SingleAgentSettings:
    """Settings of a search for a path."""

    memory: int = 1 << 30
    """Maximum number of bytes for all states."""
    horizon: int = 500
    """Maximum length of a playout, in moves."""
    apart: bool = True
    """Whether to search the parts of a game separately as well."""


DEFAULTS = SingleAgentSettings()


class SingleAgentSearch:
    """A search whose `step` looks for the best path to the end. Its `advance` follows the game.

    Attributes:
        state: The state at the root.
        upper: Upper bound of the goals of all paths.
        best_line: The best path to the end found so far; None if no end was found.
        is_shortest: Whether no path to the goal of `best_line` is shorter.
    """

    def __init__(
        self, game: gdl.Game, state: gdl.State, seed: int, settings: SingleAgentSettings = DEFAULTS
    ) -> None:
        """Create a search with empty stores. `board.can_search` must be true for the game.

        Raises:
            TurnUnknownError: The state does not show which circuit applies.
            StuckError: A role has no legal move there.
        """
        require_moves(game, state)
        self.game = game
        self.settings = settings
        self._rng = np.random.default_rng(seed)
        self._board = Board(game, seed)
        phases = self._board.phases_of(state)
        if len(phases) != 1:
            raise TurnUnknownError
        self.best_line: CompleteLine | None = None
        self._parts: dict[str, PlanSearch] = {}
        self._apart: DecomposedSearch | None = None
        self._begin(state, phases[0])

    def _begin(self, state: gdl.State, phase: int) -> None:
        board = self._board
        self.state = state
        self.is_shortest = False
        self._is_endless = False
        self._phase = phase
        self._words = board.pack(state)
        self._first_look = FirstLook(board, self._words, phase)
        self.upper = min(BEST, float(board.best_goal))
        self._is_end = self.game.is_terminal(state)
        self._seconds = dict.fromkeys(("breadth", "best", "beam", APART), 0.0)
        self._parts, self._apart = {}, None
        if not self._is_end:
            self._start_parts()

    def _start_parts(self) -> None:
        board, memory = self._board, self.settings.memory
        mask = board.position
        self._parts["breadth"] = self._new_part("breadth", mask)
        if board.can_measure:
            self._parts["best"] = self._new_part("best", mask)
        args = board, self._words, self._phase, memory // 8, self.settings.horizon, self._rng
        self._parts["beam"] = Beam(*args)
        if self.settings.apart:
            self._apart = DecomposedSearch(
                self.game, self.state, self._search_of_piece, self.settings.horizon
            )

    def _new_part(self, name: str, mask: Words) -> PlanSearch:
        start, memory = (self._board, self._words, self._phase), self.settings.memory
        if name == "breadth":
            return Breadth(*start, memory // 2, mask)
        return BestFirst(*start, memory // 4, mask, WEIGHT)

    # --- What players ask ---------------------------------------------------------------------

    @property
    def effort(self) -> Effort:
        """The work so far, and the memory held. An iteration is a computed state, new or not."""
        parts = list(self._parts.values())
        own = Effort(
            num_iterations=self._board.num_made,
            num_playouts=self._board.num_playouts,
            num_nodes=sum(int(part.store.counters[NODES]) for part in parts),
            depth=max((depth_of(part.store) for part in parts), default=0),
            num_bytes=sum(bytes_in_use(part.store) for part in parts),
        )
        return own if self._apart is None else self._apart.added_to(own)

    @property
    def is_proven(self) -> bool:
        """Whether the best line is proven to lead to the best possible goal."""
        return self.best_line is not None and self.best_line.goal >= self.upper

    @property
    def is_decided(self) -> bool:
        """Whether the move is final, because it is forced or the plan is proven best."""
        if self._is_end or self._first_look.is_forced:
            return True
        if not self.is_proven:
            return False
        return self.is_shortest or all(
            self._seconds[name] >= SECONDS_FOR_LENGTH for name in self._that_prove_lengths()
        )

    def step(self, deadline: Deadline) -> bool:
        """Search for a few milliseconds. Return False if searching longer cannot help."""
        if self._is_end or self._is_endless or (self.is_proven and self.is_decided):
            return False
        if not self._first_look.is_done:
            self._first_look.play(self.settings.horizon)
            return True
        name = self._next_part()
        if name is None:
            return False
        start = time.thread_time()
        if name == APART:
            self._step_apart(deadline)
        else:
            part = self._parts[name]
            for _ in part.batches:
                self._take_over(part)
                if deadline.is_over() or time.thread_time() >= start + MAX_SECONDS:
                    break
            self._take_over(part)
            self._conclude(name, part)
        self._seconds[name] += time.thread_time() - start
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the rest of the best line if it contains the move, and start a new search."""
        line, upper, is_shortest = self.best_line, self.upper, self.is_shortest
        rest = line and line.after(moves)
        self.best_line = rest if rest and rest.moves else None
        self._begin(state, (self._phase + 1) % self._board.expander.num_phases)
        if self.best_line is not None:
            self.upper = min(self.upper, upper)
            self.is_shortest = is_shortest

    def result(self) -> SearchResult:
        """Return the first move of the best line; without a line, the result of a few playouts."""
        looked = self._first_look.result()
        line = self.best_line
        if line is None or not line.moves:
            return looked
        visits = max(1, self.effort.num_iterations)
        return line.as_result(max(line.goal, self.upper), visits, visits, looked)

    # --- The parts ----------------------------------------------------------------------------

    def _next_part(self) -> str | None:
        open_parts = [name for name, part in self._parts.items() if not part.is_over]
        if self._apart is not None and not self._apart.is_over:
            open_parts.append(APART)
        for name in ("breadth", APART):
            if name in open_parts and self._seconds[name] < SECONDS_ALONE:
                return name
        if self.is_proven:
            open_parts = self._that_prove_lengths()
        return min(open_parts, key=lambda name: self._seconds[name], default=None)

    def _that_prove_lengths(self) -> list[str]:
        """Return the running searches that may prove that no path is shorter."""
        breadth, apart = self._parts.get("breadth"), self._apart
        found = ["breadth"] if breadth is not None and not breadth.is_over else []
        return [*found, APART] if apart is not None and not apart.is_over else found

    def _search_of_piece(self, game: gdl.Game, state: gdl.State) -> SingleAgentSearch:
        memory = self.settings.memory // APART_SHARE
        settings = replace(self.settings, memory=memory, apart=False)
        return SingleAgentSearch(game, state, int(self._rng.integers(1 << 31)), settings)

    def _step_apart(self, deadline: Deadline) -> None:
        apart = self._apart
        assert apart is not None
        apart.step(deadline)
        line, best = apart.line, self.best_line
        if line is not None and line.is_better_than(best):
            self.best_line = best = line
        self.upper = min(self.upper, apart.upper)
        if best is not None and best.goal >= apart.upper and len(best.moves) <= apart.fewest:
            self.is_shortest = True

    def _take_over(self, part: PlanSearch) -> None:
        goal, plies = int(part.ends.counters[GOAL]), int(part.ends.counters[PLIES])
        best = self.best_line
        if goal == NONE or (best and (goal, -plies) <= (best.goal, -len(best.moves))):
            return
        moves = tuple((self._board.move(number),) for number in way_to(part.store, part.ends))
        line = CompleteLine(float(goal), moves)
        if line.is_better_than(best) and self._leads_to(moves, goal):
            self.best_line = line

    def _leads_to(self, moves: tuple[Joint, ...], goal: int) -> bool:
        """Return whether a path really ends with the given goal.

        The search may ignore the clock when it compares states. Then it may find a shorter path to
        a state on this path, after which the clock ends the game later.
        """
        game, state = self.game, self.state
        for joint in moves:
            if game.is_terminal(state) or joint[0] not in game.legal_moves(state, game.roles[0]):
                return False
            state = game.next_state(state, joint)
        return game.is_terminal(state) and game.goal(state, game.roles[0]) == goal

    def _conclude(self, name: str, part: PlanSearch) -> None:
        board, goal = self._board, int(part.ends.counters[GOAL])
        if name == "breadth" and goal == board.best_goal:
            self.is_shortest = True
        if not part.is_exhausted:
            return
        is_whole = bool((part.store.mask == board.whole).all())
        if is_whole or board.position_proves:
            self.upper = min(self.upper, max(WORST, float(goal)))
            self._is_endless = goal == NONE
            self.is_shortest |= name == "breadth"
        else:
            self._parts[name] = self._new_part(name, board.whole)
