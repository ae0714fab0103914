"""Encodings: numbers for the moves and facts of a game, applied to one state at a time.

If the rules cannot be grounded, facts and moves are not known in advance. Then facts are hashed
(Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009): the checksum of a
fact's text is its index in a vector. If two facts share an index, the element is 1 if either of
them is true. Moves are numbered anew in each state.
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
    """The encoding of a compiled game, in which each fact and each move has its own number.

    Attributes:
        num_facts: Length of an observation.
        num_actions: The number of actions of each role, in the order of the rulesheet.
    """

    def __init__(self, game: gdl.Game) -> None:
        """Create an encoding. Raise ValueError if the game is not compiled."""
        numbering = game.numbering
        if numbering is None:
            raise ValueError(f"expected a compiled game, got {game!r}")
        self._game, self._numbering = game, numbering
        self._numbers = [{move: i for i, move in enumerate(moves)} for moves in numbering.moves]
        self.num_facts = len(numbering.facts)
        self.num_actions = tuple(map(len, numbering.moves))

    def facts(self, state: gdl.State) -> Facts:
        """Return 1 for each fact that is true in a state, and 0 for other facts, `[num_facts]`."""
        assert isinstance(state, bytes)
        return self._numbering.observation(state)

    def legal(self, state: gdl.State, role: int) -> dict[int, gdl.Move]:
        """Return a role's legal moves by action number, in ascending order of the numbers."""
        numbers = self._numbers[role]
        moves = self._game.legal_moves(state, self._game.roles[role])
        return dict(sorted((numbers[move], move) for move in moves))

    def fact_names(self) -> tuple[str, ...]:
        """Return the name of each element of an observation."""
        return tuple(map(str, self._numbering.facts))

    def action_names(self, role: int) -> tuple[str, ...]:
        """Return the name of each action of a role."""
        return tuple(map(str, self._numbering.moves[role]))


class HashedEncoding:
    """The encoding of any game, even an interpreted one. It has the methods of `CompiledEncoding`.

    An action is an index into the legal moves of a state, sorted by text. So the same number stands
    for different moves in different states. A fact has the same index in every version and on every
    machine.
    """

    def __init__(
        self, game: gdl.Game, num_facts: int = NUM_FACTS, max_actions: int = MAX_ACTIONS
    ) -> None:
        """Create an encoding.

        Args:
            num_facts: Length of an observation. It should be several times the number of facts that
                are true in a state.
            max_actions: Maximum number of legal moves of a role.
        """
        if num_facts < 1 or max_actions < 1:
            raise ValueError(
                f"expected at least 1 place and 1 action, got {num_facts} and {max_actions}"
            )
        self._game = game
        self.num_facts = num_facts
        self.num_actions = (max_actions,) * len(game.roles)

    def facts(self, state: gdl.State) -> NDArray[np.uint8]:
        """Return 1 at the indices of the facts that are true in a state, and 0 elsewhere."""
        found = np.zeros(self.num_facts, np.uint8)
        for fact in self._game.facts(state):
            found[self.place(str(fact))] = 1
        return found

    def place(self, fact: str) -> int:
        """Return the index of a fact, given as text, in an observation. Facts may share one."""
        return zlib.crc32(fact.encode()) % self.num_facts

    def legal(self, state: gdl.State, role: int) -> dict[int, gdl.Move]:
        """Return a role's legal moves by action number, in ascending order of the numbers.

        Raises:
            ValueError: There are more than `max_actions`.
        """
        moves = self._game.legal_moves(state, self._game.roles[role])
        if len(moves) > self.num_actions[role]:
            raise ValueError(
                f"role {self._game.roles[role]} has {len(moves)} legal moves, but there "
                f"are only {self.num_actions[role]} action numbers; choose a larger "
                "max_actions"
            )
        return dict(enumerate(sorted(moves, key=str)))

    def fact_names(self) -> tuple[str, ...]:
        """Return the name of each element of an observation."""
        return tuple(f"facts hashed to {place}" for place in range(self.num_facts))

    def action_names(self, role: int) -> tuple[str, ...]:
        """Return the name of each action of a role."""
        return tuple(f"legal move {place}" for place in range(self.num_actions[role]))


Encoding = CompiledEncoding | HashedEncoding


def make_encoding(game: gdl.Game) -> Encoding:
    """Return the encoding of a game: exact if it is compiled, otherwise hashed."""
    return HashedEncoding(game) if game.numbering is None else CompiledEncoding(game)
