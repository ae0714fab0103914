"""The interface that every reasoner implements and every search uses.

A search does not know which reasoner it uses. States are opaque, hashable values that only their
own reasoner understands. Roles and moves are interned terms, which are equal only if they are the
same object.
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

RANDOM = "random"  # the role reserved for chance
_GOAL = re.compile(r"[+-]?[0-9]{1,9}")  # a NUMBER of `gdl.tokens` that is short enough


class StateMachine(Protocol):
    """Interface to a game: the operations of Genesereth's lectures on GGP as methods.

    Methods raise `gdl.EvaluationLimitError` if the rules cannot be evaluated within the limits.
    """

    @property
    def roles(self) -> tuple[Role, ...]:
        """Roles, in the order of the rulesheet. Joint moves use the same order."""
        ...

    def initial_state(self) -> State:
        """Return the state in which the game starts."""
        ...

    def legal_moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """Return the legal moves of a role in a fixed order.

        In terminal states there may be none.
        """
        ...

    def next_state(self, state: State, moves: Sequence[Move]) -> State:
        """Return the state after a joint move, one move per role in role order."""
        ...

    def is_terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        ...

    def goal(self, state: State, role: Role) -> int:
        """Return a role's goal, 0..100: the highest one if the rules give several, 0 if none."""
        ...

    def goals(self, state: State, role: Role) -> tuple[int, ...]:
        """Return all goals of a role in ascending order. Well-formed rules give exactly one."""
        ...

    def control(self, state: State) -> Role | None:
        """Return the role that decides: the only one with a choice.

        Return None if several roles have a choice. If no role has a choice, return the role named
        by a fact (control ROLE), or else the first role.
        """
        ...

    def percepts(self, state: State, moves: Sequence[Move], role: Role) -> tuple[Term, ...]:
        """Return what a role sees (`sees` of GDL-II) when a joint move is made, sorted by text."""
        ...

    def facts(self, state: State) -> tuple[Term, ...]:
        """Return the facts that are true in a state, sorted by text."""
        ...

    def state_of(self, facts: Iterable[Term]) -> State:
        """Return the state in which exactly the given facts are true."""
        ...


def is_random(role: Role) -> bool:
    """Return whether a role is `random`, which stands for chance."""
    return role.name.lower() == RANDOM


def wrong_role(role: object, roles: Sequence[Role]) -> ValueError:
    """Return the error to raise for a role that the game does not have, such as a string."""
    found = str(role) if isinstance(role, Term) else f"the {type(role).__name__} {role!r}"
    return ValueError(f"expected one of the roles in `roles` ({_named(roles)}), got {found}")


def require_joint_move(moves: Sequence[Move] | Term | str, roles: Sequence[Role]) -> None:
    """Raise an error unless there is exactly one move for each role.

    Raises:
        TypeError: `moves` is a single move, or a string.
        IllegalMoveError: There are more or fewer moves than roles.
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
    """Raise TypeError if one of the moves is a string instead of a term."""
    moves = tuple(moves)
    if str in map(type, moves):
        texts = ", ".join(repr(move) if isinstance(move, str) else str(move) for move in moves)
        raise TypeError(f"expected moves from legal_moves or gdl.read_term, got {texts}")


def goal_value(value: Term) -> int | None:
    """Return the number that a goal term denotes.

    Return None if the term is not a number, or if it has more than nine digits, too many for a
    goal.
    """
    text = str(value)
    return int(text) if _GOAL.fullmatch(text) else None
