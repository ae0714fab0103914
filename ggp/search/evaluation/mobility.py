"""Mobility and control: who has how much to choose from.

The lecture *Game Playing* weighs what is good for a player against what is good for the others;
freedom to move is the oldest such measure that needs nothing but the legal moves. See Clune,
Heuristic Evaluation Functions for General Game Playing, 2007.
"""

from __future__ import annotations

from collections.abc import Sequence

import gdl
from ggp.search.evaluation.evaluation import EVEN
from ggp.search.evaluation.samples import sample_states
from ggp.search.evaluation.turns import Turns


class MobilityEvaluation:
    """A role is worth its share of the legal moves, against the mean of the other roles.

    `100 * own / (own + mean of the others)`: 50 where all have as many. In a game of turns a role
    that waits is given the moves that it had if it were its turn, where the rules mark the turn by
    facts (see `Turns`); else the mean number of moves of whoever decides, so that only the mover's
    freedom counts. The `random` role has no freedom that counts.

    Attributes:
        usual: That mean number.
    """

    def __init__(
        self, machine: gdl.StateMachine, states: Sequence[gdl.State] | None = None
    ) -> None:
        """Look how the game takes turns.

        Args:
            machine: The game.
            states: Sample states; by default those of `sample_states`.
        """
        states = sample_states(machine) if states is None else states
        self._machine = machine
        self._turns = Turns(machine, states)
        self.usual = _mean_choice(machine, states)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The share of every role, 0..100."""
        counts = self.num_moves(state)
        counted = [index for index, count in enumerate(counts) if count is not None]
        values = []
        for index, own in enumerate(counts):
            others = [counts[other] or 0.0 for other in counted if other != index]
            against = sum(others) / len(others) if others else self.usual
            total = (own or 0.0) + against
            values.append(100 * own / total if own is not None and total else EVEN)
        return tuple(values)

    @property
    def marks(self) -> tuple[gdl.Term, ...]:
        """The facts that mark the turn of each role; empty if the rules do not mark it."""
        return self._turns.marks

    def num_moves(self, state: gdl.State) -> tuple[float | None, ...]:
        """From how many moves each role can choose, or could if it had the turn; None: chance."""
        machine = self._machine
        counts = [len(machine.legal_moves(state, role)) for role in machine.roles]
        deciders = [index for index, count in enumerate(counts) if count > 1]
        waits = len(counts) > 1 and len(deciders) <= 1
        found: list[float | None] = []
        for index, role in enumerate(machine.roles):
            if gdl.is_random(role):
                found.append(None)
            elif waits and index not in deciders:
                found.append(self._if_it_moved(state, role, counts[index]))
            else:
                found.append(float(counts[index]))
        return tuple(found)

    def _if_it_moved(self, state: gdl.State, role: gdl.Role, count: int) -> float:
        passed = self._turns.passed_to(state, role)
        if passed is None:
            return max(float(count), self.usual)
        moves = self._machine.legal_moves(passed, role)
        return float(max(1, len(moves)))  # a state that no play leads to may leave none


class ControlEvaluation:
    """A role is worth the more, the larger its share of those who have a choice.

    In a game of turns it says who has the move: 75 against 25. It makes sense as one feature
    among others, where the right to move is worth something.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """75 for those who decide and 25 for the others; 50 if all do or none does."""
        machine = self._machine
        decides = [len(machine.legal_moves(state, role)) > 1 for role in machine.roles]
        if all(decides) or not any(decides):
            return (EVEN,) * len(decides)
        return tuple(75.0 if own else 25.0 for own in decides)


def _mean_choice(machine: gdl.StateMachine, states: Sequence[gdl.State]) -> float:
    """Moves of a role with a choice, on the average of the states; 2 if none has one."""
    counts = [
        count
        for state in states
        for role in machine.roles
        if not gdl.is_random(role) and (count := len(machine.legal_moves(state, role))) > 1
    ]
    return sum(counts) / len(counts) if counts else 2.0
