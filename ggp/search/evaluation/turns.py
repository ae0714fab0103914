"""Whose turn a state says it is, found without knowing what the rules call it.

In a game of turns the role that waits has one move that does nothing, so that its legal moves say
nothing of its mobility. But most rulesheets mark the turn by one fact a role, such as
`(control white)`. Those facts show in the states of random games: each holds when its role has a
choice, and never when another has one. Exchanging them gives the state as if it were the other
role's turn: the null move of the textbooks.
"""

from __future__ import annotations

from collections.abc import Sequence

import gdl


class Turns:
    """The facts that mark the turn, if there are such facts.

    Attributes:
        marks: For each role the fact that holds when it is the only one with a choice; empty if
            some role has none. The `random` role counts as a role.
    """

    def __init__(self, machine: gdl.StateMachine, states: Sequence[gdl.State]) -> None:
        """Find the facts.

        Args:
            machine: The game.
            states: Sample states, not terminal.
        """
        self._machine = machine
        self.marks: tuple[gdl.Term, ...] = _marks(machine, states)

    def passed_to(self, state: gdl.State, role: gdl.Role) -> gdl.State | None:
        """The same state with `role` to move; None if the rules do not mark turns."""
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
        # Facts of the role's own name first: step counters may keep pace with the turns.
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
