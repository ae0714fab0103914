"""The history of a match: its states so far, and the joint moves between them."""

from __future__ import annotations

from collections.abc import Sequence

import gdl
from ggp.search.core.choices import Joint, deciders_of


class History:
    """Follows a match by the texts of its moves.

    Attributes:
        machine: The game.
        moves: The joint moves made.
        states: One more than joint moves, the initial one first.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self.machine = machine
        self.moves: list[Joint] = []
        self.states = [machine.initial_state()]

    def follow(self, texts: Sequence[str]) -> None:
        """Go one joint move on; the texts are those of legal moves, in role order."""
        legal = self.legal(len(self.moves))
        joint = tuple(
            next(move for move in moves if str(move) == text)
            for moves, text in zip(legal, texts, strict=True)
        )
        self.states.append(self.machine.next_state(self.states[-1], joint))
        self.moves.append(joint)

    def cut(self, num_turns: int) -> None:
        """Keep so many turns only."""
        del self.moves[num_turns:]
        del self.states[num_turns + 1 :]

    def legal(self, turn: int) -> list[tuple[gdl.Move, ...]]:
        """The legal moves of each role after so many turns."""
        return [self.machine.legal_moves(self.states[turn], role) for role in self.machine.roles]

    def deciders(self, turn: int) -> tuple[int, ...]:
        """The indices of the roles that have a choice after so many turns."""
        return deciders_of(tuple(self.legal(turn)))

    def decisions(self, role: gdl.Role) -> list[int]:
        """After how many turns, each time, a role had a choice; the position now is left out."""
        index = self.machine.roles.index(role)
        return [turn for turn in range(len(self.moves)) if index in self.deciders(turn)]
