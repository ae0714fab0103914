"""Numbers for the moves and facts of a game, one state at a time."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.environments.hashing import HashedEncoding

Facts = NDArray[np.uint8]


class Encoding(Protocol):
    """The moves and facts of a game as numbers.

    Attributes:
        num_facts: Length of an observation.
        num_actions: For each role, in the order of the rulesheet, how many actions it has.
    """

    num_facts: int
    num_actions: tuple[int, ...]

    def facts(self, state: gdl.State) -> Facts:
        """`[num_facts]` which facts are true in a state, as 0 and 1."""
        ...

    def legal(self, state: gdl.State, role: int) -> dict[int, gdl.Move]:
        """The legal actions of a role, ascending, and their moves."""
        ...

    def fact_names(self) -> tuple[str, ...]:
        """The name of each element of an observation."""
        ...

    def action_names(self, role: int) -> tuple[str, ...]:
        """The name of each action of a role."""
        ...


class CompiledEncoding:
    """Encodes a compiled game: each fact and each move has a number of its own; see `Encoding`."""

    def __init__(self, game: gdl.Game) -> None:
        """An encoding.

        Raises:
            ValueError: The game is not compiled.
        """
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


def make_encoding(game: gdl.Game) -> Encoding:
    """The encoding of a game: exact if it is compiled, else hashed."""
    return HashedEncoding(game) if game.numbering is None else CompiledEncoding(game)
