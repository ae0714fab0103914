"""Merging: one plan for the whole game out of a plan for each of its parts.

Where a move acts on one part, plans are played one after the other; else all at once, move by move.
What comes out is played on the whole game, so it is what it says it is: the end of the game may
come too early, or a move not be legal when its turn comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

import gdl
from ggp.search.arrays.single_agent.store import IntArray
from ggp.search.choices import Joint
from ggp.search.result import CompleteLine

ANY = -1  # no wish; the same as the number of a passing move where there is none
Plan = Sequence[int]  # inputs of a subgame


class Merger:
    """Plays plans of parts on the whole game."""

    def __init__(self, machine: gdl.StateMachine, netlist: gdl.Netlist, horizon: int) -> None:
        """For a machine.

        Args:
            machine: Of the whole game.
            netlist: Its circuit.
            horizon: Longest plan.
        """
        self._machine = machine
        self._horizon = horizon
        self._number = {move: number for number, (_, move) in enumerate(netlist.inputs)}

    def merged(
        self,
        state: gdl.State,
        subgames: Sequence[gdl.Subgame],
        plans: Sequence[Plan],
        *,
        at_once: bool,
    ) -> CompleteLine | None:
        """The best way to an end that the plans make; None if they make none.

        Args:
            state: Where they begin.
            subgames: The parts.
            plans: A plan for each.
            at_once: Whether they are played all at once, not one after the other.
        """
        passing = np.array([subgame.passing for subgame in subgames])
        kinds = np.array([subgame.kinds for subgame in subgames], np.int32)
        orders = _all_at_once if at_once else _one_after_the_other
        lines = [
            self._played(state, kinds, wishes, passing)
            for wishes in orders(plans, passing.tolist())
        ]
        return max(
            (line for line in lines if line is not None),
            key=lambda line: (line.goal, -len(line.moves)),
            default=None,
        )

    def _played(
        self, state: gdl.State, kinds: IntArray, wishes: IntArray, passing: IntArray
    ) -> CompleteLine | None:
        """The way to the end if each move is what is wished; after that, nothing more is done."""
        machine, moves = self._machine, list[Joint]()
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
    """Wishes for each part move by move."""
    length = max(map(len, plans))
    columns = [
        [*plan, *[idle] * (length - len(plan))] for plan, idle in zip(plans, passing, strict=True)
    ]
    yield np.array(columns, np.int32).T.reshape(length, len(plans))
