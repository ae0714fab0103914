"""The choices in a state: the legal moves of every role, and the roles that have a choice."""

from __future__ import annotations

from collections.abc import Sequence

import gdl
from ggp.errors import GgpError

Joint = tuple[gdl.Move, ...]
"""One move per role, in role order."""
Choices = tuple[tuple[gdl.Move, ...], ...]
"""The legal moves of each role, in role order."""


class StuckError(GgpError):
    """The rules are broken: a role has no legal move in a state that is not terminal."""


class TurnUnknownError(GgpError):
    """A game has a circuit for each turn, and a state does not show which one is in turn."""

    def __init__(self) -> None:
        super().__init__("expected a state that shows whose turn it is")


def require_moves(machine: gdl.StateMachine, state: gdl.State, where: str = "there") -> None:
    """See that a search can begin in a state. A terminal one is the caller's to know.

    Args:
        where: What the state is in words, for the error: "on turn 3".

    Raises:
        StuckError: The state is not terminal, and some role has no legal move.
    """
    if machine.is_terminal(state):
        return
    for role in machine.roles:
        if not machine.legal_moves(state, role):
            raise StuckError(
                f"the rules give role {role} no legal move {where}, and the state is not terminal"
            )


def choices_in(machine: gdl.StateMachine, state: gdl.State) -> Choices:
    """The legal moves of every role in a state that is not terminal.

    Empty if some role has no legal move: the rules are broken there, and nobody can move on.
    """
    choices = tuple(machine.legal_moves(state, role) for role in machine.roles)
    return choices if all(choices) else ()


def deciders_of(choices: Choices) -> tuple[int, ...]:
    """Indices of the roles with more than one legal move."""
    return tuple(index for index, moves in enumerate(choices) if len(moves) > 1)


def in_words(machine: gdl.StateMachine, state: gdl.State, line: Sequence[Joint]) -> list[str]:
    """A line of play in words: of each joint move what was chosen, where anybody had a choice."""
    found = []
    for joint in line:
        choices = [machine.legal_moves(state, role) for role in machine.roles]
        deciders = deciders_of(tuple(choices)) or range(len(joint))
        found.append(" ".join(str(joint[index]) for index in deciders))
        state = machine.next_state(state, joint)
    return found


def random_index(machine: gdl.StateMachine) -> int | None:
    """Index of the `random` role, if the game has one."""
    for index, role in enumerate(machine.roles):
        if gdl.is_random(role):
            return index
    return None


def goals_in(machine: gdl.StateMachine, state: gdl.State) -> tuple[float, ...]:
    """The goal value of every role, in role order."""
    return tuple(float(machine.goal(state, role)) for role in machine.roles)


def is_deterministic_solo(roles: Sequence[gdl.Role]) -> bool:
    """Whether one role alone decides what happens, so that a line found can be played again."""
    return len(roles) == 1
