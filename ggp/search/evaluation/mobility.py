"""Mobility and control: how many moves each role can choose from.

The lecture *Game Playing* weighs what is good for a player against what is good for the others.
Mobility is the oldest such measure that needs only the legal moves. See Clune, Heuristic Evaluation
Functions for General Game Playing, 2007.
"""

from __future__ import annotations

from collections.abc import Sequence

import gdl
from ggp.search.core.playout import sample_states
from ggp.search.evaluation.evaluation import EVEN


class Turns:
    """The facts that mark whose turn it is, such as `(control white)`, whatever their names.

    They are found in states of random games: the fact of a role is true whenever only this role has
    a choice, and never when only another role has one. Replacing one of these facts by another
    gives the same state with another role to move, which textbooks call the null move.
    """

    def __init__(self, machine: gdl.StateMachine, states: Sequence[gdl.State]) -> None:
        self._machine = machine
        # For each role, including `random`, the fact that holds if only this role has a choice.
        # Empty if some role has no such fact.
        self.marks: tuple[gdl.Term, ...] = _marks(machine, states)

    def passed_to(self, state: gdl.State, role: gdl.Role) -> gdl.State | None:
        """Return the state with `role` to move, or None if the rules do not mark turns."""
        if not self.marks:
            return None
        wanted = self.marks[self._machine.roles.index(role)]
        facts = self._machine.facts(state)
        if wanted in facts:
            return state
        marks = set(self.marks)
        return self._machine.state_of([*(fact for fact in facts if fact not in marks), wanted])


def _marks(machine: gdl.StateMachine, states: Sequence[gdl.State]) -> tuple[gdl.Term, ...]:
    always: dict[gdl.Role, set[gdl.Term]] = {}
    ever: dict[gdl.Role, set[gdl.Term]] = {role: set() for role in machine.roles}
    for state in states:
        decider = _only_decider(machine, state)
        if decider is None:
            continue
        facts = set(machine.facts(state))
        always[decider] = always[decider] & facts if decider in always else facts
        ever[decider] |= facts
    if len(always) < len(machine.roles) or len(machine.roles) < 2:
        return ()
    found = []
    for role in machine.roles:
        elsewhere = set().union(*(ever[other] for other in machine.roles if other is not role))
        # Try facts that name the role first, because step counters may also alternate with the
        # turns.
        own = sorted(always[role] - elsewhere, key=lambda fact: (not _names(fact, role), str(fact)))
        if not own:
            return ()
        found.append(own[0])
    return tuple(found)


def _only_decider(machine: gdl.StateMachine, state: gdl.State) -> gdl.Role | None:
    deciding = [role for role in machine.roles if len(machine.legal_moves(state, role)) > 1]
    return deciding[0] if len(deciding) == 1 else None


def _names(fact: gdl.Term, role: gdl.Role) -> bool:
    return isinstance(fact, gdl.Compound) and role in fact.args


class MobilityEvaluation:
    """The share of legal moves of a role, compared with the mean of the other roles.

    The value is `100 * own / (own + mean of the others)`, so 50 if all roles have equally many
    moves.

    If roles take turns and the rules mark turns by facts (see `Turns`), a role that is not to move
    is given the number of moves that it would have if it were to move. If the rules do not mark
    turns, it is given the mean number of choices in random games, so that only the mobility of the
    mover matters. The moves of the `random` role do not count.
    """

    def __init__(
        self, machine: gdl.StateMachine, states: Sequence[gdl.State] | None = None
    ) -> None:
        states = sample_states(machine) if states is None else states
        self._machine = machine
        self._turns = Turns(machine, states)
        self.usual = _mean_choice(machine, states)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the value of every role, 0..100."""
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
        """The facts that mark the turn of each role; empty if the rules do not mark turns."""
        return self._turns.marks

    def num_moves(self, state: gdl.State) -> tuple[float | None, ...]:
        """Return the number of moves that each role has, or would have if it were to move.

        The number for `random` is None.
        """
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
        return float(max(1, len(moves)))  # an unreachable state may leave no moves


class ControlEvaluation:
    """The right to move: 75 for roles that have a choice, and 25 for all other roles.

    If roles take turns, the value shows which role is to move. It is useful as one of several
    features, in games where the right to move is worth something.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return 75 for roles with a choice and 25 for roles without, or 50 if all are alike."""
        machine = self._machine
        decides = [len(machine.legal_moves(state, role)) > 1 for role in machine.roles]
        if all(decides) or not any(decides):
            return (EVEN,) * len(decides)
        return tuple(75.0 if own else 25.0 for own in decides)


def _mean_choice(machine: gdl.StateMachine, states: Sequence[gdl.State]) -> float:
    counts = [
        count
        for state in states
        for role in machine.roles
        if not gdl.is_random(role) and (count := len(machine.legal_moves(state, role))) > 1
    ]
    return sum(counts) / len(counts) if counts else 2.0
