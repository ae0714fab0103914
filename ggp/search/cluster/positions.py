"""What the machines of a cluster tell each other about one match: positions, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import gdl
from ggp.search.choices import Joint
from ggp.search.result import Effort, SearchResult
from ggp.search.search import Search

PACKAGE: Final = "ggp-agent"

NOTHING: Final = Effort(num_iterations=0, num_playouts=0, num_nodes=0, depth=0)
"""The effort of nobody."""

MakeSearch = Callable[[gdl.Game, gdl.State, int], Search]
"""A function of a module that all machines have, called with a seed; `functools.partial` is one."""


@dataclass(frozen=True, slots=True)
class SearchOrder:
    """An order for another machine to search.

    Attributes:
        rules: Of the game.
        version: Of this program; another one may mean something else by the same words.
        make: Makes a search from a state.
        seed: Of all that it chooses at random; each machine has its own.
    """

    rules: gdl.Rulesheet
    version: str
    make: MakeSearch
    seed: int


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the match; the game is not over there.

    Attributes:
        number: Counts the positions that the search was given, from 0 on.
        facts: That are true in it.
        moves: The joint move that led to it from the one before; None if it begins anew.
    """

    number: int
    facts: tuple[gdl.Term, ...]
    moves: Joint | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of a tree for a position.

    Attributes:
        number: Of the position.
        result: Its moves and their values.
        effort: Of the search since it began.
        is_decided: Whether more search cannot change its move.
    """

    number: int
    result: SearchResult
    effort: Effort
    is_decided: bool


def added(effort: Effort, earlier: Effort) -> Effort:
    """An effort, with the work of one whose tree is no more."""
    return replace(
        effort,
        num_iterations=effort.num_iterations + earlier.num_iterations,
        num_playouts=effort.num_playouts + earlier.num_playouts,
    )
