"""Search the parts of a game separately, to visit |A| + |B| states of two boards, not |A| x |B|.

search = DecomposedSearch(game, state, new_search, horizon=500)
while search.step(deadline):
    ...
search.line, search.upper, search.fewest

The search tries the goals from the best down. What a goal demands of each part is a separate puzzle
(see `gdl.structure.structure`), which is searched like any other. When all parts of a way to the
goal have a plan, the plans are merged and played in the whole game. The result is the line.

Proofs rely on the fact that the parts allow everything that the whole game allows. If some part
cannot be solved, the whole game cannot be solved either. And no path is shorter than the shortest
paths of all parts together, or than the longest of them if a move may act on several parts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import BEST, CompleteLine, Effort, total
from ggp.search.kernels.arrays import IntArray

ANY = -1  # a wish that every move fulfils; also stands for a missing passing move
Plan = Sequence[int]  # inputs of a subgame


class PieceSearch(Protocol):
    """The interface of a search for a plan, as it is used for a part of a game."""

    @property
    def best_line(self) -> CompleteLine | None:
        """The best path to an end that was found so far."""

    @property
    def is_shortest(self) -> bool:
        """Whether no path to this goal is shorter."""

    @property
    def is_proven(self) -> bool:
        """Whether no path has a higher goal."""

    @property
    def is_decided(self) -> bool:
        """Whether searching longer cannot change the move."""

    @property
    def upper(self) -> float:
        """Upper bound of the goals of all paths."""

    @property
    def effort(self) -> Effort:
        """The work done so far."""

    def step(self, deadline: Deadline) -> bool:
        """Continue for a few milliseconds. Return False if nothing is left to do."""


NewSearch: TypeAlias = Callable[[gdl.Game, gdl.State], PieceSearch]


def _one_after_the_other(plans: Sequence[Plan], passing: list[int]) -> Iterator[IntArray]:
    """Yield arrays `[moves, parts]` of wishes that follow one plan after another.

    A wish is the input that a part needs from the next move. Each part comes last in one array.
    """
    for last in range(len(plans)):
        rows = []
        for part in [*(i for i in range(len(plans)) if i != last), last]:
            for wish in plans[part]:
                row = passing.copy()
                row[part] = wish
                rows.append(row)
        yield np.array(rows, np.int32).reshape(-1, len(plans))


def _all_at_once(plans: Sequence[Plan], passing: list[int]) -> Iterator[IntArray]:
    """Yield one array of wishes, in which all plans begin with the first move."""
    length = max(map(len, plans))
    columns = [
        [*plan, *[idle] * (length - len(plan))] for plan, idle in zip(plans, passing, strict=True)
    ]
    yield np.array(columns, np.int32).T.reshape(length, len(plans))


IMPOSSIBLE = 1 << 30  # number of moves to an unreachable goal


class _Piece:
    """The search for a plan that does what a goal of the whole game demands of one part.

    Attributes:
        plan: Inputs of the subgame; None if no plan is known yet.
        fewest: Lower bound of the number of moves of a plan; IMPOSSIBLE if no plan exists.
        is_over: Whether nothing is left to do.
        seconds: Processor time so far.
    """

    def __init__(
        self, subgame: gdl.Subgame, facts: Sequence[gdl.Term], new_search: NewSearch
    ) -> None:
        netlist, game = subgame.netlist, gdl.game_of_part(subgame)
        known = set(netlist.bases)
        state = game.state_of([fact for fact in facts if fact in known])
        self._number = {move: number for number, (_, move) in enumerate(netlist.inputs)}
        self.search: PieceSearch | None = None
        self.plan: Plan | None = None
        self.fewest, self.seconds = 0, 0.0
        self.is_over = game.is_terminal(state)
        if self.is_over:
            self.plan = ()
        else:
            self.search = new_search(game, state)

    def step(self, deadline: Deadline) -> None:
        """Continue the search for a few milliseconds."""
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
    """A search whose `step` finds plans for the parts of a game and merges them.

    Attributes:
        line: The best merged path to the end so far; None if there is none yet.
        upper: Upper bound of the goals of all paths.
        fewest: Lower bound of the number of moves of any path to the goal `upper`.
        is_over: Whether nothing is left to do.
    """

    def __init__(
        self, game: gdl.Game, state: gdl.State, new_search: NewSearch, horizon: int
    ) -> None:
        """Start a search of a compiled game of one role, from a state that is not terminal."""
        self._game, self._state = game, state
        self._new_search, self._horizon = new_search, horizon
        self.line: CompleteLine | None = None
        self.upper, self.fewest = BEST, 0
        self.is_over = False
        self._parts: gdl.Decomposition | None = None
        self._number: dict[gdl.Move, int] = {}
        self._values: list[int] | None = None  # goals that were not tried yet
        self._pieces: dict[gdl.Subgame, _Piece] = {}
        self._ways: tuple[gdl.Way, ...] = ()
        self._merged: dict[gdl.Way, int] = {}  # total moves of the plans merged last

    def added_to(self, effort: Effort) -> Effort:
        """Return `effort` plus the efforts of the parts, but with the depth of `effort`."""
        searches = (piece.search for piece in self._pieces.values())
        more = [search.effort for search in searches if search is not None]
        return replace(total([effort, *more]), depth=effort.depth)

    def step(self, deadline: Deadline) -> bool:
        """Search for a few milliseconds. Return False if searching longer cannot help."""
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
        """Whether the line leads to the best possible goal, and no path is shorter."""
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
        """Follow all wishes, then let all parts pass. Return the path to the end of the game.

        Return None if a wish is not legal, or the path is longer than the horizon.
        """
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
