"""Searching the parts of a game apart: it sees |A| + |B| states of two boards, not |A| x |B|.

search = DecomposedSearch(game, state, new_search, horizon=500)
while search.step(deadline):
    ...
search.line, search.upper, search.fewest

From the best goal down: what a goal asks of each part is a puzzle of its own (see
`gdl.structure.structure`), which is searched as any other. When all parts of a way to the goal
have a plan, the plans are merged and played on the whole game; that is the line. What is proven
rests on the parts allowing everything that the whole allows: if some part cannot be solved, nor
can the whole; and no way is shorter than the shortest ways of the parts together, or than the
longest of these where a move may act on several parts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import BEST, CompleteLine, Effort, total
from ggp.search.kernels.arrays import IntArray

if TYPE_CHECKING:
    from ggp.search.fast.puzzles.search import SingleAgentSearch

ANY = -1  # no wish; the same as the number of a passing move where there is none
Plan = Sequence[int]  # inputs of a subgame
NewSearch: TypeAlias = "Callable[[gdl.Game, gdl.State], SingleAgentSearch]"


def _one_after_the_other(plans: Sequence[Plan], passing: list[int]) -> Iterator[IntArray]:
    """Wishes for each part move by move, with each part as the last one."""
    for last in range(len(plans)):
        rows = []
        for part in [*(i for i in range(len(plans)) if i != last), last]:
            for wish in plans[part]:
                row = passing.copy()
                row[part] = wish
                rows.append(row)
        yield np.array(rows, np.int32).reshape(-1, len(plans))


def _all_at_once(plans: Sequence[Plan], passing: list[int]) -> Iterator[IntArray]:
    length = max(map(len, plans))
    columns = [
        [*plan, *[idle] * (length - len(plan))] for plan, idle in zip(plans, passing, strict=True)
    ]
    yield np.array(columns, np.int32).T.reshape(length, len(plans))


IMPOSSIBLE = 1 << 30  # moves to what cannot be reached


class _Piece:
    """The search of a part for what a goal asks of it.

    Attributes:
        plan: Inputs of the subgame; None if none is known yet.
        fewest: No plan is shorter; IMPOSSIBLE if there is none at all.
        is_over: Whether there is nothing left to do.
        seconds: Processor time so far.
    """

    def __init__(
        self, subgame: gdl.Subgame, facts: Sequence[gdl.Term], new_search: NewSearch
    ) -> None:
        netlist, game = subgame.netlist, gdl.game_of_part(subgame)
        known = set(netlist.bases)
        state = game.state_of([fact for fact in facts if fact in known])
        self._number = {move: number for number, (_, move) in enumerate(netlist.inputs)}
        self.search: SingleAgentSearch | None = None
        self.plan: Plan | None = None
        self.fewest, self.seconds = 0, 0.0
        self.is_over = game.is_terminal(state)
        if self.is_over:
            self.plan = ()
        else:
            self.search = new_search(game, state)

    def step(self, deadline: Deadline) -> None:
        """Search on for a few milliseconds."""
        search, start = self.search, time.thread_time()
        assert search is not None
        self.is_over = not search.step(deadline) or (search.is_proven and search.is_decided)
        line = search.best_line
        if line is not None:
            self.plan = [self._number[joint[0]] for joint in line.moves]
            if search.is_shortest:
                self.fewest = len(self.plan)
        elif search.upper < BEST:
            self.fewest = IMPOSSIBLE
        self.is_over |= self.fewest == IMPOSSIBLE
        self.seconds += time.thread_time() - start


class DecomposedSearch:
    """Looks for plans of the parts of a game by `step`, and merges them.

    Attributes:
        line: The best way to the end that was merged; None if there is none yet.
        upper: Nothing is worth more.
        fewest: No way to this goal has fewer moves.
        is_over: Whether there is nothing left to do.
    """

    def __init__(
        self, game: gdl.Game, state: gdl.State, new_search: NewSearch, horizon: int
    ) -> None:
        """A search of a compiled game of one role, from a state that is not terminal."""
        self._game, self._state = game, state
        self._new_search, self._horizon = new_search, horizon
        self.line: CompleteLine | None = None
        self.upper, self.fewest = BEST, 0
        self.is_over = False
        self._parts: gdl.Decomposition | None = None
        self._number: dict[gdl.Move, int] = {}
        self._values: list[int] | None = None  # goals that were not looked at yet
        self._pieces: dict[gdl.Subgame, _Piece] = {}
        self._ways: tuple[gdl.Way, ...] = ()
        self._merged: dict[gdl.Way, int] = {}  # moves of all plans together, when they were merged

    def added_to(self, effort: Effort) -> Effort:
        """An effort with those of the parts added; the depth is that of the whole."""
        searches = (piece.search for piece in self._pieces.values())
        more = [search.effort for search in searches if search is not None]
        return replace(total([effort, *more]), depth=effort.depth)

    def step(self, deadline: Deadline) -> bool:
        """A few milliseconds of search; False if none makes sense."""
        if self.is_over:
            return False
        if self._values is None:
            self._parts = self._game.parts
            self._values = list(self._parts.values) if self._parts else []
            inputs = self._parts.netlist.inputs if self._parts else ()
            self._number = {move: number for number, (_, move) in enumerate(inputs)}
            self._next_goal()
            return True
        open_pieces = [piece for piece in self._pieces.values() if not piece.is_over]
        if open_pieces:
            min(open_pieces, key=lambda piece: piece.seconds).step(deadline)
        self._conclude()
        if self.fewest >= IMPOSSIBLE:
            self._next_goal()
        elif not open_pieces or self.is_line_the_shortest:
            self.is_over = True
        return True

    @property
    def is_line_the_shortest(self) -> bool:
        """Whether the line leads to the best goal there is, and no way is shorter."""
        line = self.line
        return line is not None and line.goal >= self.upper and len(line.moves) <= self.fewest

    def _next_goal(self) -> None:
        parts = self._parts
        self.is_over = parts is None or not self._values
        if parts is None or not self._values:
            return
        value = self._values.pop(0)
        self.upper, self.fewest = float(value), 0
        ways = parts.ways(value)
        if ways is None or not all(way.subgames for way in ways):
            self.is_over = True
            return
        self._ways = ways
        facts = self._game.facts(self._state)
        self._pieces = {
            subgame: self._pieces.get(subgame) or _Piece(subgame, facts, self._new_search)
            for way in ways
            for subgame in way.subgames
        }
        self._conclude()

    def _conclude(self) -> None:
        self.fewest = IMPOSSIBLE
        for way in self._ways:
            pieces = [self._pieces[subgame] for subgame in way.subgames]
            fewest = [piece.fewest for piece in pieces]
            bound = max(fewest) if way.shares_moves else sum(fewest)
            self.fewest = min(self.fewest, bound)
            plans = [piece.plan for piece in pieces if piece.plan is not None]
            num_moves = sum(map(len, plans))
            if len(plans) == len(pieces) and self._merged.get(way) != num_moves:
                self._merged[way] = num_moves
                self._merge(way, plans)

    def _merge(self, way: gdl.Way, plans: Sequence[Plan]) -> None:
        passing = np.array([subgame.passing for subgame in way.subgames])
        kinds = np.array([subgame.kinds for subgame in way.subgames], np.int32)
        orders = _all_at_once if way.shares_moves else _one_after_the_other
        for wishes in orders(plans, passing.tolist()):
            line = self._played(kinds, wishes, passing)
            if line is not None and line.is_better_than(self.line):
                self.line = line

    def _played(self, kinds: IntArray, wishes: IntArray, passing: IntArray) -> CompleteLine | None:
        """The way to the end if each move is what is wished; after that, nothing more is done."""
        machine, state, moves = self._game, self._state, list[Joint]()
        role = machine.roles[0]
        while not machine.is_terminal(state):
            wish = wishes[len(moves)] if len(moves) < len(wishes) else passing
            if len(moves) == self._horizon:
                return None
            for move in machine.legal_moves(state, role):
                if ((kinds[:, self._number[move]] == wish) | (wish == ANY)).all():
                    break
            else:
                return None
            moves.append((move,))
            state = machine.next_state(state, (move,))
        return CompleteLine(float(machine.goal(state, role)), tuple(moves))
