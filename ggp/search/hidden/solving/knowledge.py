"""The knowledge of roles: each one's own moves and percepts so far, as a number.

Two ways through a game that a role cannot tell apart give it the same number. In a game of full
information a role sees every move: its percepts are `(does ROLE MOVE)` for all roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import gdl

NOTHING: Final = 0  # the number of what a role knows before the first move


class Turn(Protocol):
    """A role's knowledge of one turn: its own move, and what it saw."""

    @property
    def own_move(self) -> gdl.Move:
        """The move that the role made."""
        ...

    @property
    def percepts(self) -> frozenset[gdl.Term]:
        """All that it saw then."""
        ...


class Knowledge:
    """Everything that one role may know, each with its number.

    Knowledge grows by a turn at a time, so it is a tree: a number, a move and the percepts lead to
    the next number.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[int, gdl.Move, frozenset[gdl.Term]], int] = {}
        self._came_of: list[tuple[int, gdl.Move, frozenset[gdl.Term]] | None] = [None]

    def __len__(self) -> int:
        return len(self._came_of)

    def after(self, number: int, own_move: gdl.Move, percepts: frozenset[gdl.Term]) -> int:
        """The number of what is known after one turn more; a new one if it is new."""
        step = number, own_move, percepts
        found = self._next.get(step)
        if found is None:
            found = self._next[step] = len(self._came_of)
            self._came_of.append(step)
        return found

    def find(self, turns: Iterable[Turn]) -> int | None:
        """The number of what is known after these turns; None if it never comes to that."""
        number: int | None = NOTHING
        for turn in turns:
            if number is None:
                return None
            number = self._next.get((number, turn.own_move, frozenset(turn.percepts)))
        return number

    def turns(self, number: int) -> list[tuple[gdl.Move, frozenset[gdl.Term]]]:
        """The own moves and percepts that a number stands for."""
        found = []
        step = self._came_of[number]
        while step is not None:
            found.append(step[1:])
            step = self._came_of[step[0]]
        return found[::-1]


def hides_information(game: gdl.Game) -> bool:
    """Whether roles know only what the rules let them see (GDL-II)."""
    return game.rulesheet is not None and ("sees", 2) in game.rulesheet.definitions


def percepts_of_all(
    game: gdl.Game, state: gdl.State, moves: Sequence[gdl.Move]
) -> list[frozenset[gdl.Term]]:
    """The percepts of each role when a joint move is made."""
    if hides_information(game):
        return [frozenset(game.percepts(state, moves, role)) for role in game.roles]
    pairs = zip(game.roles, moves, strict=True)
    seen = frozenset(gdl.Compound("does", (role, move)) for role, move in pairs)
    return [seen] * len(game.roles)
