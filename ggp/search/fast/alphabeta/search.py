"""Alpha-beta in arrays: the interface for Python, which searches to one depth at a time.

    >>> import gdl
    >>> from ggp import games
    >>> from ggp.clock import Deadline
    >>> from ggp.search.evaluation import EvenEvaluation
    >>> game = gdl.load(games.text("ticTacToe"))
    >>> search = make_search(game, game.roles[0], EvenEvaluation(game))
    >>> found = search.look(game.initial_state(), depth=9, deadline=Deadline.never())
    >>> found.value, found.is_complete
    (50.0, True)

At the same depth, it finds the same result as its readable counterpart
`ggp.search.textbook.adversarial.alphabeta`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.core.choices import Joint, choices_in, deciders_of, require_moves
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue, OutOfTime, SearchResult
from ggp.search.core.search import next_chunk
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.fast.alphabeta import descend
from ggp.search.fast.alphabeta.descend import (
    DONE,
    NO_ROOM,
    NUM_COUNTERS,
    SearchPosition,
    begin,
    run,
)
from ggp.search.fast.alphabeta.leaf import Form, form_of, make_leaf
from ggp.search.fast.alphabeta.stack import forget_half, make_order, make_stack, with_more_moves
from ggp.search.fast.alphabeta.transpositions import BYTES_PER_ENTRY, known_move, make_table
from ggp.search.kernels.arrays import NONE

Window = tuple[float, float]
SPAN: Window = (WORST, BEST)
DEEPEST = 1000
"""Maximum number of plies in a search "to the end of the game"."""
TABLE_BYTES = 1 << 27
LONGEST_LINE = 100

_FIRST_FRAMES = 128
_MIN_NODES = 16  # states before the first check of the clock
_MAX_NODES = 1 << 16


class ArraySearch:
    """One role's search of a game. It keeps its table, and what it has learned about moves."""

    def __init__(
        self,
        machine: gdl.StateMachine,
        game: gdl.ScalarGame,
        own: int,
        form: Form,
        num_bytes: int = TABLE_BYTES,
    ) -> None:
        """Create a search with an empty table.

        Args:
            game: The same game in arrays, with all facts that `form` needs. Only this search may
                use it.
            form: How to evaluate the states where the search stops.
            num_bytes: Maximum size of the table.
        """
        self.machine = machine
        self.own = own
        self.game = game
        num_inputs = len(game.inputs)
        counters = np.zeros(NUM_COUNTERS, np.int64)
        counters[descend.TOP], counters[descend.OWN] = NONE, own
        self.position = SearchPosition(
            layout=game.layout,
            memory=game.memory,
            stack=make_stack(_FIRST_FRAMES, len(game.roles), game.num_words, 4 * num_inputs + 4096),
            table=make_table(num_bytes),
            order=make_order(_FIRST_FRAMES, num_inputs),
            leaf=make_leaf(game, form),
            counters=counters,
            answer=np.zeros(1, np.float64),
            root=np.zeros((num_inputs, 3), np.float64),
        )
        self._network = form.network
        self._state: gdl.State = None
        self._pending: object = None  # the arguments of the call that ran out of time
        self._before = np.zeros(NUM_COUNTERS, np.int64)
        self._chunk = _MIN_NODES

    @property
    def nodes(self) -> int:
        """Number of states visited so far."""
        return int(self.position.counters[descend.NODES])

    def look(
        self,
        state: gdl.State,
        *,
        depth: int | None,
        deadline: Deadline,
        window: Window = SPAN,
        among: Sequence[gdl.Move] | None = None,
        most_nodes: int | None = None,
    ) -> DepthResult:
        """Search to a depth for the minimax value and the best move.

        If a call runs out of time, the next call continues its search, given the same arguments.

        Args:
            depth: Plies, at least 1; None for the end of the game (at most `DEEPEST` plies).
            window: Values outside this window are not computed exactly.
            among: The moves to choose among; None for all legal ones.
            most_nodes: Maximum number of states to visit in this call; None for no limit.

        Raises:
            OutOfTime: The deadline or the limit of states came first.
            GgpError: The game is over in the state, or the depth is below 1.
        """
        plies = DEEPEST if depth is None else min(depth, DEEPEST)
        if plies < 1:
            raise GgpError(f"depth: expected a whole number of at least 1, or None, got {depth!r}")
        asked = (state, plies, window, None if among is None else tuple(among))
        if asked != self._pending:
            self._begin(state, plies, window, among)
        self._pending = asked
        self._run(deadline, plies, math.inf if most_nodes is None else self.nodes + most_nodes)
        self._pending = None
        return self._answer(state, plies, window)

    def _begin(
        self, state: gdl.State, depth: int, window: Window, among: Sequence[gdl.Move] | None
    ) -> None:
        require_moves(self.machine, state)
        if self.machine.is_terminal(state):
            raise GgpError("expected a state that is not terminal, got one where the game is over")
        if state != self._state:
            forget_half(self.position.order)
            self.position.counters[descend.TURN] += 1
            self._state = state
        self._make_room_for(depth)
        self._before = self.position.counters.copy()
        if self._network is not None:  # all evaluated states are the same number of plies away
            units = self.position.leaf.units
            units.phase[0] = (self._network.phase_of(state) + depth) % len(units.output)
        begin(self.game.at, self.position, self.game.pack(state), depth)
        self.position.root[:, 1] = NONE
        stack = self.position.stack
        stack.lowers[0], stack.uppers[0] = stack.alphas[0], stack.betas[0] = window
        if among is not None and stack.roles[0] == self.own:
            self._narrow(set(among))

    def _narrow(self, among: set[gdl.Move]) -> None:
        """Keep only the moves `among` in the first frame."""
        stack = self.position.stack
        end = stack.nexts[0]
        for place in range(end, stack.ends[0]):
            if self.game.inputs[stack.moves[place]][1] in among:
                stack.moves[end], stack.ranks[end] = stack.moves[place], stack.ranks[place]
                end += 1
        stack.ends[0] = end
        stack.is_first[0] = 0  # so that the result is not stored as the value of the state

    def _run(self, deadline: Deadline, depth: int, last: float) -> None:
        counters, status = self.position.counters, NONE
        while status != DONE:
            if deadline.is_over() or self.nodes >= last:
                raise OutOfTime(f"the time was over before depth {depth} was searched")
            counters[descend.MAX_NODES] = min(self.nodes + self._chunk, last)
            begun = time.perf_counter()
            status = run(self.game.at, self.position)
            seconds = time.perf_counter() - begun
            if status == NO_ROOM:
                stack = self.position.stack
                more = with_more_moves(stack, 2 * len(stack.moves))
                self.position = self.position._replace(stack=more)
            else:
                self._chunk = next_chunk(self._chunk, seconds, _MAX_NODES)

    def _make_room_for(self, depth: int) -> None:
        game, stack = self.game, self.position.stack
        num_frames = (depth + 1) * len(game.roles)
        if num_frames <= len(stack.roles):
            return
        order = make_order(num_frames, len(game.inputs))
        order.history[:] = self.position.order.history
        stack = make_stack(num_frames, len(game.roles), game.num_words, len(stack.moves))
        self.position = self.position._replace(stack=stack, order=order)

    def _answer(self, state: gdl.State, depth: int, window: Window) -> DepthResult:
        counters = self.position.counters - self._before
        line, is_ended = self._line(state, depth)
        moves = self._move_values(window, len(line) if is_ended else None)
        best = moves[0]
        nodes = int(counters[descend.NODES])
        return DepthResult(
            result=SearchResult.ranked(moves, nodes, line),
            depth=depth,
            nodes=nodes,
            evaluations=int(counters[descend.EVALUATIONS]),
            cutoffs=int(counters[descend.CUTOFFS]),
            is_complete=bool(self.position.stack.is_complete[0]) and best.lower == best.upper,
        )

    def _move_values(self, window: Window, length: int | None) -> tuple[MoveValue, ...]:
        """Return the searched moves, the best first.

        The values of all moves except the best are upper bounds.
        """
        position, inputs = self.position, self.game.inputs
        nodes = int(self._before[descend.NODES])
        stack, (alpha, beta) = position.stack, window
        chosen = int(stack.best_moves[0])
        if stack.roles[0] != self.own:  # our role had only one move, and others chose
            chosen = int(stack.chosen[0, self.own])
            rows = [(chosen, float(stack.bests[0]), bool(stack.is_complete[0]), self.nodes - nodes)]
        else:
            seen = np.flatnonzero(position.root[:, 1] != NONE)
            seen = seen[np.argsort(position.root[seen, 2])]
            visits = np.diff(position.root[seen, 2], prepend=nodes).astype(int).tolist()
            rows = [
                (move, float(value), bool(complete), count)
                for move, (value, complete, _), count in zip(
                    seen.tolist(), position.root[seen].tolist(), visits, strict=True
                )
            ]
        values = []
        for move, value, is_proven, count in rows:
            has_lower = is_proven and (value > alpha or value == WORST)
            has_upper = is_proven and (value < beta or value == BEST)
            lower, upper = value if has_lower else WORST, value if has_upper else BEST
            plies = length if move == chosen and lower == upper else None
            values.append(MoveValue(inputs[move][1], value, count, lower, upper, plies))
            alpha = max(alpha, value)
        best = inputs[chosen][1]
        return tuple(sorted(values, key=lambda each: (each.move is best, each.value), reverse=True))

    def _line(self, state: gdl.State, depth: int) -> tuple[tuple[Joint, ...], bool]:
        """Return the expected line as far as the table has it, and whether it proves the value.

        It proves the value if it leads to a terminal state in which the role's goal is that value.
        """
        machine, stack, joints = self.machine, self.position.stack, list[Joint]()
        keys = np.zeros((1, 2), np.uint64)
        move = int(stack.best_moves[0])
        while len(joints) < min(depth, LONGEST_LINE):
            choices = choices_in(machine, state)
            if move == NONE or not choices or len(deciders_of(choices)) > 1:
                break
            mover, made = self.game.inputs[move]
            if made not in choices[mover]:
                break
            joint = tuple(made if r == mover else options[0] for r, options in enumerate(choices))
            joints.append(joint)
            state = machine.next_state(state, joint)
            if machine.is_terminal(state):
                goal = machine.goal(state, machine.roles[self.own])
                return tuple(joints), goal == stack.bests[0]
            move = known_move(self.position.table, self.game.pack(state)[None], keys)
        return tuple(joints), False


def make_search(
    game: gdl.Game,
    role: gdl.Role,
    evaluate: Evaluation,
    num_entries: int = TABLE_BYTES // BYTES_PER_ENTRY,
) -> ArraySearch | None:
    """Create a search in arrays.

    Return None if the game is not compiled or the evaluation has no form in arrays.

    Args:
        evaluate: The evaluation of the states where the search stops.
        num_entries: Maximum number of states in the table.
    """
    own = game.roles.index(role)
    form = form_of(evaluate, own)
    if form is None:
        return None
    arrays = game.arrays(form.needs)
    if arrays is None or not set(form.marks) <= set(arrays.facts):
        return None
    return ArraySearch(game, arrays, own, form, num_entries * BYTES_PER_ENTRY)
