"""Encodings: numbers for the moves and facts of a game, one state at a time.

Where the rules do not ground, facts and moves are not known ahead. Then facts are hashed
(Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009): each has the place
in a vector that a checksum of its text gives. Two may share a place; then it is 1 if one of them is
true. Moves are numbered anew in each state.
"""

from __future__ import annotations

import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

import gdl

Facts = NDArray[np.uint8]

NUM_FACTS: Final = 4096
MAX_ACTIONS: Final = 1024


class CompiledEncoding:
    """Encodes a compiled game: each fact and each move has a number of its own.

    Attributes:
        num_facts: Length of an observation.
        num_actions: For each role, in the order of the rulesheet, the number of its actions.
    """

    def __init__(self, game: gdl.Game) -> None:
        """An encoding; ValueError if the game is not compiled."""
        numbering = game.numbering
        if numbering is None:
            raise ValueError(f"expected a compiled game, got {game!r}")
        self._game, self._numbering = game, numbering
        self._numbers = [{move: i for i, move in enumerate(moves)} for moves in numbering.moves]
        self.num_facts = len(numbering.facts)
        self.num_actions = tuple(map(len, numbering.moves))

    def facts(self, state: gdl.State) -> Facts:
        """`[num_facts]` which facts are true in a state, as 0 and 1."""
        assert isinstance(state, bytes)
        return self._numbering.observation(state)

    def legal(self, state: gdl.State, role: int) -> dict[int, gdl.Move]:
        """The legal actions of a role, ascending, and their moves."""
        numbers = self._numbers[role]
        moves = self._game.legal_moves(state, self._game.roles[role])
        return dict(sorted((numbers[move], move) for move in moves))

    def fact_names(self) -> tuple[str, ...]:
        """The name of each element of an observation."""
        return tuple(map(str, self._numbering.facts))

    def action_names(self, role: int) -> tuple[str, ...]:
        """The name of each action of a role."""
        return tuple(map(str, self._numbering.moves[role]))


class HashedEncoding:
    """Encodes any game, also one on the interpreter, as `CompiledEncoding` does.

    An action is a place among the legal moves of a state, sorted by their text: the same number is
    another move in another state. Facts have the same place in each version and on each machine.
    """

    def __init__(
        self, game: gdl.Game, num_facts: int = NUM_FACTS, max_actions: int = MAX_ACTIONS
    ) -> None:
        """An encoding with places for facts, a few times as many as are true at once."""
        if num_facts < 1 or max_actions < 1:
            raise ValueError(
                f"expected at least 1 place and 1 action, got {num_facts} and {max_actions}"
            )
        self._game = game
        self.num_facts = num_facts
        self.num_actions = (max_actions,) * len(game.roles)

    def facts(self, state: gdl.State) -> NDArray[np.uint8]:
        """`[num_facts]` places of facts that are true in a state are 1, the others 0."""
        found = np.zeros(self.num_facts, np.uint8)
        for fact in self._game.facts(state):
            found[self.place(str(fact))] = 1
        return found

    def place(self, fact: str) -> int:
        """The place of a fact."""
        return zlib.crc32(fact.encode()) % self.num_facts

    def legal(self, state: gdl.State, role: int) -> dict[int, gdl.Move]:
        """The legal actions of a role and their moves; ValueError if there are too many."""
        moves = self._game.legal_moves(state, self._game.roles[role])
        if len(moves) > self.num_actions[role]:
            raise ValueError(
                f"role {self._game.roles[role]} has {len(moves):,} legal moves, more than the "
                f"{self.num_actions[role]:,} actions there are numbers for: raise max_actions"
            )
        return dict(enumerate(sorted(moves, key=str)))

    def fact_names(self) -> tuple[str, ...]:
        """The name of each element of an observation."""
        return tuple(f"facts hashed to {place}" for place in range(self.num_facts))

    def action_names(self, role: int) -> tuple[str, ...]:
        """The name of each action of a role."""
        return tuple(f"legal move {place}" for place in range(self.num_actions[role]))


Encoding = CompiledEncoding | HashedEncoding


def make_encoding(game: gdl.Game) -> Encoding:
    """The encoding of a game: exact if it is compiled, else hashed."""
    return HashedEncoding(game) if game.numbering is None else CompiledEncoding(game)
