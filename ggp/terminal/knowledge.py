"""Knowledge of a person in a match with hidden information: own moves, percepts and a belief."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import gdl
from ggp.analysis.role_view import RoleView
from ggp.belief import Belief, TurnPercepts
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, deciders_of


class MatchHistory:
    """The states of a match, computed from the texts of its moves.

    Attributes:
        states: The initial state, and the state after each joint move.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self.machine = machine
        self.moves: list[Joint] = []
        self.states = [machine.initial_state()]

    def follow(self, texts: Sequence[str]) -> None:
        """Play one joint move, given as the texts of legal moves in role order."""
        legal = self.legal(len(self.moves))
        joint = tuple(
            next(move for move in moves if str(move) == text)
            for moves, text in zip(legal, texts, strict=True)
        )
        self.states.append(self.machine.next_state(self.states[-1], joint))
        self.moves.append(joint)

    def cut(self, num_turns: int) -> None:
        """Go back to the state after `num_turns` turns."""
        del self.moves[num_turns:]
        del self.states[num_turns + 1 :]

    def legal(self, turn: int) -> list[tuple[gdl.Move, ...]]:
        """Return the legal moves of each role after `turn` turns."""
        return [self.machine.legal_moves(self.states[turn], role) for role in self.machine.roles]

    def deciders(self, turn: int) -> tuple[int, ...]:
        """Return the indices of the roles that have a choice after `turn` turns."""
        return deciders_of(tuple(self.legal(turn)))

    def decisions(self, role: gdl.Role) -> list[int]:
        """Return the past turns in which the role had a choice, counted from 0."""
        index = self.machine.roles.index(role)
        return [turn for turn in range(len(self.moves)) if index in self.deciders(turn)]


SECONDS: Final = 2.0
"""Time limit for processing all new turns."""


class PersonKnowledge:
    """A match as one role knows it, computed from only the role's own moves and percepts.

    Attributes:
        is_consistent: Whether the states in the newest view agree with what the role saw. If False,
            no such state was found, and the view shows a made-up state.
    """

    def __init__(self, name: str, role: gdl.Role, load: Callable[[], gdl.Game]) -> None:
        """Create the knowledge of a role before the first turn.

        Args:
            load: Returns the game. It may return a faster version once that is compiled.
        """
        self.is_consistent = True
        self._name = name
        self._role = role
        self._load = load
        self._game: gdl.Game | None = None
        self._belief: Belief | None = None

    def view(self, history: MatchHistory) -> RoleView:
        """Return the current position as the role knows it.

        If `history` has new turns, this takes up to `SECONDS` to update the role's belief.
        """
        game = self._load()
        is_back = self._belief is not None and len(self._belief.turns) > len(history.moves)
        if self._belief is None or is_back or game is not self._game:
            self._game, self._belief = game, Belief(game, self._role, seed=0)
        belief, seat = self._belief, game.roles.index(self._role)
        new = range(len(belief.turns), len(history.moves))
        for turn in new:
            moves = history.moves[turn]
            seen = history.machine.percepts(history.states[turn], moves, self._role)
            deadline = Deadline.after(SECONDS / len(new))
            belief.advance(moves[seat], frozenset(seen), deadline, is_over=False)
        self.is_consistent = belief.is_consistent
        return RoleView(
            self._name,
            game,
            self._role,
            tuple(TurnPercepts(turn.own_move, turn.percepts) for turn in belief.turns),
            belief.worlds.num,
            belief.is_complete,
            belief.probabilities(),
            belief.worlds,
        )
