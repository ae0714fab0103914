"""A state machine over a game tree that a test writes down: every value is known by hand.

    >>> tree = decision("max", left=terminal(30, 70), right=terminal(60, 40))
    >>> machine = GameTreeMachine(("max", "min"), tree)
    >>> state = machine.initial_state()
    >>> [str(move) for move in machine.legal_moves(state, machine.roles[0])]
    ['left', 'right']

Roles without a choice have the one move `noop`. States are the places in the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import gdl

Joint = TypeVar("Joint", bound=tuple[str, ...])

NOOP = gdl.Constant("noop")


@dataclass(frozen=True, eq=False)
class Place:
    """A state: who may move how, where that leads, and the goals (also before the end)."""

    goals: tuple[int, ...] = ()
    moves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The moves of each role that has a choice."""
    after: Mapping[tuple[str, ...], Place] = field(default_factory=dict)
    """The place after each joint choice of those roles, in the order of `moves`."""


def terminal(*goals: int) -> Place:
    """The end of the game, with a goal for each role."""
    return Place(goals)


def decision(role: str, /, **after: Place) -> Place:
    """One role decides; a place for each of its moves."""
    return Place((), {role: tuple(after)}, {(move,): place for move, place in after.items()})


def meeting(
    moves: Mapping[str, tuple[str, ...]],
    after: Mapping[Joint, Place],
) -> Place:
    """Several roles decide at once; `after` has a place for each combination of their moves."""
    return Place((), moves, {tuple(joint): place for joint, place in after.items()})


def game_tree(roles: Sequence[str], root: Place) -> gdl.Game:
    """A written-down tree as a game."""
    return gdl.Game(None, GameTreeMachine(roles, root), "interpreter", "written down")


class GameTreeMachine:
    """Plays a written-down tree. Keeps the contract of `gdl.StateMachine`.

    Attributes:
        num_steps: How often `next_state` was called.
    """

    def __init__(self, roles: Sequence[str], root: Place) -> None:
        self.roles = tuple(map(gdl.Constant, roles))
        self.num_steps = 0
        self._root = root

    def initial_state(self) -> gdl.State:
        """The root."""
        return self._root

    def legal_moves(self, state: gdl.State, role: gdl.Role) -> tuple[gdl.Move, ...]:
        """The moves written down, or `noop`; none at the end."""
        place = _place(state)
        if not place.moves:
            return ()
        return tuple(map(gdl.Constant, place.moves.get(role.name, (NOOP.name,))))

    def next_state(self, state: gdl.State, moves: Sequence[gdl.Move]) -> gdl.State:
        """The place after the choices of those who have one."""
        self.num_steps += 1
        place = _place(state)
        names = [role.name for role in self.roles]
        return place.after[tuple(str(moves[names.index(role)]) for role in place.moves)]

    def is_terminal(self, state: gdl.State) -> bool:
        """Whether nobody can move."""
        return not _place(state).moves

    def goal(self, state: gdl.State, role: gdl.Role) -> int:
        """The goal written down; 0 if none is."""
        goals = _place(state).goals
        return goals[self.roles.index(role)] if goals else 0

    def goals(self, state: gdl.State, role: gdl.Role) -> tuple[int, ...]:
        """The one goal."""
        return (self.goal(state, role),)

    def control(self, state: gdl.State) -> gdl.Role | None:
        """The only role with a choice."""
        choosers = [name for name, moves in _place(state).moves.items() if len(moves) > 1]
        if len(choosers) > 1:
            return None
        return gdl.Constant(choosers[0]) if choosers else self.roles[0]

    def percepts(
        self, state: gdl.State, moves: Sequence[gdl.Move], role: gdl.Role
    ) -> tuple[gdl.Term, ...]:
        """Nothing is hidden, so nothing is told."""
        return ()

    def facts(self, state: gdl.State) -> tuple[gdl.Term, ...]:
        """Places are no sets of facts."""
        return ()

    def state_of(self, facts: Iterable[gdl.Term]) -> gdl.State:
        """Places are no sets of facts."""
        raise LookupError("a written-down tree has no state of facts")


def _place(state: gdl.State) -> Place:
    assert isinstance(state, Place)
    return state
