"""Detection of opponents, from the goal rules and from the goals at the end of random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, starmap
from random import Random
from typing import Final

from gdl.errors import GdlError
from gdl.machine import Role, State, StateMachine
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import item_variables
from gdl.terms import Term, Variable, args_of

GAMES: Final = 10
TURNS: Final = 12
"""Longest random game, in turns. Longer games are abandoned."""
_ALL: Final = 100  # sum of the goals of two players if one wins what the other loses
_ROLE: Final = Relation("role", 1)


def are_opponents(rules: Rulesheet, machine: StateMachine, players: Sequence[Role]) -> bool:
    """Return whether two players are opponents: nothing shows that both can win.

    They can if rules give both a winner's goal under the same conditions, or if the sum of their
    goals at the end of a random game is more than one player can have.
    """
    wins = [
        rule
        for rule in rules.definitions.get(Relation("goal", 2), ())
        if _is_win(args_of(rule.head)[1])
    ]
    if any(map(_is_of_any_role, wins)) or any(starmap(_is_of_two, combinations(wins, 2))):
        return False
    try:
        ends = _ends(machine)
        return all(_sum(machine, state, players) <= _ALL for state in ends)
    except GdlError:
        return True


def _is_win(value: Term) -> bool:
    return str(value).isdecimal() and 2 * int(str(value)) > _ALL


def _is_of_any_role(rule: Rule) -> bool:
    """Return whether a rule holds for any role: `role` is its only condition on the role."""
    role = args_of(rule.head)[0]
    about = [item for item in rule.body if role in item_variables(item)]
    return isinstance(role, Variable) and all(
        isinstance(item, Literal) and item.is_positive and item.relation == _ROLE for item in about
    )


def _is_of_two(one: Rule, other: Rule) -> bool:
    """Return whether two rules are about different roles and have the same conditions."""
    first, second = args_of(one.head)[0], args_of(other.head)[0]
    is_of_two = first.is_ground and second.is_ground and first is not second
    return is_of_two and frozenset(map(str, one.body)) == frozenset(map(str, other.body))


def _ends(machine: StateMachine) -> Iterator[State]:
    """Yield the last states of random games. Stop at the first game that takes too long."""
    random = Random(0)
    for _ in range(GAMES):
        state, turn = machine.initial_state(), 0
        while not machine.is_terminal(state):
            legal = [machine.legal_moves(state, role) for role in machine.roles]
            if turn == TURNS or not all(legal):
                return
            state = machine.next_state(state, [random.choice(moves) for moves in legal])
            turn += 1
        yield state


def _sum(machine: StateMachine, state: State, players: Sequence[Role]) -> int:
    goals = [machine.goals(state, role) for role in players]
    return sum(found[0] for found in goals if len(found) == 1)
