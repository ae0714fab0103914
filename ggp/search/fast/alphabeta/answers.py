"""From the first frame of the stack to the answer of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import gdl
from ggp.search.core.choices import Joint, choices_in, deciders_of
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue, SearchResult
from ggp.search.fast.alphabeta import descend
from ggp.search.fast.alphabeta.descend import SearchPosition
from ggp.search.fast.alphabeta.table import known_move
from ggp.search.kernels.arrays import NONE, LongArray

LONGEST_LINE = 100


@dataclass(frozen=True, slots=True)
class Finished:
    """A search whose stack is empty.

    Attributes:
        machine: The game.
        game: The same in arrays.
        own: Index of the role that searched.
        position: What the search has left.
        before: `counters` as the search began.
    """

    machine: gdl.StateMachine
    game: gdl.ScalarGame
    own: int
    position: SearchPosition
    before: LongArray


def answer_of(
    search: Finished, state: gdl.State, depth: int, window: tuple[float, float]
) -> DepthResult:
    """The findings of a search.

    Args:
        search: What it has left.
        state: The root.
        depth: Plies.
        window: Of the root.
    """
    nodes, evaluations, cutoffs = (
        int(search.position.counters[what] - search.before[what])
        for what in (descend.NODES, descend.EVALUATIONS, descend.CUTOFFS)
    )
    line, is_ended = _line(search, state, depth)
    moves = _move_values(search, window, len(line) if is_ended else None)
    best = moves[0]
    result = SearchResult(
        move=best.move,
        value=best.value,
        visits=nodes,
        lower=best.lower,
        upper=best.upper,
        line=line,
        moves=moves,
    )
    is_complete = bool(search.position.stack.is_complete[0]) and best.lower == best.upper
    return DepthResult(
        result=result,
        depth=depth,
        nodes=nodes,
        evaluations=evaluations,
        cutoffs=cutoffs,
        is_complete=is_complete,
    )


def _move_values(
    search: Finished, window: tuple[float, float], length: int | None
) -> tuple[MoveValue, ...]:
    """The moves looked at, the best first; values of the others are upper bounds."""
    position, inputs = search.position, search.game.inputs
    nodes = int(search.before[descend.NODES])
    stack, (alpha, beta) = position.stack, window
    chosen = int(stack.best_moves[0])
    if stack.roles[0] != search.own:  # there was one move only, and others chose
        only = int(stack.chosen[0, search.own])
        total = int(position.counters[descend.NODES]) - nodes
        rows = [(only, float(stack.bests[0]), bool(stack.is_complete[0]), total)]
        chosen = only
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


def _line(search: Finished, state: gdl.State, depth: int) -> tuple[tuple[Joint, ...], bool]:
    """The joint moves expected, as far as the table knows them; whether they end in the value."""
    machine, joints = search.machine, list[Joint]()
    role = machine.roles[search.own]
    keys = np.zeros((1, 2), np.uint64)
    move = int(search.position.stack.best_moves[0])
    while len(joints) < min(depth, LONGEST_LINE):
        choices = choices_in(machine, state)
        if move == NONE or not choices or len(deciders_of(choices)) > 1:
            break
        mover, made = search.game.inputs[move]
        if made not in choices[mover]:
            break
        joint = tuple(made if r == mover else options[0] for r, options in enumerate(choices))
        joints.append(joint)
        state = machine.next_state(state, joint)
        if machine.is_terminal(state):
            return tuple(joints), machine.goal(state, role) == search.position.stack.bests[0]
        move = known_move(search.position.table, search.game.pack(state)[None], keys)
    return tuple(joints), False
