"""The choices in a state: the legal moves of every role, and which roles have a choice."""

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
    """The state does not show whose turn it is, but the game has a circuit for each turn."""

    def __init__(self) -> None:
        super().__init__("expected a state that shows whose turn it is")


def require_moves(machine: gdl.StateMachine, state: gdl.State, where: str = "there") -> None:
    """Check that a search can start in a state. Terminal states pass; the caller checks for those.

    Args:
        where: A description of the state for the error message, such as "on turn 3".

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
    """Return the legal moves of every role in a state that is not terminal.

    Return an empty tuple if a role has no legal move. The rules are broken there, and the game
    cannot continue.
    """
    choices = tuple(machine.legal_moves(state, role) for role in machine.roles)
    return choices if all(choices) else ()


def deciders_of(choices: Choices) -> tuple[int, ...]:
    """Return the indices of the roles with more than one legal move."""
    return tuple(index for index, moves in enumerate(choices) if len(moves) > 1)


def in_words(machine: gdl.StateMachine, state: gdl.State, line: Sequence[Joint]) -> list[str]:
    """Describe a line of play: for each joint move, list the moves of the roles with a choice.

    If no role has a choice, list the moves of all roles.
    """
    found = []
    for joint in line:
        choices = [machine.legal_moves(state, role) for role in machine.roles]
        deciders = deciders_of(tuple(choices)) or range(len(joint))
        found.append(" ".join(str(joint[index]) for index in deciders))
        state = machine.next_state(state, joint)
    return found


def random_index(machine: gdl.StateMachine) -> int | None:
    """Return the index of the `random` role, or None if the game has none."""
    for index, role in enumerate(machine.roles):
        if gdl.is_random(role):
            return index
    return None


def goals_in(machine: gdl.StateMachine, state: gdl.State) -> tuple[float, ...]:
    """Return the goal of every role, in role order."""
    return tuple(float(machine.goal(state, role)) for role in machine.roles)


def is_deterministic_solo(roles: Sequence[gdl.Role]) -> bool:
    """Return whether a single role decides everything, so that any line can be replayed."""
    return len(roles) == 1
