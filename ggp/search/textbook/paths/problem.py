"""The problem: a game as a graph of states, whose edges are the moves of one player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import gdl
from ggp.search.core.choices import Joint, choices_in


@dataclass(frozen=True, slots=True)
class PathProblem:
    """A game as a role sees it that plans alone.

    Where there are other roles, each of them is assumed to make its first legal move: a plan needs
    one successor for each own move. It is made anew as soon as they do something else.
    """

    game: gdl.Game
    role: gdl.Role
    own: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", self.game.roles.index(self.role))

    @property
    def is_certain(self) -> bool:
        """Whether a plan must come true: nobody else moves."""
        return len(self.game.roles) == 1

    def is_end(self, state: gdl.State) -> bool:
        """Whether the game is over."""
        return self.game.is_terminal(state)

    def goal(self, state: gdl.State) -> float:
        """The goal of the role in a state, 0..100."""
        return float(self.game.goal(state, self.role))

    def moves(self, state: gdl.State) -> Iterator[Joint]:
        """The joint move for each own move, in the order of the rules.

        There is none where some role has no legal move, which only broken rules bring about.
        """
        choices = choices_in(self.game, state)
        if choices:
            first = [moves[0] for moves in choices]
            for move in choices[self.own]:
                yield (*first[: self.own], move, *first[self.own + 1 :])
