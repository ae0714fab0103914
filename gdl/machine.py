"""The contract that every reasoner keeps and every search uses.

A search never knows which reasoner it has. States are opaque, hashable values of the reasoner that
made them; roles and moves are interned terms, equal exactly when they are the same object.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

from gdl.errors import IllegalMoveError
from gdl.terms import Constant, Term

Role = Constant
Move = Term
State = Hashable
S = TypeVar("S")

RANDOM = "random"  # the role that GDL reserves for chance
_GOAL = re.compile(r"[+-]?[0-9]{1,9}")


class StateMachine(Protocol):
    """A game to be played: the operations of the lectures as methods.

    Methods raise `gdl.EvaluationLimitError` if the rules cannot be evaluated within the bounds.
    """

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles, in the order of the rulesheet; joint moves use the same order."""
        ...

    def initial_state(self) -> State:
        """The state in which the game starts."""
        ...

    def legal_moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """The legal moves of a role in a fixed order; in terminal states there may be none."""
        ...

    def next_state(self, state: State, moves: Sequence[Move]) -> State:
        """The state after a joint move, one move per role in role order."""
        ...

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        ...

    def goal(self, state: State, role: Role) -> int:
        """The goal value of a role, 0..100; 0 if the rules give none, the highest if several."""
        ...

    def goals(self, state: State, role: Role) -> tuple[int, ...]:
        """All goal values that the rules give a role, ascending; well-formed rules give one."""
        ...

    def control(self, state: State) -> Role | None:
        """The role that decides: the only one with a choice.

        If several have one it is None. If none has one it is the role that a fact (control ROLE)
        names, else the first role.
        """
        ...

    def percepts(self, state: State, moves: Sequence[Move], role: Role) -> tuple[Term, ...]:
        """Percepts of a role when a joint move is made (`sees` of GDL-II), sorted by text."""
        ...

    def facts(self, state: State) -> tuple[Term, ...]:
        """The facts that are true in a state, sorted by text."""
        ...

    def state_of(self, facts: Iterable[Term]) -> State:
        """The state in which exactly the given facts are true."""
        ...


def is_random(role: Role) -> bool:
    """Whether a role is the one that GDL reserves for chance."""
    return role.name.lower() == RANDOM


def wrong_role(role: object, roles: Sequence[Role]) -> ValueError:
    """The error of a role that a game does not have, such as its name as a text."""
    found = str(role) if isinstance(role, Term) else f"the {type(role).__name__} {role!r}"
    return ValueError(f"expected a role as `roles` has them ({_named(roles)}), got {found}")


def require_joint_move(moves: Sequence[Move] | Term | str, roles: Sequence[Role]) -> None:
    """Raise an error unless there is one move for each role.

    Raises:
        TypeError: It is a move, or a text.
        IllegalMoveError: There are more or fewer.
    """
    if isinstance(moves, Term | str):
        found = f"the text {moves!r}" if isinstance(moves, str) else f"the move {moves}"
        raise TypeError(f"expected a joint move, one move per role ({_named(roles)}), got {found}")
    if len(moves) != len(roles):
        raise IllegalMoveError(
            f"expected {len(roles)} moves, one per role ({_named(roles)}), got {len(moves)}"
        )


def _named(roles: Sequence[Role]) -> str:
    return " ".join(map(str, roles))


def refuse_texts(moves: Iterable[object]) -> None:
    """Raise a TypeError if one of the moves is a text instead of a term."""
    moves = tuple(moves)
    if str in map(type, moves):
        texts = ", ".join(repr(move) if isinstance(move, str) else str(move) for move in moves)
        raise TypeError(
            f"expected moves as legal_moves gives them, or read by gdl.read_term; got {texts}"
        )


def goal_value(value: Term) -> int | None:
    """The number that a goal is; None for what is none, and beyond nine digits, so for no goal."""
    text = str(value)
    return int(text) if _GOAL.fullmatch(text) else None
